(* From the trees of the reader to those of the specification (Spec.v). This has to be believed,
   so it is as plain as can be. *)
open Syntax
module C = Checker

(* Coq's natural numbers, shared. *)
let nats = Array.make 1024 C.O
let () = for i = 1 to 1023 do nats.(i) <- C.S nats.(i - 1) done
let rec nat k = if k < 1024 then nats.(k) else C.S (nat (k - 1))
let int_of_nat k = let rec go n = function C.O -> n | C.S k -> go (n + 1) k in go 0 k

let comparison = function Eq -> C.Eq0 | Ne -> C.Ne | Lt -> C.Lt0 | Le -> C.Le | Gt -> C.Gt0 | Ge -> C.Ge | _ -> assert false
let operator = function
  | Add -> C.Add | Sub -> C.Sub | Mul -> C.Mul | Div -> C.Div | Mod -> C.Mod | o -> C.Cmp (comparison o)

let size s = Option.value s.size ~default:1
let rec expr = function
  | Const v -> C.EConst v
  | Var s -> C.EVar (nat s.base)
  | Local s -> C.ELocal (nat s.base)
  | Elem (Var s, i) -> C.EElem (nat s.base, size s, expr i)
  | Elem (Local s, i) -> C.ELocalElem (nat s.base, size s, expr i)
  | At (_, p, l) -> C.EAt (nat p, nat l)
  | Label (_, a) -> C.ELabel (nat a)
  | Neg a -> C.ENeg (expr a)
  | Not a -> C.ENot (expr a)
  | Bin (o, a, b) -> C.EBin (operator o, expr a, expr b)
  | And (a, b) -> C.EAnd (expr a, expr b)
  | Or (a, b) -> C.EOr (expr a, expr b)
  | Cond (a, b, c) -> C.ECond (expr a, expr b, expr c)
  | Clock _ | Elem _ | Test _ | Deadlock -> failwith "a clock where an integer is expected"
let clock = function
  | None -> C.Clock C.O
  | Some (Clock s) -> C.Clock (nat s.base)
  | Some (Elem (Clock s, Const i)) when 0 <= i && i < size s -> C.Clock (nat (s.base + i))
  | Some (Elem (Clock s, i)) -> C.ClockElem (nat s.base, size s, expr i)
  | Some _ -> failwith "a clock is expected"
(* The difference of a clock and itself is 0, and so nothing about clocks is asked. *)
let is_same a b = match a, b with
  | Clock s, Clock t -> s.base = t.base
  | Elem (Clock s, Const i), Elem (Clock t, Const j) -> s.base + i = t.base + j && 0 <= i && i < size s && 0 <= j && j < size t
  | _ -> false
let atom = function
  | Test (x, Some y, o, c) when is_same x y && o <> Ne -> C.AInt (C.EBin (operator o, C.EConst 0, expr c))
  | Test (x, y, o, c) -> C.AClock (clock (Some x), clock y, comparison o, expr c)
  | e -> C.AInt (expr e)
(* Two negations are none. *)
let rec conjuncts_of is_negated = function
  | Not a -> conjuncts_of (not is_negated) a
  | And (a, b) when not is_negated -> conjuncts_of false a @ conjuncts_of false b
  | e -> [ if is_negated then C.AInt (C.ENot (expr e)) else atom e ]
let conjuncts = function None -> [] | Some e -> conjuncts_of false e
let rec formula = function
  | Deadlock -> fail 0 "`deadlock` in this kind of query is not covered by the proof"
  | Not a -> C.FNot (formula a)
  | And (a, b) -> C.FAnd (formula a, formula b)
  | Or (a, b) -> C.FOr (formula a, formula b)
  | e -> C.FAtom (atom e)

(* A value that a query asks for. *)
let quantity = function
  | (Clock _ | Elem (Clock _, _)) as x -> C.Time (clock (Some x))
  | e -> C.Whole (expr e)

let rec sequence = function [] -> C.SNop | [ s ] -> s | s :: rest -> C.SSeq (s, sequence rest)
let rec statement = function
  | Nop -> C.SNop
  | Assign (Var s, e) -> C.SVar (nat s.base, expr e)
  | Assign (Local s, e) -> C.SLocal (nat s.base, expr e)
  | Assign (Elem (Var s, i), e) -> C.SElem (nat s.base, size s, expr i, expr e)
  | Assign (Elem (Local s, i), e) -> C.SLocalElem (nat s.base, size s, expr i, expr e)
  | Assign _ -> failwith "an assignment to something else than a variable"
  | Set (x, y, c) -> C.SClock (clock (Some x), clock y, match c with Some c -> expr c | None -> C.EConst 0)
  | Declare (s, Some e) -> C.SLocal (nat s.base, expr e)
  | Declare (s, None) -> sequence (List.init (size s) (fun i -> C.SLocal (nat (s.base + i), C.EConst 0)))
  | If (c, a, b) -> C.SIf (expr c, statements a, statements b)
  | While (c, a) -> C.SWhile (expr c, statements a)
and statements l = sequence (List.map statement l)

(* The network, and its edges in the order of the file. *)
let net (m : Model.t) : C.net * C.edge array =
  let labels = Query.labels_of m in
  let label a = match Query.index_of a labels with Some i -> nat i | None -> assert false in
  let edge (e : Model.edge) =
    { C.e_process = nat e.process; e_event = nat e.event; e_target = nat e.target; e_guard = conjuncts e.guard;
      e_locals = nat e.locals; e_update = statements e.update } in
  let edges = Array.of_list (List.map edge m.edges) in
  let out = Hashtbl.create 64 in
  List.iter (fun (i, (e : Model.edge)) -> Hashtbl.add out (e.process, e.source) edges.(i))
    (List.rev (List.mapi (fun i e -> i, e) m.edges));
  let location p i (l : Model.location) =
    let has f = List.mem f l.l_flags in
    { C.l_initial = has "initial"; l_committed = has "committed"; l_urgent = has "urgent"; l_labels = List.map label l.l_labels;
      l_invariant = conjuncts l.l_invariant; l_rates = []; l_out = Hashtbl.find_all out (p, i) } in
  let net = { C.n_processes = List.mapi (fun p (q : Model.process) -> List.mapi (location p) q.p_locations) m.processes;
    n_syncs = List.map (fun (ps, _) -> List.map (fun (p : Model.part) ->
        { C.p_process = nat p.of_process; p_event = nat p.with_event; p_kind = (if p.weak then C.Weak else C.Strong) }) ps) m.syncs;
    n_variables = List.concat_map (fun (_, (v : Model.variable)) ->
        List.init v.count (fun _ -> { C.v_low = v.low; v_high = v.high; v_init = v.initial })) m.variables;
    n_wraps = false; n_urgent = []; n_channel_ranks = []; n_process_ranks = []; n_before = []; n_after = [] } in
  net, edges
