(* tarn-proved: checks evidence of tarn, certificates and runs, with what is proved correct in Coq. *)

module C = Checker

let usage = "usage: tarn-proved [--time-limit SECONDS] [--memory-limit MIB] MODEL FILE...\n       tarn-proved --show MODEL"

(* Whoever reaches a limit has decided nothing: exit status 3, as that of `tarn certify`. *)
external limit : float -> int -> unit = "tarn_limit"

let read_file path =
  let ic = try open_in_bin path with Sys_error why -> prerr_endline ("tarn-proved: " ^ why); exit 2 in
  let text = really_input_string ic (in_channel_length ic) in
  close_in ic; text

exception Rejected of string

let position text at =
  let line = ref 1 and column = ref 1 in
  String.iteri (fun i c -> if i < at then if c = '\n' then (incr line; column := 1) else incr column) text;
  !line, !column

(* A model, as its language has it: names, the network, how queries are read, and what --show prints. *)
type source = { names : Model.t; net : C.net * C.edge array;
                if_read : (C.net * C.edge array) Lazy.t; (* that for queries which read clocks that nothing else reads *)
                reads_rates : unit -> bool; (* whether the last query does *) query : string -> (C.formula, C.quantity) Query.t; labels : string -> (C.formula, C.quantity) Query.t;
                shown : unit -> string;
                certified : C.net -> C.net; (* the network of certificates, in which scratch variables are given their initial values back *)
                scratch : string list; reads_scratch : unit -> bool (* whether the last query does *) }

let tchecker text =
  let m = Model.read text in
  let net = Network.net m in
  { names = m; net; if_read = lazy net; reads_rates = (fun () -> false); certified = Fun.id; scratch = []; reads_scratch = (fun () -> false); query = (fun q -> Query.map Network.formula Network.quantity (Query.query m q));
    labels = (fun q -> Query.map Network.formula Network.quantity (Query.labels m q)); shown = fun () -> Show.model m }

let uppaal path text =
  let document = if Filename.check_suffix path ".xml" then Uppaal_xml.document text else Uppaal_parse.document_of_either text in
  Uppaal_elab.elaborate document;
  Uppaal_net.decide_rates ();
  let name = Filename.remove_extension (Filename.basename path) and syncs = Uppaal_net.syncs () in
  let names = Uppaal_net.model name syncs and net = Uppaal_net.net ~are_read:false syncs in
  let scratch = Uppaal_meta.scratch () in
  let variables = Array.of_list (List.map (fun ((v : Model.named), w) -> v.name, w) names.variables) in
  let slots = Uppaal_meta.Slots.elements scratch in
  let back = List.map (fun k -> C.SVar (Network.nat k, C.EConst (snd variables.(k)).Model.initial)) slots in
  let certified n = if back = [] then n else { n with C.n_after = n.C.n_after @ [ (C.O, Network.sequence back) ] } in
  { names; net; if_read = lazy (Uppaal_net.net ~are_read:true syncs); reads_rates = (fun () -> !Uppaal_net.reads_rates); certified; scratch = List.map (fun k -> fst variables.(k)) slots; reads_scratch = Uppaal_meta.reads_scratch scratch;
    query = Uppaal_net.query;
    labels = (fun _ -> Syntax.fail 0 "models of UPPAAL have no labels"); shown = fun () -> Uppaal_net.show name syncs }

let read_model path =
  let text = read_file path in
  let read = if List.exists (Filename.check_suffix path) [ ".xta"; ".ta"; ".xml" ] then uppaal path else tchecker in
  try read text
  with Syntax.Error (at, why) ->
    let line, column = position text at in
    Printf.eprintf "%s:%d:%d: %s\n" path line column why; exit 2

let query m (c : Certfile.t) =
  match c.kind with
  | 0 -> None
  | 1 -> Some (m.query c.query)
  | 2 -> Some (m.labels c.query)
  | _ -> raise (Certfile.Broken 0)

(* What no run may be like. *)
let asks (q : (C.formula, C.quantity) Query.t) =
  let p = q.goal in
  match q.claim with
  | Stays -> C.always p
  | Eventually -> C.avoids p
  | Leads q -> C.avoids_after p q
  | Again ps -> C.buchi (p :: ps)
  | _ -> raise (Rejected "it is a certificate for another kind of query")

let unproved = "its renamings are not proved to be symmetries (`tarn check --symmetry off` writes another one)"

let undecided = "its nodes do not show to the proof that there is no deadlock (`tarn check --abstraction extra-m` writes others)"
let rejected = "the proved checker does not accept it"
(* Reduced sets that the checker does not see to be right may be right all the same. *)
let full_one = "`tarn check --partial-order off` writes another one"
let unseen = "its reduced sets are not proved to be right (" ^ full_one ^ ")"
let remembered = "its variables are not proved to be dead where it says so"
let reject_if is_so why = if is_so then raise (Rejected why)

