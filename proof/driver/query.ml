(* The reader of queries (`tarn help queries`). A query becomes the formula that must not hold in
   any reachable state, and keeps what it asks: what is printed follows from that, never from the
   letters of the text. *)
open Syntax
open Expressions

type extreme = Sup | Inf | Bounds
type ('e, 'v) claim =
  | Possible (* E<> *) | Always (* A[] *) | Labels
  | Stays (* E[] *) | Eventually (* A<> *) | Leads of 'e (* goal --> that *)
  | Again of 'e list (* buchi: goal, those *)
  | Extreme of extreme * 'v list (* sup{goal}: those; inf, bounds *)
(* The query asks whether a state makes the goal true; or, with deadlocks, also whether one makes `dead` true and is deadlocked. *)
type ('e, 'v) t = { claim : ('e, 'v) claim; goal : 'e; dead : 'e option; text : string }

let map f g q =
  let claim = match q.claim with
    | Leads e -> Leads (f e) | Again l -> Again (List.map f l) | Possible -> Possible | Always -> Always | Labels -> Labels
    | Stays -> Stays | Eventually -> Eventually
    | Extreme (kind, l) -> Extreme (kind, List.map g l) in
  { claim; goal = f q.goal; dead = Option.map f q.dead; text = q.text }

(* The text on one line: it comes from the file. *)
let shown q = String.escaped (String.trim q.text)

(* What it means that the goal holds in no reachable state, and that it holds in one. *)
let excluded q = match q.claim with
  | Possible | Stays | Again _ -> "not " ^ shown q
  | Always | Eventually | Leads _ | Extreme _ -> shown q
  | Labels -> "no reachable state has the labels " ^ shown q
(* The same of runs in which time diverges. *)
let excluded_where_time_diverges q =
  "no run in which time diverges " ^ (match q.claim with Eventually | Leads _ -> "breaks " | _ -> "shows ") ^ shown q
(* The verdict that a run to the goal excludes. *)
let opposite q = match q.claim with Possible | Labels | Stays | Again _ | Extreme _ -> "not satisfied" | _ -> "satisfied"
let reached q = match q.claim with
  | Possible | Labels -> "reachable: " ^ shown q
  | Stays | Again _ -> shown q
  | Extreme _ -> shown q ^ ": it grows without end"
  | _ -> "not " ^ shown q
(* The texts of the values that `sup`, `inf` and `bounds` ask for. *)
let values_of text =
  let size = String.length text in
  let rec colon i depth = match text.[i] with
    | '{' -> colon (i + 1) (depth + 1) | '}' -> colon (i + 1) (depth - 1)
    | ':' when depth = 0 -> i + 1
    | _ -> colon (i + 1) depth in
  let rec split from i depth =
    if i >= size then [ String.sub text from (size - from) ]
    else match text.[i] with
      | '(' | '[' -> split from (i + 1) (depth + 1) | ')' | ']' -> split from (i + 1) (depth - 1)
      | ',' when depth = 0 -> String.sub text from (i - from) :: split (i + 1) (i + 1) 0
      | _ -> split from (i + 1) depth in
  let start = colon 0 0 in
  List.map (fun t -> String.escaped (String.trim t)) (split start start 0)
let is_extreme q = match q.claim with Extreme _ -> true | _ -> false
let is_about_runs q = match q.claim with Stays | Eventually | Leads _ | Again _ -> true | _ -> false

let labels_of (m : Model.t) =
  let seen = Hashtbl.create 16 and all = ref [] in
  List.iter (fun (p : Model.process) -> List.iter (fun (l : Model.location) -> List.iter (fun a ->
      if not (Hashtbl.mem seen a) then (Hashtbl.add seen a (); all := a :: !all)) l.l_labels) p.p_locations) m.processes;
  List.rev !all

let index_of x list =
  let rec go i = function [] -> None | y :: ys -> if x = y then Some i else go (i + 1) ys in
  go 0 list

(* Names may contain dots, so `a.b.c` can be location b.c of process a or c of a.b. *)
let locations_of (m : Model.t) name =
  List.concat (List.mapi (fun p (q : Model.process) ->
      let prefix = q.p_name ^ "." in
      let n = String.length prefix in
      if String.length name > n && String.sub name 0 n = prefix then
        let l = String.sub name n (String.length name - n) in
        match index_of l (List.map (fun (l : Model.location) -> l.l_name) q.p_locations) with
        | Some i -> [ At (name, p, i) ] | None -> []
      else []) m.processes)

let label m labels at name =
  match index_of name labels with
  | Some i -> Truth (Label (name, i))
  | None -> ignore m; fail at "`%s` is neither a location, nor a label, a variable or a clock" name

