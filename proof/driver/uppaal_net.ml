(* From the processes of an UPPAAL model to the network of the specification (Spec.v), with their names for runs. This has to
   be believed. Functions are put where they are called; arrays and structs are slots one after the other. *)
open Uppaal_parse
open Uppaal_expr
open Uppaal_elab
module C = Checker

let nat = Network.nat
let comparison = function Eq -> C.Eq0 | Ne -> C.Ne | Lt -> C.Lt0 | Le -> C.Le | Gt -> C.Gt0 | Ge -> C.Ge | _ -> assert false
let operator = function
  | Add -> C.Add | Sub -> C.Sub | Mul -> C.Mul | Div -> C.Div | Mod -> C.Mod | Min -> C.Min | Max -> C.Max | BitAnd -> C.BitAnd
  | BitOr -> C.BitOr | BitXor -> C.BitXor | Shl -> C.Shl | Shr -> C.Shr | o -> C.Cmp (comparison o)

(* ---- Storage: its root, a number of slots from there, and indices that are no constants ---- *)

type index = { i : expr; first : int; count : int; stride : int }
let rec address e = match e.k with
  | Element (a, i) ->
    let root, offset, dynamic = address a in
    (match a.ty, value i with
     | Array (t, first, n), Some v when v >= first && v < first + n -> root, offset + (v - first) * slots t, dynamic
     | Array (t, first, count), _ -> root, offset, dynamic @ [ { i; first; count; stride = slots t } ]
     | _ -> assert false)
  | Field (a, _, n) -> let root, offset, dynamic = address a in root, offset + n, dynamic
  | _ -> e, 0, []

let within (low, high) e = match e with
  | C.EConst v when v >= low && v <= high -> e
  | _ -> if low <= least && high >= most then e else C.EWithin (low, high, e)

(* `frame` is how many local variables there are where the code stands. *)
let rec expr frame e : C.expr = match e.k with
  | Const v -> C.EConst v
  | Var _ | Local _ | Table _ | Element _ | Field _ -> slot_value frame e 0
  | At (_, p, l) -> C.EAt (nat p, nat l)
  | Neg a -> C.ENeg (expr frame a)
  | Not a -> C.ENot (expr frame a)
  | Bin (And, a, b) -> C.EAnd (expr frame a, expr frame b)
  | Bin (Or, a, b) -> C.EOr (expr frame a, expr frame b)
  | Bin ((Eq | Ne) as o, a, b) when slots a.ty <> 1 || (match a.ty with Int _ -> false | _ -> true) ->
    let all = List.init (slots a.ty) (fun k -> C.EBin (C.Cmp C.Eq0, slot_value frame a k, slot_value frame b k)) in
    let same = List.fold_left (fun x y -> C.EAnd (x, y)) (C.EConst 1) all in
    if o = Eq then same else C.ENot same
  | Bin (o, a, b) -> C.EBin (operator o, expr frame a, expr frame b)
  | Cond (a, b, c) -> C.ECond (expr frame a, expr frame b, expr frame c)
  | Quant (q, l, low, high, a) ->
    l.slot <- frame;
    let a = expr (frame + 1) a in
    (match q with Forall -> C.EEvery (low, high, a) | Exists -> C.ESome (low, high, a) | Sum -> C.ESum (low, high, a))
  | Call c -> called frame c 0
  | Set _ -> not_covered "assignments inside of an expression"
  | Clocks _ | Test _ | Deadlocked -> not_covered "clocks as numbers"
(* A slot of what a function returns. *)
and called frame c offset =
  if c.writes <> [] then not_covered "calls that change variables inside of an expression";
  if c.result = Void then bad "a void function has no value";
  let next = reserve_call frame c in
  let code = call_code next c in
  C.EDo (nat (next - frame), code, C.ELocal (nat (c.res.slot + offset)))
and index_value frame { i; first; count; stride } =
  let e = within (first, first + count - 1) (expr frame i) in
  let e = if first = 0 then e else C.EBin (C.Sub, e, C.EConst first) in
  if stride = 1 then e else C.EBin (C.Mul, e, C.EConst stride)
(* Where to find slot k of storage: base, size and index. *)
and indexed frame base offset dynamic = match dynamic with
  | [ { i; first = 0; count; stride = 1 } ] -> base + offset, count, expr frame i
  | l ->
    let size = List.fold_left (fun n d -> n + (d.count - 1) * d.stride) 1 l in
    let sum = match List.map (index_value frame) l with
      | e :: es -> List.fold_left (fun a b -> C.EBin (C.Add, a, b)) e es | [] -> assert false in
    base + offset, max 0 size, sum
and slot_value frame e k : C.expr = match e.k with
  | Cond (a, b, c) -> C.ECond (expr frame a, slot_value frame b k, slot_value frame c k)
  | Call c when slots c.result <> 1 -> called frame c k
  | Element _ | Field _ when not (is_storage e) ->
    (match address e with
     | { k = Call c }, offset, [] -> called frame c (offset + k)
     | _ -> not_covered "indices of what a function returns")
  | _ when not (is_storage e) -> expr frame e
  | _ ->
    let root, offset, dynamic = address e in
    let offset = offset + k in
    match root.k, dynamic with
    | Var (_, b), [] -> C.EVar (nat (b + offset))
    | Var (_, b), _ -> let b, size, i = indexed frame b offset dynamic in C.EElem (nat b, size, i)
    | Local l, [] -> C.ELocal (nat (l.slot + offset))
    | Local l, _ -> let b, size, i = indexed frame l.slot offset dynamic in C.ELocalElem (nat b, size, i)
    | Table (_, t), [] -> C.EConst t.(offset)
    | Table (_, t), _ ->
      let b, size, i = indexed frame 0 offset dynamic in
      C.ETable (Array.to_list (Array.sub t b size), i)
    | _ -> not_covered "clocks as numbers"
