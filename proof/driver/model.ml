(* The reader of models in the TChecker format (`tarn help language`). *)
open Syntax
open Expressions

type location = { l_name : string; l_flags : string list; l_labels : string list;
                  l_invariant : expr option; l_kept : (string * string) list }
type edge = { process : int; source : int; target : int; event : int;
              guard : expr option; update : stmt list; locals : int; e_kept : (string * string) list }
type process = { p_name : string; p_locations : location list; p_kept : (string * string) list }
type variable = { low : int; high : int; initial : int; count : int }
type part = { of_process : int; with_event : int; weak : bool }
type named = { name : string; kept : (string * string) list }
type t = {
  system : named;
  events : named list;
  clocks : (named * int) list; (* with sizes *)
  variables : (named * variable) list;
  processes : process list;
  edges : edge list; (* in the order of the file *)
  syncs : (part list * (string * string) list) list;
  symbols : (string, term) Hashtbl.t; (* clocks and variables *)
}

(* ---- Declarations, as they are written ---- *)

type pair = { key : string; key_at : int; from : int; upto : int (* the value *) }
type declaration = { word : string; at : int; fields : (token * int) list; pairs : pair list }

let value text p = String.sub text p.from (p.upto - p.from)

(* "{" [ key ":" value { ":" key ":" value } ] "}", up to the end of the line *)
let attributes l =
  if l.token <> Sign "{" then []
  else begin
    let inner = lexer l.text l.at l.stop in
    let rec pair () =
      match inner.token with
      | Name key ->
        let key_at = inner.start in
        advance inner;
        if inner.token <> Sign ":" then fail inner.start "expected `:` after the attribute `%s`" key;
        let rec stop i =
          if i >= l.stop then fail l.start "this `{` is never closed"
          else match l.text.[i] with
            | ':' | '}' -> i
            | '{' | '#' | '\000' -> fail i "a value cannot contain this"
            | _ -> stop (i + 1) in
        let start = inner.at in
        let finish = stop start in
        let rec left i = if i < finish && is_blank l.text.[i] then left (i + 1) else i in
        let rec right i from = if i > from && is_blank l.text.[i - 1] then right (i - 1) from else i in
        let from = left start in
        inner.at <- finish;
        advance inner;
        let this = { key; key_at; from; upto = right finish from } in
        if accept inner (Sign ":") then this :: pair () else [ this ]
      | t -> fail inner.start "expected the name of an attribute, found %s" (describe t) in
    let pairs = if inner.token = Sign "}" then [] else pair () in
    if inner.token <> Sign "}" then fail inner.start "expected `}`, found %s" (describe inner.token);
    l.at <- inner.at;
    advance l;
    pairs
  end

let declarations text =
  let start = if String.length text >= 3 && String.sub text 0 3 = "\xef\xbb\xbf" then 3 else 0 in
  let l = lexer ~lines:true text start (String.length text) in
  let rec fields () =
    match l.token with
    | Newline | End | Sign "{" -> []
    | t -> let at = l.start in advance l; (t, at) :: fields () in
  let rec all () =
    match l.token with
    | End -> []
    | Newline -> advance l; all ()
    | Name word ->
      let at = l.start in
      advance l;
      let fields = fields () in
      let pairs = attributes l in
      if l.token <> Newline && l.token <> End then fail l.start "expected the end of the line";
      let this = { word; at; fields; pairs } in
      this :: all ()
    | t -> fail l.start "expected a declaration, found %s" (describe t) in
  all ()

let words = [ "system"; "process"; "event"; "clock"; "int"; "location"; "edge"; "sync" ]

(* ":" part { ":" part }, where a part is a list of tokens without `:` *)
let parts d =
  let rec split = function
    | [] -> [ [] ]
    | (Sign ":", _) :: rest -> [] :: split rest
    | t :: rest -> (match split rest with p :: ps -> (t :: p) :: ps | [] -> assert false) in
  match d.fields with
  | (Sign ":", _) :: rest -> split rest
  | _ -> fail d.at "expected `:` after `%s`" d.word

let name_of d = function
  | [ (Name n, at) ] -> if List.mem n words then fail at "`%s` is a reserved word" n else n
  | (_, at) :: _ -> fail at "expected a name"
  | [] -> fail d.at "a name is missing"
let number_of d low high tokens =
  let at, v = match tokens with
    | [ (Number n, at) ] | [ (Sign "+", at); (Number n, _) ] -> at, n
    | [ (Sign "-", at); (Number n, _) ] -> at, -n
    | _ -> fail d.at "a number is missing" in
  if v < low || v > high then fail at "%d is not between %d and %d" v low high else v

(* ---- Attributes ---- *)

let flags = [ "initial"; "committed"; "urgent" ]
let keys = [ "location", flags @ [ "labels"; "invariant" ]; "edge", [ "provided"; "do" ] ]
(* What other languages call them. *)
let other_keys =
  [ "guard", "provided"; "when", "provided"; "condition", "provided"; "assign", "do"; "assignment", "do"; "update", "do";
    "updates", "do"; "action", "do"; "effect", "do"; "reset", "do"; "resets", "do"; "inv", "invariant"; "init", "initial";
    "label", "labels"; "invar", "invariant"; "if", "provided" ]