(* The formula that no reachable state may meet, and the one that none may meet and be deadlocked. *)
let goal q =
  reject_if (match q with Some q -> Query.is_about_runs q | None -> false) "it is a certificate for another kind of query";
  reject_if (match q with Some q -> Query.is_extreme q | None -> false) "it is a certificate for another kind of query";
  match q with
  | None -> C.FAtom (C.AInt (C.EConst 0)), None
  | Some (q : (C.formula, C.quantity) Query.t) -> q.goal, q.dead

let unreachable net q (c : C.certificate) =
  let goal, dead = goal q in
  let is_symmetric f r = C.symmetry net r f in
  reject_if (not (List.for_all (is_symmetric goal) c.c_renamings && Option.fold dead ~none:true ~some:(fun f -> List.for_all (is_symmetric f) c.c_renamings))) unproved;
  Option.iter (fun slots -> reject_if (not (List.for_all (C.forgets net slots) (goal :: Option.to_list dead))) remembered) c.c_dead;
  match dead with
  | None -> reject_if (not (C.accepts net goal c)) (if c.c_sets = None then rejected else unseen)
  | Some dead ->
    if not (C.accepts_alive net goal dead c) then
      if c.c_sets <> None then raise (Rejected unseen) else raise (Rejected (if C.accepts net goal c then undecided else rejected))

let points net q (c : C.grid) =
  let goal, dead = goal q in
  reject_if (dead <> None) "there are no certificates of points about deadlocks";
  reject_if (not (C.accepts_points net goal c)) rejected

(* What a certificate claims of the values that the query asks for, with the runs of its section 1. *)
let values (m : source) net q (c : Certfile.t) ~unit states =
  let kind, asked, goal = match q with
    | Some { Query.claim = Extreme (kind, l); goal; _ } -> kind, l, goal
    | _ -> raise (Rejected "it is a certificate for another kind of query") in
  let wrong = Rejected "what it claims does not answer the query" in
  if List.length asked <> List.length c.claims then raise wrong;
  let witnesses = lazy (Runs.witnesses ~unstated:m.scratch m.names net (snd m.net) (List.assoc_opt 1 c.sections)) in
  let witness name = Lazy.force witnesses name in
  let of_value i value (bits, low, high) =
    let has b = bits land b <> 0 in
    let fits v = v >= -0x7fffffff && v <= 0x7fffffff in
    let low, high = match value with C.Time _ -> Units.times unit low, Units.times unit high | C.Whole _ -> low, high in
    if (not (has 1) && low <> 0) || (not (has 4) && high <> 0) || not (fits low && fits high) then raise wrong;
    if has 32 then (if bits <> 32 then raise wrong; [ C.NoState, Runs.no_witness, "there is no such state" ])
    else begin
      if bits > 31 || has 1 <> (kind <> Query.Sup) || (has 4 || has 16) <> (kind <> Query.Inf) || (has 4 && has 16)
         || (has 2 && not (has 1)) || (has 8 && not (has 4)) then raise wrong;
      let name = List.nth (Query.values_of (Option.get q).Query.text) i in
      let side which claim sign bound = [ claim, witness (Printf.sprintf "%d %s" i which) (which = "grows"), Printf.sprintf "%s %s %d" name sign bound ] in
      (if not (has 1) then [] else if has 2 then side "low" (C.Above (value, low)) ">" low else side "low" (C.Least (value, low)) ">=" low)
      @ (if has 16 then match value with
          | C.Time (C.Clock x) -> [ C.Unbounded x, witness (Printf.sprintf "%d grows" i) true, name ^ " grows without end" ]
          | _ -> raise wrong
         else if not (has 4) then []
         else if has 8 then side "high" (C.Below (value, high)) "<" high else side "high" (C.Greatest (value, high)) "<=" high)
    end in
  let claims = List.concat (List.mapi (fun i (value, claim) -> of_value i value claim) (List.combine asked c.claims)) in
  reject_if (not (C.accepts_values net goal (List.map (fun (claim, w, _) -> claim, w) claims) states)) rejected;
  String.concat ", " (List.map (fun (_, _, said) -> said) claims)

(* A run that shows that a clock grows without end: then it has no greatest value. *)
let grows (m : source) net edges q result =
  match q.Query.claim, Json.get "values" result with
  | Extreme (Sup, [ C.Time (C.Clock x) ]), Json.String text when String.ends_with ~suffix:" grows without end" text ->
    let w = Runs.witness m.names net edges true (Json.get "trace" result) in
    reject_if (not (C.accepts_growth net q.goal x w)) rejected;
    List.length w.w_steps + List.length w.w_round
  | _ -> raise (Rejected "a run shows one side of a value only; a certificate shows both")