and clock frame e = match address e with
  | { k = Clocks (_, b) }, offset, [] -> C.Clock (nat (b + offset))
  | { k = Clocks (_, b) }, offset, dynamic -> let b, size, i = indexed frame b offset dynamic in C.ClockElem (nat b, size, i)
  | _ -> not_covered "clocks of other kinds"

(* ---- Statements ---- *)

(* Effects inside of expressions are made statements of their own, which come before: what is evaluated before an effect and needed
   after it is kept in a local variable. Parts are evaluated from left to right, indices before values; `&&`, `||` and `? :` only
   as far as they decide. Functions that return arrays or structs are called in statements, too. `fresh` makes a variable. *)
and is_simple e = expr_writes e = [] && not (some (fun p -> match p.k with Call c -> slots c.result > 1 | _ -> false) e)
and keep fresh e =
  let l = fresh (match e.ty with Int _ -> any | t -> t) in
  [ Put (local_expr l, e) ], { k = Local l; ty = e.ty }
and in_order fresh l = match l with
  | [] -> [], []
  | e :: rest ->
    let before, e = lower fresh e in
    let more, rest = in_order fresh rest in
    if more = [] then before, e :: rest
    else if value e <> None then before @ more, e :: rest
    else let kept, e = keep fresh e in before @ kept @ more, e :: rest
and lower fresh e : stmt list * expr =
  let whole k = { e with k } in
  let is_so e = { k = Bin (Ne, e, const 0); ty = bool } in
  let decided l v = [ Put (local_expr l, v) ] in
  if is_simple e then [], e
  else match e.k with
    | Not a -> let before, a = lower fresh a in before, whole (Not a)
    | Neg a -> let before, a = lower fresh a in before, whole (Neg a)
    | Bin ((And | Or) as o, a, b) ->
      let before, a = lower fresh a in
      let more, b = lower fresh b in
      if more = [] then before, whole (Bin (o, a, b))
      else
        let l = fresh any in
        let last = more @ decided l (is_so b) in
        let both = if o = And then If (a, last, decided l (const 0)) else If (a, decided l (const 1), last) in
        before @ [ both ], whole (Local l)
    | Bin (o, a, b) ->
      (match in_order fresh [ a; b ] with before, [ a; b ] -> before, whole (Bin (o, a, b)) | _ -> assert false)
    | Cond (c, a, b) ->
      let before, c = lower fresh c in
      let of_a, a = lower fresh a in
      let of_b, b = lower fresh b in
      if of_a = [] && of_b = [] then before, whole (Cond (c, a, b))
      else
        let l = fresh (match e.ty with Int _ -> any | t -> t) in
        before @ [ If (c, of_a @ decided l a, of_b @ decided l b) ], whole (Local l)
    | Set (x, v) ->
      let before, x, v = lower_target fresh ~all:true x [ v ] in
      before @ [ Put (x, List.hd v) ], x
    | Call c ->
      let before, values = in_order fresh (List.map snd c.params) in
      let c = { c with params = List.map2 (fun (l, _) v -> l, v) c.params values } in
      if c.writes = [] && slots c.result <= 1 then before, whole (Call c)
      else before @ [ Effect (whole (Call c)) ], { (local_expr c.res) with ty = e.ty }
    | Element _ | Field _ ->
      (match (root e).k with
       | Var _ | Local _ | Table _ | Clocks _ -> let before, e, _ = lower_target fresh ~all:false e [] in before, e
       | Call _ ->
         let before, r = lower fresh (root e) in
         let rec replace p = match p.k with Element (a, i) -> { p with k = Element (replace a, i) } | Field (a, n, o) -> { p with k = Field (replace a, n, o) } | _ -> r in
         let more, e, _ = lower_target fresh ~all:false (replace e) [] in
         before @ more, e
       | _ -> not_covered "effects inside of an index")
    | _ when expr_writes e = [] -> [], e
    | _ -> not_covered "effects below a quantifier"
(* Storage, and what is evaluated after its indices. all: each index that is no constant is kept, as the storage is used twice. *)
and lower_target fresh ~all x values =
  let rec indices x = match x.k with Element (a, i) -> indices a @ [ i ] | Field (a, _, _) -> indices a | _ -> [] in
  let before, l = in_order fresh (indices x @ values) in
  let left = ref l and kept = ref [] in
  let next () = match !left with e :: rest -> left := rest; e | [] -> assert false in
  let rec again x = match x.k with
    | Element (a, _) ->
      let a = again a in
      let i = next () in
      let is_kept = match i.k with Local _ | Const _ -> true | _ -> value i <> None in
      let i = if not all || is_kept then i else begin let put, i = keep fresh i in kept := !kept @ put; i end in
      { x with k = Element (a, i) }
    | Field (a, n, o) -> let a = again a in { x with k = Field (a, n, o) }
    | _ -> x in
  let x = again x in
  before @ !kept, x, !left

