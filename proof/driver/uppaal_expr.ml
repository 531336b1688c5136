(* Expressions of UPPAAL's language with names resolved and types known; how `tarn show` computes constants and prints them. *)
open Uppaal_parse

type ty =
  | Int of int * int * bool (* its range; whether it is bool *)
  | Array of ty * int * int (* element, first index, count *)
  | Struct of (string * ty) list
  | Clock
  | Chan
  | Void

let rec slots = function
  | Int _ | Clock | Chan -> 1
  | Void -> 0
  | Array (t, _, n) -> n * slots t
  | Struct fs -> List.fold_left (fun n (_, t) -> n + slots t) 0 fs
let rec leaf = function Array (t, _, _) -> leaf t | t -> t
let rec same_type a b = match a, b with
  | Int _, Int _ | Clock, Clock | Chan, Chan | Void, Void -> true
  | Array (a, _, n), Array (b, _, m) -> n = m && same_type a b
  | Struct a, Struct b -> List.length a = List.length b && List.for_all2 (fun (_, a) (_, b) -> same_type a b) a b
  | _ -> false

let least = -0x80000000 and most = 0x7fffffff
let any = Int (least, most, false) and bool = Int (0, 1, true)
let is_bool = function Int (_, _, b) -> b | _ -> false

(* A local variable; its slot is known when the code around it is made. Its place is where tarn has it, in the frame of its
   function; remote: there it is a parameter that stands for a variable of the caller's frame. *)
type local = { l_id : int; l_name : string; l_type : ty; mutable slot : int; place : int; is_remote : bool }

type expr = { k : kind; ty : ty }
and kind =
  | Const of int
  | Var of string * int (* first slot *)
  | Local of local
  | Clocks of string * int (* first clock *)
  | Element of expr * expr
  | Field of expr * string * int (* offset in slots *)
  | Table of string * int array (* constants *)
  | At of string * int * int (* process, location *)
  | Neg of expr
  | Not of expr
  | Bin of op * expr * expr
  | Cond of expr * expr * expr
  | Call of call
  | Quant of quantifier * local * int * int * expr
  | Set of expr * expr (* an assignment inside of an expression *)
  | Test of expr * expr option * op * expr (* x - y op c *)
  | Deadlocked
and call = { fn : string; shown : expr list; params : (local * expr) list; body : stmt list; result : ty;
             shown_types : ty list; shown_body : stmt list; (* as tarn has it: references to local variables are parameters *)
             own : (int, local) Hashtbl.t; (* its local variables, *)
             res : local; fin : local; (* the result, and whether it has returned, among them *)
             writes : written list }
and written = Outside | Of of int (* a local variable *)
and stmt =
  | Put of expr * expr
  | Clock_set of expr * expr option * expr option (* x = y + c *)
  | Begin of expr (* a local variable comes to life, with zeroes *)
  | If of expr * stmt list * stmt list
  | While of expr * stmt list
  | Do of stmt list * expr
  | Return of expr option
  | Effect of expr
  | Assert of expr

let fits v = v >= least && v <= most
let const v = { k = Const v; ty = any }
let truth b = { k = Const (if b then 1 else 0); ty = bool }
let value e = match e.k with Const v -> Some v | _ -> None

let is_comparison = function Eq | Ne | Lt | Le | Gt | Ge -> true | _ -> false
let compare_ints op (a : int) b = match op with
  | Eq -> a = b | Ne -> a <> b | Lt -> a < b | Le -> a <= b | Gt -> a > b | _ -> a >= b
let rec floor_shift a b = if b = 0 then a else floor_shift (a asr 1) (b - 1)
(* None: an error at run time. *)
let compute op a b =
  let fit v = if fits v then Some v else None in
  match op with
  | Add -> fit (a + b) | Sub -> fit (a - b) | Mul -> fit (a * b)
  | Div -> if b = 0 then None else fit (a / b)
  | Mod -> if b = 0 then None else fit (a mod b)
  | Min -> Some (min a b) | Max -> Some (max a b)
  | BitAnd -> Some (a land b) | BitOr -> Some (a lor b) | BitXor -> Some (a lxor b)
  | Shl -> if b < 0 || b > 31 then None else fit (a * (1 lsl b))
  | Shr -> if b < 0 || b > 31 then None else Some (floor_shift a b)
  | _ -> None

let unary_not a = match value a with Some v -> truth (v = 0) | None -> { k = Not a; ty = bool }
let unary_neg a = match value a with Some v when v <> least -> const (-v) | _ -> { k = Neg a; ty = any }
let logical op a b =
  let decisive = op = Or in
  let plain () = { k = Bin (op, a, b); ty = bool } in
  match value a, value b with
  | Some v, _ when (v <> 0) = decisive -> truth decisive
  | Some _, Some v -> truth (v <> 0)
  | Some _, None -> if is_bool b.ty then b else plain ()
  | None, Some v when (v <> 0) <> decisive && is_bool a.ty -> a
  | _ -> plain ()
let binary op a b =
  if op = And || op = Or then logical op a b
  else
    let plain () = { k = Bin (op, a, b); ty = if is_comparison op then bool else any } in
    match value a, value b with
    | Some x, Some y when is_comparison op -> truth (compare_ints op x y)
    | Some x, Some y -> (match compute op x y with Some v -> const v | None -> plain ())
    | _ -> plain ()
let rec cond a b c = match value a with
  | Some v -> if v <> 0 then b else c
  | None ->
    let ty = match b.ty, c.ty with
      | Int _, Int _ when b.ty == c.ty -> b.ty
      | Int _, Int _ -> if is_bool b.ty && is_bool c.ty then bool else any
      | t, _ -> t in
    { k = Cond (a, b, c); ty }
and table_part name t table offset = match t with
  | Int (_, _, is_bool) -> { k = Const table.(offset); ty = if is_bool then t else any }
  | t -> { k = Table (name, Array.sub table offset (slots t)); ty = t }
let element a i = match a.k, a.ty, value i with
  | Table (name, table), Array (t, first, n), Some v when v >= first && v < first + n -> table_part name t table ((v - first) * slots t)
  | _, Array (t, _, _), _ -> { k = Element (a, i); ty = t }
  | _ -> assert false
let offset_of fs name =
  let rec go n = function [] -> None | (f, t) :: rest -> if f = name then Some (n, t) else go (n + slots t) rest in
  go 0 fs
let rec field a name = match a.ty with
  | Struct fs ->
    (match offset_of fs name, a.k with
     | Some (n, t), Table (shown, table) -> Some (table_part shown t table n)
     | Some _, Cond (c, x, y) -> (match field x name, field y name with Some x, Some y -> Some (cond c x y) | _ -> None)
     | Some (n, t), _ -> Some { k = Field (a, name, n); ty = t }
     | None, _ -> None)
  | _ -> None
let quantify q l low high body =
  let count = if low > high then 0 else high - low + 1 in
  let plain () = { k = Quant (q, l, low, high, body); ty = if q = Sum then any else bool } in
  match q, value body with
  | _, None when count > 0 -> plain ()
  | Forall, v -> truth (count = 0 || v <> Some 0)
  | Exists, v -> truth (count <> 0 && v <> Some 0)
  | Sum, v -> let s = count * Option.value v ~default:0 in if fits s then const s else plain ()

let rec is_storage e = match e.k with
  | Var _ | Local _ | Clocks _ | Table _ -> true
  | Element (a, _) | Field (a, _, _) -> is_storage a
  | _ -> false
let rec root e = match e.k with Element (a, _) | Field (a, _, _) -> root a | _ -> e

(* Whether something holds of a part of an expression; the bodies of functions are none of it. *)
let rec some p e = p e || (match e.k with
  | Const _ | Var _ | Local _ | Clocks _ | Table _ | At _ | Deadlocked -> false
  | Element (a, b) | Bin (_, a, b) | Set (a, b) -> some p a || some p b
  | Field (a, _, _) | Neg a | Not a | Quant (_, _, _, _, a) -> some p a
  | Cond (a, b, c) -> some p a || some p b || some p c
  | Call c -> List.exists (some p) c.shown
  | Test (a, b, _, c) -> some p a || Option.fold ~none:false ~some:(some p) b || some p c)
let has_test = some (fun e -> match e.k with Test _ | Deadlocked -> true | _ -> false)
let has_deadlock = some (fun e -> e.k = Deadlocked)
let may_change = some (fun e -> match e.k with Set _ | Call _ -> true | _ -> false)

(* ---- The values that an expression can have ---- *)

let cut (a, b) = if a >= least && b <= most then a, b else least, most
let hull l = cut (List.fold_left min (List.hd l) l, List.fold_left max (List.hd l) l)
let multiply (a, b) (c, d) = hull [ a * c; a * d; b * c; b * d ]
let range_of op (a, b) (c, d) = match op with
  | Add -> cut (a + c, b + d)
  | Sub -> cut (a - d, b - c)
  | Mul -> multiply (a, b) (c, d)
  | Div ->
    let part (x, y) = if x <= y then [ hull [ a / x; a / y; b / x; b / y ] ] else [] in
    (match part (c, min d (-1)) @ part (max c 1, d) with
     | [] -> 0, 0
     | l -> cut (List.fold_left (fun m (x, _) -> min m x) max_int l, List.fold_left (fun m (_, y) -> max m y) min_int l))
  | Mod -> let limit = max (max d (-c) - 1) 0 in cut (max (min a 0) (-limit), min (max b 0) limit)
  | Min -> cut (min a c, min b d)
  | Max -> cut (max a c, max b d)
  | Shl | Shr ->
    let c = max c 0 and d = min d 31 in
    if c > d then 0, 0
    else if op = Shl then multiply (a, b) (1 lsl c, 1 lsl d)
    else hull [ floor_shift a c; floor_shift a d; floor_shift b c; floor_shift b d ]
  | _ ->
    if op = BitAnd && (a >= 0 || c >= 0) then cut (0, if a < 0 then d else if c < 0 then b else min b d)
    else begin
      let power = ref 1 in
      while !power <= max b d || - !power > min a c do power := 2 * !power done;
      cut ((if a >= 0 && c >= 0 then 0 else - !power), !power - 1)
    end
let rec range e = match e.k with
  | Const v -> cut (v, v)
  | Neg a -> let x, y = range a in cut (-y, -x)
  | Cond (_, a, b) -> let x, y = range a and z, w = range b in cut (min x z, max y w)
  | Quant (Sum, _, low, high, a) -> let n = min (high - low + 1) (1 lsl 31) and x, y = range a in cut (n * x, n * y)
  | Bin ((Add | Sub | Mul | Div | Mod | Min | Max | BitAnd | BitOr | BitXor | Shl | Shr) as op, a, b) -> range_of op (range a) (range b)
  | _ -> (match e.ty with Int (a, b, _) -> cut (a, b) | _ -> least, most)

(* ---- Printing ---- *)

let symbol = function
  | Add -> "+" | Sub -> "-" | Mul -> "*" | Div -> "/" | Mod -> "%" | Min -> "<?" | Max -> ">?" | BitAnd -> "&" | BitOr -> "|" | BitXor -> "^"
  | Shl -> "<<" | Shr -> ">>" | Eq -> "==" | Ne -> "!=" | Lt -> "<" | Le -> "<=" | Gt -> ">" | Ge -> ">=" | And -> "&&" | Or -> "||"
let level_of = function
  | Or -> 1 | And -> 2 | BitOr -> 3 | BitXor -> 4 | BitAnd -> 5 | Eq | Ne -> 6 | Lt | Le | Gt | Ge -> 7 | Min | Max -> 8 | Shl | Shr -> 9
  | Add | Sub -> 10 | Mul | Div | Mod -> 11
let level e = match e.k with
  | Const v -> if v < 0 then 12 else 13
  | Neg _ | Not _ -> 12
  | Test (_, _, o, _) | Bin (o, _, _) -> level_of o
  | Quant _ -> 0
  | _ -> 13
let quantifier = function Forall -> "forall" | Exists -> "exists" | Sum -> "sum"

let rec print_type b t =
  let add fmt = Printf.bprintf b fmt in
  (match leaf t with
   | Struct fs ->
     add "struct(";
     List.iteri (fun i (f, t) -> if i > 0 then add ", "; print_type b t; add " %s" f) fs;
     add ")"
   | Int (low, high, _) -> if low = least && high = most then add "int" else add "int[%d,%d]" low high
   | Clock -> add "clock"
   | _ -> add "void");
  let rec dimensions = function
    | Array (t, first, n) -> (if first = 0 then add "[%d]" n else add "[%d,%d]" first (first + n - 1)); dimensions t
    | _ -> () in
  dimensions t
let type_text t = let b = Buffer.create 16 in print_type b t; Buffer.contents b

(* What is needed of functions and constant arrays and structs: kind, name, number and text, the last one first. *)
let definitions : (string * string * int * string) list ref = ref []
let numbers : (string * string * string, int) Hashtbl.t = Hashtbl.create 16 and counts : (string * string, int) Hashtbl.t = Hashtbl.create 16
let number_of kind name text = match Hashtbl.find_opt numbers (kind, name, text) with
  | Some n -> n
  | None ->
    let n = 1 + Option.value (Hashtbl.find_opt counts (kind, name)) ~default:0 in
    Hashtbl.replace counts (kind, name) n;
    Hashtbl.replace numbers (kind, name, text) n;
    definitions := (kind, name, n, text) :: !definitions; n
let number_of_table name t values =
  let values = String.concat "," (List.map string_of_int (Array.to_list values)) in
  number_of "const" name (Printf.sprintf "{type: %s : values: %s}" (type_text t) values)
(* The local variables of the function that is printed, the last one first; None: none is. *)
let locals_of : string list option ref = ref None
let is_stored : (string -> bool) ref = ref (fun _ -> false) (* a variable or a clock of the model *)
let print_local b l t =
  Buffer.add_string b l.l_name;
  match !locals_of with
  | Some known ->
    let text = Printf.sprintf "%s %s%s#%d" (type_text t) (if l.is_remote then "&" else "") l.l_name l.place in
    if not (List.mem text known) then locals_of := Some (text :: known);
    Printf.bprintf b "#%d" l.place
  | None -> if !is_stored l.l_name then Buffer.add_char b '#'

let print_number b n = if n > 1 then Printf.bprintf b "#%d" n

let rec print_at b place e =
  if level e >= place then bare b e else (Buffer.add_char b '('; bare b e; Buffer.add_char b ')')
and print b e = print_at b 0 e
and bare b e =
  let add = Buffer.add_string b in
  match e.k with
  | Const v -> add (string_of_int v)
  | Var (n, _) | Clocks (n, _) | At (n, _, _) -> add n
  | Table (n, values) -> Printf.bprintf b "%s#%d" n (number_of_table n e.ty values)
  | Local l -> print_local b l e.ty
  | Element (a, i) when is_storage a -> print_at b 13 a; add "["; print b i; add "]"
  | Element (a, i) -> (* tarn calls a function that takes the array and the index *)
    let array = type_text a.ty and at = slots a.ty in
    let text = Printf.sprintf "{result: %s : parameters: %s, int : locals: %s array#0, int index#%d : do: return array#0[index#%d]}"
        (type_text e.ty) array array at at in
    add "element"; print_number b (number_of "function" "element" text);
    add "("; print b a; add ", "; print b i; add ")"
  | Field (a, n, _) -> print_at b 13 a; add "."; add n
  | Neg a -> add "-"; print_at b 13 a
  | Not a -> add "!"; print_at b (match a.k with Not _ -> 12 | _ -> 13) a
  | Bin (o, x, y) ->
    let l = level_of o in
    let left, right = if is_comparison o then 8, 8 else l, l + 1 in
    print_at b left x; Printf.bprintf b " %s " (symbol o); print_at b right y
  | Cond (c, x, y) -> add "(if "; print b c; add " then "; print b x; add " else "; print b y; add ")"
  | Call c -> add c.fn; print_number b (number_of_function c); add "("; List.iteri (fun i a -> if i > 0 then add ", "; print b a) c.shown; add ")"
  | Quant (q, l, low, high, a) ->
    let used = some (fun e -> match e.k with Local m -> m.l_id = l.l_id | _ -> false) a in
    Printf.bprintf b "%s (" (quantifier q);
    if used then print_local b l l.l_type else add "_";
    Printf.bprintf b " : int[%d,%d]) " low high; print b a
  | Set (x, y) -> add "("; print b x; add " = "; print b y; add ")"
  | Test (x, y, o, c) ->
    print_at b 13 x;
    (match y with Some y -> add " - "; print_at b 13 y | None -> ());
    Printf.bprintf b " %s " (symbol o); print_at b 8 c
  | Deadlocked -> add "deadlock"

and print_stmts b = function
  | [] -> Buffer.add_string b "nop"
  | l -> List.iteri (fun i s -> if i > 0 then Buffer.add_string b "; "; print_stmt b s) l
and print_stmt b s =
  let add = Buffer.add_string b in
  match s with
  | Put (x, e) -> print b x; add " = "; print b e
  | Clock_set (x, y, c) ->
    print b x; add " = ";
    (match y, c with
     | Some y, Some c -> print b y; add " + "; print_at b 11 c
     | Some y, None -> print b y
     | None, Some c -> print b c
     | None, None -> add "0")
  | If (c, x, y) -> add "if "; print b c; add " then "; print_stmts b x; if y <> [] then (add " else "; print_stmts b y); add " end"
  | While (c, x) -> add "while "; print b c; add " do "; print_stmts b x; add " end"
  | Do (x, c) -> add "do "; print_stmts b x; add " while "; print b c
  | Begin e ->
    add "local "; print b e;
    let rec dimensions = function Array (t, _, n) -> Printf.bprintf b "[%d]" n; dimensions t | _ -> () in
    dimensions e.ty
  | Return None -> add "return"
  | Return (Some e) -> add "return "; print b e
  | Effect e -> print b e
  | Assert e -> add "assert "; print b e
and code_text body =
  let outer = !locals_of and b = Buffer.create 64 in
  locals_of := Some [];
  print_stmts b body;
  let locals = String.concat ", " (List.rev (Option.get !locals_of)) in
  locals_of := outer;
  Printf.sprintf "%sdo: %s}" (if locals = "" then "" else Printf.sprintf "locals: %s : " locals) (Buffer.contents b)
and number_of_function c =
  let parameters = String.concat ", " (List.map type_text c.shown_types) in
  let parameters = if parameters = "" then "" else " : parameters: " ^ parameters in
  number_of "function" c.fn (Printf.sprintf "{result: %s%s : %s" (type_text c.result) parameters (code_text c.shown_body))
let print_definitions b =
  List.iter (fun (kind, name, n, text) ->
      Printf.bprintf b "%s:%s" kind name;
      if kind = "const" || n > 1 then Printf.bprintf b "#%d" n;
      Printf.bprintf b "%s\n" text) (List.rev !definitions)
let forget_definitions () = definitions := []; Hashtbl.reset numbers; Hashtbl.reset counts