let endless net q (make : C.asks -> C.numbers) =
  let asks = match q with None -> raise (Rejected "it does not name its query") | Some q -> asks q in
  let c = make asks in
  if not (C.accepts_endless net asks c) then
    raise (Rejected (if C.runs_check net asks false c then undecided else rejected))

(* Of runs in which time diverges. The clock that ticks is the last one of the certificate. *)
let diverging net q ~clocks ~unit (parted : Certfile.parted) =
  let asks = match q with None -> raise (Rejected "it does not name its query") | Some q -> asks q in
  let tick = Network.nat clocks in
  reject_if (not (C.accepts_diverging net asks tick unit (Timed.make net asks ~tick ~period:unit parted))) rejected

let uncovered features =
  Printf.sprintf "a certificate with features (%d) that the proof does not cover%s" features
    (if features land Certfile.sliced <> 0 then ": it leaves out processes" else "")

(* The hash is of what --show prints, without its first line. *)
let is_of_model m hash =
  let text = m.shown () in
  let rest = match String.index_opt text '\n' with None -> text | Some i -> String.sub text (i + 1) (String.length text - i - 1) in
  let own = Sha256.hash rest in
  reject_if (own <> hash)
    (Printf.sprintf "it is one for another model, with the hash %s; that of this one is %s" (Sha256.hex hash) (Sha256.hex own))

(* The model as the last query that was read sees it, or no query. *)
let as_read m ~has_query =
  let m = if has_query && m.reads_rates () then { m with net = Lazy.force m.if_read } else m in
  reject_if (not (Checker.forms_well (fst m.net))) "the network is not well formed"; m

let certificate m path text =
  let variables = List.concat_map (fun (_, (v : Model.variable)) -> List.init v.count (fun _ -> v.low, v.high)) m.names.variables in
  let locations = List.map (fun (p : Model.process) -> 0, List.length p.p_locations - 1) m.names.processes in
  let features, hash = Certfile.features_and_hash text in
  reject_if (not (Certfile.is_covered features)) (uncovered features);
  Option.iter (is_of_model m) hash;
  let is_diverging = features land Certfile.diverges <> 0 in
  let clocks = List.fold_left (fun k (_, size) -> k + size) (if is_diverging then 1 else 0) m.names.clocks in
  let read = if features = Certfile.of_points then Certfile.read_points else Certfile.read in
  let c = read text ~ranges:(Array.of_list (variables @ locations)) ~processes:(List.length locations) ~clocks in
  let q = query m c in
  let m = as_read m ~has_query:(q <> None) in
  let net = m.certified (fst m.net) in
  reject_if (m.reads_scratch ()) "its query reads a meta variable whose values certificates do not state";
  reject_if (not (C.begins net)) "the model has no initial state, so that it would prove anything";
  let asked = match q with None -> [] | Some q -> q.Query.goal :: Option.to_list q.dead @ (match q.claim with Leads f -> [ f ] | Again l -> l | _ -> []) in
  let unit, is_wide = Units.find net asked in
  if c.largest > Certfile.most_bound && not is_wide then raise (Certfile.Broken 0);
  let c = { c with cert = Units.scaled unit c.cert } in
  let said = match c.cert, q with
    | States s, _ when features land Certfile.values <> 0 -> Query.shown (Option.get q) ^ ": " ^ values m net q c ~unit s
    | States s, _ -> unreachable net q s; ""
    | Runs r, _ -> endless net q (fun _ -> C.Untimed r); ""
    | Parts r, _ when is_diverging -> diverging net q ~clocks ~unit r; Query.excluded_where_time_diverges (Option.get q)
    | Parts r, _ -> endless net q (fun asks -> C.Timed (Timed.make net asks ~tick:C.O ~period:0 r)); ""
    | Points p, _ -> points net q p; "" in
  let what = match c.cert with Points _ -> "points" | _ -> "nodes" in
  let said = match q with _ when said <> "" -> said | None -> "no reachable step fails" | Some q -> Query.excluded q in
  Printf.printf "%s: proved: %s (%d %s)\n" path said c.nodes what