and lower_all fresh body = List.concat_map (lower_one fresh) body
and lower_one fresh s = match s with
  | Put (x, e) when is_simple x && is_simple e -> [ s ]
  | Put (x, e) ->
    (match lower_target fresh ~all:false x [ e ] with
     | before, x, [ e ] -> before @ [ Put (x, e) ]
     | _ -> assert false)
  | Clock_set (x, y, c) ->
    let values = (match y with None -> [] | Some y -> [ y ]) @ Option.to_list c in
    if List.for_all is_simple (x :: values) then [ s ]
    else begin
      let rec count e = match e.k with Element (a, _) -> 1 + count a | Field (a, _, _) -> count a | _ -> 0 in
      let rec indices x = match x.k with Element (a, i) -> indices a @ [ i ] | Field (a, _, _) -> indices a | _ -> [] in
      let of_y = match y with None -> [] | Some y -> indices y in
      let before, x, rest = lower_target fresh ~all:false x (of_y @ Option.to_list c) in
      let n = List.length of_y in
      let given = List.filteri (fun i _ -> i < n) rest and c = match List.filteri (fun i _ -> i >= n) rest with [] -> None | e :: _ -> Some e in
      let rec put x l = match x.k with
        | Element (a, _) -> let m = count a in { x with k = Element (put a (List.filteri (fun i _ -> i < m) l), List.nth l m) }
        | Field (a, n, o) -> { x with k = Field (put a l, n, o) }
        | _ -> x in
      before @ [ Clock_set (x, Option.map (fun y -> put y given) y, c) ]
    end
  | Begin _ | Return None -> [ s ]
  | Return (Some e) -> let before, e = lower fresh e in before @ [ Return (Some e) ]
  | Effect ({ k = Call c } as e) ->
    let before, values = in_order fresh (List.map snd c.params) in
    before @ [ Effect { e with k = Call { c with params = List.map2 (fun (l, _) v -> l, v) c.params values } } ]
  | Effect e -> fst (lower fresh e)
  | Assert e -> let before, e = lower fresh e in before @ [ Assert e ]
  | If (c, a, b) -> let before, c = lower fresh c in before @ [ If (c, lower_all fresh a, lower_all fresh b) ]
  | While (c, a) ->
    let before, c = lower fresh c in
    before @ [ While (c, lower_all fresh a @ before) ]
  | Do (a, c) ->
    let before, c = lower fresh c in
    let a = lower_all fresh a @ before in
    if before = [] then [ Do (a, c) ] else a @ [ While (c, a) ]
and lowered_bodies : (int, stmt list) Hashtbl.t Lazy.t = lazy (Hashtbl.create 64)
and body_of c =
  let known = Lazy.force lowered_bodies in
  match Hashtbl.find_opt known c.res.l_id with
  | Some body -> body
  | None ->
    let fresh ty = let l = new_local "kept" ty in Hashtbl.replace c.own l.l_id l; l in
    let body = lower_all fresh c.body in
    Hashtbl.add known c.res.l_id body; body

(* Slots for the local variables of a call, and of the calls that are statements in it. *)
and reserve_locals next locals =
  let locals = List.sort (fun a b -> compare a.l_id b.l_id) locals in
  List.fold_left (fun n l -> l.slot <- n; n + slots l.l_type) next locals
and reserve_call next c =
  let body = body_of c in
  let next = reserve_locals next (Hashtbl.fold (fun _ l r -> l :: r) c.own []) in
  reserve next body
and reserve next body =
  List.fold_left (fun n s -> match s with
      | Effect { k = Call c } -> reserve_call n c
      | Put _ | Effect _ | Return _ | Clock_set _ | Assert _ | Begin _ -> n
      | If (_, a, b) -> reserve (reserve n a) b
      | While (_, a) | Do (a, _) -> reserve n a) next body

and returns_somewhere body = List.exists (function
    | Return _ -> true
    | If (_, a, b) -> returns_somewhere a || returns_somewhere b
    | While (_, a) | Do (a, _) -> returns_somewhere a
    | _ -> false) body
(* Whether the rest must not run after a statement that may have returned: loops, and branches of which not all do. *)
and needs_flag body = match body with
  | [] -> false
  | Return _ :: _ -> false
  | If (_, a, b) :: rest when returns a -> needs_flag a || needs_flag (b @ rest)
  | If (_, a, b) :: rest when returns b -> needs_flag b || needs_flag (a @ rest)
  | s :: rest -> returns_somewhere [ s ] || needs_flag rest
and call_code frame c =
  let body = body_of c in
  let flagged = needs_flag body in
  let params = List.concat_map (fun (l, a) -> copy frame (local_expr l) a) c.params in
  let start = if flagged then [ C.SLocal (nat c.fin.slot, C.EConst 0) ] else [] in
  sequence (params @ start @ [ body_code frame (Some (c, flagged)) body ])
