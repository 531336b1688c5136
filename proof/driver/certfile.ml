(* The reader of certificates (src/model/certificate_format.h). Nothing here has to be believed but
   that the functions are functions: they look at a string that does not change, and at tables
   that are complete before the first of them is called. *)
module C = Checker

exception Broken of int

(* That there is no infinite run, by parts of its condition: modes and numbers, and nodes that may cover what follows. *)
type parted = { p_missing : int -> int; p_nodes : int; p_groups : int; p_group_at : int -> (C.state * (int * int)) * (int * int); p_group_of : int -> int;
                p_frame_at : int -> C.frame; p_zone_at : int -> int * C.dbm; p_hints_at : int -> int list; p_start : int list }
(* Of unreachability (by zones, or by points), or that there is no infinite run. *)
type evidence = States of C.certificate | Runs of C.untimed | Parts of parted | Points of C.grid
(* Of extreme values: bits, low and high of each. Sections have a number and a text. *)
type t = { kind : int; query : string; cert : evidence; nodes : int; largest : int (* of the bounds of clocks *); claims : (int * int * int) list; sections : (int * string) list }

let magic = "tarn certificate 6\n"

(* The version of a certificate: its first line. *)
let version text =
  let start = "tarn certificate " in
  let n = String.length start in
  if String.length text > n + 1 && String.sub text 0 n = start && Syntax.is_digit text.[n] && text.[n + 1] = '\n'
  then Some (Char.code text.[n] - 48) else None

(* Features, as model/certificate_format.h numbers them. Versions 1 to 5 have one of them at most. *)
let renamed = 1 and endless = 2 and diagonals = 4 and of_points = 8 and reduced = 16 and values = 32
let timed = 128 and diverges = 256 and forgets = 512 and sliced = 1024
let features_of_old = [| 0; 0; renamed; endless; diagonals; of_points |]

let is_covered features =
  List.mem features [ 0; renamed; endless; diagonals; of_points; values; diagonals + values; reduced; renamed + reduced; diagonals + reduced;
                       endless + timed; endless + diagonals + timed; endless + timed + diverges; endless + diagonals + timed + diverges; forgets; reduced + forgets ]

let infinite = 1 lsl 60
(* The limits of tarn: larger numbers do not occur. *)
let most_entry = 2 * (1 lsl 40)
let most_bound = 2 + 2 * (1 lsl 26) and most_wide_bound = 2 + 2 * (1 lsl 40) (* with large constants *)
let most_ordinal = 1 lsl 56
let most_parts = 1 lsl 12 (* of a condition, in one state *)

let bounds = Array.init 1024 (fun c -> C.Bound c)
let bound = function
  | 0 -> C.NoBound | 1 -> C.Infinite
  | c -> if c < 1026 then bounds.(c - 2) else C.Bound (c - 2)

let broken at = raise (Broken at)
let signed v = if v land 1 = 1 then -(v lsr 1) - 1 else v lsr 1
let decoded v = if v = 0 then infinite else signed (v - 1)
let decoded_bytes = Array.init 128 decoded

(* What reads the numbers and the strings of a text, and where they are. *)
let cursor (text : string) =
  let size = String.length text in
  (* No number of a certificate needs more than 7 bytes. Their sums stay far from the 63 bits. *)
  let rec number_from at shift acc =
    if at >= size || shift > 42 then broken at
    else
      let c = Char.code (String.unsafe_get text at) in
      let acc = acc lor ((c land 127) lsl shift) in
      if c < 128 then acc, at + 1 else number_from (at + 1) (shift + 7) acc in
  let at = ref (String.length magic) in
  let number () =
    let k = !at in
    if k < size && String.unsafe_get text k < '\128' then (at := k + 1; Char.code (String.unsafe_get text k))
    else let v, next = number_from !at 0 0 in at := next; v in
  let string () =
    let n = number () in
    if n > size - !at then broken !at;
    let s = String.sub text !at n in at := !at + n; s in
  if size < !at then broken 0;
  at, number, string