let parse_text m text start stop parse =
  let labels = labels_of m in
  (* tarn warns of names with two meanings and takes one. Here they are refused: no warning stands beside what is proved. *)
  let resolve at name =
    match Hashtbl.find_opt m.Model.symbols name, locations_of m name, List.mem name labels with
    | Some t, [], false -> t
    | None, [ e ], false -> Truth e
    | None, [], _ -> label m labels at name
    | None, _ :: _ :: _, _ -> fail at "`%s` is a location in more than one way" name
    | _ -> fail at "`%s` has more than one meaning: variable, clock, location or label" name in
  let is_known name = Hashtbl.mem m.Model.symbols name || locations_of m name <> [] || List.mem name labels in
  let p = { l = lexer text start stop; query = true; resolve; is_known; declare = None; bound = []; instances = 0; enter = ignore; leave = ignore } in
  let x = parse p in
  if p.l.token <> End then fail p.l.start "expected an operator or the end, found %s" (describe p.l.token);
  x

(* A condition as `f or (g and deadlock)`; is_so: the condition itself, else its negation. *)
let rec has_dead = function
  | Deadlock -> true
  | Not a | Neg a -> has_dead a
  | And (a, b) | Or (a, b) | Bin (_, a, b) | Elem (a, b) -> has_dead a || has_dead b
  | Cond (a, b, c) -> has_dead a || has_dead b || has_dead c
  | Test (a, _, _, b) -> has_dead a || has_dead b
  | _ -> false
let rec split is_so e =
  let both a b = match a, b with Const 0, _ | _, Const 0 -> Const 0 | Const 1, x | x, Const 1 -> x | _ -> And (a, b) in
  let either a b = match a, b with Const 0, x | x, Const 0 -> x | Const 1, _ | _, Const 1 -> Const 1 | _ -> Or (a, b) in
  match e with
  | Deadlock when is_so -> Const 0, Const 1
  | Not a -> split (not is_so) a
  | _ when not (has_dead e) -> (if is_so then e else Not e), Const 0
  | And (a, b) | Or (a, b) ->
    let f, g = split is_so a in
    let f', g' = split is_so b in
    if (match e with And _ -> is_so | _ -> not is_so) then both f f', either (either (both f g') (both g f')) (both g g')
    else either f f', either g g'
  | _ -> fail 0 "a query for states that are not deadlocked is not covered by the proof"
let about_states claim is_so e text =
  if has_dead e then let goal, dead = split is_so e in { claim; goal; dead = Some dead; text }
  else { claim; goal = (if is_so then e else Not e); dead = None; text }

let query_words m text parse = parse_text m text 0 (String.length text) parse

(* A condition on states. *)
let condition_of p = condition p (formula p)

(* Where the first `-->` is. *)
let arrow text =
  let rec go i = if i + 2 >= String.length text then None else if String.sub text i 3 = "-->" then Some i else go (i + 1) in
  go 0

let quantified m text =
  query_words m text (fun p ->
      let kind = p.l.token in
      advance p.l;
      let sign = p.l.token in
      let two a b = expect p.l (Sign a); expect p.l (Sign b) in
      match kind, sign with
      | Name "E", Sign "[" -> two "[" "]"; { claim = Stays; goal = condition_of p; dead = None; text }
      | Name "E", _ -> two "<" ">"; about_states Possible true (condition_of p) text
      | Name "A", Sign "<" -> two "<" ">"; { claim = Eventually; goal = condition_of p; dead = None; text }
      | Name "A", _ -> two "[" "]"; about_states Always false (condition_of p) text
      | _ -> fail 0 "a query begins with `E<>`, `A[]`, `E[]`, `A<>` or `buchi:`, or is `p --> q`")

let query m text =
  match (lexer text 0 (String.length text)).token, arrow text with
  | Name "buchi", _ ->
    query_words m text (fun p ->
        advance p.l;
        expect p.l (Sign ":");
        let goal = condition_of p in
        let rec more () = if accept p.l (Sign ",") then let e = condition_of p in e :: more () else [] in
        { claim = Again (more ()); goal; dead = None; text })
  | Name ("sup" | "inf" | "bounds" as kind), _ ->
    query_words m text (fun p ->
        advance p.l;
        let goal = if accept p.l (Sign "{") then let e = condition_of p in expect p.l (Sign "}"); e else Const 1 in
        expect p.l (Sign ":");
        let value () = match sum p with Clk x -> x | t -> integer p t in
        let rec more () = let v = value () in if accept p.l (Sign ",") then v :: more () else [ v ] in
        { claim = Extreme ((match kind with "sup" -> Sup | "inf" -> Inf | _ -> Bounds), more ()); goal; dead = None; text })
  | _, Some at ->
    let goal = parse_text m text 0 at condition_of in
    { claim = Leads (parse_text m text (at + 3) (String.length text) condition_of); goal; dead = None; text }
  | _ -> quantified m text

let labels m text =
  let known = labels_of m in
  let one s = match label m known 0 (String.trim s) with Truth e -> e | _ -> assert false in
  match List.map one (String.split_on_char ',' text) with
  | [] -> fail 0 "a label is missing"
  | e :: es -> { claim = Labels; goal = List.fold_left (fun a b -> And (a, b)) e es; dead = None; text }