and sequence = function [] -> C.SNop | [ s ] -> s | C.SNop :: rest -> sequence rest | s :: rest -> C.SSeq (s, sequence rest)
and body_code frame f body : C.stmt =
  let rest_of = body_code frame f in
  match body with
  | [] -> C.SNop
  | Return e :: _ -> return_code frame f e
  | If (c, a, b) :: rest when returns a -> branch frame f c a (b @ rest)
  | If (c, a, b) :: rest when returns b -> branch frame f c (a @ rest) b
  | s :: rest ->
    let first = code frame f s in
    if returns_somewhere [ s ] then
      match f with
      | Some (c, _) -> sequence [ first; C.SIf (running c, rest_of rest, C.SNop) ]
      | None -> bad "`return` is for functions"
    else sequence [ first; rest_of rest ]
and running c = C.EBin (C.Cmp C.Eq0, C.ELocal (nat c.fin.slot), C.EConst 0)
and branch frame f c a b = C.SIf (expr frame c, body_code frame f a, body_code frame f b)
and return_code frame f e = match f with
  | None -> bad "`return` is for functions"
  | Some (c, flagged) ->
    let value = match e with None -> [] | Some e -> [ code frame f (Put (local_expr c.res, e)) ] in
    sequence (value @ if flagged then [ C.SLocal (nat c.fin.slot, C.EConst 1) ] else [])
(* An error. *)
and wrong = C.SLocal (nat 0, C.EBin (C.Div, C.EConst 1, C.EConst 0))
and code frame f s : C.stmt = match s with
  | Put (x, e) -> sequence (copy frame x e)
  | Effect { k = Call c } -> call_code frame c
  | Effect _ -> C.SNop
  | Clock_set (x, y, c) ->
    let y = match y with None -> C.Clock (nat 0) | Some y -> clock frame y in
    C.SClock (clock frame x, y, match c with None -> C.EConst 0 | Some c -> expr frame c)
  | Begin { k = Local l } -> sequence (List.init (slots l.l_type) (fun k -> C.SLocal (nat (l.slot + k), C.EConst 0)))
  | Begin _ -> C.SNop
  | Assert e -> C.SIf (expr frame e, C.SNop, wrong)
  | Return e -> return_code frame f e
  | If (c, a, b) -> branch frame f c a b
  | While (c, a) -> loop frame f c a
  | Do (a, c) ->
    let again = loop frame f c a in
    let again = match f with Some (g, _) when returns_somewhere a -> C.SIf (running g, again, C.SNop) | _ -> again in
    sequence [ body_code frame f a; again ]
and loop frame f c a =
  let c = expr frame c in
  let c = match f with Some (g, _) when returns_somewhere a -> C.EAnd (running g, c) | _ -> c in
  C.SWhile (c, body_code frame f a)

(* Values into storage, slot by slot. *)
and copy frame x e : C.stmt list =
  let n = slots x.ty in
  if n > 1 then begin
    (* What is written must not change what is read later. *)
    let same_root a b = match (root a).k, (root b).k with
      | Var (_, p), Var (_, q) -> p = q | Local l, Local m -> l.l_id = m.l_id | _ -> false in
    let rec reads e = match e.k with
      | Call _ -> not_covered "functions that return arrays or structs inside of an expression"
      | _ -> some (fun p -> match p.k with Var _ | Local _ -> same_root p x | _ -> false) e in
    let rec indices e = match e.k with
      | Element (a, i) -> (value i = None && (reads i || may_change i)) || indices a
      | Field (a, _, _) -> indices a
      | _ -> false in
    (* Two elements of one array, reached by the same way, are the same or have no slot in common. *)
    let rec same_way a b = match a.k, b.k with
      | Element (a, _), Element (b, _) -> same_way a b
      | Field (a, _, m), Field (b, _, n) -> m = n && same_way a b
      | (Var _ | Local _), (Var _ | Local _) -> same_root a b
      | _ -> false in
    if indices x || (reads e && not (same_way x e && not (indices e))) then not_covered "arrays or structs that are assigned to parts of themselves"
  end;
  let rec kinds = function
    | Array (t, _, n) -> List.concat (List.init n (fun _ -> kinds t))
    | Struct fs -> List.concat_map (fun (_, t) -> kinds t)  fs
    | t -> [ t ] in
  List.mapi (fun k t ->
      let v = slot_value frame e k in
      let v = match t with Int (a, b, _) -> within (a, b) v | _ -> v in
      store frame x k v) (kinds x.ty)
and store frame x k v =
  let root, offset, dynamic = address x in
  let offset = offset + k in
  match root.k, dynamic with
  | Var (_, b), [] -> C.SVar (nat (b + offset), v)
  | Var (_, b), _ -> let b, size, i = indexed frame b offset dynamic in C.SElem (nat b, size, i, v)
  | Local l, [] -> C.SLocal (nat (l.slot + offset), v)
  | Local l, _ -> let b, size, i = indexed frame l.slot offset dynamic in C.SLocalElem (nat b, size, i, v)
  | _ -> bad "this cannot be assigned to"

(* Statements that are not in a function: how many local variables, and the code. *)
let top locals body =
  let kept = ref [] in
  let body = lower_all (fun ty -> let l = new_local "kept" ty in kept := l :: !kept; l) body in
  let frame = reserve (reserve_locals 0 (locals @ !kept)) body in
  frame, body_code frame None body

(* ---- Conditions ---- *)