(* Features, and the hash of the model, which versions before 6 do not have. *)
let start text at number =
  match version text with
  | Some v when v >= 1 && v <= 5 -> features_of_old.(v), None
  | Some 6 ->
    let features = number () in
    if String.length text - !at < 32 then broken !at;
    at := !at + 32;
    features, Some (String.sub text (!at - 32) 32)
  | _ -> broken 0

let features_and_hash text = let at, number, _ = cursor text in start text at number

(* What follows the last node: sections. A checker may skip those that it does not know. *)
let finish text at number string =
  let rec sections k = if k = 0 then [] else let id = number () in let text = string () in (id, text) :: sections (k - 1) in
  let all = if version text = Some 6 then sections (min (number ()) (String.length text)) else [] in
  if !at <> String.length text then broken !at;
  all

let read (text : string) ~(ranges : (int * int) array) ~processes ~clocks =
  let slots = Array.length ranges in
  let size = String.length text in
  let at, number, string = cursor text in
  let features, _ = start text at number in
  let has feature = features land feature <> 0 in
  let is_renamed = has renamed and is_live = has endless and has_diagonals = has diagonals and is_reduced = has reduced and is_timed = has timed in
  if not (is_covered features) || has of_points then broken 0;
  let kind = number () in
  let query = string () in
  ignore (string ());
  let claims = if not (has values) then [] else
      List.init (min (number ()) size) (fun _ ->
          let bits = number () in let low = signed (number ()) in let high = signed (number ()) in bits, low, high) in
  let sections = ref [] in
  if number () <> slots then broken !at;
  if number () <> clocks then broken !at;
  let at_most limit = let v = number () in if v > limit then broken !at else v in
  let locations = Array.init processes (fun p -> 1 + snd ranges.(slots - processes + p)) in
  (* For each location of each process, a list of slots of variables: gaps from the last one. *)
  let dead_slots () =
    let rec listed k last = if k = 0 then [] else begin
        let slot = last + 1 + number () in
        if slot >= slots - processes then broken !at;
        let listed_slot = Network.nat slot in listed_slot :: listed (k - 1) slot end in
    let list () = let k = number () in if k > slots then broken !at else listed k (-1) in
    let of_process count = List.init count (fun _ -> list ()) in
    List.init processes (fun p -> of_process locations.(p)) in
  let dead = if has forgets then Some (dead_slots ()) else None in
  let families = if not is_renamed then [] else
      List.init (at_most (processes + slots)) (fun _ ->
          Renamings.read_family ~number:at_most ~signed:(fun () -> signed (number ())) ~processes ~clocks
            ~variables:(slots - processes) ~locations ~room:(size - !at)) in
  (* Of a certificate about runs: what is missing for each number. *)
  let missing = if not is_live then [||] else
      let count = number () in
      if count > size then broken !at;
      (* no query has so many labels *)
      Array.init count (fun _ -> min (1 lsl 16) (at_most 0xffffffff)) in
  (* Where the ids of each family go; then as a sequence of renamings. *)
  let images () = List.map (fun (f : Renamings.family) ->
      let to_ = Array.init f.size Fun.id in
      for _ = 1 to at_most f.size do
        let id = at_most (f.size - 1) in
        to_.(id) <- at_most (f.size - 1)
      done;
      to_) families in
  let known = Hashtbl.create 64 in
  let names () =
    if families = [] then []
    else
      let to_ = images () in
      match Hashtbl.find_opt known to_ with
      | Some names -> names
      | None ->
        (* What is no permutation gets a number that no renaming has: a hint that is used must be right. *)
        let count = List.fold_left (fun k (f : Renamings.family) -> k + f.size - 1) 0 families in
        let _, names = List.fold_left2 (fun (base, found) (f : Renamings.family) to_ ->
            (base + f.size - 1, found @ Option.value (Renamings.names f base to_) ~default:[ Network.nat count ])) (0, []) families to_ in
        Hashtbl.add known to_ names; names in
  (* Lists of hints: gap from the last ordinal, node, renamings. *)
  let hints () =
    let rec go k last =
      if k = 0 then [] else
        let q = last + 1 + number () in
        if q > most_ordinal then broken !at;
        let h = number () in
        let names = names () in
        (q, (h, names)) :: go (k - 1) q in
    let k = number () in
    if k > size then broken !at else go k (-1) in
  let start_hints = hints () in
  let group_count = number () in
  if group_count > size then broken !at;
  (* Where things lie in the text: found in two passes, the first of which counts. The tables are
     not on the heap of OCaml, which would take twice their size. *)
  let table n = Bigarray.(Array1.create int c_layout (max 1 n)) in
  let groups_at = !at in
  let largest = ref 0 in
  let frame_at = ref (Array.make 64 0) and frame_size = ref (Array.make 64 1) and frame_count = ref 0 in
  let skip () = ignore (number ()) in
  let clock last = let x = last + 1 + number () in if x > clocks then broken !at else x in
  let define () =
    let i = !frame_count in
    if i = Array.length !frame_at then begin
      frame_at := Array.append !frame_at !frame_at;
      frame_size := Array.append !frame_size !frame_size
    end;
    !frame_at.(i) <- !at;
    let k = number () in
    if k > clocks then broken !at;
    let last = ref 0 in
    let limited () = let v = number () in if v > most_wide_bound then broken !at else largest := max !largest v in
    for _ = 1 to k do last := clock !last; limited (); limited () done;
    if has_diagonals then begin
      let count = number () in
      if count > size then broken !at;
      for _ = 1 to count do
        let i = at_most k in
        let j = at_most k in
        if i = 0 || j = 0 || i = j then broken !at;
        ignore (at_most most_entry)
      done
    end;
    !frame_size.(i) <- k + 1;
    incr frame_count in
  (* A reduced set: where time stands still, and the processes. Nothing of it is believed. *)
  let skip_set () =
    let reason = at_most 4 in
    if reason = 4 then (skip (); skip ());
    if reason > 0 then for _ = 1 to at_most processes do ignore (at_most processes) done in
  let set () =
    let reason = number () in
    let p = if reason = 4 then number () else 0 in
    let x = if reason = 4 then number () else 0 in
    let rec members k last = if k = 0 then [] else begin
        let p = last + 1 + number () in
        if p >= processes then broken !at;
        let q = Network.nat p in q :: members (k - 1) p end in
    if reason = 0 then None
    else begin
      let k = number () in
      let cl_in = members k (-1) in
      Some { C.cl_in; cl_top = (if reason = 4 then Some (Network.nat p, Network.nat x) else None) }
    end in
  (* Nodes of one state that have different numbers or reduced sets are groups of their own, by neighbours. *)
  let walk ~group ~node ~define ~state ~entry =
    at := groups_at;
    let nodes = ref 0 and next = ref 0 and groups = ref 0 in
    for _ = 1 to group_count do
      let state_at = !at and last = ref (-1, "") in
      state ();
      if is_live then ignore (at_most (if is_timed then most_parts else 1));
      let count = number () in
      if count > size then broken !at;
      for _ = 1 to count do
        let value = if is_live then at_most (Array.length missing - 1) else 0 in
        let frame = number () in
        if frame > !next then broken !at;
        if frame = !next then (incr next; define ());
        node !nodes frame !at;
        incr nodes;
        let k = !frame_size.(frame) in
        for _ = 1 to k * (k - 1) do entry () done;
        let set_at = !at in
        if is_reduced then skip_set ();
        let key = value, String.sub text set_at (!at - set_at) in
        if key <> !last then (group !groups state_at (!nodes - 1) value set_at; incr groups; last := key);
        let h = number () in
        if h > size then broken !at;
        for _ = 1 to h do skip (); skip (); List.iter (fun _ -> for _ = 1 to 2 * number () do skip () done) families done
      done
    done;
    sections := finish text at number string;
    !nodes, !groups in
  let node_count, group_count = walk ~group:(fun _ _ _ _ _ -> ()) ~node:(fun _ _ _ -> ()) ~define
      ~state:(fun () -> for i = 0 to slots - 1 do
                 let v = signed (number ()) and low, high = ranges.(i) in
                 if v < low || v > high then broken !at done)
      ~entry:(fun () -> if number () > most_entry then broken !at) in
  let first = table (group_count + 1) and state_at = table group_count and value_of = table group_count and set_at = table group_count in
  let zone_start = table node_count and frame_of = table node_count in
  let again () =
    for _ = 1 to 3 * number () do skip () done;
    if has_diagonals then for _ = 1 to 3 * number () do skip () done in
  ignore (walk ~define:again ~entry:skip ~state:(fun () -> for _ = 1 to slots do skip () done)
            ~group:(fun g at nodes value set -> state_at.{g} <- at; first.{g} <- nodes; value_of.{g} <- value; set_at.{g} <- set)
            ~node:(fun k frame at -> frame_of.{k} <- frame; zone_start.{k} <- at));
  first.{group_count} <- node_count;
  let frame_start = Array.sub !frame_at 0 !frame_count and frame_size = Array.sub !frame_size 0 !frame_count in
  (* The functions. *)
  let frame_at i =
    at := frame_start.(i);
    let rec go k last = if k = 0 then [], [], [] else begin
        let x = clock last in
        let l = bound (number ()) in
        let u = bound (number ()) in
        let xs, ls, us = go (k - 1) x in
        Network.nat x :: xs, l :: ls, u :: us end in
    let k = number () in
    let xs, ls, us = go k 0 in
    let gap _ =
      let i = number () in
      let j = number () in
      { C.t_i = Network.nat i; t_j = Network.nat j; t_bound = signed (number ()) } in
    let gaps = if has_diagonals then List.init (number ()) gap else [] in
    { C.f_clocks = xs; f_bounds = { C.b_l = ls; b_u = us; b_d = gaps } } in
  let group_at g =
    at := state_at.{g};
    let rec vars k = if k = 0 then [] else let v = signed (number ()) in v :: vars (k - 1) in
    let rec locs k = if k = 0 then [] else begin
        let v = signed (number ()) in
        let l = Network.nat v in l :: locs (k - 1) end in
    let vars = vars (slots - processes) in
    let locs = locs processes in
    ({ C.locs = locs; vars }, (first.{g}, first.{g + 1} - first.{g})) in
  let group_of k =
    if k < 0 || k >= node_count then group_count
    else
      let rec search low high = (* first.{low} <= k < first.{high} *)
        if high - low <= 1 then low
        else let middle = (low + high) / 2 in
          if first.{middle} <= k then search middle high else search low middle in
      search 0 group_count in
  let open_zone k = at := zone_start.{k}; frame_of.{k} in
  let zone_at k =
    let frame = open_zone k in
    let n = frame_size.(frame) in
    (* Most entries are read here: numbers of one byte in place. *)
    let rec row i j =
      if j = n then [] else if i = j then 1 :: row i (j + 1)
      else begin
        let k = !at in
        let c = if k < size then Char.code (String.unsafe_get text k) else 128 in
        let e = if c < 128 then (at := k + 1; Array.unsafe_get decoded_bytes c) else decoded (number ()) in
        e :: row i (j + 1)
      end in
    let rec rows i = if i = n then [] else let r = row i 0 in r :: rows (i + 1) in
    let z = rows 0 in
    frame, z in
  let hints_at k =
    let frame = open_zone k in
    let n = frame_size.(frame) in
    for _ = 1 to n * (n - 1) do skip () done;
    if is_reduced then skip_set ();
    hints () in
  let set_of g = if g < 0 || g >= group_count then None else (at := set_at.{g}; set ()) in
  let states = { C.c_renamings = Renamings.table families ~processes ~clocks; c_groups = group_count; c_group_at = group_at;
                 c_group_of = group_of; c_frame_at = frame_at; c_zone_at = zone_at; c_hints_at = hints_at; c_start_hints = start_hints;
                 c_sets = (if is_reduced then Some set_of else None); c_dead = dead } in
  let missing_of k = if k >= 0 && k < Array.length missing then missing.(k) else 0 in
  let runs () =
    let place_at g = let s, nodes = group_at g in let mode = number () in ((s, (mode = 1, value_of.{g})), nodes) in
    let numbered = List.map (fun (q, (h, _)) ->
        let g = group_of h in (q, (h, if g < group_count then value_of.{g} else 0))) in
    { C.d_missing = missing_of; d_groups = group_count; d_group_at = place_at;
      d_group_of = group_of; d_frame_at = frame_at; d_zone_at = zone_at; d_hints_at = (fun k -> numbered (hints_at k));
      d_start_hints = numbered start_hints } in
  let parted () =
    let place_at g = let s, nodes = group_at g in let mode = number () in ((s, (mode, value_of.{g})), nodes) in
    let covering = List.map (fun (_, (h, _)) -> h) in
    { p_missing = missing_of; p_nodes = node_count; p_groups = group_count; p_group_at = place_at; p_group_of = group_of; p_frame_at = frame_at; p_zone_at = zone_at;
      p_hints_at = (fun k -> covering (hints_at k)); p_start = covering start_hints } in
  { kind; query; nodes = node_count; largest = !largest; cert = (if is_timed then Parts (parted ()) else if is_live then Runs (runs ()) else States states); claims; sections = !sections }

