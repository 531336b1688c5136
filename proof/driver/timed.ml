(* What a certificate of parts leaves to its checker: which of the nodes that are listed covers what, and the nodes where time
   passes from part to part (Timed.v). Nothing here has to be believed: what is made is checked as what is read. `tick` is the clock
   that ticks after `period`; 0: time need not diverge. *)
module C = Checker

let of_part = function 0 -> C.Free | m -> C.In_ (Network.nat (m - 1))

let make (net : C.net) (asks : C.asks) ~tick ~period (r : Certfile.parted) : C.timed =
  let ranked = C.ranked net asks tick r.p_missing in
  let table = C.table net in
  let made = ref [] and count = ref 0 in         (* group, node, frame and zone, the node it comes from *)
  let of_node = Hashtbl.create 64 in
  let add s mode number from frame zone =
    let id = r.p_nodes + !count in
    made := ((s, (mode, number)), (frame, zone), from) :: !made;
    incr count;
    Hashtbl.add of_node from id in
  for g = 0 to r.p_groups - 1 do
    let (s, (m, number)), (first, size) = r.p_group_at g in
    if m > 0 && C.net_can_delay net s then
      match C.spot_inv net asks (s, (of_part m, C.At number)) with
      | None -> ()
      | Some ts ->
        let parts = C.parts net asks s in
        for k = first to first + size - 1 do
          let at, z = r.p_zone_at k in
          let f = r.p_frame_at at in
          match C.let_time_pass f z (C.place_all f ts) (C.spot_delay net (s, (C.Free, C.Start))) with
          | None -> ()
          | Some z ->
            add s (C.Leaves (Network.nat (m - 1))) number k at z;
            List.iteri (fun j q ->
                if j <> m - 1 then
                  match C.constrain_all z (C.place_all f (List.map C.weak_low q)) with
                  | None -> ()
                  | Some z -> add s (C.Enters (Network.nat j)) number k at z) parts
        done
  done;
  let made = Array.of_list (List.rev !made) in
  let group_at g =
    if g < r.p_groups then let (s, (m, number)), nodes = r.p_group_at g in (s, (of_part m, number)), nodes
    else let place, _, _ = made.(g - r.p_groups) in place, (r.p_nodes + g - r.p_groups, 1) in
  let groups = r.p_groups + Array.length made in
  let group_of k =
    if k < r.p_nodes then let g = r.p_group_of k in if g < r.p_groups then g else groups
    else if k - r.p_nodes < Array.length made then r.p_groups + k - r.p_nodes else groups in
  let zone_at k = if k < r.p_nodes then r.p_zone_at k else let _, zone, _ = made.(k - r.p_nodes) in zone in
  let spot_at g = let (s, (m, k)), nodes = group_at g in (s, (m, C.At k)), nodes in
  let candidates own hints =
    List.filter_map (fun k ->
        let g = group_of k in
        if g >= groups then None else let (s, (m, number)), _ = group_at g in Some (k, s, m, number)) (own @ hints) in
  (* Of the last group: its invariant and its moves. *)
  let last = ref (-1, None) in
  let view g =
    if fst !last <> g then begin
      let spot, _ = spot_at g in
      last := g, Option.map (fun ts -> ts, C.arrows_of (C.spot_moves net asks tick period table spot)) (C.spot_inv net asks spot)
    end;
    snd !last in
  let hints_at k =
    let g = group_of k in
    if g >= groups then [] else
      match view g with
      | None -> []
      | Some (ts, arrows) ->
        let spot, _ = spot_at g in
        let at, z = zone_at k in
        let f = r.p_frame_at at in
        let from = if k < r.p_nodes then k else let _, _, from = made.(k - r.p_nodes) in from in
        let known = candidates (if k < r.p_nodes then Hashtbl.find_all of_node k else []) (r.p_hints_at from) in
        match C.let_time_pass f z (C.place_all f ts) (C.spot_delay net spot) with
        | None -> []
        | Some z ->
          List.filter_map (fun (a : C.spot C.arrow) ->
              let p = C.place_arrow f a in
              let check h = C.check_placed C.spot_eqb ranked (fun _ x -> x) groups spot_at group_of r.p_frame_at zone_at ts f z p h in
              match a.a_move.m_out with
              | Some (_, Some (_, (s, (m, _)))) when not (check None) ->
                let covers (k, s', m', number) = s' = s && m' = m && check (Some (k, number)) in
                Option.map (fun (k, _, _, number) -> a.a_number, (k, number)) (List.find_opt covers known)
              | _ -> None) arrows in
  let starts =
    let known = candidates [] r.p_start in
    let one i spot =
      let check h = C.check_initial C.spot_eqb (C.spot_inv net asks) ranked groups spot_at group_of r.p_frame_at zone_at spot h in
      let covers (k, _, _, number) = check (Some (k, number)) in
      if check None then [] else List.map (fun (k, _, _, number) -> i, (k, number)) (Option.to_list (List.find_opt covers known)) in
    List.concat (List.mapi one (C.spot_initial net asks)) in
  { C.t_missing = r.p_missing; t_groups = groups; t_group_at = group_at; t_group_of = group_of; t_frame_at = r.p_frame_at; t_zone_at = zone_at;
    t_hints_at = hints_at; t_start_hints = starts }