let runs m path text =
  let found, diverges = Runs.read text in
  if found = [] then raise (Rejected "this is neither a certificate nor a run");
  List.iter (fun result ->
      match Runs.query ~query:m.query ~labels:m.labels result with
      | Unknown why -> raise (Rejected why)
      | Reaches q ->
        let m = as_read m ~has_query:true in
        let net, edges = m.net in
        Runs.check_verdict q result;
        let trace = Json.get "trace" result in
        let steps, does_diverge =
          if Query.is_extreme q then grows m net edges q result, false
          else if Query.is_about_runs q then Runs.replay_endless m.names net edges (asks q) ~diverges trace
          else Runs.replay m.names net edges q trace, false in
        let said = Query.reached q ^ if does_diverge then ", by a run in which time diverges" else "" in
        Printf.printf "%s: proved: %s (%d steps)\n" path said steps) found

(* What comes from the file does not begin a line of its own. *)
let one_line text = String.concat "" (List.map (fun c -> if c < ' ' || c = '\127' then Char.escaped c else String.make 1 c) (List.of_seq (String.to_seq text)))

let certify m path =
  let text = read_file path in
  try
    (match Certfile.version text with
     | Some (1 | 2 | 3 | 4 | 5 | 6) -> certificate m path text
     | Some n -> raise (Rejected (Printf.sprintf "a certificate of version %d, which this checker does not know" n))
     | None -> runs m path text);
    true
  with e ->
    let why = match e with
      | Certfile.Broken at -> Printf.sprintf "byte %d: the certificate is damaged, or is not one for this model" at
      | Json.Broken at -> Printf.sprintf "byte %d: this is neither a certificate nor a run" at
      | Json.Twice name -> Printf.sprintf "the name `%s` occurs twice in one object of the file" (String.escaped name)
      | Syntax.Error (_, why) -> "its query: " ^ why
      | Rejected why | Runs.Wrong why -> why
      | Stdlib.Exit -> "a number is too large"
      | Stack_overflow | Out_of_memory -> raise e
      | e -> "the checker failed: " ^ Printexc.to_string e in
    Printf.printf "%s: rejected: %s\n" path (one_line why); false

(* What is proved is written with plain recursion on lists, and a state can have 500,000 transitions. So the
   program starts itself again with a larger stack, as far as the system allows one. *)
let with_large_stack () =
  let command = "ulimit -S -s 4000000 2>/dev/null || ulimit -S -s \"$(ulimit -H -s)\"; TARN_PROVED_STACK=1 exec \"$0\" \"$@\"" in
  let arguments = Array.sub Sys.argv 1 (Array.length Sys.argv - 1) in
  if Sys.getenv_opt "TARN_PROVED_STACK" = None then
    try Unix.execv "/bin/sh" (Array.append [| "sh"; "-c"; command; Sys.executable_name |] arguments)
    with Unix.Unix_error _ -> ()

(* What is not written is not proved to anybody. *)
let written () = try flush stdout with Sys_error why -> prerr_endline ("tarn-proved: the output cannot be written: " ^ why); exit 2
let finish status = written (); exit status

let misused why = prerr_endline ("tarn-proved: " ^ why); exit 2

(* Seconds and MiB, the rest of the arguments. *)
let rec options time memory arguments =
  let most = 1_000_000_000 in
  let is_number also word = word <> "" && String.for_all (fun c -> Syntax.is_digit c || String.contains also c) word in
  let seconds word = match if is_number ".e+-" word then float_of_string_opt word else None with
    | Some v when v >= 0. && v <= float_of_int most -> v
    | _ -> misused (Printf.sprintf "--time-limit needs a number from 0 to %d, not `%s`" most word) in
  let mib word = match if is_number "" word then int_of_string_opt word else None with
    | Some v when v <= most -> v
    | _ -> misused (Printf.sprintf "--memory-limit needs a whole number from 0 to %d, not `%s`" most word) in
  match arguments with
  | "--time-limit" :: word :: rest -> options (seconds word) memory rest
  | "--memory-limit" :: word :: rest -> options time (mib word) rest
  | _ -> time, memory, arguments

let work = function
  | [ "--show"; model ] -> print_string ((read_model model).shown ()); 0
  | model :: (_ :: _ as files) when model <> "" && model.[0] <> '-' ->
    let m = read_model model in
    if List.fold_left (fun ok f -> let is_good = certify m f in written (); is_good && ok) true files then 0 else 1
  | _ -> prerr_endline usage; 2

let () =
  with_large_stack ();
  Gc.set { (Gc.get ()) with Gc.space_overhead = 20; minor_heap_size = 1 lsl 20 };
  let time, memory, arguments = options 0. 0 (List.tl (Array.to_list Sys.argv)) in
  limit time memory;
  let undecided why = prerr_endline ("tarn-proved: undecided: " ^ why); 3 in
  finish (try work arguments with
      | Out_of_memory -> undecided "memory limit"
      | Stack_overflow -> undecided (if memory > 0 then "memory limit" else "the stack is too small (`ulimit -H -s` is its limit)"))