let is_same a b = match address a, address b with
  | ({ k = Clocks (_, x) }, m, []), ({ k = Clocks (_, y) }, n, []) -> x + m = y + n
  | _ -> false
let test x y o c = match y with
  | Some y when is_same x y -> C.AInt (C.EBin (operator o, C.EConst 0, expr 0 c))
  | _ -> C.AClock (clock 0 x, (match y with None -> C.Clock (nat 0) | Some y -> clock 0 y), comparison o, expr 0 c)
(* Two negations are none. *)
let rec conjuncts is_negated e = match e.k with
  | Not a -> conjuncts (not is_negated) a
  | Bin (And, a, b) when not is_negated -> conjuncts false a @ conjuncts false b
  | Bin (Or, a, b) when is_negated -> conjuncts true a @ conjuncts true b
  | Test (x, y, o, c) when not is_negated -> [ test x y o c ]
  | Bin (Or, a, b) when has_test e && not is_negated ->
    let a, b = if has_test b then a, b else b, a in
    List.map (fun atom -> C.AUnless (expr 0 a, atom)) (conjuncts false b)
  | Cond (a, b, c) when has_test e && not is_negated ->
    List.map (fun atom -> C.AUnless (C.ENot (expr 0 a), atom)) (conjuncts false b)
    @ List.map (fun atom -> C.AUnless (expr 0 a, atom)) (conjuncts false c)
  | _ when has_test e -> bad "a clock constraint has no place in a guard or an invariant"
  | Const v -> if (v <> 0) <> is_negated then [] else [ C.AInt (C.EConst 0) ]
  | _ -> [ C.AInt (if is_negated then C.ENot (expr 0 e) else expr 0 e) ]
let conjunction = function None -> [] | Some e -> conjuncts false e

let rec formula e : C.formula = match e.k with
  | Not a -> C.FNot (formula a)
  | Bin (And, a, b) -> C.FAnd (formula a, formula b)
  | Bin (Or, a, b) -> C.FOr (formula a, formula b)
  | Test (x, y, o, c) -> C.FAtom (test x y o c)
  | Deadlocked -> not_covered "such queries with `deadlock`"
  | Cond (a, b, c) when has_test e -> C.FOr (C.FAnd (formula a, formula b), C.FAnd (C.FNot (formula a), formula c))
  | Bin (Eq, a, b) when has_test e -> C.FOr (C.FAnd (formula a, formula b), C.FAnd (C.FNot (formula a), C.FNot (formula b)))
  | Bin (Ne, a, b) when has_test e -> C.FOr (C.FAnd (formula a, C.FNot (formula b)), C.FAnd (C.FNot (formula a), formula b))
  | _ -> C.FAtom (C.AInt (expr 0 e))

(* A condition as `f or (g and deadlock)`; is_so: the condition itself, else its negation. *)
let rec split is_so e : C.formula * C.formula =
  let never = C.FAtom (C.AInt (C.EConst 0)) and ever = C.FAtom (C.AInt (C.EConst 1)) in
  let both a b = if a = never || b = never then never else if a = ever then b else if b = ever then a else C.FAnd (a, b) in
  let either a b = if a = never then b else if b = never then a else if a = ever || b = ever then ever else C.FOr (a, b) in
  match e.k with
  | Deadlocked when is_so -> never, ever
  | Not a -> split (not is_so) a
  | _ when not (some (fun e -> e.k = Deadlocked) e) -> (if is_so then formula e else C.FNot (formula e)), never
  | Bin ((And | Or) as op, a, b) ->
    let f, g = split is_so a in
    let f', g' = split is_so b in
    if (op = And) = is_so then both f f', either (either (both f g') (both g f')) (both g g') else either f f', either g g'
  | _ -> not_covered "queries for states that are not deadlocked"

(* ---- The network ---- *)

let rec slot_names name = function
  | Array (t, first, n) -> List.concat (List.init n (fun k -> slot_names (Printf.sprintf "%s[%d]" name (first + k)) t))
  | Struct fs -> List.concat_map (fun (f, t) -> slot_names (name ^ "." ^ f) t) fs
  | _ -> [ name ]
(* As runs have them: an array of one element goes by its name, if its index begins with 0. *)
let full_names name = function Array (t, 0, 1) -> slot_names name t | t -> slot_names name t
let rec slot_ranges = function
  | Array (t, _, n) -> List.concat (List.init n (fun _ -> slot_ranges t))
  | Struct fs -> List.concat_map (fun (_, t) -> slot_ranges t) fs
  | Int (a, b, _) -> [ (a, b) ]
  | _ -> assert false

type sync = { parts : (int * int) list (* process and event, the sender first *); over : channel }

let syncs () =
  let users = Hashtbl.create 64 in
  List.iter (fun (e : an_edge) -> Hashtbl.replace users (e.event, e.process) ()) st.edges;
  let processes = List.init st.process_count Fun.id in
  let uses event = List.filter (fun p -> Hashtbl.mem users (event, p)) processes in
  List.concat_map (fun (c : channel) ->
      List.concat_map (fun sender ->
          let others = List.filter (( <> ) sender) (uses c.receive) in
          if c.is_broadcast then [ { parts = (sender, c.send) :: List.map (fun r -> r, c.receive) others; over = c } ]
          else List.map (fun r -> { parts = [ (sender, c.send); (r, c.receive) ]; over = c }) others) (uses c.send))
    (List.rev st.channels)