(* Of points. All points are in memory, and found again by their values. *)
let read_points (text : string) ~(ranges : (int * int) array) ~processes ~clocks =
  let slots = Array.length ranges in
  let size = String.length text in
  let at, number, string = cursor text in
  let at_most limit = let v = number () in if v > limit then broken !at else v in
  let most_value = 1 lsl 28 and most_points = 1 lsl 25 in
  ignore (start text at number);
  let kind = number () in
  let query = string () in
  ignore (string ());
  if number () <> slots || number () <> clocks then broken !at;
  let key values = String.concat "," (List.map string_of_int values) in
  let state_key (s : C.state) = key (s.vars @ List.map Network.int_of_nat s.locs) in
  let states = Hashtbl.create 1024 and points = Hashtbl.create 1024 and at_number = Hashtbl.create 1024 in
  let groups = Array.init (at_most size) (fun g ->
      let slot i = let v = signed (number ()) and low, high = ranges.(i) in if v < low || v > high then broken !at else v in
      let variables = List.init (slots - processes) slot in
      let s = { C.vars = variables; locs = List.init processes (fun p -> Network.nat (slot (slots - processes + p))) } in
      if Hashtbl.mem states (state_key s) then broken !at;
      Hashtbl.add states (state_key s) g;
      let limits = List.init clocks (fun _ -> at_most most_value) in
      let first = Hashtbl.length at_number in
      let add values =
        let k = Hashtbl.length at_number in
        Hashtbl.add at_number k values;
        Hashtbl.replace points (g, key values) k in
      for _ = 1 to at_most size do
        let rec chain values left =
          add values;
          if left > 0 then begin
            let next = List.map2 (fun v limit -> if v < limit then v + 1 else v) values limits in
            if next = values then broken !at;
            chain next (left - 1)
          end in
        let values = List.map at_most limits in
        let left = at_most most_value in
        if Hashtbl.length at_number + left > most_points then broken !at; (* before there are so many *)
        chain values left
      done;
      ((s, limits), (first, Hashtbl.length at_number - first))) in
  let sections = finish text at number string in
  let found table key = Option.value (Hashtbl.find_opt table key) ~default:max_int in
  { kind; query; nodes = Hashtbl.length at_number; largest = 0; claims = []; sections;
    cert = Points { C.g_groups = Array.length groups; g_group_at = Array.get groups; g_point_at = Hashtbl.find at_number;
                    g_find_state = (fun s -> found states (state_key s)); g_find_point = (fun g p -> found points (g, key p)) } }