(* How many letters have to be inserted, left out, changed or exchanged with the next one. *)
let distance a b =
  let m = String.length a and n = String.length b in
  let d = Array.init (m + 1) (fun i -> Array.init (n + 1) (fun j -> i + j)) in
  for i = 1 to m do
    for j = 1 to n do
      let change = d.(i - 1).(j - 1) + (if a.[i - 1] = b.[j - 1] then 0 else 1) in
      d.(i).(j) <- min change (1 + min d.(i - 1).(j) d.(i).(j - 1));
      if i > 1 && j > 1 && a.[i - 1] = b.[j - 2] && a.[i - 2] = b.[j - 1] then
        d.(i).(j) <- min d.(i).(j) (d.(i - 2).(j - 2) + 1)
    done
  done;
  d.(m).(n)

(* The attribute that a key without a meaning was meant to be: tarn refuses these, others it ignores. *)
let meant word key =
  let known = Option.value (List.assoc_opt word keys) ~default:[] and lower = String.lowercase_ascii key in
  let is_near k = lower = k || distance key k <= (if String.length k > 2 then 2 else 1) in
  match List.find_opt is_near known, List.assoc_opt lower other_keys with
  | Some k, _ -> Some k
  | None, Some k when List.mem k known -> Some k
  | _ -> None

(* Whether only declarations of another kind have this attribute. *)
let is_misplaced word key =
  List.mem word [ "location"; "edge"; "process" ] && List.exists (fun (w, ks) -> w <> word && List.mem key ks) keys

(* Refuses slips; gives what has no meaning. *)
let without_meaning text d =
  let known = Option.value (List.assoc_opt d.word keys) ~default:[] in
  let one p =
    if List.mem p.key flags && List.exists (fun (_, ks) -> List.mem (value text p) ks) keys then
      fail p.from "`:` is missing between the attributes `%s` and `%s`" p.key (value text p);
    match List.mem p.key known, meant d.word p.key with
    | true, _ -> None
    | false, Some k -> fail p.key_at "there is no attribute `%s`; did you mean `%s`?" p.key k
    | false, None ->
      if is_misplaced d.word p.key then fail p.key_at "`%s` is no attribute of `%s` declarations" p.key d.word;
      Some (p.key, value text p) in
  List.filter_map one d.pairs

(* ---- What they mean ---- *)

let least = -0x80000000 and most = 0x7fffffff

