(* Writes a model as `tarn show` does, so that the two readers can be compared. *)
open Syntax
open Model

let symbol = function
  | Add -> "+" | Sub -> "-" | Mul -> "*" | Div -> "/" | Mod -> "%" | Eq -> "==" | Ne -> "!="
  | Lt -> "<" | Le -> "<=" | Gt -> ">" | Ge -> ">="

(* How tightly it binds. *)
let level_of_op = function Add | Sub -> 10 | Mul | Div | Mod -> 11 | Eq | Ne -> 6 | Lt | Le | Gt | Ge -> 7
let level = function
  | Const v -> if v < 0 then 12 else 13
  | Neg _ | Not _ -> 12
  | Test (_, _, o, _) | Bin (o, _, _) -> level_of_op o
  | And _ -> 2
  | Or _ -> 1
  | _ -> 13

let rec at b place e =
  if level e >= place then bare b e
  else (Buffer.add_char b '('; bare b e; Buffer.add_char b ')')
and binary b l op x y left right = ignore l; at b left x; Printf.bprintf b " %s " op; at b right y
and bare b e =
  let add = Buffer.add_string b in
  match e with
  | Deadlock -> add "deadlock"
  | Const v -> add (string_of_int v)
  | Var s | Local s | Clock s -> add s.name
  | At (n, _, _) | Label (n, _) -> add n
  | Elem (a, i) -> at b 13 a; add "["; at b 0 i; add "]"
  | Neg a -> add "-"; at b 13 a
  | Not a -> add "!"; at b (match a with Not _ -> 12 | _ -> 13) a
  | Bin ((Eq | Ne | Lt | Le | Gt | Ge) as o, x, y) -> binary b e (symbol o) x y 8 8
  | Bin (o, x, y) -> let l = level_of_op o in binary b e (symbol o) x y l (l + 1)
  | And (x, y) -> binary b e "&&" x y 2 3
  | Or (x, y) -> binary b e "||" x y 1 2
  | Cond (c, x, y) -> add "(if "; at b 0 c; add " then "; at b 0 x; add " else "; at b 0 y; add ")"
  | Test (x, y, o, c) ->
    at b 13 x;
    (match y with Some y -> add " - "; at b 13 y | None -> ());
    Printf.bprintf b " %s " (symbol o);
    at b 8 c

let expr b e = at b 0 (Folding.fold e)

let rec statements b = function
  | [] -> Buffer.add_string b "nop"
  | l -> List.iteri (fun i s -> if i > 0 then Buffer.add_string b "; "; statement b s) l
and statement b s =
  let add = Buffer.add_string b in
  match s with
  | Nop -> add "nop"
  | Assign (x, e) -> expr b x; add " = "; expr b e
  | Set (x, y, c) ->
    expr b x; add " = ";
    (match y, c with
     | Some y, Some c -> expr b y; add " + "; at b 11 (Folding.fold c)
     | Some y, None -> expr b y
     | None, Some c -> expr b c
     | None, None -> add "0")
  | Declare (s, e) ->
    Printf.bprintf b "local %s" s.name;
    (match s.size with Some n -> Printf.bprintf b "[%d]" n | None -> ());
    (match e with Some e -> add " = "; expr b e | None -> ())
  | If (c, x, y) ->
    add "if "; expr b c; add " then "; statements b x;
    if y <> [] then (add " else "; statements b y);
    add " end"
  | While (c, x) -> add "while "; expr b c; add " do "; statements b x; add " end"

let attributes b list =
  List.iteri (fun i (key, write) -> Printf.bprintf b "%s%s:" (if i = 0 then "{" else " : ") key; write ()) list;
  Buffer.add_string b (if list = [] then "\n" else "}\n")
let kept b list = List.map (fun (k, v) -> k, fun () -> if v <> "" then Printf.bprintf b " %s" v) list
let said b key = function None -> [] | Some e -> [ key, fun () -> Buffer.add_char b ' '; expr b e ]

let location b p (l : location) =
  Printf.bprintf b "location:%s:%s" p l.l_name;
  attributes b (List.map (fun f -> f, ignore) l.l_flags
                @ (if l.l_labels = [] then [] else [ "labels", fun () -> Printf.bprintf b " %s" (String.concat "," l.l_labels) ])
                @ said b "invariant" l.l_invariant @ kept b l.l_kept)

let edge b m (e : edge) =
  let p = List.nth m.processes e.process in
  let name i = (List.nth p.p_locations i).l_name in
  Printf.bprintf b "edge:%s:%s:%s:%s" p.p_name (name e.source) (name e.target) (List.nth m.events e.event).name;
  attributes b (said b "provided" e.guard
                @ (if e.update = [] then [] else [ "do", fun () -> Buffer.add_char b ' '; statements b e.update ])
                @ kept b e.e_kept)

let rec grouped = function a :: (b :: _ as rest) -> a.process <= b.process && grouped rest | _ -> true

let model m =
  let b = Buffer.create 4096 in
  let line fmt = Printf.bprintf b fmt in
  line "system:%s" m.system.name; attributes b (kept b m.system.kept);
  if m.events <> [] || m.clocks <> [] || m.variables <> [] then line "\n";
  List.iter (fun (e : named) -> line "event:%s" e.name; attributes b (kept b e.kept)) m.events;
  List.iter (fun ((c : named), size) -> line "clock:%d:%s" size c.name; attributes b (kept b c.kept)) m.clocks;
  List.iter (fun ((v : named), k) ->
      line "int:%d:%d:%d:%d:%s" k.count k.low k.high k.initial v.name; attributes b (kept b v.kept)) m.variables;
  let grouped = grouped m.edges in
  List.iteri (fun i p ->
      line "\nprocess:%s" p.p_name; attributes b (kept b p.p_kept);
      List.iter (location b p.p_name) p.p_locations;
      if grouped then List.iter (fun e -> if e.process = i then edge b m e) m.edges) m.processes;
  if not grouped then (line "\n"; List.iter (edge b m) m.edges);
  if m.syncs <> [] then line "\n";
  List.iter (fun (ps, k) ->
      line "sync";
      List.iter (fun p -> line ":%s@%s%s" (List.nth m.processes p.of_process).p_name (List.nth m.events p.with_event).name
                    (if p.weak then "?" else "")) ps;
      attributes b (kept b k)) m.syncs;
  Buffer.contents b