let model name syncs : Model.t =
  let named n = { Model.name = n; kept = [] } in
  let processes = List.rev_map (fun (p : a_process) -> p) st.processes in
  let location (l : a_location) = { Model.l_name = l.name; l_flags = []; l_labels = []; l_invariant = None; l_kept = [] } in
  { Model.system = named name; events = List.rev_map named st.events;
    clocks = List.concat_map (fun (n, t) -> List.map (fun n -> named n, 1) (full_names n t)) (List.rev st.clocks);
    variables = List.concat_map (fun (n, t, values, _) ->
        List.mapi (fun k (n, (low, high)) -> named n, { Model.low; high; initial = values.(k); count = 1 })
          (List.combine (full_names n t) (slot_ranges t))) (List.rev st.variables);
    processes = List.map (fun (p : a_process) -> { Model.p_name = p.p_name; p_kept = []; p_locations = List.map location p.places }) processes;
    edges = List.rev_map (fun (e : an_edge) -> { Model.process = e.process; source = e.source; target = e.target; event = e.event; guard = None;
                                                 update = []; locals = 0; e_kept = [] }) st.edges;
    syncs = []; symbols = Hashtbl.create 1 }

(* An edge over a channel that nobody else uses can never be taken. *)
let possible syncs =
  let table = Hashtbl.create 64 in
  List.iter (fun s -> List.iter (fun p -> Hashtbl.replace table p ()) s.parts) syncs;
  fun (e : an_edge) -> e.event = st.tau || Hashtbl.mem table (e.process, e.event)

let check_urgent syncs edges =
  List.iter (fun s ->
      if s.over.is_urgent then
        List.iter (fun (e : an_edge) ->
            if (e.event = s.over.send || (not s.over.is_broadcast && e.event = s.over.receive))
            && Option.fold ~none:false ~some:has_test e.a_guard then not_covered "clocks in guards over urgent channels") edges) syncs

(* Rates. If some clock that matters is stopped somewhere, all rates that can be 0 or 1 are kept. A clock matters if it is
   tested, or another one is set to it. If none does, these rates are for queries that read such a clock. Other rates change
   nothing if their clocks do not matter, also in queries. *)
let clocks_of x = match address x with
  | { k = Clocks (_, first) }, offset, [] -> [ first + offset ]
  | ({ k = Clocks (_, first) } as root), _, _ -> List.init (slots root.ty) (fun k -> first + k)
  | _ -> []
let look ~at_expr ~at_source =
  let rec calls e = ignore (some (fun p -> (match p.k with Call c -> List.iter body c.body | _ -> ()); false) e)
  and body s = match s with
    | Clock_set (x, y, c) -> Option.iter at_source y; calls x; Option.iter calls c
    | Put (x, e) -> calls x; calls e
    | If (c, a, b) -> calls c; List.iter body (a @ b)
    | While (c, a) | Do (a, c) -> calls c; List.iter body a
    | Return e -> Option.iter calls e
    | Effect e | Assert e -> calls e
    | Begin _ -> () in
  let expr e = at_expr e; calls e in
  List.iter (fun (p : a_process) -> List.iter (fun l -> Option.iter expr l.inv) p.places) st.processes;
  List.iter (fun (e : an_edge) -> Option.iter expr e.a_guard; List.iter body e.effects) st.edges;
  List.iter (Option.iter (fun (code, _) -> List.iter body code)) [ st.before; st.after ]
let has_clock_of l e = l <> [] && some (fun p -> p.ty = Clock && List.exists (fun k -> List.mem k l) (clocks_of p)) e
let untested e = if has_clock_of st.rated e then not_covered "rates other than 0 and 1 of clocks that are tested"
let decide_rates () =
  let all = List.concat_map (fun (p : a_process) -> List.concat_map (fun (l : a_location) -> l.rates) p.places) st.processes in
  if all <> [] then begin
    let tested = Hashtbl.create 16 in
    let mark x = List.iter (fun k -> Hashtbl.replace tested k ()) (clocks_of x) in
    let tests e = ignore (some (fun p -> (match p.k with Test (x, y, _, _) -> mark x; Option.iter mark y | _ -> ()); false) e) in
    look ~at_expr:tests ~at_source:mark;
    let matters r = match r.of_clock with None -> false | Some x -> List.exists (Hashtbl.mem tested) (clocks_of x) in
    let can_be r = match r with { of_clock = Some _; is = Some e } -> let low, high = range e in low <= 1 && high >= 0 | _ -> false in
    let is_one r = match r.is with Some e -> value e = Some 1 | None -> false in
    let clocks p = List.concat_map (fun r -> if p r && not (is_one r) then Option.fold ~none:[] ~some:clocks_of r.of_clock else []) all in
    let are_read = List.exists (fun r -> can_be r && not (is_one r) && matters r) all in
    st.rated <- clocks (fun r -> not (can_be r));
    if not are_read then st.stopped <- clocks can_be;
    let kept (l : a_location) = List.filter can_be l.rates in
    List.iter (fun (p : a_process) -> p.places <- List.map (fun (l : a_location) ->
        if are_read then { l with rates = kept l } else { l with rates = []; unread = if st.stopped = [] then [] else kept l }) p.places) st.processes;
    look ~at_expr:untested ~at_source:untested
  end