let read text =
  let table () : (string, int) Hashtbl.t = Hashtbl.create 64 in
  let events = table () and procs = table () and symbols = Hashtbl.create 64 in
  let locs : (int * string, int) Hashtbl.t = Hashtbl.create 64 in
  let add table d key value =
    if Hashtbl.mem table key then fail d.at "this is declared twice" else Hashtbl.add table key value in
  let find table d what key =
    try Hashtbl.find table key with Not_found -> fail d.at "%s is not declared" what in
  let system = ref None and r_events = ref [] and r_clocks = ref [] and r_variables = ref [] in
  let r_procs = ref [] and r_locs = ref [] and r_edges = ref [] and r_syncs = ref [] in
  let clocks = ref 1 and slots = ref 0 and counts = Hashtbl.create 64 in
  let named d n = { name = n; kept = without_meaning text d } in
  let process d p = let n = name_of d p in find procs d ("process " ^ n) n in
  let event d p = let n = name_of d p in find events d ("event " ^ n) n in
  let location d i p = let n = name_of d p in find locs d ("location " ^ n) (i, n) in
  let part d = function
    | (Name _, _ as p) :: (Sign "@", _) :: (Name _, _ as e) :: rest ->
      let weak = match rest with [] -> false | [ (Sign "?", _) ] -> true | _ -> fail d.at "this is no part of a synchronisation" in
      { of_process = process d [ p ]; with_event = event d [ e ]; weak }
    | _ -> fail d.at "expected `process@event`" in
  let declare d =
    if d.word <> "system" && !system = None then fail d.at "the first declaration must be `system`";
    match d.word, parts d with
    | "system", [ n ] ->
      if !system <> None then fail d.at "there can be only one `system`";
      system := Some (named d (name_of d n))
    | "process", [ n ] ->
      let n = name_of d n in
      add procs d n (Hashtbl.length procs);
      r_procs := named d n :: !r_procs
    | "event", [ n ] ->
      let n = name_of d n in
      add events d n (Hashtbl.length events);
      r_events := named d n :: !r_events
    | "clock", [ size; n ] ->
      let n = name_of d n and size = number_of d 1 1_000_000 size in
      let s = { name = n; base = !clocks; size = (if size = 1 then None else Some size) } in
      let make s = Clock s in
      add symbols d n (if size = 1 then Clk (make s) else Array (s, make));
      clocks := !clocks + size;
      r_clocks := (named d n, size) :: !r_clocks
    | "int", [ size; low; high; init; n ] ->
      let n = name_of d n and count = number_of d 1 100_000_000 size in
      let low = number_of d least most low in
      let high = number_of d low most high in
      let initial = number_of d low high init in
      let s = { name = n; base = !slots; size = (if count = 1 then None else Some count) } in
      let make s = Var s in
      add symbols d n (if count = 1 then Int (make s) else Array (s, make));
      slots := !slots + count;
      r_variables := (named d n, { low; high; initial; count }) :: !r_variables
    | "location", [ p; n ] ->
      let i = process d p and n = name_of d n in
      let index = try Hashtbl.find counts i with Not_found -> 0 in
      Hashtbl.replace counts i (index + 1);
      add locs d (i, n) index;
      r_locs := (i, n, d) :: !r_locs
    | "edge", [ p; a; b; e ] ->
      let i = process d p in
      r_edges := (i, location d i a, location d i b, event d e, d) :: !r_edges
    | "sync", ps ->
      let ps = List.map (part d) ps in
      if ps = [] then fail d.at "a synchronisation needs a process";
      List.iteri (fun k p -> List.iteri (fun j q ->
          if j < k && p.of_process = q.of_process then fail d.at "a process occurs twice") ps) ps;
      r_syncs := (ps, without_meaning text d) :: !r_syncs
    | _ -> fail d.at "`%s` starts no declaration, or has other parts" d.word in
  List.iter declare (declarations text);
  let system = match !system with None -> fail 0 "the model is empty" | Some s -> s in
  (* Expressions come last: they may use what is declared later. *)
  let resolve at n = try Hashtbl.find symbols n with Not_found -> fail at "`%s` is not declared" n in
  let whole parse p = let x = parse p in
    if p.l.token <> End then fail p.l.start "expected an operator or the end, found %s" (describe p.l.token) else x in
  let condition_of key d =
    let one pair =
      if pair.from = pair.upto then fail d.at "attribute `%s` has no value" key;
      let p = { l = lexer text pair.from pair.upto; query = false; resolve; is_known = (fun _ -> true); declare = None; bound = []; instances = 0; enter = ignore; leave = ignore } in
      condition p (whole formula p) in
    match List.map one (List.filter (fun p -> p.key = key) d.pairs) with
    | [] -> None
    | c :: cs -> Some (List.fold_left (fun a b -> And (a, b)) c cs) in
  (* Statements of several attributes follow each other and share their local variables. *)
  let update_of d =
    let scope = ref [] and frame = ref 0 and saved = ref [] in
    let resolve at n = match List.assoc_opt n !scope with
      | Some s -> let make s = Local s in if s.size = None then Int (make s) else Array (s, make)
      | None -> resolve at n in
    let declare at n size =
      if List.mem_assoc n !scope || Hashtbl.mem symbols n then fail at "`%s` is already declared" n;
      let s = { name = n; base = !frame; size } in
      frame := !frame + Option.value size ~default:1;
      scope := (n, s) :: !scope; s in
    let enter () = saved := !scope :: !saved in
    let leave () = scope := List.hd !saved; saved := List.tl !saved in
    let one pair =
      if pair.from = pair.upto then fail d.at "attribute `do` has no value";
      whole statements { l = lexer text pair.from pair.upto; query = false; resolve; is_known = (fun _ -> true); declare = Some declare; bound = []; instances = 0; enter; leave } in
    let update = List.concat_map one (List.filter (fun p -> p.key = "do") d.pairs) in
    update, !frame in
  let labels_of d =
    List.concat_map (fun p ->
        let v = value text p in
        if p.key <> "labels" || v = "" then []
        else List.map (fun s ->
            let s = String.trim s in
            if s = "" || String.exists is_blank s then fail p.from "this is no list of labels" else s)
            (String.split_on_char ',' v)) d.pairs in
  let location_of n d =
    { l_name = n; l_flags = List.filter (fun f -> List.exists (fun p -> p.key = f) d.pairs) flags; l_labels = labels_of d;
      l_invariant = condition_of "invariant" d; l_kept = without_meaning text d } in
  let process_of i (p : named) =
    let mine = List.filter (fun (j, _, _) -> j = i) (List.rev !r_locs) in
    if mine = [] then fail 0 "process `%s` has no location" p.name;
    { p_name = p.name; p_kept = p.kept; p_locations = List.map (fun (_, n, d) -> location_of n d) mine } in
  let edge_of (process, source, target, event, d) =
    let update, locals = update_of d in
    { process; source; target; event; guard = condition_of "provided" d; update; locals; e_kept = without_meaning text d } in
  { system; events = List.rev !r_events; clocks = List.rev !r_clocks; variables = List.rev !r_variables;
    processes = List.mapi process_of (List.rev !r_procs); edges = List.rev_map edge_of !r_edges;
    syncs = List.rev !r_syncs; symbols }
