(* The unit of time of a certificate. If clocks meet a constant above 2^26, and all such constants have a suitable common divisor,
   tarn counts in it (src/model/scale.h): numbers about clocks are those of the network, divided by it. They are multiplied here,
   so that what is checked is the network as it was read. A wrong unit makes a certificate that is not accepted. *)
module C = Checker

exception Unknown

let rec constant : C.expr -> int = function
  | EConst z -> z
  | ENeg a -> - constant a
  | EBin (o, a, b) ->
    let a = constant a and b = constant b in
    (match o with C.Add -> a + b | C.Sub -> a - b | C.Mul -> a * b | C.Div when b <> 0 -> a / b | C.Mod when b <> 0 -> a mod b | _ -> raise Unknown)
  | _ -> raise Unknown

let most = 1 lsl 26
let rec divisor a b = if b = 0 then a else divisor b (a mod b)

(* Of the network and what is asked of it: the unit, 1 if it is as it is; and whether the constants are large then. *)
let find (net : C.net) (formulas : C.formula list) =
  let common = ref 0 and largest = ref 0 and is_dynamic = ref false in
  let note e = match constant e with
    | z -> common := divisor !common (abs z); largest := max !largest (abs z)
    | exception Unknown -> is_dynamic := true in
  let rec atom : C.atom -> unit = function AInt _ -> () | AClock (_, _, _, e) -> note e | AUnless (_, a) -> atom a in
  let rec statement : C.stmt -> unit = function
    | SSeq (a, b) | SIf (_, a, b) -> statement a; statement b
    | SWhile (_, a) -> statement a
    | SClock (_, _, e) -> note e
    | _ -> () in
  let rec formula : C.formula -> unit = function
    | FAtom a -> atom a | FNot f -> formula f | FAnd (f, g) | FOr (f, g) -> formula f; formula g in
  List.iter (List.iter (fun (l : C.location) ->
      List.iter atom l.l_invariant;
      List.iter (fun (e : C.edge) -> List.iter atom e.e_guard; statement e.e_update) l.l_out)) net.n_processes;
  List.iter (fun (_, c) -> statement c) (net.n_before @ net.n_after);
  List.iter formula formulas;
  if !largest <= most || !is_dynamic || !common < 2 || !largest / !common > most then 1, !largest > most else !common, false

let times unit c = if c > (1 lsl 60) / unit || c < - (1 lsl 60) / unit then raise Stdlib.Exit else c * unit
let entry unit e = if e >= Certfile.infinite then e else (2 * times unit (e asr 1)) + (e land 1)
let bound unit = function C.Bound c -> C.Bound (times unit c) | b -> b
let frame unit (f : C.frame) =
  let b = f.f_bounds in
  { f with f_bounds = { C.b_l = List.map (bound unit) b.b_l; b_u = List.map (bound unit) b.b_u;
                        b_d = List.map (fun (t : C.test) -> { t with t_bound = entry unit t.t_bound }) b.b_d } }
let zone unit (at, rows) = at, List.map (List.map (entry unit)) rows

let scaled unit (e : Certfile.evidence) : Certfile.evidence =
  if unit = 1 then e
  else match e with
    | States s -> States { s with c_frame_at = (fun i -> frame unit (s.c_frame_at i)); c_zone_at = (fun k -> zone unit (s.c_zone_at k)) }
    | Runs r -> Runs { r with d_frame_at = (fun i -> frame unit (r.d_frame_at i)); d_zone_at = (fun k -> zone unit (r.d_zone_at k)) }
    | Parts p -> Parts { p with p_frame_at = (fun i -> frame unit (p.p_frame_at i)); p_zone_at = (fun k -> zone unit (p.p_zone_at k)) }
    | Points _ -> e
