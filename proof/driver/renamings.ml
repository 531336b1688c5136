(* Renamings in certificates of format 2 (src/model/certificate_format.h). Nothing here has to be
   believed: the checker proves of each renaming that it is a symmetry.

   A family is a number of ids, with what belongs to each of them. A certificate says of a covering
   where ids go. The checker is given few renamings, and each permutation as a sequence of these:
   exchanges of id 0 with another one, or the rotations of a family that is only rotated. *)
module C = Checker

type family = {
  size : int; is_cyclic : bool;
  processes : int array; clocks : int array; slots : int array; (* column after column *)
  events : (bool * int * int array) list; (* whether processes are a column; column or process; events *)
  values : (int * int array) list; (* sort, values *)
  sorts : int array; (* of the variables *)
  excluded : int list array; (* by process: locations in which it does not hold *)
}

(* `number` reads one that is at most its argument; `locations` are how many each process has. *)
let read_family ~number ~signed ~processes ~clocks ~variables ~locations ~room =
  let size = max 1 (number (max processes 1024)) in (* ids are processes, or elements of a scalar set *)
  let is_cyclic = number 1 = 1 in
  let columns limit =
    let k = number (limit / size) in
    Array.init (k * size) (fun _ -> number (limit - 1)) in
  let list f = List.init (number room) (fun _ -> f ()) in
  let of_processes = columns processes in
  let of_clocks = columns (clocks + 1) in
  let of_slots = columns variables in
  let events = list (fun () ->
      let is_column = number 1 = 1 in
      let p = number (if is_column then Array.length of_processes / size - 1 else processes - 1) in
      (is_column, p, Array.init size (fun _ -> number room))) in
  let values = list (fun () -> let sort = number room in (sort, Array.init size (fun _ -> signed ()))) in
  let most = List.fold_left (fun m (s, _) -> max m s) 0 values in
  let sorts = Array.init variables (fun _ -> number most) in
  let excluded = Array.make processes [] in
  let rec exclude p l = (* locations are numbered process by process *)
    if p < processes then
      if l < locations.(p) then excluded.(p) <- l :: excluded.(p) else exclude (p + 1) (l - locations.(p)) in
  List.iter (exclude 0) (list (fun () -> number room));
  { size; is_cyclic; processes = of_processes; clocks = of_clocks; slots = of_slots; events; values; sorts; excluded }

(* The renaming by which id i becomes to_.(i). *)
let renaming f ~processes ~clocks (to_ : int array) : C.renaming =
  let columns size moved to_ =
    let l = Array.init size Fun.id in
    Array.iteri (fun k x -> l.(x) <- moved.(k / f.size * f.size + to_.(k mod f.size))) moved;
    Array.to_list (Array.map Network.nat l) in
  let back = Array.make f.size 0 in
  Array.iteri (fun i j -> back.(j) <- i) to_;
  let event p = List.concat_map (fun (is_column, q, events) ->
      List.concat (List.init f.size (fun i ->
          if (if is_column then f.processes.(q * f.size + i) else q) = p then [ (Network.nat events.(i), Network.nat events.(to_.(i))) ] else [])))
      f.events in
  let most = List.fold_left (fun m (s, _) -> max m s) 0 f.values in
  let value s = List.concat_map (fun (sort, values) ->
      if sort = s then List.init f.size (fun i -> (values.(i), values.(to_.(i)))) else []) f.values in
  let variables = Array.length f.sorts in
  { C.r_process = columns processes f.processes to_; r_process_back = columns processes f.processes back;
    r_clock = columns (clocks + 1) f.clocks to_; r_clock_back = columns (clocks + 1) f.clocks back;
    r_slot = columns variables f.slots to_; r_slot_back = columns variables f.slots back;
    r_sorts = List.map Network.nat (Array.to_list f.sorts);
    r_values = List.init most (fun s -> value (s + 1));
    r_events = List.init processes event;
    r_excluded = Array.to_list (Array.map (List.map Network.nat) f.excluded) }

(* Of each family: exchange of 0 and k, or rotation by k, for k from 1. *)
let table families ~processes ~clocks =
  List.concat_map (fun f ->
      List.init (f.size - 1) (fun k ->
          let k = k + 1 in
          renaming f ~processes ~clocks (Array.init f.size (fun i ->
              if f.is_cyclic then (i + k) mod f.size else if i = 0 then k else if i = k then 0 else i)))) families

(* A permutation as a sequence of these; `base` is the number of those before this family. Not a
   permutation: None. *)
let names f base (to_ : int array) =
  let seen = Array.make f.size false in
  Array.iter (fun j -> if j < f.size then seen.(j) <- true) to_;
  let name k = Network.nat (base + k - 1) in
  if not (Array.for_all Fun.id seen) then None
  else if f.is_cyclic then
    if Array.for_all Fun.id (Array.mapi (fun i j -> j = (to_.(0) + i) mod f.size) to_)
    then Some (if to_.(0) = 0 then [] else [ name to_.(0) ]) else None
  else begin
    let is_done = Array.make f.size false and found = ref [] in
    let rec cycle i = if is_done.(i) then [] else (is_done.(i) <- true; i :: cycle to_.(i)) in
    for i = 0 to f.size - 1 do
      match cycle i with
      | [] | [ _ ] -> ()
      | 0 :: rest -> found := !found @ List.map name rest
      | c -> found := !found @ List.map name (c @ [ i ])
    done;
    Some !found
  end
