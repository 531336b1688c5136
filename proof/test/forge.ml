(* Makes many certificates of one, for the tests of the checkers.

   forge SEED COUNT CERTIFICATE PREFIX: PREFIX-d0, -d1, ..., in each of which one successor is left
   out (all of them, if they are not more than COUNT), and PREFIX-f0, ..., in which a zone, a
   bound, a number is another one. The latter may be valid all the same.
   forge SEED COUNT CERTIFICATE PREFIX KIND QUERY: PREFIX-f0, ..., changed in up to three places and
   said to be about this query. If that is reachable, none is valid. With the KIND 3 the query is about runs
   without end, and a certificate of states gets modes and numbers. With
   the KIND 4 its query also compares clocks, and if only runs counted in which time diverges, all do. With the KIND 5 only those do.
   PROCESSES in the environment: how many processes the network has, for certificates with symmetry; LOCATIONS: how many
   locations they have, for certificates with dead variables. *)

(* Of a definition: clocks with their bounds, and differences of clocks. A covering: number of the transition, node, and of each family of ids which go where. *)
type hint = { ordinal : int; by : int; images : (int * int) list list }
type node = { number : int; frame : int; define : ((int * int * int) list * (int * int * int) list) option; zone : int array; set : int list; (* the numbers of a reduced set *) next : hint list }
type group = { state : int array; mode : int; nodes : node list }
type cert = { format : char; (* that of version 1 to 5; v: of extreme values, t: timed, w and u: likewise with differences of clocks, d and e: t and u where time diverges, f: with dead variables, g: and reduced sets *) claims : (int * int * int) list; sections : (int * string) list; hash : string option; (* of version 6 *) kind : int; query : string; origin : string; slots : int; clocks : int;
              dead : int list list; (* for each location *) families : int array; (* all their numbers *) missing : int array; (* marks *) start : hint list; groups : group list }

let magic = "tarn certificate 1\n"
let format_at = String.length magic - 2
let infinite = 0 (* as it is coded *)

(* What reads the numbers and strings of a text, and where they are. *)
let cursor text =
  let at = ref (String.length magic) in
  let number () =
    let rec go shift acc =
      let c = Char.code text.[!at] in
      incr at;
      let acc = acc lor ((c land 127) lsl shift) in
      if c < 128 then acc else go (shift + 7) acc in
    go 0 0 in
  let string () = let n = number () in let s = String.sub text !at n in at := !at + n; s in
  at, number, string

(* The format in versions 1 to 5, and in version 6 the hash of the model. *)
let features_of_format = [ '1', 0; '2', 1; '3', 2; '4', 4; '5', 8; 'v', 32; 'w', 36; 't', 130; 'u', 134; 'd', 386; 'e', 390; 'f', 512; 'g', 528 ]
let of_values format = format = 'v' || format = 'w'
let of_dead format = format = 'f' || format = 'g'
let of_gaps format = format = '4' || format = 'w' || format = 'u' || format = 'e'
let of_runs format = String.contains "3tude" format
let start text at number =
  if text.[format_at] <> '6' then text.[format_at], None
  else begin
    let features = number () in
    at := !at + 32;
    fst (List.find (fun (_, f) -> f = features) features_of_format), Some (String.sub text (!at - 32) 32)
  end
let put_start b number format hash =
  Buffer.add_string b (String.mapi (fun i ch -> if i = format_at then (if hash = None then format else '6') else ch) magic);
  Option.iter (fun hash -> number (List.assoc format features_of_format); Buffer.add_string b hash) hash