(* With the rates that are for queries which read their clocks, or without. *)
let net ~are_read syncs : C.net * C.edge array =
  let edges = List.rev st.edges in
  check_urgent syncs edges;
  let edge (e : an_edge) =
    let locals, update = top [] e.effects in
    { C.e_process = nat e.process; e_event = nat e.event; e_target = nat e.target; e_guard = conjunction e.a_guard;
      e_locals = nat locals; e_update = update } in
  let made = Array.of_list (List.map edge edges) in
  let possible = possible syncs in
  let out = Hashtbl.create 64 in
  List.iter (fun (i, (e : an_edge)) -> if possible e then Hashtbl.add out (e.process, e.source) made.(i)) (List.rev (List.mapi (fun i e -> i, e) edges));
  let location p i (l : a_location) =
    { C.l_initial = l.initial; l_committed = l.l_committed; l_urgent = l.l_urgent; l_labels = []; l_invariant = conjunction l.inv;
      l_rates = List.map (fun r -> clock 0 (Option.get r.of_clock), expr 0 (Option.get r.is)) (if are_read then l.rates @ l.unread else l.rates);
      l_out = Hashtbl.find_all out (p, i) } in
  let part s k (p, e) = { C.p_process = nat p; p_event = nat e; p_kind = (if k > 0 && s.over.is_broadcast then C.Receiver else C.Strong) } in
  let hook = function None -> [] | Some (body, locals) -> let n, c = top locals body in [ (nat n, c) ] in
  let channels = List.rev st.channels in
  let urgent c = if not c.is_urgent then [] else if c.is_broadcast then [ nat c.send ] else [ nat c.send; nat c.receive ] in
  let ranks = Array.make st.event_count st.tau_level in
  List.iter (fun c -> ranks.(c.send) <- c.priority; ranks.(c.receive) <- c.priority) channels;
  let processes = List.rev st.processes in
  { C.n_processes = List.mapi (fun p (q : a_process) -> List.mapi (location p) q.places) processes;
    n_syncs = List.map (fun s -> List.mapi (part s) s.parts) syncs;
    n_variables = List.concat_map (fun (_, t, values, _) ->
        List.mapi (fun k (low, high) -> { C.v_low = low; v_high = high; v_init = values.(k) }) (slot_ranges t)) (List.rev st.variables);
    n_wraps = true;
    n_urgent = List.concat_map urgent channels;
    n_channel_ranks = if st.has_priorities then Array.to_list ranks else [];
    n_process_ranks = if st.has_priorities then List.map (fun (p : a_process) -> p.level) processes else [];
    n_before = hook st.before; n_after = hook st.after }, made

(* ---- As `tarn show` prints it ---- *)

let show name syncs =
  forget_definitions ();
  is_stored := (fun n -> List.exists (fun (v, _, _, _) -> v = n) st.variables || List.exists (fun (c, _) -> c = n) st.clocks);
  let b = Buffer.create 4096 in
  let line fmt = Printf.bprintf b fmt in
  let attributes l =
    List.iteri (fun i (key, write) -> line "%s%s:" (if i = 0 then "{" else " : ") key; write ()) l;
    line (if l = [] then "\n" else "}\n") in
  let flag is_so key = if is_so then [ key, ignore ] else [] in
  let number key v = [ key, fun () -> line " %d" v ] in
  line "system:%s\n# integers as in UPPAAL's language\n" name;
  if st.events <> [] || st.clocks <> [] || st.variables <> [] then line "\n";
  let events = Array.of_list (List.rev st.events) and processes = Array.of_list (List.rev st.processes) in
  let channels = Hashtbl.create 64 in
  List.iter (fun (c : channel) -> Hashtbl.replace channels c.send c; Hashtbl.replace channels c.receive c) st.channels;
  let priority key v = if st.has_priorities then number key v else [] in
  Array.iteri (fun i e ->
      line "event:%s" e;
      let c = Hashtbl.find_opt channels i in
      attributes (flag (match c with Some c -> c.is_urgent | None -> false) "urgent"
                  @ priority "priority" (match c with Some c -> c.priority | None -> st.tau_level))) events;
  (* What the first numbers of the line do not say. *)
  let storage t values is_meta =
    let is_plain = match (match t with Array (t, 0, _) -> t | t -> t) with Array _ | Struct _ -> false | _ -> true in
    attributes ((if is_plain then [] else [ "type", fun () -> line " %s" (type_text t) ])
                @ (if Array.for_all (( = ) values.(0)) values then []
                   else [ "values", fun () -> line " %s" (String.concat "," (List.map string_of_int (Array.to_list values))) ])
                @ flag is_meta "meta") in
  List.iter (fun (n, t) -> line "clock:%d:%s" (slots t) n; storage t [| 0 |] false) (List.rev st.clocks);
  List.iter (fun (n, t, values, is_meta) ->
      let low, high = match (match t with Array (t, _, _) -> t | t -> t) with Int (a, b, _) -> a, b | _ -> 0, 0 in
      line "int:%d:%d:%d:%d:%s" (slots t) low high values.(0) n; storage t values is_meta) (List.rev st.variables);
  let possible = possible syncs in
  let said key = function None -> [] | Some e -> [ key, fun () -> line " "; print b e ] in
  let invariant (l : a_location) =
    let rates = l.rates @ l.unread in
    if l.inv = None && rates = [] then []
    else [ "invariant", fun () ->
        line " "; Option.iter (print b) l.inv;
        List.iteri (fun k r ->
            if k > 0 || l.inv <> None then line " && ";
            print b (Option.get r.of_clock); line "' == "; print b (Option.get r.is)) rates ] in
  let edges = List.rev st.edges in
  Array.iteri (fun p (q : a_process) ->
      line "\nprocess:%s" q.p_name; attributes (priority "priority" q.level);
      List.iter (fun (l : a_location) ->
          line "location:%s:%s" q.p_name l.name;
          attributes (flag l.initial "initial" @ flag l.l_committed "committed" @ flag l.l_urgent "urgent" @ invariant l)) q.places;
      let names = Array.of_list (List.map (fun (l : a_location) -> l.name) q.places) in
      List.iter (fun (e : an_edge) ->
          if e.process = p && possible e then begin
            line "edge:%s:%s:%s:%s" q.p_name names.(e.source) names.(e.target) events.(e.event);
            attributes (said "provided" e.a_guard @ (if e.effects = [] then [] else [ "do", fun () -> line " "; print_stmts b e.effects ]))
          end) edges) processes;
  if syncs <> [] then line "\n";
  List.iter (fun s ->
      line "sync";
      List.iteri (fun k (p, e) -> line ":%s@%s%s" processes.(p).p_name events.(e) (if k > 0 && s.over.is_broadcast then "?" else "")) s.parts;
      line "\n") syncs;
  let syncs_end = Buffer.length b in
  let hook name = function Some (body, _) when body <> [] -> line "%s{%s\n" name (code_text body) | _ -> () in
  hook "before_update" st.before; hook "after_update" st.after;
  print_definitions b;
  if Buffer.length b = syncs_end then Buffer.contents b
  else Buffer.sub b 0 syncs_end ^ "\n" ^ Buffer.sub b syncs_end (Buffer.length b - syncs_end)

