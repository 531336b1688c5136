(* Constants, computed as `tarn show` does. The sizes of local arrays need it; else it only
   serves to compare with `tarn show`. *)
open Syntax

let fits v = v >= -0x80000000 && v <= 0x7fffffff
let truth b = Const (if b then 1 else 0)
let is_condition = function
  | Not _ | And _ | Or _ | Test _ | At _ | Label _ | Bin ((Eq | Ne | Lt | Le | Gt | Ge), _, _) -> true
  | _ -> false

let rec fold e =
  match e with
  | Const _ | Var _ | Local _ | Clock _ | At _ | Label _ | Deadlock -> e
  | Neg a -> (match fold a with Const v when v <> -0x80000000 -> Const (-v) | a -> Neg a)
  | Not a -> (match fold a with Const v -> truth (v = 0) | a -> Not a)
  | Cond (c, a, b) ->
    (match fold c with Const v -> fold (if v <> 0 then a else b) | c -> Cond (c, fold a, fold b))
  | And (a, b) -> logical false a b (fun a b -> And (a, b))
  | Or (a, b) -> logical true a b (fun a b -> Or (a, b))
  | Bin (o, a, b) -> arithmetic o (fold a) (fold b)
  | Elem (a, i) -> element a (fold i)
  | Test (x, y, o, c) -> Test (fold x, Option.map fold y, o, fold c)
and logical decisive a b make =
  match fold a, fold b with
  | Const v, _ when (v <> 0) = decisive -> truth decisive
  | Const _, Const v -> truth (v <> 0)
  | Const _, b when is_condition b -> b
  | a, Const v when (v <> 0) <> decisive && is_condition a -> a
  | a, b -> make a b
and arithmetic o a b =
  let known v = if fits v then Const v else Bin (o, a, b) in
  match a, b with
  | Const x, Const y ->
    (match o with
     | Add -> known (x + y) | Sub -> known (x - y) | Mul -> known (x * y)
     | Div -> if y = 0 then Bin (o, a, b) else known (x / y)
     | Mod -> if y = 0 then Bin (o, a, b) else known (x mod y)
     | Eq -> truth (x = y) | Ne -> truth (x <> y) | Lt -> truth (x < y) | Le -> truth (x <= y)
     | Gt -> truth (x > y) | Ge -> truth (x >= y))
  | _ -> Bin (o, a, b)
and element a i =
  let one s make = function
    | Const v ->
      (match s.size with
       | None -> make s
       | Some _ -> make { name = Printf.sprintf "%s[%d]" s.name v; base = s.base + v; size = None })
    | i -> Elem (make s, i) in
  match a with
  | Var s -> one s (fun s -> Var s) i
  | Local s -> one s (fun s -> Local s) i
  | Clock s -> one s (fun s -> Clock s) i
  | a -> Elem (a, i)
