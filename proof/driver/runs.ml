(* Runs, as `tarn check --trace concrete --json` writes them, for the replayer. What is read here is
   not believed: the replayer computes every state itself. That the file states the same ones is
   checked too, so that a wrong file is not taken for a right one. *)
module C = Checker

exception Wrong of string

let wrong fmt = Printf.ksprintf (fun s -> raise (Wrong s)) fmt
let most = 1 lsl 30

(* `7`, `"7"` or `"7/2"` *)
let fraction = function
  | Json.Int v when v >= 0 -> v, 1
  | Json.String s ->
    let whole s = match int_of_string_opt s with
      | Some v when v >= 0 && String.for_all Syntax.is_digit s -> v | _ -> wrong "`%s` is no time" s in
    (match String.split_on_char '/' s with
     | [ a ] -> whole a, 1
     | [ a; b ] -> let b = whole b in if b < 1 || b > most then wrong "`%s` is no time" s else whole a, b
     | _ -> wrong "`%s` is no time" s)
  | _ -> wrong "a number is missing"

let rec divisor a b = if b = 0 then a else divisor b (a mod b)
let int_of_nat = Network.int_of_nat

type query = Reaches of (C.formula, C.quantity) Query.t | Unknown of string

let query ~query ~labels:read_labels result =
  let text = match Json.get "query" result with Json.String s -> s | _ -> "" in
  if text = "" then Unknown "a run without a query"
  else
    let labels = Json.get "labels" result = Json.Bool true in
    try
      let q = (if labels then read_labels else query) text in
      Reaches q
    with Syntax.Error (_, why) -> Unknown (Printf.sprintf "%s: %s" text why)

(* A run breaks a query about all states, and shows one about some: the file must not say the opposite. *)
let check_verdict q result =
  if Json.get "verdict" result = Json.String (Query.opposite q) then
    wrong "the file says that the query is %s, and the run shows the opposite" (Query.opposite q)

(* The steps of a run: their delays and joint transitions, as the replayer finds them. Raises Wrong. *)
type path = { denominator : int; count : C.nat; initial : C.nat; taken : (int * C.nat) list; last : int }

let path ?(unstated = []) (m : Model.t) net edges trace =
  if Json.get "to" (Json.get "loop" trace) <> Json.Null then wrong "runs that go on after the part that repeats are not covered by the proof";
  let steps = Json.list (Json.get "steps" trace) in
  let clocks = List.concat_map (fun ((c : Model.named), size) ->
      if size = 1 then [ c.name ] else List.init size (fun i -> Printf.sprintf "%s[%d]" c.name i)) m.clocks in
  let values = function Json.Object l -> List.map snd l | _ -> [] in
  let numbers = Json.get "end_time" trace :: values (Json.get "end_clocks" trace)
                @ List.concat_map (fun s -> Json.get "time" s :: values (Json.get "clocks" s)) steps in
  let denominator = List.fold_left (fun d x ->
      let _, b = fraction x in
      let d = d / divisor d b * b in
      if d > most then wrong "the denominators are too large" else d) 1 numbers in
  let scaled j =
    let a, b = fraction j in
    if a > 1 lsl 60 / denominator then wrong "a number is out of range" else a * (denominator / b) in
  let table = C.table net in
  let check_clocks k (r : C.moment) given =
    if given <> Json.Null then
      List.iter2 (fun name v ->
          if scaled (Json.get name given) <> v then wrong "step %d: %s is %d/%d" k name v denominator) clocks r.r_clocks in
  let names = List.concat_map (fun ((v : Model.named), (w : Model.variable)) ->
      if w.count = 1 then [ v.name ] else List.init w.count (fun i -> Printf.sprintf "%s[%d]" v.name i)) m.variables in
  let check_state k (r : C.moment) j =
    let locations = Json.get "locations" j and variables = Json.get "variables" j and given = Json.get "clocks" j in
    List.iter2 (fun (p : Model.process) l ->
        let name = (List.nth p.p_locations (int_of_nat l)).l_name in
        if Json.get p.p_name locations <> Json.String name then wrong "step %d: %s is in %s" k p.p_name name)
      m.processes r.r_state.locs;
    List.iter2 (fun name v ->
        if Json.get name variables <> Json.Int v && not (List.mem name unstated) then wrong "step %d: %s is %d" k name v) names r.r_state.vars;
    check_clocks k r given in
  let processes = Array.of_list m.processes in
  let all = List.mapi (fun i e -> i, e) m.edges in
  let edge k j =
    let fits (i, (e : Model.edge)) =
      let p = processes.(e.process) in
      let said key name = Json.get key j = Json.String name in
      (match Json.get "index" j with Json.Int n -> n = i | _ -> true) && said "process" p.p_name
      && said "source" (List.nth p.p_locations e.source).l_name && said "target" (List.nth p.p_locations e.target).l_name
      && said "event" (List.nth m.events e.event).name in
    match List.filter fits all with [ i, _ ] -> edges.(i) | _ -> wrong "step %d: there is no such edge, or there are several" k in
  let rec find i f = function [] -> None | x :: l -> if f x then Some i else find (i + 1) f l in
  let first, rest = match steps with [] -> wrong "there are no steps" | s :: l -> s, l in
  let count = Network.nat (List.length clocks) in
  (* The initial state that the run begins in. *)
  let begins i = match C.start net denominator count (Network.nat i) with
    | None -> false | Some r -> (try check_state 0 r first; true with Wrong _ -> false) in
  let initial = match find 0 Fun.id (List.mapi (fun i _ -> begins i) (C.net_initial net)) with
    | Some i -> Network.nat i | None -> wrong "step 0: this is no initial state" in
  let r = Option.get (C.start net denominator count initial) in
  if scaled (Json.get "time" first) <> 0 then wrong "step 0: the time is not 0";
  let follow (k, (r : C.moment), taken) j =
    let d = scaled (Json.get "time" j) - r.r_time in
    if d < 0 then wrong "step %d: time goes backwards" k;
    let es = List.map (edge k) (Json.list (Json.get "edges" j)) in
    let same fs = List.length fs = List.length es && List.for_all2 ( == ) fs es in
    match find 0 same (List.map (fun (o : C.offer) -> o.o_edges) (C.joints net table r.r_state)) with
    | None -> wrong "step %d: the edges are no joint transition" k
    | Some o ->
      let o = Network.nat o in
      match C.step net denominator table d o r with
      | None -> wrong "step %d: it is not possible" k
      | Some r -> check_state k r j; k + 1, r, (d, o) :: taken in
  let k, r, taken = List.fold_left follow (1, r, []) rest in
  let last = scaled (Json.get "end_time" trace) - r.r_time in
  if last < 0 then wrong "the end comes before the last step";
  check_clocks k (C.onward net last r) (Json.get "end_clocks" trace);
  { denominator; count; initial; taken = List.rev taken; last }