(* ---- Queries ---- *)

let last_query : expr list ref = ref []
let reads_rates = ref false (* whether the last query reads a clock that nothing else does, and that is stopped somewhere *)
let query text : (C.formula, C.quantity) Query.t =
  st.is_query <- true;
  let l = lexer ~query:true text in
  let text = without_comments text in
  last_query := [];
  reads_rates := false;
  let read e = untested e; if has_clock_of st.stopped e then reads_rates := true in
  let condition_at l = let e = condition process_scope (Uppaal_parse.expr l) in
    last_query := e :: !last_query;
    read e;
    if List.mem Outside (expr_writes e) then bad "a query must not change variables"; e in
  let ended x = ignore (accept l ";"); if ahead l 0 <> End then unexpected l "an operator or the end"; x in

  let made claim goal = { Query.claim; goal; dead = None; text } in
  let about_states claim is_so e =
    if some (fun e -> e.k = Deadlocked) e then let goal, dead = split is_so e in { Query.claim; goal; dead = Some dead; text }
    else made claim (if is_so then formula e else C.FNot (formula e)) in
  match ahead l 0, ahead l 1, ahead l 2 with
  | Word "E", Sym "<", Sym ">" -> advance l; advance l; advance l; about_states Query.Possible true (ended (condition_at l))
  | Word "A", Sym "<", Sym ">" -> advance l; advance l; advance l; let e = ended (condition_at l) in made Query.Eventually (formula e)
  | Word "E", Sym "[", Sym "]" -> advance l; advance l; advance l; let e = ended (condition_at l) in made Query.Stays (formula e)
  | Word "A", Sym "[", Sym "]" ->
    advance l; advance l; advance l; about_states Query.Always false (ended (condition_at l))
  | Word "buchi", Sym ":", _ ->
    advance l; advance l;
    let rec more () = let e = formula (condition_at l) in if accept l "," then e :: more () else [ e ] in
    (match ended (more ()) with e :: es -> made (Query.Again es) e | [] -> assert false)
  | Word ("sup" | "inf" | "bounds" as kind), _, _ ->
    advance l;
    let goal = if accept l "{" then let e = condition_at l in expect l "}"; formula e else C.FAtom (C.AInt (C.EConst 1)) in
    expect l ":";
    let value () = match thing process_scope (Uppaal_parse.expr l) with
      | Sum_of (Some x, None, None) -> read x; C.Time (clock 0 x)
      | Data ({ ty = Int _ } as e) when not (has_test e) ->
        if List.mem Outside (expr_writes e) then bad "a query must not change variables";
        last_query := e :: !last_query;
        C.Whole (expr 0 e)
      | _ -> not_covered "values that are no integers or clocks" in
    let rec more () = let v = value () in if accept l "," then v :: more () else [ v ] in
    let values = ended (more ()) in
    made (Query.Extreme ((match kind with "sup" -> Query.Sup | "inf" -> Inf | _ -> Bounds), values)) goal
  | _ ->
    let p = formula (condition_at l) in
    if not (accept l "-->") then bad "a query begins with `E<>`, `A[]`, `E[]`, `A<>` or `buchi:`, or is `p --> q`";
    let q = ended (condition_at l) in
    made (Query.Leads (formula q)) p
