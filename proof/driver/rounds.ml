(* Zones for a part of a run that repeats at other times in each round. What is found here is not believed: what is proved checks
   that each zone leads into the next one (../Rounds.v). *)
module C = Checker

let int_of_nat = Network.int_of_nat
let most_rounds = 10_000

(* A zone is a matrix of bounds as in certificates. None: it is empty. *)
let zone_of n tests =
  let m = Array.init n (fun i -> Array.init n (fun j -> if i = j || i = 0 then 1 else Certfile.infinite)) in
  List.iter (fun (t : C.test) ->
      let i = int_of_nat t.t_i and j = int_of_nat t.t_j in
      if i < n && j < n then m.(i).(j) <- min m.(i).(j) t.t_bound) tests;
  for k = 0 to n - 1 do
    for i = 0 to n - 1 do
      if m.(i).(k) < Certfile.infinite then
        for j = 0 to n - 1 do m.(i).(j) <- min m.(i).(j) (C.sum m.(i).(k) m.(k).(j)) done
    done
  done;
  if Array.exists Fun.id (Array.init n (fun i -> m.(i).(i) < 1)) then None else Some m

let tests_of m =
  let n = Array.length m in
  List.concat (List.init n (fun i -> List.concat (List.init n (fun j ->
      if i = j || m.(i).(j) >= Certfile.infinite then []
      else [ { C.t_i = Network.nat i; t_j = Network.nat j; t_bound = m.(i).(j) } ]))))

(* The valuations from which the step can lead into the zone. *)
let before n (tu : C.turn) zone =
  let all = tu.tu_stay @ tu.tu_go @ List.map (C.back (C.origins_of tu.tu_updates)) (tests_of zone) in
  zone_of n (if tu.tu_waits then C.past all @ tu.tu_stay else all)

(* Those from which a round leads back into `first`, and the zone at the beginning of each of its steps. *)
let rec round n turns first =
  match turns with
  | [] -> Some (first, [])
  | tu :: rest -> Option.bind (round n rest first) (fun (zone, zones) -> Option.map (fun z -> z, z :: zones) (before n tu zone))

(* The greatest zone from which a round leads back into it. *)
let rec greatest n turns k first =
  match round n turns first with
  | None -> None
  | Some (zone, zones) ->
    let is_in = ref true in
    Array.iteri (fun i row -> Array.iteri (fun j b -> if first.(i).(j) > b then is_in := false) row) zone;
    if !is_in then Some (first :: List.tl zones)
    else if k = 0 then None
    else Option.bind (zone_of n (tests_of first @ tests_of zone)) (greatest n turns (k - 1))

(* `steps` are the edges of each step, and the moments of the run before and after the delay. `longer` is a step and a clock that is to
   be at least 1 after the delay. *)
let hints ?longer net denominator table asks ~clocks state steps =
  let n = clocks + 1 in
  let same es (o : C.offer) = List.compare_lengths o.o_edges es = 0 && List.for_all2 ( == ) o.o_edges es in
  let rec turns k state = function
    | [] -> Some []
    | (es, refs) :: rest ->
      let more = match longer with
        | Some (step, x) when step = k -> [ { C.t_i = C.O; t_j = Network.nat x; t_bound = -1 } ]
        | _ -> [] in
      let after = List.nth refs (List.length refs - 1) in
      let all = List.filter (fun (_, o) -> same es o) (List.mapi (fun i o -> i, o) (C.joints net table state)) in
      let holds (_, (o : C.offer)) = List.for_all (C.meets_b denominator after) o.o_tests in
      let chosen = match List.find_opt holds all with Some x -> Some x | None -> List.nth_opt all 0 in
      Option.bind chosen (fun (i, _) ->
          let h = { C.h_joint = Network.nat i; h_refs = refs; h_zone = []; h_more = more } in
          Option.bind (C.turn_of net denominator asks table state h) (fun (tu : C.turn) ->
              Option.map (fun l -> (tu, h) :: l) (turns (k + 1) tu.tu_next rest))) in
  Option.bind (turns 0 state steps) (function
      | [] -> None
      | ((first : C.turn), _) :: _ as l ->
        let only = List.map fst l in
        Option.bind (zone_of n first.tu_stay) (fun z ->
            Option.map (fun zones -> List.map2 (fun (_, h) z -> { h with C.h_zone = tests_of z }) l zones) (greatest n only most_rounds z)))