let rec split k = function x :: l when k > 0 -> let a, b = split (k - 1) l in x :: a, b | l -> [], l

(* A run to a state: what is accepted here is what counts. *)
let replay m net edges (q : (C.formula, C.quantity) Query.t) trace =
  if Json.get "loop" trace <> Json.Null then wrong "a run to a state does not repeat";
  let p = path m net edges trace in
  let stuck = match q.dead with None -> false | Some g -> C.accepts_stuck net p.denominator g p.count p.initial p.taken p.last in
  if not (stuck || C.accepts_run net p.denominator q.goal p.count p.initial p.taken p.last) then
    wrong "%s" (if q.dead = None then "the goal does not hold in the end" else "the end is not shown to be a deadlock");
  List.length p.taken

(* An infinite run. The proof asks where it begins to be as asked; and a part that repeats may do so only after some
   rounds. What is tried is tried in the file's order, so that nothing is searched for long. With `diverges` it is also tried to
   show that time diverges; the answer says whether it does. *)
let most_rounds = 4
let most_longer = 200
let replay_endless m net edges (asks : C.asks) ~diverges trace =
  let p = path m net edges trace in
  let moments =
    let table = C.table net in
    let r = Option.get (C.start net p.denominator p.count p.initial) in
    List.rev (List.fold_left (fun l (d, o) -> Option.get (C.step net p.denominator table d o (List.hd l)) :: l) [ r ] p.taken) in
  let loop = Json.get "loop" trace in
  let from = match loop, Json.get "from" loop with
    | Json.Null, _ -> List.length p.taken
    | _, Json.Int k when k >= 0 && k < List.length p.taken -> k
    | _ -> wrong "the part that repeats is not there" in
  let round = snd (split from p.taken) in
  (* At other times in each round: from where the part begins, or from its end on. *)
  let varied ~is_longer =
    if round = [] then []
    else
      let table = C.table net in
      let steps = List.map2 (fun (r : C.moment) (d, o) ->
          (List.nth (C.joints net table r.r_state) (int_of_nat o)).C.o_edges, [ r; C.wait d r ])
          (List.filteri (fun k _ -> k >= from && k < List.length p.taken) moments) round in
      let clocks = int_of_nat p.count in
      let longer = if not is_longer then [ None ] else
          List.concat (List.mapi (fun k _ -> List.init clocks (fun x -> Some (k, x + 1))) round) |> List.filteri (fun i _ -> i < most_longer) in
      List.concat_map (fun longer ->
          List.map (fun at -> at, lazy (Rounds.hints ?longer net p.denominator table asks ~clocks (List.nth moments at).C.r_state steps))
            [ from; List.length p.taken ]) longer in
  (* How long time can pass at most after the last step. *)
  let longest (r : C.moment) =
    match C.net_inv net r.r_state with
    | None -> None
    | Some ts ->
      List.fold_left (fun least (t : C.test) ->
          if t.t_bound >= Certfile.infinite || t.t_j <> C.O || t.t_i = C.O then least
          else
            let d = max 0 ((t.t_bound asr 1) * p.denominator - C.ticks r t.t_i) in
            Some (match least with Some d' when d' < d -> d' | _ -> d)) None ts in
  let last = List.nth moments (List.length p.taken) in
  let endings =
    if round <> [] then [ C.Repeats round ]
    else
      let stuck d = let r = C.wait d last in C.Stuck (d, None) :: (match longest r with None -> [ C.Stuck (d, Some 0) ] | u -> [ C.Stuck (d, u) ]) in
      C.Idles :: stuck p.last @ (if p.last = 0 then [] else stuck 0) in
  let is_shown varied (accepts : C.net -> int -> C.asks -> C.lasso -> bool) =
    let accepted before wait rest ending = accepts net p.denominator asks
        { la_clocks = p.count; la_first = p.initial; la_before = before; la_wait = wait; la_path = rest; la_end = ending } in
    let rec repeated k = if k = 0 then [] else round @ repeated (k - 1) in
    let from before wait =
      let _, rest = split before p.taken in
      let rest = match rest with (d, o) :: l -> (d - wait, o) :: l | [] -> [] in
      let start = fst (split before p.taken) in
      (* A delay before the end is part of the ending. *)
      let ends = function C.Stuck (d, u) when before = List.length p.taken -> C.Stuck (d - min d wait, u) | e -> e in
      let tries = if round = [] then [ 0 ] else List.init most_rounds Fun.id in
      List.exists (fun (at, hints) ->
          before + (if wait > 0 then 1 else 0) <= at &&
          match Lazy.force hints with
          | None -> false
          | Some hs -> accepted start wait (fst (split (at - before) rest)) (C.Varies hs)) varied ||
      List.exists (fun k ->
          let rest = if rest = [] && k = 0 && wait > 0 && round <> [] then let d, o = List.hd round in (d - wait, o) :: List.tl round else rest @ repeated k in
          List.exists (fun e -> accepted start wait rest (ends e)) endings) tries in
    match asks.a_start with
      | None -> from 0 0
      | Some f ->
        let holds d r = C.decided_b net p.denominator true (C.wait d r) f in
        List.exists Fun.id
          (List.concat (List.mapi (fun k (r : C.moment) ->
               let until = match snd (split k p.taken) with (d, _) :: _ -> d | [] -> p.last in
               let delays = if until = 0 then [ 0 ] else [ 0; until ] in
               List.map (fun d -> holds d r && from k d) delays) moments)) in
  let varied = varied ~is_longer:false and longer = if diverges then varied ~is_longer:true else [] in
  let does_diverge = diverges && (is_shown varied C.accepts_timely || is_shown longer C.accepts_timely) in
  if not (does_diverge || is_shown varied C.accepts_lasso) then
    wrong "%s" (if varied = [] then "the run is not shown to be as asked for ever"
           else "the part that repeats, at other times in each round, is not shown to do so for ever as asked");
  List.length p.taken, does_diverge

(* The runs that show extreme values: each says in `values` which it shows, as in `0 high`. *)
let no_witness = { C.w_denominator = 1; w_clocks = C.O; w_first = C.O; w_steps = []; w_last = 0; w_round = [] }
let witness ?unstated m net edges grows trace =
  let p = path ?unstated m net edges trace in
  let steps, round = match Json.get "from" (Json.get "loop" trace) with
    | Json.Int k when grows && k >= 0 && k < List.length p.taken -> split k p.taken
    | _ -> p.taken, [] in
  { C.w_denominator = p.denominator; w_clocks = p.count; w_first = p.initial; w_steps = steps; w_last = p.last; w_round = round }
let witnesses ?unstated m net edges section =
  let all = match section with None -> [] | Some text -> Json.list (Json.get "results" (Json.parse text)) in
  fun name grows ->
    match List.find_opt (fun r -> Json.get "values" r = Json.String name) all with
    | None -> wrong "a value is not shown by a run"
    | Some r -> witness ?unstated m net edges grows (Json.get "trace" r)

(* The concrete runs of a file, with what each shows; and whether only those count in which time diverges. *)
let read text =
  let file = Json.parse text in
  let all = Json.list (Json.get "results" file) in
  List.filter (fun r -> Json.get "kind" (Json.get "trace" r) = Json.String "concrete") all,
  Json.get "non-zeno" (Json.get "options" file) = Json.Bool true