(* All numbers of the families, in order; `Size marks those that say how many ids there are. *)
let families_of number variables =
  let found = ref [] in
  let next ?(kind = `Other) () = let v = number () in found := (kind, v) :: !found; v in
  let many k f = for _ = 1 to k do f () done in
  let count = next () in
  many count (fun () ->
      let size = next ~kind:`Size () in
      ignore (next ());
      many 3 (fun () -> many (next () * size) (fun () -> ignore (next ())));
      many (next ()) (fun () -> ignore (next ()); ignore (next ()); many size (fun () -> ignore (next ())));
      many (next ()) (fun () -> ignore (next ()); many size (fun () -> ignore (next ())));
      many variables (fun () -> ignore (next ()));
      many (next ()) (fun () -> ignore (next ())));
  List.rev !found

(* Increasing numbers, as their distances. *)
let of_distances l = List.rev (snd (List.fold_left (fun (last, found) gap -> let k = last + 1 + gap in (k, k :: found)) (-1, []) l))
let distances l = List.rev (snd (List.fold_left (fun (last, found) k -> (k, (k - last - 1) :: found)) (-1, []) l))

let read processes text =
  let at, number, string = cursor text in
  let times k f = let rec go i = if i = k then [] else let x = f i in x :: go (i + 1) in go 0 in
  let sizes_of_families = ref [] in
  let hints () =
    let last = ref (-1) in
    times (number ()) (fun _ ->
        last := !last + 1 + number ();
        let ordinal = !last in
        let by = number () in
        { ordinal; by; images = List.map (fun _ -> times (number ()) (fun _ -> let i = number () in (i, number ()))) !sizes_of_families }) in
  let format, hash = start text at number in
  let kind = number () in
  let query = string () in
  let origin = string () in
  let claims = if of_values format then times (number ()) (fun _ -> let bits = number () in let low = number () in (bits, low, number ())) else [] in
  let slots = number () in
  let clocks = number () in
  let dead = if not (of_dead format) then [] else
      times (int_of_string (Sys.getenv "LOCATIONS")) (fun _ -> of_distances (times (number ()) (fun _ -> number ()))) in
  let families = if format = '2' then families_of number (slots - processes) else [] in
  sizes_of_families := List.filter_map (function `Size, n -> Some n | `Other, _ -> None) families;
  let families = Array.of_list (List.map snd families) in
  let is_live = of_runs format in
  let missing = Array.of_list (if is_live then times (number ()) (fun _ -> number ()) else []) in
  let start = hints () in
  let sizes = Hashtbl.create 64 in
  let node _ =
    let value = if is_live then number () else 0 in
    let frame = number () in
    let define = if Hashtbl.mem sizes frame then None else begin
        let k = number () in
        Hashtbl.add sizes frame (k + 1);
        let three _ = let a = number () in let b = number () in let c = number () in (a, b, c) in
        let clocks = times k three in
        Some (clocks, if of_gaps format then times (number ()) three else []) end in
    let k = Hashtbl.find sizes frame in
    let zone = Array.of_list (times (k * (k - 1)) (fun _ -> number ())) in
    let set = if format <> 'g' then [] else
        let reason = number () in
        let top = if reason = 4 then times 2 (fun _ -> number ()) else [] in
        reason :: top @ (if reason = 0 then [] else let k = number () in k :: times k (fun _ -> number ())) in
    { number = value; frame; define; zone; set; next = hints () } in
  let groups = times (number ()) (fun _ ->
      let state = Array.of_list (times slots (fun _ -> number ())) in
      let mode = if is_live then number () else 0 in
      { state; mode; nodes = times (number ()) node }) in
  let sections = if hash = None then [] else times (number ()) (fun _ -> let id = number () in (id, string ())) in
  { format; claims; sections; hash; kind; query; origin; slots; clocks; dead; families; missing; start; groups }

let write path c =
  let b = Buffer.create 4096 in
  let rec number v =
    if v < 0 then invalid_arg "write"
    else if v < 128 then Buffer.add_char b (Char.chr v)
    else (Buffer.add_char b (Char.chr (v land 127 lor 128)); number (v lsr 7)) in
  let string s = number (String.length s); Buffer.add_string b s in
  let hints l =
    number (List.length l);
    ignore (List.fold_left (fun last h ->
        number (h.ordinal - last - 1); number h.by;
        List.iter (fun l -> number (List.length l); List.iter (fun (i, j) -> number i; number j) l) h.images;
        h.ordinal) (-1) l) in
  put_start b number c.format c.hash;
  number c.kind; string c.query; string c.origin;
  if of_values c.format then (number (List.length c.claims); List.iter (fun (bits, low, high) -> number bits; number low; number high) c.claims);
  number c.slots; number c.clocks;
  List.iter (fun l -> number (List.length l); List.iter number (distances l)) c.dead;
  Array.iter number c.families;
  let is_live = of_runs c.format in
  if is_live then (number (Array.length c.missing); Array.iter number c.missing);
  hints c.start;
  number (List.length c.groups);
  List.iter (fun g ->
      Array.iter number g.state;
      if is_live then number g.mode;
      number (List.length g.nodes);
      List.iter (fun n ->
          if is_live then number n.number;
          number n.frame;
          let threes l = number (List.length l); List.iter (fun (a, b, c) -> number a; number b; number c) l in
          Option.iter (fun (clocks, gaps) -> threes clocks; if of_gaps c.format then threes gaps) n.define;
          Array.iter number n.zone;
          List.iter number n.set;
          hints n.next) g.nodes) c.groups;
  if c.hash <> None then (number (List.length c.sections); List.iter (fun (id, text) -> number id; string text) c.sections);
  let oc = open_out_bin path in
  Buffer.output_buffer oc b;
  close_out oc

let map_node k f c =
  let i = ref (-1) in
  { c with groups = List.map (fun g -> { g with nodes = List.map (fun n -> incr i; if !i = k then f n else n) g.nodes }) c.groups }
let nodes c = List.concat_map (fun g -> g.nodes) c.groups

(* A matrix entry, as it is coded: 0 is infinite, else a signed number plus 1. *)
let decode v = if v = infinite then max_int else let v = v - 1 in if v land 1 = 1 then -(v lsr 1) - 1 else v lsr 1
let encode v = 1 + (if v < 0 then 2 * (-v) - 1 else 2 * v)

let pick l = List.nth l (Random.int (List.length l))
let extreme () = pick [ 0; 1; 2; 3; 5; 127; 128; 1 lsl 26; 1 lsl 27; 1 lsl 31; 1 lsl 32; 1 lsl 40; (1 lsl 53) + 1 ]

(* One thing is made different; None: it cannot be here. *)
let change c =
  let all = Array.of_list (nodes c) in
  if Array.length all = 0 then None
  else
    let k = Random.int (Array.length all) in
    let n = all.(k) in
    let entry f =
      if n.zone = [||] then None
      else
        let i = Random.int (Array.length n.zone) in
        let old = n.zone.(i) in
        let v = f old in
        if v = old then None
        else Some (map_node k (fun n -> let z = Array.copy n.zone in z.(i) <- v; { n with zone = z }) c) in
    let numbered = List.mapi (fun i n -> i, n) (nodes c) in
    let bounds f = match List.filter (fun (_, n) -> n.define <> None && fst (Option.get n.define) <> []) numbered with
      | [] -> None
      | l ->
        let k, n = pick l in
        let d, gaps = Option.get n.define in
        let i = Random.int (List.length d) in
        let d' = List.mapi (fun j x -> if j = i then f x else x) d in
        if d = d' then None else Some (map_node k (fun n -> { n with define = Some (d', gaps) }) c) in
    (* One difference of a definition is gone, or another one; or there is one more. *)
    let gap f = match List.filter (fun (_, n) -> n.define <> None && List.length (fst (Option.get n.define)) > 1) numbered with
      | [] -> None
      | l ->
        let k, n = pick l in
        let d, gaps = Option.get n.define in
        let gaps' = f (List.length d) gaps in
        if gaps = gaps' then None else Some (map_node k (fun n -> { n with define = Some (d, gaps') }) c) in
    let lower v = if v <= 1 then 0 else if v = 2 then 0 else v - 1 in
    let hint f =
      if n.next = [] then None
      else
        let i = Random.int (List.length n.next) in
        let old = List.nth n.next i in
        let h = f old in
        if h = old then None else Some (map_node k (fun n -> { n with next = List.mapi (fun j x -> if j = i then h else x) n.next }) c) in
    let other_number v = if Random.int 6 = 0 then extreme () else max 0 (v + pick [ -2; -1; 1; 2 ]) in
    (* Another digit in a section, or two sections' worth of nothing. *)
    let section text =
      let digits = List.filter (fun i -> text.[i] >= '0' && text.[i] <= '9') (List.init (String.length text) Fun.id) in
      if digits = [] then "" else let i = pick digits in String.mapi (fun j ch -> if j = i then Char.chr (48 + Random.int 10) else ch) text in
    let without gaps = if gaps = [] then [] else let i = Random.int (List.length gaps) in List.filteri (fun j _ -> j <> i) gaps in
    let listed p f = Some { c with dead = List.mapi (fun i l -> if p i then List.sort_uniq compare (f l) else l) c.dead } in
    match if of_dead c.format && Random.int 3 = 0 then 40 + Random.int 4 else if of_gaps c.format && Random.int 3 = 0 then 30 + Random.int 4 else if of_values c.format && Random.int 2 = 0 then 24 + Random.int 4 else if of_runs c.format && Random.int 3 = 0 then 20 + Random.int 4 else Random.int (if c.families = [||] then 14 else 20) with
    | 0 -> entry (fun v -> if v = infinite then encode (2 * Random.int 8 + 1) else encode (decode v - 1))
    | 1 -> entry (fun v -> if v = infinite then v else encode (decode v - 2 * (1 + Random.int 3)))
    | 2 -> entry (fun v -> if v = infinite then v else encode (decode v + 1))
    | 3 -> entry (fun _ -> infinite)
    | 4 -> entry (fun _ -> extreme ())
    | 5 -> bounds (fun (g, l, u) -> (g, lower l, u))
    | 6 -> bounds (fun (g, l, u) -> (g, l, lower u))
    | 7 -> bounds (fun (g, _, _) -> (g, 0, 0))
    | 8 -> bounds (fun (g, l, u) -> if Random.bool () then (g, extreme (), u) else (g, l, extreme ()))
    | 9 -> (* another node covers it *)
      hint (fun h -> { h with by =
        if Random.int 4 = 0 then Array.length all + pick [ 0; 1; 1000; 1 lsl 31; (1 lsl 40) + 4095 ] else Random.int (Array.length all) })
    | 14 -> hint (fun h -> { h with images = List.map (fun _ -> []) h.images }) (* it keeps its names *)
    | 15 -> hint (fun h -> { h with images = List.map (List.map (fun (i, j) -> (i, if Random.int 3 = 0 then Random.int 4 else j))) h.images })
    | 16 -> hint (fun h -> { h with images = List.map (List.map (fun (i, j) -> (j, i))) h.images })
    | 17 -> hint (fun h -> { h with images = List.map (fun _ -> [ (0, 1); (1, 0) ]) h.images })
    | 18 | 19 -> (* the families say something else *)
      let i = Random.int (Array.length c.families) in
      let v = if Random.int 5 = 0 then extreme () else Random.int 6 in
      if c.families.(i) = v then None
      else Some { c with families = Array.mapi (fun j x -> if j = i then v else x) c.families }
    | 20 | 21 -> Some (map_node k (fun n -> { n with number = other_number n.number }) c)
    | 22 -> (* another mark is missing *)
      if c.missing = [||] then None else
      let i = Random.int (Array.length c.missing) in
      Some { c with missing = Array.mapi (fun j x -> if j = i then other_number x else x) c.missing }
    | 23 -> (* the other mode, or another one *)
      let g = Random.int (List.length c.groups) in
      Some { c with groups = List.mapi (fun j x -> if j = g then { x with mode = if c.format = '3' then 1 - x.mode else other_number x.mode } else x) c.groups }
    | 24 | 25 | 26 -> (* another claim *)
      let i = Random.int (List.length c.claims) in
      let other (bits, low, high) = match Random.int 3 with
        | 0 -> (bits lxor (1 lsl Random.int 6), low, high) | 1 -> (bits, other_number low, high) | _ -> (bits, low, other_number high) in
      Some { c with claims = List.mapi (fun j x -> if j = i then other x else x) c.claims }
    | 27 -> let f = List.map (fun (id, t) -> (id, section t)) c.sections in if f = c.sections then None else Some { c with sections = f }
    | 40 | 41 -> (* one slot more is dead in a location *)
      let p = Random.int (List.length c.dead) and slot = Random.int c.slots in
      if List.mem slot (List.nth c.dead p) then None else listed (( = ) p) (fun l -> slot :: l)
    | 42 -> (* or one less *)
      let p = Random.int (List.length c.dead) in
      let l = List.nth c.dead p in
      if l = [] then None else let slot = pick l in listed (( = ) p) (List.filter (( <> ) slot))
    | 43 -> (* one is dead everywhere, and has one value *)
      let slot = Random.int c.slots in
      let set state = Array.mapi (fun i v -> if i = slot then 0 else v) state in
      Option.map (fun c -> { c with groups = List.map (fun g -> { g with state = set g.state }) c.groups }) (listed (fun _ -> true) (fun l -> slot :: l))
    | 30 -> gap (fun _ gaps -> without gaps)
    | 31 -> gap (fun k gaps -> (1 + Random.int k, 1 + Random.int k, encode (Random.int 12 - 6) - 1) :: gaps)
    | 32 -> gap (fun _ gaps -> if gaps = [] then [] else
                    let i = Random.int (List.length gaps) in
                    List.mapi (fun j (a, b, bound) -> if j = i then (a, b, encode (decode (bound + 1) + pick [ -2; -1; 1; 2 ]) - 1) else (a, b, bound)) gaps)
    | 33 -> gap (fun k gaps -> if gaps = [] then [] else
                    let i = Random.int (List.length gaps) in
                    let other v = if Random.int 4 = 0 then extreme () else 1 + Random.int k in
                    List.mapi (fun j (a, b, bound) -> if j <> i then (a, b, bound) else match Random.int 4 with
                        | 0 -> (b, a, bound) | 1 -> (other a, b, bound) | 2 -> (a, other b, bound) | _ -> (a, b, extreme ())) gaps)
    | 10 -> (* another state *)
      let g = Random.int (List.length c.groups) in
      let slots = if c.groups = [] then 0 else Array.length (List.nth c.groups g).state in
      if slots = 0 then None
      else
        let s = Random.int slots in
        let v = if Random.int 3 = 0 then extreme () else Random.int 8 in
        if (List.nth c.groups g).state.(s) = v then None
        else Some { c with groups = List.mapi (fun j x ->
            if j <> g then x else { x with state = Array.mapi (fun i y -> if i = s then v else y) x.state }) c.groups }
    | 11 -> (* a group is gone; others keep their frames only if it defined none *)
      let g = Random.int (List.length c.groups) in
      if List.exists (fun n -> n.define <> None) (List.nth c.groups g).nodes then None
      else Some { c with groups = List.filteri (fun j _ -> j <> g) c.groups }
    | 12 -> if c.start = [] then None else Some { c with start = List.tl c.start }
    | _ -> (match Random.int 3 with
        | 0 -> Some { c with slots = c.slots + 1 }
        | 1 -> Some { c with clocks = c.clocks + 1 }
        | _ -> Some { c with groups = [] })

let text_of file =
  let ic = open_in_bin file in
  let text = really_input_string ic (in_channel_length ic) in
  close_in ic; text
let load file = read (try int_of_string (Sys.getenv "PROCESSES") with Not_found -> 0) (text_of file)

(* Certificates of points are changed as a list of numbers: kind, query, origin, and those that follow. *)
let points text =
  let at, number, string = cursor text in
  let format, hash = start text at number in
  let kind = number () in
  let query = string () in
  let origin = string () in
  let rec rest found = if !at >= String.length text then found else rest (number () :: found) in
  format, hash, kind, query, origin, Array.of_list (List.rev (rest []))

let write_points path (format, hash, kind, query, origin, numbers) =
  let b = Buffer.create 4096 in
  let rec number v = if v < 128 then Buffer.add_char b (Char.chr v) else (Buffer.add_char b (Char.chr (v land 127 lor 128)); number (v lsr 7)) in
  let string s = number (String.length s); Buffer.add_string b s in
  put_start b number format hash;
  number kind; string query; string origin;
  Array.iter number numbers;
  let oc = open_out_bin path in
  Buffer.output_buffer oc b; close_out oc

let change_points numbers =
  let numbers = Array.copy numbers in
  let i = if Array.length numbers < 4 then 0 else 2 + Random.int (Array.length numbers - 2) in
  let old = numbers.(i) in
  numbers.(i) <- (if Random.int 8 = 0 then extreme () else max 0 (old + pick [ -2; -1; -1; 1; 1; 2 ]));
  numbers

let forge_points count file prefix claim =
  let format, hash, kind, query, origin, numbers = points (text_of file) in
  let kind, query = match claim with [ kind; query ] -> int_of_string kind, query | _ -> kind, query in
  for i = 0 to count - 1 do
    let changes = if claim = [] then 1 else Random.int 4 in
    let rec several k n = if k = 0 then n else several (k - 1) (change_points n) in
    write_points (Printf.sprintf "%s-f%d" prefix i) (format, hash, kind, query, origin, several changes numbers)
  done

let drop count prefix c =
  let all = List.concat (List.mapi (fun k n -> List.mapi (fun i _ -> (k, i)) n.next) (nodes c)) in
  let total = List.length all in
  let chosen = List.filteri (fun j _ -> total <= count || (j * count) / total <> ((j + 1) * count) / total) all in
  List.iteri (fun d (k, i) ->
      write (Printf.sprintf "%s-d%d" prefix d) (map_node k (fun n -> { n with next = List.filteri (fun j _ -> j <> i) n.next }) c)) chosen

(* A certificate of states as one about runs: in one mode, or in both with steps between; numbers in some order. *)
let as_runs c =
  let count = List.length (nodes c) in
  let missing = Array.init (1 + Random.int 3) (fun _ -> pick [ 0; 1; 1; 2 ]) in
  let order = Random.int 4 in
  let most = Array.length missing - 1 in
  let i = ref (-1) in
  let value () = incr i; match order with 0 -> 0 | 1 -> most | 2 -> Random.int (most + 1) | _ -> most - min most (!i mod count * (most + 1) / count) in
  let copy mode shift = List.map (fun g -> { g with mode; nodes = List.map (fun n ->
      { n with number = value (); define = if shift = 0 then n.define else None;
               next = List.map (fun h -> { h with by = h.by + shift }) n.next }) g.nodes }) c.groups in
  let groups = match Random.int 3 with
    | 0 -> copy 0 0
    | 1 -> copy 1 0
    | _ ->
      let k = ref (-1) in
      List.map (fun g -> { g with nodes = List.map (fun n -> incr k;
          { n with next = n.next @ [ { ordinal = (1 lsl 32) - 1; by = count + !k; images = [] } ] }) g.nodes }) (copy 0 0) @ copy 1 count in
  { c with format = '3'; missing; groups }

(* The clock that ticks goes, or comes: nothing is said of it then. *)
let without_ticks c =
  let kept = Hashtbl.create 64 in (* of a definition: how many clocks are left, and whether one is gone *)
  let node n =
    let define = Option.map (fun (clocks, gaps) ->
        let last = List.fold_left (fun x (gap, _, _) -> x + 1 + gap) 0 clocks in
        let left = List.length clocks - if last = c.clocks then 1 else 0 in
        Hashtbl.replace kept n.frame (left, last = c.clocks);
        List.filteri (fun i _ -> i < left) clocks, List.filter (fun (i, j, _) -> i <= left && j <= left) gaps) n.define in
    let left, is_gone = Hashtbl.find kept n.frame in
    let size = left + 2 in
    let is_kept i = let row = i / (size - 1) in let column = i mod (size - 1) in row < size - 1 && (if column < row then column else column + 1) < size - 1 in
    let zone = if is_gone then Array.of_list (List.filteri (fun i _ -> is_kept i) (Array.to_list n.zone)) else n.zone in
    { n with define; zone } in
  { c with format = (if c.format = 'd' then 't' else 'u'); clocks = c.clocks - 1; groups = List.map (fun g -> { g with nodes = List.map node g.nodes }) c.groups }
let with_ticks c = { c with format = (if of_gaps c.format then 'e' else 'd'); clocks = c.clocks + 1 }
let has_ticks c = c.format = 'd' || c.format = 'e'

let rec several k c = if k = 0 then c else match change c with None -> c | Some c -> several (k - 1) c

let () =
  match Array.to_list Sys.argv with
  | _ :: seed :: count :: file :: prefix :: claim ->
    Random.init (int_of_string seed);
    let count = int_of_string count in
    let is_points = let text = text_of file in let at, number, _ = cursor text in fst (start text at number) = '5' in
    if is_points then forge_points count file prefix claim else
    let c = load file in
    (match claim with
     | [ ("3" | "4" | "5") as kind; query ] ->
       for i = 0 to count - 1 do
         let c = { c with kind = 1; query } in
         let c = if c.format = '1' then as_runs c else c in
         let c = if kind <> "3" && c.format = '3' then { c with format = 't' } else c in
         let c = if kind = "4" && has_ticks c then without_ticks c else if kind = "5" && not (has_ticks c) then with_ticks c else c in
         write (Printf.sprintf "%s-f%d" prefix i) (several (Random.int 4) c)
       done
     | [ kind; query ] ->
       let c = { c with kind = int_of_string kind; query } in
       for i = 0 to count - 1 do write (Printf.sprintf "%s-f%d" prefix i) (several (Random.int 4) c) done
     | _ ->
       drop count prefix c;
       let made = ref 0 in
       for _ = 1 to 3 * count do
         if !made < count then
           match change c with None -> () | Some f -> write (Printf.sprintf "%s-f%d" prefix !made) f; incr made
       done)
  | _ -> prerr_endline "usage: forge SEED COUNT CERTIFICATE PREFIX [KIND QUERY]"; exit 2
