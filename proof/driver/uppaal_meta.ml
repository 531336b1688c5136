(* Meta variables are variables: a state is reachable with their values or it is not. But certificates do not state the values of
   scratch variables: slots that no transition reads before it writes them, and no guard or invariant. Between transitions
   nobody can tell what they are. So for certificates each transition gives them their initial values back in the end.

   Which slots these are has to be believed. Writes in loops, at indices that are not constant, and in calls inside of an
   expression do not count. *)
open Uppaal_parse
open Uppaal_expr
open Uppaal_elab
module Slots = Set.Make (Int)

(* The slots that storage can denote; true: it denotes all of them. *)
let rec span e = match e.k with
  | Var (_, base) -> Some (base, slots e.ty, true)
  | Element (a, i) ->
    (match span a, a.ty, value i with
     | Some (base, _, true), Array (t, first, n), Some v when v >= first && v < first + n -> Some (base + (v - first) * slots t, slots t, true)
     | Some (base, size, _), _, _ -> Some (base, size, false)
     | None, _, _ -> None)
  | Field (a, _, n) ->
    (match span a with
     | Some (base, _, true) -> Some (base + n, slots e.ty, true)
     | other -> other)
  | _ -> None
let slots_of (base, size, _) = Slots.of_list (List.init size (fun k -> base + k))

(* What may be read before it is written, and what is written whatever happens. *)
let exposed = ref Slots.empty
let rec read w e =
  (match span e with
   | Some s -> exposed := Slots.union !exposed (Slots.diff (slots_of s) w)
   | None -> ());
  let parts l = List.iter (read w) l in
  match e.k with
  | Const _ | Var _ | Local _ | Clocks _ | Table _ | At _ | Deadlocked -> ()
  | Element (a, i) -> if is_storage a then indices w a else read w a; read w i
  | Field (a, _, _) -> if is_storage a then indices w a else read w a
  | Bin (_, a, b) -> parts [ a; b ]
  | Neg a | Not a | Quant (_, _, _, _, a) -> read w a
  | Cond (a, b, c) -> parts [ a; b; c ]
  | Set (x, v) -> indices w x; read w v
  | Call c -> List.iter (fun (_, a) -> read w a) c.params; ignore (flow w c.body)
  | Test (a, b, _, c) -> indices w a; Option.iter (indices w) b; read w c
(* The indices of storage are read. *)
and indices w e = match e.k with
  | Element (a, i) -> indices w a; read w i
  | Field (a, _, _) -> indices w a
  | _ -> ()
and write w x = match span x with Some ((_, _, true) as s) -> Slots.union w (slots_of s) | _ -> w
(* What has been written after statements; nothing that follows a possible `return` counts. *)
and flow w body = match body with
  | [] -> w
  | s :: rest ->
    let w' = one w s in
    let returns = Uppaal_net.returns_somewhere [ s ] in
    let last = flow w' rest in
    if returns then w else last
and one w s = match s with
  | Put (x, e) ->
    indices w x;
    (match e.k with Call c -> let w' = call w c in write w' x | _ -> read w e; write w x)
  | Effect { k = Call c } -> call w c
  | Effect ({ k = Set (x, v) }) -> indices w x; read w v; write w x
  | Effect e | Assert e -> read w e; w
  | Clock_set (x, y, c) -> indices w x; Option.iter (indices w) y; Option.iter (read w) c; w
  | Begin _ | Return None -> w
  | Return (Some e) -> read w e; w
  | If (c, a, b) -> read w c; let wa = flow w a in let wb = flow w b in Slots.inter wa wb
  | While (c, a) -> read w c; ignore (flow w a); w
  | Do (a, c) -> let w = flow w a in read w c; ignore (flow w a); w
and call w c = List.iter (fun (_, a) -> read w a) c.params; flow w c.body

(* The scratch slots, once all processes are there. Nobody takes an edge that receives over a channel without senders. *)
let scratch () =
  let edges = List.rev st.edges in
  let _, meta = List.fold_left (fun (at, found) (_, t, _, is_meta) ->
      at + slots t, if is_meta then Slots.union found (slots_of (at, slots t, true)) else found) (0, Slots.empty) (List.rev st.variables) in
  if Slots.is_empty meta then meta
  else begin
    exposed := Slots.empty;
    let guard = Option.iter (read Slots.empty) in
    List.iter (fun (p : a_process) -> List.iter (fun (l : a_location) ->
        guard l.inv;
        List.iter (fun r -> Option.iter (indices Slots.empty) r.of_clock; guard r.is) l.rates) p.places) st.processes;
    List.iter (fun e -> guard e.a_guard) edges;
    let body = function None -> [] | Some (body, _) -> body in
    let before = flow Slots.empty (body st.before) in
    let sender = Hashtbl.create 64 in
    List.iter (fun (c : channel) -> Hashtbl.replace sender c.receive c.send) st.channels;
    let receivers, others = List.partition (fun (e : an_edge) -> Hashtbl.mem sender e.event) edges in
    let sent = Hashtbl.create 64 in (* what every sender over a channel has written when the receivers' turn comes *)
    let follow written (e : an_edge) =
      let w = flow written e.effects in
      ignore (flow w (body st.after)); w in
    List.iter (fun (e : an_edge) ->
        let w = follow before e in
        Hashtbl.replace sent e.event (match Hashtbl.find_opt sent e.event with None -> w | Some v -> Slots.inter v w)) others;
    List.iter (fun (e : an_edge) ->
        Option.iter (fun written -> ignore (follow written e)) (Hashtbl.find_opt sent (Hashtbl.find sender e.event))) receivers;
    Slots.diff meta !exposed
  end

let reads_scratch scratch () =
  exposed := Slots.empty;
  List.iter (read Slots.empty) !Uppaal_net.last_query;
  not (Slots.disjoint scratch !exposed)
