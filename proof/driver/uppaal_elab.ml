(* From trees to processes: names are resolved, types checked, constants computed, and each process gets its own copy of
   its template. A call has its own copy of the function. What is not covered is refused by name. *)
open Syntax
open Uppaal_parse
open Uppaal_expr

let bad fmt = fail 0 fmt
let not_covered what = refuse 0 what
let most_edges = 1 lsl 20 and most_nodes = 4_000_000 and most_instances = 100_000

type info = { it : ty; const : bool; meta : bool; urgent : bool; broadcast : bool; plain_int : bool; empty : bool }

type symbol = { what : what; order : int }
and what =
  | Type_of of info
  | Constant of expr
  | Storage of expr
  | Channels of ty * int (* first *)
  | Func of func * scope
  | Maker of maker
  | Processes of set
  | Place of int
  | Ignored of string (* real variables and hybrid clocks: nothing depends on them *)
and scope = { names : (string, symbol) Hashtbl.t; parent : scope option; limit : int (* what a function does not see; 0: nothing *) }
and maker = { template : template option; of_maker : (maker * tree list) option; m_params : var list; is_instance : bool }
and process = { number : int; scope : scope }
and set = { s_name : string; ranges : (int * int) list; members : process array }

type channel = { c_name : string; is_urgent : bool; is_broadcast : bool; mutable priority : int; send : int; receive : int }
(* The rate of a clock: None: no integer. Without a clock it is that of something to which nothing answers. *)
type a_rate = { of_clock : expr option; is : expr option }
type a_location = { name : string; initial : bool; l_committed : bool; l_urgent : bool; inv : expr option; rates : a_rate list;
  unread : a_rate list (* in force only for queries that read their clocks *) }
type an_edge = { process : int; source : int; target : int; event : int; a_guard : expr option; effects : stmt list }
type a_process = { p_name : string; level : int; mutable places : a_location list }

type state = {
  mutable events : string list; mutable event_count : int; mutable tau : int;
  mutable channels : channel list; mutable channel_count : int;
  mutable clocks : (string * ty) list; mutable clock_count : int;
  mutable variables : (string * ty * int array * bool) list; mutable slot_count : int;
  mutable processes : a_process list; mutable process_count : int; mutable edges : an_edge list; mutable edge_count : int;
  mutable before : (stmt list * local list) option; mutable after : (stmt list * local list) option; mutable has_priorities : bool; mutable tau_level : int;
  mutable orders : int; mutable locals : int; mutable nodes : int; mutable instances : int; mutable expanding : int;
  mutable rates : a_rate list option (* of the invariant that is read, last first *);
  mutable rated : int list (* clocks with rates that are left out *);
  mutable stopped : int list (* clocks that only queries may read, and that are stopped somewhere *);
  mutable prefix : string; mutable open_functions : string list; mutable is_query : bool;
  mutable frame : int (* how much of it local variables take, as tarn lays it out *);
  mutable is_shown : bool (* functions are read as tarn shows them *);
}

let st = {
  events = []; event_count = 0; tau = -1; channels = []; channel_count = 0; clocks = []; clock_count = 0; variables = []; slot_count = 0;
  processes = []; process_count = 0; edges = []; edge_count = 0; before = None; after = None; has_priorities = false; tau_level = 0; orders = 0; locals = 0;
  nodes = 0; instances = 0; expanding = 0; rates = None; rated = []; stopped = []; prefix = ""; open_functions = []; is_query = false;
  frame = 0; is_shown = false }

let tick () = if not st.is_shown then st.nodes <- st.nodes + 1; if st.nodes > most_nodes then bad "the model is too large once functions stand where they are called"
let new_local ?(place = -1) ?(is_remote = false) name ty =
  st.locals <- st.locals + 1; { l_id = st.locals; l_name = name; l_type = ty; slot = -1; place; is_remote }
let room n = let place = st.frame in st.frame <- place + n; place
let local_expr l = { k = Local l; ty = l.l_type }

(* ---- Scopes ---- *)

let inner ?(limit = 0) parent = { names = Hashtbl.create 8; parent = Some parent; limit }
let globals = { names = Hashtbl.create 64; parent = None; limit = 0 }
let system_scope = inner globals
let process_scope = inner system_scope

let rec find_below limit scope name =
  match Hashtbl.find_opt scope.names name with
  | Some s when s.order <= limit -> Some s.what
  | _ ->
    let limit = if scope.limit > 0 then min limit scope.limit else limit in
    Option.bind scope.parent (fun p -> find_below limit p name)
let predeclared name =
  let number v = Some (Constant (const v)) and range a b =
    Some (Type_of { it = Int (a, b, false); const = false; meta = false; urgent = false; broadcast = false; plain_int = false; empty = false }) in
  match name with
  | "INT8_MIN" -> number (-128) | "INT8_MAX" -> number 127 | "UINT8_MAX" -> number 255 | "INT16_MIN" -> number (-32768)
  | "INT16_MAX" -> number 32767 | "UINT16_MAX" -> number 65535 | "INT32_MIN" -> number least | "INT32_MAX" -> number most
  | "int8_t" -> range (-128) 127 | "uint8_t" -> range 0 255 | "int16_t" -> range (-32768) 32767 | "uint16_t" -> range 0 65535
  | "int32_t" -> range least most
  | _ -> None
let find scope name = match find_below max_int scope name with Some w -> Some w | None -> predeclared name
let add scope name what =
  let is_there s = Hashtbl.mem s.names name in
  if is_there scope || (scope == system_scope && is_there globals) then bad "`%s` is declared twice" name;
  st.orders <- st.orders + 1;
  Hashtbl.add scope.names name { what; order = st.orders }

(* ---- Constants: code is run where folding is not enough ---- *)

exception Not_constant
let run_budget = ref 0
let rec eval env e : int array =
  decr run_budget;
  if !run_budget < 0 then bad "a constant takes too long to compute";
  let one e = (eval env e).(0) in
  let fits_or v = if fits v then [| v |] else bad "a constant does not fit in 32 bits" in
  match e.k with
  | Const v -> [| v |]
  | Table (_, t) -> Array.copy t (* whoever gets it may write to it *)
  | Local l -> (match Hashtbl.find_opt env l.l_id with Some v -> Array.copy v | None -> raise Not_constant)
  | Element (a, i) -> let v, at, t = place env e in ignore (a, i, t); Array.sub v at (slots e.ty)
  | Field _ -> let v, at, _ = place env e in Array.sub v at (slots e.ty)
  | Neg a -> fits_or (- (one a))
  | Not a -> [| (if one a = 0 then 1 else 0) |]
  | Bin (And, a, b) -> [| (if one a <> 0 && one b <> 0 then 1 else 0) |]
  | Bin (Or, a, b) -> [| (if one a <> 0 || one b <> 0 then 1 else 0) |]
  | Bin (op, a, b) when is_comparison op ->
    let x = eval env a and y = eval env b in
    if Array.length x = 1 then [| (if compare_ints op x.(0) y.(0) then 1 else 0) |]
    else [| (if (x = y) = (op = Eq) then 1 else 0) |]
  | Bin (op, a, b) -> let x = one a in let y = one b in
    (match compute op x y with Some v -> [| v |] | None -> bad "a constant has no value")
  | Cond (c, a, b) -> if one c <> 0 then eval env a else eval env b
  | Quant (q, l, low, high, a) ->
    let rec go i acc =
      if i > high then acc
      else begin
        Hashtbl.replace env l.l_id [| i |];
        let v = one a in
        match q with
        | Forall -> if v = 0 then 0 else go (i + 1) 1
        | Exists -> if v <> 0 then 1 else go (i + 1) 0
        | Sum -> go (i + 1) (acc + v)
      end in
    fits_or (go low (if q = Forall then 1 else 0))
  | Set (x, y) -> let v = eval env y in assign env x v; v
  | Call c ->
    List.iter (fun (l, a) -> let v = eval env a in check_range l.l_type v; Hashtbl.replace env l.l_id v) c.params;
    (match exec_all env c.body with Some v -> v | None -> [||])
  | Var _ | Clocks _ | At _ | Test _ | Deadlocked -> raise Not_constant
and check_range t v = match t with
  | Int (a, b, _) -> if v.(0) < a || v.(0) > b then bad "the value %d is outside of the range %d .. %d" v.(0) a b
  | Array (t, _, n) -> for i = 0 to n - 1 do check_range t (Array.sub v (i * slots t) (slots t)) done
  | Struct fs -> ignore (List.fold_left (fun at (_, t) -> check_range t (Array.sub v at (slots t)); at + slots t) 0 fs)
  | _ -> ()
(* The values that storage is part of, and where. *)
and place env e : int array * int * ty = match e.k with
  | Local l -> (match Hashtbl.find_opt env l.l_id with Some v -> v, 0, l.l_type | None -> raise Not_constant)
  | Table (_, t) -> t, 0, e.ty
  | Element (a, i) ->
    let v, at, _ = (if is_storage a then place env a else eval env a, 0, a.ty) and k = (eval env i).(0) in
    (match a.ty with
     | Array (t, first, n) -> if k < first || k >= first + n then bad "an index of a constant is out of bounds" else v, at + (k - first) * slots t, t
     | _ -> assert false)
  | Field (a, _, n) -> let v, at, _ = (if is_storage a then place env a else eval env a, 0, a.ty) in v, at + n, e.ty
  | _ -> raise Not_constant
and assign env x v =
  let t, at, _ = place env x in
  check_range x.ty v; Array.blit v 0 t at (Array.length v)
and exec_all env = function
  | [] -> None
  | s :: rest -> (match exec env s with Some v -> Some v | None -> exec_all env rest)
and exec env s : int array option =
  decr run_budget;
  if !run_budget < 0 then bad "a constant takes too long to compute";
  let holds e = (eval env e).(0) <> 0 in
  match s with
  | Put (x, e) ->
    let v = eval env e in
    (match x.k with
     | Local l when not (Hashtbl.mem env l.l_id) -> check_range l.l_type v; Hashtbl.replace env l.l_id v
     | _ -> assign env x v); None
  | Begin e -> (match e.k with Local l -> Hashtbl.replace env l.l_id (Array.make (slots l.l_type) 0) | _ -> ()); None
  | If (c, a, b) -> exec_all env (if holds c then a else b)
  | While (c, a) -> if holds c then (match exec_all env a with Some v -> Some v | None -> exec env s) else None
  | Do (a, c) -> (match exec_all env a with Some v -> Some v | None -> if holds c then exec env s else None)
  | Return None -> Some [||]
  | Return (Some e) -> Some (eval env e)
  | Effect e -> ignore (eval env e); None
  | Assert e -> if holds e then None else bad "an assertion of the model does not hold"
  | Clock_set _ -> raise Not_constant
let constant e = match e.k with
  | Const v -> [| v |]
  | Table (_, t) -> t
  | _ -> run_budget := 20_000_000; (try eval (Hashtbl.create 16) e with Not_constant -> bad "a constant is needed here")

(* ---- Values ---- *)

type thing =
  | Data of expr
  | Sum_of of expr option * expr option * expr option (* clock - clock + integer *)
  | Channel of expr
  | Process of process
  | Several of set

exception Needs_constants

let stored e = match e.ty with
  | Clock -> Sum_of (Some e, None, None)
  | t when leaf t = Chan -> Channel e
  | _ -> Data e

let coerce e t = if is_bool t && not (is_bool e.ty) && (match e.ty with Int _ -> true | _ -> false) then binary Ne e (const 0) else e
let negative = function None -> None | Some { k = Neg a } -> Some a | Some a -> Some (unary_neg a)
let plus a b = match a, b with Some a, Some b -> Some (binary Add a b) | Some a, None -> Some a | None, b -> b
let same_clock a b = match a.k, b.k with Clocks (_, x), Clocks (_, y) -> x = y | _ -> false
let clock_sum (p, m, c) (q, n, d) =
  let cancel p m = match p, m with Some x, Some y when same_clock x y -> None, None | _ -> p, m in
  let p, m = cancel p m in let p, n = cancel p n in let q, m = cancel q m in let q, n = cancel q n in
  let one a b = match a, b with Some _, Some _ -> not_covered "sums of clocks" | Some a, None -> Some a | None, b -> b in
  one p q, one m n, plus c d
let mirrored = function Lt -> Gt | Le -> Ge | Gt -> Lt | Ge -> Le | o -> o

let rec info scope (t : typ) dims =
  let base = match t.base with
    | TInt None ->
      let a, b = if t.is_const then least, most else -32768, 32767 in
      { it = Int (a, b, false); const = false; meta = false; urgent = false; broadcast = false; plain_int = true; empty = false }
    | b ->
      let ty, empty = match b with
        | TInt (Some (a, b)) -> let a = constant_int scope a and b = constant_int scope b in Int (a, max a b, false), a > b
        | TBool -> bool, false
        | TClock -> Clock, false
        | TChan -> Chan, false
        | TVoid -> Void, false
        | TScalar n -> let n = constant_int scope n in if n < 1 then bad "a scalar set needs at least one element" else Int (0, n - 1, false), false
        | TStruct fs ->
          let one (f : var) =
            let i = full_info scope f.typ f.dims in
            (match leaf i.it with
             | Clock -> not_covered "structs with clocks"
             | Chan | Void -> bad "a struct cannot have the field `%s`" f.name
             | _ -> ());
            f.name, i.it in
          let fs = List.map one fs in
          List.iteri (fun i (f, _) -> List.iteri (fun j (g, _) -> if i < j && f = g then bad "the field `%s` is declared twice" f) fs) fs;
          Struct fs, false
        | TIgnored what -> not_covered what
        | TName _ | TInt None -> Void, false in
      { it = ty; const = false; meta = false; urgent = false; broadcast = false; plain_int = false; empty } in
  let base = match t.base with
    | TName n ->
      (match find scope n with
       | Some (Type_of i) -> if i.plain_int && t.is_const then { i with it = any } else i
       | Some _ -> bad "`%s` is not a type" n
       | None -> bad "there is no type `%s`" n)
    | _ -> base in
  let base = { base with const = base.const || t.is_const; meta = base.meta || t.is_meta; urgent = base.urgent || t.is_urgent;
                         broadcast = base.broadcast || t.is_broadcast } in
  if dims = [] then base
  else begin
    let rec array = function
      | [] -> base.it
      | d :: rest ->
        let element = array rest in
        let first, count = dimension scope d in
        if count * slots element > 1 lsl 20 then bad "an array is too large";
        Array (element, first, count) in
    { base with it = array dims; plain_int = false }
  end
and full_info scope t dims =
  let i = info scope t dims in
  if i.empty then bad "a range is empty" else i
and dimension scope d =
  let of_type t = let a, b = range_type scope t in a, max 0 (b - a + 1) in
  match d with
  | Type t -> of_type t
  | Size (Name n as e) ->
    (match find scope n with
     | Some (Type_of _) -> of_type { base = TName n; is_const = false; is_meta = false; is_urgent = false; is_broadcast = false }
     | _ -> 0, constant_int scope e)
  | Size e -> let n = constant_int scope e in if n < 0 then bad "the size of an array is %d" n else 0, n
(* What a quantifier, `select` or a free parameter goes over. *)
and range_type scope t =
  let i = info scope t [] in
  match i.it with
  | Int (a, b, _) ->
    if i.plain_int && b - a > 65535 then bad "a range is needed here";
    if i.empty then 1, 0 else a, b
  | _ -> bad "a bounded integer type is needed here"
and constant_int scope e = (constant (int scope e)).(0)

(* ---- Expressions ---- *)

and thing scope t : thing =
  tick ();
  match t with
  | Number v -> Data (const v)
  | Truth b -> Data (truth b)
  | Name n -> named scope n
  | Index (a, i) ->
    (match thing scope a with
     | (Data a | Channel a) as whole ->
       let i = int scope i in
       (match a.ty, whole, value i with
        | Array (_, first, n), Channel _, Some v when v < first || v >= first + n -> bad "the index %d is outside the array" v
        | Array _, _, _ -> stored (element_of a i)
        | _ -> bad "this is not an array")
     | Sum_of _ | Process _ | Several _ -> bad "this is not an array")
  | Dot (a, n) -> dot scope a n
  | Call (Name n, args) ->
    (match find scope n with
     | Some (Processes s) -> process_at scope s args
     | Some (Func (f, home)) -> Data (call scope f home args)
     | None when n = "abs" && List.length args = 1 ->
       let a = int scope (List.hd args) in
       if may_change a then not_covered "`abs` of a call";
       Data (binary Max a (unary_neg a))
     | _ -> bad "there is no function `%s`" n)
  | Call (Dot (p, n), args) -> (* a function of a process, in a query *)
    (match thing scope p with
     | Process p ->
       (match Hashtbl.find_opt p.scope.names n with
        | Some { what = Func (f, home) } -> Data (call scope f home args)
        | _ -> bad "there is no function `%s`" n)
     | _ -> bad "this is no function")
  | Call _ -> bad "this is no function"
  | Not a -> Data (unary_not (condition scope a))
  | Negate a ->
    (match thing scope a with
     | Sum_of (p, m, c) -> Sum_of (m, p, negative c)
     | Data ({ ty = Int _ } as e) when not (has_test e) -> Data (unary_neg e)
     | _ -> bad "a number is needed here")
  | Binary (Eq, Rate x, v) | Binary (Eq, v, Rate x) when st.rates <> None -> rate scope x v; Data (truth true)
  | Binary (op, a, b) -> operation scope op a b
  | Imply (a, b) ->
    let a = condition scope a in
    if st.expanding > 0 && value a = Some 0 then Data (truth true)
    else Data (binary Or (unary_not a) (condition scope b))
  | Xor (a, b) ->
    let a = condition scope a in let b = condition scope b in
    Data (binary Ne (coerce a bool) (coerce b bool))
  | Power (a, b) ->
    let a = int scope a in let b = int scope b in
    (match value a, value b with
     | _, Some n when n >= 0 && n <= 31 && not (may_change a) ->
       let rec go k p = if k >= n then p else go (k + 1) (binary Mul p a) in
       let p = if n = 0 then binary Add (binary Mul a (const 0)) (const 1) else go 1 a in
       if value a <> None && value p = None then bad "this power is not an integer of 32 bits";
       Data p
     | _ -> not_covered "powers whose exponent is no small constant")
  | Choice (c, a, b) ->
    let c = condition scope c in
    (match thing scope a, thing scope b with
     | Data a, Data b when same_type a.ty b.ty -> Data (cond c a b)
     | Channel a, Channel b when same_type a.ty b.ty && not (has_test c) -> Channel (cond c a b)
     | _ -> bad "both branches need values of one type")
  | Assign (op, a, b) ->
    let x = target scope a in
    (match x.ty with Int _ -> () | _ -> bad "inside an expression only integers can be assigned");
    let v = int scope b in
    let v = match op with None -> v | Some op -> stable x; binary op x v in
    Data { k = Set (x, coerce v x.ty); ty = x.ty }
  | Step (op, is_behind, a) ->
    let x = target scope a in
    stable x;
    (match x.ty with Int _ -> () | _ -> bad "only integers can be counted up and down");
    let set = { k = Set (x, binary op x (const 1)); ty = x.ty } in
    Data (if is_behind then binary (if op = Add then Sub else Add) set (const 1) else set)
  | Quantified (q, n, t, a) -> quantified scope q n t a
  | Values _ -> bad "a list of values can only initialise a variable"
  | Rate _ -> bad "the rate of a clock is given in an invariant, as in `x' == 0`"
  | Real -> not_covered "real numbers"
  | Deadlock -> (* in queries the word is reserved *)
    if st.is_query then Data { k = Deadlocked; ty = bool }
    else if find scope "deadlock" <> None then named scope "deadlock"
    else bad "`deadlock` is for queries"
(* Of `a[f()] += 1` the index would be computed twice. *)
and stable e = match e.k with
  | Element (a, i) -> if may_change i then not_covered "calls in the index of what is changed" else stable a
  | Field (a, _, _) -> stable a
  | _ -> ()
and element_of a i =
  if is_storage a then element a i
  else match a.k with
    | Cond (c, x, y) -> cond c (element_of x i) (element_of y i)
    | _ -> (match (root a).k with Call _ -> element a i | _ -> not_covered "indices of what a function returns")
and named scope n = match find scope n with
  | Some (Constant e | Storage e) -> stored e
  | Some (Channels (t, first)) -> Channel { k = Var (n, first); ty = t }
  | Some (Processes s) -> if s.ranges = [] then Process s.members.(0) else Several s
  | Some (Func _) -> bad "the function `%s` needs arguments" n
  | Some (Maker _) -> bad "`%s` is a template, not a process of the system" n
  | Some (Type_of _) -> bad "`%s` is a type; a value is needed here" n
  | Some (Ignored what) -> not_covered what
  | Some (Place _) -> bad "the location `%s` can be used in queries only" n
  | None -> bad "`%s` is not declared" n
and dot scope a n = match thing scope a with
  | Process p ->
    let here s = Option.map (fun s -> s.what) (Hashtbl.find_opt s.names n) in
    let name = (List.nth st.processes (st.process_count - 1 - p.number)).p_name in
    (match here p.scope with
     | None -> (match Option.bind p.scope.parent here with
         | Some (Constant e | Storage e) -> stored e
         | _ -> bad "process `%s` has no location, variable or clock `%s`" name n)
     | Some (Place l) -> Data { k = At (name ^ "." ^ n, p.number, l); ty = bool }
     | Some (Constant e | Storage e) -> stored e
     | Some _ -> bad "`%s.%s` is no location, variable or clock" name n)
  | Data e -> (match field e n with Some e -> Data e | None -> bad "there is no field `%s`" n)
  | Several s -> bad "`%s` stands for several processes" s.s_name
  | _ -> bad "there is no field `%s`" n
and process_at scope s args =
  if List.length args <> List.length s.ranges then bad "`%s` has %d free parameters" s.s_name (List.length s.ranges);
  let at = List.fold_left2 (fun at (a, b) arg ->
      match value (int scope arg) with
      | None -> raise Needs_constants
      | Some v -> if v < a || v > b then bad "there is no process `%s` with %d as parameter" s.s_name v else at * (b - a + 1) + v - a) 0 s.ranges args in
  Process s.members.(at)
and operation scope op a b =
  let x = thing scope a in
  let decides = match x, op with
    | Data e, (And | Or) when st.expanding > 0 -> (match value e with Some v -> (v <> 0) = (op = Or) | None -> false)
    | _ -> false in
  if decides then Data (truth (op = Or))
  else match x, thing scope b with
    | Data a, Data b -> Data (data_operation op a b)
    | (Sum_of _ | Data _ as x), (Sum_of _ | Data _ as y) ->
      let parts = function
        | Sum_of (p, m, c) -> p, m, c
        | Data ({ ty = Int _ } as e) when not (has_test e) -> None, None, Some e
        | _ -> bad "a clock is compared with numbers and clocks only" in
      let x = parts x and y = parts y in
      let opposite (p, m, c) = m, p, negative c in
      if is_comparison op then clock_comparison op (clock_sum x (opposite y))
      else if op = Add || op = Sub then let p, m, c = clock_sum x (if op = Add then y else opposite y) in Sum_of (p, m, c)
      else not_covered "clocks as numbers"
    | _ -> bad "channels and processes have no value"
and clock_comparison op (p, m, c) =
  let bound = match negative c with Some b -> b | None -> const 0 in
  match p, m with
  | None, None -> Data (binary op (const 0) bound)
  | Some x, y -> Data { k = Test (x, y, op, bound); ty = bool }
  | None, Some x -> Data { k = Test (x, None, mirrored op, match c with Some c -> c | None -> const 0); ty = bool }
and data_operation op a b =
  let is_equality = op = Eq || op = Ne in
  (match a.ty, b.ty with
   | Int _, Int _ -> ()
   | s, t when is_equality && same_type s t && leaf s <> Clock && s <> Void -> ()
   | _ -> bad "values of different types cannot be compared, or this operator is for integers");
  let is_truth e = is_bool e.ty || (match value e with Some (0 | 1) -> true | _ -> false) in
  if (has_test a || has_test b) && op <> And && op <> Or && not (is_equality && is_truth a && is_truth b) then bad "a clock constraint is no number";
  binary op a b
and rate scope x v =
  let rec is_ignored = function
    | Name n -> (match find scope n with Some (Ignored _) -> true | _ -> false)
    | Index (a, _) -> is_ignored a
    | _ -> false in
  let of_clock = if is_ignored x then None else match thing scope x with
      | Sum_of (Some c, None, None) -> Some c
      | _ -> bad "only a clock has a rate" in
  let expanding = st.expanding and opened = st.open_functions and frame = st.frame and is_shown = st.is_shown in
  let restore () = st.expanding <- expanding; st.open_functions <- opened; st.frame <- frame; st.is_shown <- is_shown in
  let is = try Some (int scope v) with Syntax.Error _ -> restore (); None in
  st.rates <- Option.map (fun l -> { of_clock; is } :: l) st.rates
and quantified scope q n t body =
  let low, high = range_type scope t in
  let combine items =
    let op = match q with Forall -> And | Exists -> Or | Sum -> Add in
    let rec pairs = function a :: b :: rest -> binary op a b :: pairs rest | l -> l in
    let rec go = function [] -> if q = Sum then const 0 else truth (q = Forall) | [ a ] -> a | l -> go (pairs l) in
    go items in
  let part inside = if q = Sum then int inside body else condition inside body in
  let expand () =
    st.instances <- st.instances + (high - low + 1);
    if st.instances > most_instances then bad "quantifiers make too many instances";
    st.expanding <- st.expanding + 1;
    let items = List.init (high - low + 1) (fun i ->
        let inside = inner scope in
        add inside n (Constant (const (low + i))); part inside) in
    st.expanding <- st.expanding - 1;
    Data (combine items) in
  if low > high then Data (combine [])
  else begin
    let frame = st.frame in
    let l = new_local ~place:(room 1) n (Int (low, high, false)) in
    let inside = inner scope in
    add inside n (Storage (local_expr l));
    let rates = st.rates in
    let body = try Some (part inside) with Needs_constants -> None in
    st.frame <- frame;
    match body with
    | Some e when st.rates = rates -> if has_test e then expand () else Data (quantify q l low high e)
    | _ -> st.rates <- rates; expand ()
  end
and data scope t = match thing scope t with
  | Data e -> if has_test e then not_covered "clocks as numbers" else e
  | Sum_of _ -> not_covered "clocks as numbers"
  | _ -> bad "a value is needed here"
and int scope t =
  let e = data scope t in
  match e.ty with Int _ -> e | _ -> bad "an integer is needed here"
and condition scope t = match thing scope t with
  | Data ({ ty = Int _ } as e) -> e
  | _ -> bad "a condition is needed here"
and typed scope t ty = coerce (data scope t) ty

(* ---- Calls: a copy of the function, with what its references stand for ---- *)

and call scope (f : func) home args =
  if List.mem f.f_name st.open_functions then bad "the function `%s` calls itself" f.f_name;
  if List.length args <> List.length f.f_params then bad "`%s` needs %d arguments" f.f_name (List.length f.f_params);
  let result = (full_info home f.f_result []).it in
  let inside = inner home in
  let params = ref [] and shown = ref [] and types = ref [] and places = ref 0 and remotes = ref [] in
  let pass l a = params := (l, a) :: !params in
  let show e = shown := e :: !shown in
  let take ty = let place = !places in types := ty :: !types; places := place + slots ty; place in
  (* Storage of the caller: indices that are no constants are computed when the function is called. *)
  let rec alias is_shown e = match e.k with
    | Element (a, i) ->
      let a = alias is_shown a in
      if value i <> None then element a i
      else begin
        let l = if is_shown then new_local ~place:(take any) "index" any else new_local "index" any in
        pass l i;
        if is_shown then show i;
        element a (local_expr l)
      end
    | Field (a, n, _) -> (match field (alias is_shown a) n with Some e -> e | None -> assert false)
    | _ -> e in
  let one (p : var) arg =
    let i = full_info home p.typ p.dims in
    let v = thing scope arg in
    let by_value e =
      let e = coerce e i.it in
      if has_test e then not_covered "clocks as numbers";
      if not (same_type i.it e.ty) then bad "the argument for `%s` has another type" p.name;
      let l = new_local ~place:(take i.it) p.name i.it in
      pass l e; show e; add inside p.name (Storage (local_expr l)) in
    match v with
    | Data e when not p.is_reference || (i.const && not (is_storage e)) || st.is_query -> by_value e
    | Data e when is_storage e ->
      if not (same_type i.it e.ty) then bad "the argument for `%s` has another type" p.name;
      (match (root e).k with
       | Local _ ->
         let remote = Storage (local_expr (new_local ~place:(take any) ~is_remote:true p.name e.ty)) in
         remotes := (p.name, remote) :: !remotes;
         show e; add inside p.name (if st.is_shown then remote else Storage (alias false e))
       | Table _ -> add inside p.name (Constant (alias true e))
       | _ -> add inside p.name (Storage (alias true e)))
    | Sum_of (Some x, None, None) when p.is_reference && i.it = Clock -> add inside p.name (Storage (alias true x))
    | _ when leaf i.it = Clock -> not_covered "arrays of clocks as arguments"
    | _ -> bad "the argument for `%s` is of another kind" p.name in
  List.iter2 one f.f_params args;
  let outer = st.open_functions in
  st.open_functions <- f.f_name :: outer;
  let was_query = st.is_query and expanding = st.expanding in
  st.is_query <- false; st.expanding <- 0;
  let own = Hashtbl.create 8 and parameters = Hashtbl.copy inside.names in
  let res = new_local "result" result and fin = new_local "returned" any in
  List.iter (fun l -> Hashtbl.replace own l.l_id l) (res :: fin :: List.map fst !params);
  let frame = st.frame in
  let read scope own = st.frame <- !places; List.concat_map (statement scope result own) f.f_body in
  let body = read inside own in
  let shown_body =
    if !remotes = [] || st.is_shown then body
    else begin
      let scope = inner home in
      Hashtbl.iter (Hashtbl.replace scope.names) parameters;
      List.iter (fun (n, what) -> Hashtbl.replace scope.names n { what; order = st.orders }) !remotes;
      st.is_shown <- true;
      let body = read scope (Hashtbl.create 8) in
      st.is_shown <- false; body
    end in
  st.frame <- frame;
  st.open_functions <- outer;
  st.is_query <- was_query; st.expanding <- expanding;
  if result <> Void && not (returns body) then bad "the function `%s` may end without `return`" f.f_name;
  let writes = List.filter (function Of id -> not (Hashtbl.mem own id) | Outside -> true) (List.concat_map stmt_writes body) in
  { k = Call { fn = f.f_name; shown = List.rev !shown; params = List.rev !params; body; result; own;
               shown_types = List.rev !types; shown_body; res; fin; writes = List.sort_uniq compare writes }; ty = result }
and returns body = List.exists (function
    | Return _ -> true | If (_, a, b) -> returns a && returns b | Do (a, _) -> returns a | _ -> false) body
and stmt_writes s = match s with
  | Put (x, e) -> target_writes x @ expr_writes x @ expr_writes e
  | Clock_set (x, y, c) -> Outside :: (expr_writes x @ Option.fold ~none:[] ~some:expr_writes y @ Option.fold ~none:[] ~some:expr_writes c)
  | Begin _ -> []
  | If (c, a, b) -> expr_writes c @ List.concat_map stmt_writes (a @ b)
  | While (c, a) | Do (a, c) -> expr_writes c @ List.concat_map stmt_writes a
  | Return e -> Option.fold ~none:[] ~some:expr_writes e
  | Effect e | Assert e -> expr_writes e
and target_writes x = match (root x).k with Local l -> [ Of l.l_id ] | _ -> [ Outside ]
and expr_writes e = match e.k with
  | Const _ | Var _ | Local _ | Clocks _ | Table _ | At _ | Deadlocked -> []
  | Element (a, b) | Bin (_, a, b) -> expr_writes a @ expr_writes b
  | Field (a, _, _) | Neg a | Not a | Quant (_, _, _, _, a) -> expr_writes a
  | Cond (a, b, c) -> expr_writes a @ expr_writes b @ expr_writes c
  | Set (x, v) -> target_writes x @ expr_writes x @ expr_writes v
  | Call c -> c.writes @ List.concat_map (fun (_, a) -> expr_writes a) c.params
  | Test (a, b, _, c) -> expr_writes a @ Option.fold ~none:[] ~some:expr_writes b @ expr_writes c

(* ---- Statements ---- *)

and is_assignable e = match (root e).k with Var _ | Local _ -> is_storage e | _ -> false
and target scope t = match thing scope t with
  | Data e when is_assignable e -> e
  | _ -> bad "this cannot be assigned to"
and effects scope l = List.concat_map (effect scope) l
(* What an assignment is to, if symbolic queries do not know it. Nothing happens then, if the value has no effects. *)
and is_ignored scope t = match t with
  | Name n -> (match find scope n with Some (Ignored _) -> true | _ -> false)
  | Index (a, _) -> is_ignored scope a
  | _ -> false
and has_effects = function
  | Assign _ | Step _ | Call _ -> true
  | Index (a, b) | Binary (_, a, b) | Imply (a, b) | Xor (a, b) | Power (a, b) -> has_effects a || has_effects b
  | Dot (a, _) | Negate a | Not a | Quantified (_, _, _, a) | Rate a -> has_effects a
  | Choice (a, b, c) -> has_effects a || has_effects b || has_effects c
  | Values l -> List.exists (fun (_, v) -> has_effects v) l
  | Number _ | Truth _ | Name _ | Deadlock | Real -> false
and effect scope t : stmt list = match t with
  | Assign (_, a, b) when is_ignored scope a ->
    if has_effects b || has_effects a then not_covered "calls in what is assigned to real variables"; []
  | Assign (op, a, b) ->
    (match thing scope a with
     | Sum_of (Some x, None, None) ->
       if op <> None then not_covered "operators on clocks";
       let rec before = function
         | Assign (_, y, _) as t -> (match thing scope y with Sum_of _ -> effect scope t | _ -> [])
         | _ -> [] in
       let rec chained t = match t with
         | Assign (_, y, v) -> (match thing scope y with
             | Sum_of _ as target -> (match chained v with Sum_of (_, _, Some e) | Data e when may_change e -> target | v -> v)
             | _ -> thing scope t)
         | t -> thing scope t in
       before b @ [ (match chained b with
           | Sum_of (Some y, None, c) -> Clock_set (x, Some y, c)
           | Data ({ ty = Int _ } as e) when not (has_test e) -> Clock_set (x, None, Some e)
           | _ -> not_covered "clocks that are set to something else than an integer or a clock") ]
     | Data x when is_assignable x ->
       let v = match op, x.ty with Some _, Int _ -> data scope b | _ -> typed scope b x.ty in
       if not (same_type x.ty v.ty) then bad "the two sides have different types";
       let v = match op with
         | None -> v
         | Some op -> (match x.ty with Int _ -> () | _ -> bad "this operator is for integers"); stable x; binary op x v in
       [ Put (x, coerce v x.ty) ]
     | _ -> bad "this cannot be assigned to")
  | Step (op, _, a) ->
    let x = target scope a in
    (match x.ty with Int _ -> () | _ -> bad "only integers can be counted up and down");
    stable x;
    [ Put (x, binary op x (const 1)) ]
  | Choice (c, a, b) ->
    let c = int scope c in
    let a = effect scope a in let b = effect scope b in
    [ If (c, a, b) ]
  | t ->
    (match thing scope t with
     | Data e when may_change e -> [ Effect e ]
     | _ -> [])
and default t = match t with
  | Int (a, b, _) -> [| (if a <= 0 && 0 <= b then 0 else a) |]
  | Array (t, _, n) -> Array.concat (List.init n (fun _ -> default t))
  | Struct fs -> Array.concat (List.map (fun (_, t) -> default t) fs)
  | _ -> Array.make (slots t) 0
and table name ty values = match ty with
  | Int (_, _, b) -> { k = Const values.(0); ty = if b then ty else any }
  | _ -> { k = Table (name, values); ty }
and local_variable scope own (v : var) =
  match v.typ.base with
  | TIgnored what ->
    if Option.fold ~none:false ~some:has_effects v.init then not_covered "calls in what is assigned to real variables";
    add scope v.name (Ignored what); []
  | _ ->
  let i = full_info scope v.typ v.dims in
  (match leaf i.it with Clock | Chan | Void -> not_covered "local clocks and channels" | _ -> ());
  if i.const && v.init = None then bad "the constant `%s` needs a value" v.name;
  let known = match v.init, i.it with
    | Some (Values _), _ | None, _ -> None
    | Some t, Int (a, b, _) when i.const && v.dims = [] ->
      let e = typed scope t i.it in
      (match value e with Some n when n >= a && n <= b -> Some e | _ -> None)
    | _ -> None in
  match known with
  | Some e -> add scope v.name (Constant e); []
  | None ->
    let l = new_local ~place:(room (slots i.it)) v.name i.it in
    Hashtbl.replace own l.l_id l;
    let x = local_expr l in
    let begins = match v.init with
      | Some (Values _) | None ->
        let d = default i.it in
        Begin x :: (if Array.for_all (( = ) 0) d then [] else [ Put (x, table v.name i.it d) ])
      | _ -> [] in
    let rec initialise x t = match t, x.ty with
      | Values items, Array (_, first, n) ->
        if List.length items <> n then bad "there are too few or too many values";
        List.concat (List.mapi (fun k (_, t) -> initialise (element x (const (first + k))) t) items)
      | Values items, Struct fs ->
        if List.length items <> List.length fs then bad "there are too few or too many values";
        List.concat (List.mapi (fun k (f, t) ->
            let f = match f with Some f -> f | None -> fst (List.nth fs k) in
            match field x f with Some x -> initialise x t | None -> bad "there is no field `%s`" f) items)
      | Values _, _ -> bad "a list of values is for arrays and structs"
      | t, ty ->
        let e = typed scope t ty in
        if not (same_type ty e.ty) then bad "this value has another type than the variable";
        [ Put (x, coerce e ty) ] in
    let inits = match v.init with None -> [] | Some t -> initialise x t in
    add scope v.name (Storage x);
    begins @ inits
and statement scope result own (s : Uppaal_parse.stmt) : stmt list =
  tick ();
  let body s = statement scope result own s in
  match s with
  | Empty -> []
  | Effects l -> effects scope l
  | Block l ->
    let scope = inner scope and frame = st.frame in
    let l = List.concat_map (statement scope result own) l in
    st.frame <- frame; l
  | Declared ds ->
    List.concat_map (function
        | Variable v -> local_variable scope own v
        | Typedef v -> add scope v.name (Type_of (info scope v.typ v.dims)); []
        | _ -> not_covered "declarations of this kind inside of functions") ds
  | If (c, a, b) ->
    let c = int scope c in
    let a = body a in let b = match b with None -> [] | Some b -> body b in
    (match value c with
     | Some v -> let left = if v <> 0 then a else b in if left = [] then [] else [ If (const 1, left, left) ]
     | None -> [ If (c, a, b) ])
  | While (c, a) -> let c = int scope c in [ While (c, body a) ]
  | Do (a, c) -> let c = int scope c in [ Do (body a, c) ]
  | For (a, b, c, s) ->
    let before = effects scope a in
    let b = match b with None -> const 1 | Some b -> int scope b in
    let s = body s in
    before @ [ While (b, s @ effects scope c) ]
  | Iterate (n, t, s) ->
    let low, high = range_type scope t in
    if low > high then []
    else begin
      if high = most then not_covered "loops up to the largest integer";
      let frame = st.frame in
      let counter = new_local ~place:(room 1) n any in
      Hashtbl.replace own counter.l_id counter;
      let inside = inner scope in
      add inside n (Storage { k = Local counter; ty = Int (low, high, false) });
      let c = local_expr counter in
      let s = statement inside result own s in
      st.frame <- frame;
      [ Put (c, const low); While (binary Le c (const high), s @ [ Put (c, binary Add c (const 1)) ]) ]
    end
  | Return None -> if result <> Void then bad "the function must return a value"; [ Return None ]
  | Return (Some t) ->
    if result = Void then bad "a void function returns no value";
    let e = typed scope t result in
    if not (same_type result e.ty) then bad "the value has another type than the function";
    [ Return (Some e) ]
  | Assert t -> [ Assert (int scope t) ]

(* ---- Declarations ---- *)

let rec initial scope ty (t : tree option) = match t with
  | None -> default ty
  | Some (Values items) ->
    (match ty with
     | Array (t, _, n) ->
       if List.length items <> n then bad "there are too few or too many values";
       Array.concat (List.map (fun (f, v) -> if f <> None then bad "an array has no fields"; initial scope t (Some v)) items)
     | Struct fs ->
       if List.length items <> List.length fs then bad "there are too few or too many values";
       let values = Array.make (slots ty) 0 and seen = Hashtbl.create 4 in
       List.iteri (fun k (f, v) ->
           let f = match f with Some f -> f | None -> fst (List.nth fs k) in
           if Hashtbl.mem seen f then bad "the field `%s` has two values" f;
           Hashtbl.add seen f ();
           match offset_of fs f with
           | Some (n, t) -> let v = initial scope t (Some v) in Array.blit v 0 values n (Array.length v)
           | None -> bad "there is no field `%s`" f) items;
       values
     | _ -> bad "a list of values is for arrays and structs")
  | Some t ->
    let e = data scope t in
    if slots e.ty <> slots ty || (match e.ty, ty with Int _, (Int _ | Clock) -> false | Int _, _ | _, Int _ -> true | _ -> false) then
      bad "a value has another type than what it is for";
    let v = constant e in
    let v = if is_bool ty then [| (if v.(0) <> 0 then 1 else 0) |] else v in
    check_range ty v; v

let new_event name = st.events <- name :: st.events; st.event_count <- st.event_count + 1; st.event_count - 1
let tau_event () = if st.tau < 0 then st.tau <- new_event "tau"; st.tau

let add_channels name (i : info) ty =
  let rec go name = function
    | Array (t, first, n) -> for k = 0 to n - 1 do go (Printf.sprintf "%s[%d]" name (first + k)) t done
    | _ ->
      let send = new_event (name ^ "!") in
      let receive = new_event (name ^ "?") in
      st.channels <- { c_name = name; is_urgent = i.urgent; is_broadcast = i.broadcast; priority = st.tau_level; send; receive } :: st.channels;
      st.channel_count <- st.channel_count + 1 in
  if slots ty > 100_000 then bad "more than 100000 channels are not supported";
  go name ty

let add_variable name ty values meta =
  let base = st.slot_count in
  if slots ty > 0 then begin
    st.variables <- (name, ty, values, meta) :: st.variables;
    st.slot_count <- st.slot_count + slots ty
  end;
  { k = Var (name, base); ty }

let declare scope (v : var) = match v.typ.base with
  | TIgnored what -> add scope v.name (Ignored what)
  | _ ->
  let i = full_info scope v.typ v.dims in
  let name = st.prefix ^ v.name in
  match leaf i.it with
  | Clock ->
    (match v.init with
     | Some _ -> if Array.exists (( <> ) 0) (initial scope i.it v.init) then not_covered "clocks that start with another value than 0"
     | None -> ());
    let base = st.clock_count + 1 in
    if slots i.it > 0 then begin
      st.clocks <- (name, i.it) :: st.clocks;
      st.clock_count <- st.clock_count + slots i.it
    end;
    add scope v.name (Storage { k = Clocks (name, base); ty = i.it })
  | Chan ->
    let first = st.channel_count in
    add scope v.name (Channels (i.it, first));
    add_channels name i i.it
  | Void -> bad "a variable cannot be void"
  | _ ->
    if i.const && v.init = None then bad "the constant `%s` needs a value" v.name;
    let values = initial scope i.it v.init in
    if i.const then add scope v.name (Constant (table name i.it values))
    else add scope v.name (Storage (add_variable name i.it values i.meta))

let rec channel_offset e = match e.k with
  | Var (_, first) -> Some first
  | Element (a, i) ->
    (match channel_offset a, value i, a.ty with
     | Some n, Some v, Array (t, first, _) -> Some (n + (v - first) * slots t)
     | _ -> None)
  | _ -> None
let channel_array () = Array.of_list (List.rev st.channels)

let prioritise scope levels =
  let fallback = List.filter_map (fun (e, l) -> if e = None then Some l else None) levels in
  (match List.sort_uniq compare fallback with _ :: _ :: _ -> bad "`default` is listed twice, with different priorities" | _ -> ());
  let other = match fallback with l :: _ -> l | [] -> -1 in
  st.tau_level <- other;
  st.has_priorities <- true;
  let channels = channel_array () in
  Array.iter (fun c -> c.priority <- other) channels;
  let listed = Hashtbl.create 16 in
  List.iter (function
      | None, _ -> ()
      | Some t, l ->
        (match thing scope t with
         | Channel e ->
           (match channel_offset e with
            | Some n ->
              for k = n to n + slots e.ty - 1 do
                (match Hashtbl.find_opt listed k with Some m when m <> l -> bad "a channel is given two priorities" | _ -> ());
                Hashtbl.replace listed k l;
                channels.(k).priority <- l
              done
            | None -> bad "a channel, with constant indices, is needed here")
         | _ -> bad "a channel is needed here")) levels

let declarations scope ds =
  let priorities = ref None in
  let hook s = st.frame <- 0; let own = Hashtbl.create 4 in let l = statement scope Void own s in Some (l, Hashtbl.fold (fun _ l r -> l :: r) own []) in
  List.iter (function
      | Variable v -> declare scope v
      | Typedef v -> add scope v.name (Type_of (info scope v.typ v.dims))
      | Function f ->
        add scope f.f_name (Func (f, inner ~limit:(st.orders + 1) scope))
      | Priorities l -> if !priorities <> None then bad "`chan priority` is declared twice"; priorities := Some l
      | Before s -> if st.before <> None then bad "`before_update` is declared twice"; st.before <- hook s
      | After s -> if st.after <> None then bad "`after_update` is declared twice"; st.after <- hook s
      | Instance _ -> ()) ds;
  Option.iter (prioritise scope) !priorities

(* ---- Processes ---- *)

(* Whether a parameter is assigned to, or passed to a function that may do so: then it is a variable. *)
let assigns (t : template) name =
  let rec is_part = function Index (a, _) | Dot (a, _) -> is_part a | Name n -> n = name | _ -> false in
  let called n =
    let local = List.find_map (function Function f when f.f_name = n -> Some f | _ -> None) t.decls in
    match local, find globals n with Some f, _ -> Some f | None, Some (Func (f, _)) -> Some f | _ -> None in
  let rec tree = function
    | Assign (_, a, b) -> is_part a || tree a || tree b
    | Step (_, _, a) -> is_part a || tree a
    | Call (f, args) ->
      let by_reference = match f with
        | Name n ->
          (match called n with
           | Some f ->
             let rec go ps args = match ps, args with
               | (p : var) :: ps, a :: args -> (p.is_reference && not p.typ.is_const && is_part a) || go ps args
               | _ -> false in
             go f.f_params args
           | None -> false)
        | _ -> false in
      by_reference || tree f || List.exists tree args
    | Index (a, b) | Binary (_, a, b) | Imply (a, b) | Xor (a, b) | Power (a, b) -> tree a || tree b
    | Dot (a, _) | Negate a | Not a | Quantified (_, _, _, a) | Rate a -> tree a
    | Choice (a, b, c) -> tree a || tree b || tree c
    | Values l -> List.exists (fun (_, v) -> tree v) l
    | Number _ | Truth _ | Name _ | Deadlock | Real -> false in
  let rec stmt : Uppaal_parse.stmt -> bool = function
    | Empty -> false
    | Effects l -> List.exists tree l
    | Block l -> List.exists stmt l
    | Declared ds -> List.exists (function Variable { init = Some v } -> tree v | _ -> false) ds
    | If (c, a, b) -> tree c || stmt a || Option.fold ~none:false ~some:stmt b
    | While (c, a) | Do (a, c) -> tree c || stmt a
    | For (a, b, c, s) -> List.exists tree (a @ Option.to_list b @ c) || stmt s
    | Iterate (_, _, s) -> stmt s
    | Return e -> Option.fold ~none:false ~some:tree e
    | Assert e -> tree e in
  List.exists (fun (e : edge) -> List.exists tree e.update) t.edges
  || List.exists (function Function f -> List.exists stmt f.f_body | _ -> false) t.decls

let rec guard_flaw e = match e.k with
  | Test (_, _, op, _) -> op = Ne
  | Bin (Or, a, b) -> (has_test a && has_test b) || guard_flaw a || guard_flaw b
  | Cond (a, b, c) -> has_test a || guard_flaw b || guard_flaw c
  | Bin (And, a, b) -> guard_flaw a || guard_flaw b
  | _ -> has_test e
let constraint_of scope t =
  let e = condition scope t in
  if guard_flaw e then bad "a clock constraint has no place in a guard or an invariant";
  if List.exists (fun w -> w = Outside) (expr_writes e) || some (fun e -> match e.k with Set _ -> true | _ -> false) e then
    bad "a guard or an invariant must not change variables";
  e
(* Rates stand in conjunctions, also below `forall`. *)
let rec has_loose_rate t = match t with
  | Binary (And, a, b) -> has_loose_rate a || has_loose_rate b
  | Quantified (Forall, _, _, a) -> has_loose_rate a
  | Binary (Eq, Rate _, v) | Binary (Eq, v, Rate _) -> mentions_rate v
  | t -> mentions_rate t
and mentions_rate t = match t with
  | Rate _ -> true
  | Number _ | Truth _ | Name _ | Real | Deadlock -> false
  | Index (a, b) | Binary (_, a, b) | Imply (a, b) | Xor (a, b) | Power (a, b) | Assign (_, a, b) -> mentions_rate a || mentions_rate b
  | Dot (a, _) | Not a | Negate a | Step (_, _, a) | Quantified (_, _, _, a) -> mentions_rate a
  | Choice (a, b, c) -> mentions_rate a || mentions_rate b || mentions_rate c
  | Call (f, l) -> List.exists mentions_rate (f :: l)
  | Values _ -> false
let invariant_of scope t =
  if has_loose_rate t then bad "the rate of a clock stands in a conjunction, or below `forall`";
  st.rates <- Some [];
  let e = constraint_of scope t in
  let rates = List.rev (Option.get st.rates) in
  st.rates <- None; e, rates
let conjunction a b = match a with None -> Some b | Some a -> Some (binary And a b)

let make_edges scope (t : template) number =
  let places = List.filter (fun l -> not l.branch) t.locations in
  let index id = match List.find_opt (fun (l : location) -> l.id = id) t.locations with
    | None -> bad "there is no location `%s`" id
    | Some l -> if l.branch then None else
        let rec go k = function [] -> None | (m : location) :: rest -> if m == l then Some k else go (k + 1) rest in
        go 0 places in
  let one (e : edge) (b : edge option) =
    let source = match index e.source with Some s -> s | None -> assert false in
    let last = Option.value b ~default:e in
    let target = match index last.target with Some s -> s | None -> bad "a branch point cannot lead to another one" in
    (* A branch is an edge of its own: it does not know what the edge to the branch point selects. *)
    let selects = List.map (fun s -> s, false) e.select @ (match b with Some b -> List.map (fun s -> s, true) b.select | None -> []) in
    let sync = match e.sync, b with
      | Some _, Some { sync = Some _ } -> bad "the edge to the branch point has a synchronisation already"
      | Some s, _ -> Some s
      | None, Some b -> b.sync
      | None, None -> None in
    let add_edge (scope, branch_scope) event guard =
      if st.edge_count >= most_edges then bad "the model has more than %d edges" most_edges;
      let updates = effects scope e.update in
      let updates = updates @ (match b with Some b -> effects branch_scope b.update | None -> []) in
      st.edges <- { process = number; source; target; event; a_guard = guard; effects = updates } :: st.edges;
      st.edge_count <- st.edge_count + 1 in
    (* Edges for all channels that the expression can denote. *)
    let channels = channel_array () in
    let rec synchronise scopes direction c offset guard = match c.k, c.ty with
      | Cond (a, x, y), _ ->
        synchronise scopes direction x offset (conjunction guard a);
        synchronise scopes direction y offset (conjunction guard (unary_not a))
      | Element (a, i), _ ->
        let element, first, n = match a.ty with Array (t, first, n) -> t, first, n | _ -> assert false in
        let size = slots element in
        (match value i with
         | Some v -> synchronise scopes direction a (offset + (v - first) * size) guard
         | None ->
           let low, high = range i in
           let never = high < first || low > first + n - 1 in
           let index = if low < first || high > first + n - 1
             then Uppaal_expr.element { k = Table ("index", Array.init n (fun k -> first + k)); ty = Array (any, first, n) } i else i in
           for k = 0 to n - 1 do
             if if never then k = 0 else first + k >= low && first + k <= high then
               synchronise scopes direction a (offset + k * size) (conjunction guard (binary Eq index (const (first + k))))
           done)
      | Var (_, first), _ ->
        let c = channels.(first + offset) in
        add_edge scopes (if direction = Send then c.send else c.receive) guard
      | _ -> bad "this is not a channel" in
    let make (scope, branch_scope) =
      let scopes = scope, branch_scope in
      let guard scope g t = match g, t with
        | None, _ | _, None -> g
        | Some g, Some t ->
          let e = constraint_of scope t in
          (match value e with Some 0 -> None | Some _ -> Some g | None -> Some (conjunction g e)) in
      match guard branch_scope (guard scope (Some None) e.guard) (Option.bind b (fun b -> b.guard)) with
      | None -> ()
      | Some g ->
        (match sync with
         | None -> add_edge scopes (tau_event ()) g
         | Some (c, direction) ->
           (match thing (if e.sync = None then branch_scope else scope) c with
            | Channel c when c.ty = Chan ->
              if List.mem Outside (expr_writes c) then bad "a synchronisation must not change variables";
              synchronise scopes direction c 0 g
            | Channel _ -> bad "this array of channels needs an index"
            | _ -> bad "this is not a channel")) in
    let rec choose scope branch_scope = function
      | [] -> make (scope, branch_scope)
      | ((n, t), of_branch) :: rest ->
        if List.exists (fun ((other, _), _) -> other = n) rest then bad "`%s` is selected twice" n;
        let low, high = range_type (if of_branch then branch_scope else scope) t in
        if high - low >= most_edges then bad "`%s` has too many choices" n;
        for v = low to high do
          let bind outer = let inside = inner outer in add inside n (Constant (const v)); inside in
          if of_branch then choose scope (bind branch_scope) rest else choose (bind scope) branch_scope rest
        done in
    choose scope scope selects in
  List.iter (fun (e : edge) ->
      if index e.source <> None then
        match index e.target with
        | Some _ -> one e None
        | None -> List.iter (fun (b : edge) -> if b.source = e.target then one e (Some b)) t.edges) t.edges

let make_process (t : template) params name level =
  let number = st.process_count in
  let process = { p_name = name; level; places = [] } in
  st.processes <- process :: st.processes;
  st.process_count <- number + 1;
  if st.process_count > 1 lsl 16 then bad "there are too many processes";
  st.prefix <- name ^ ".";
  (* Value parameters that the template changes. *)
  List.iter (fun (p : var) ->
      match Hashtbl.find_opt params.names p.name with
      | Some { what = Constant e; order } when not p.is_reference && not p.typ.is_const && assigns t p.name ->
        let ty = (full_info params p.typ p.dims).it in
        Hashtbl.replace params.names p.name { what = Storage (add_variable (st.prefix ^ p.name) ty (constant e) false); order }
      | _ -> ()) t.params;
  let scope = inner params in
  declarations scope t.decls;
  let ids = List.map (fun (l : location) -> l.id) t.locations in
  (match t.init with
   | Some i when List.exists (fun (l : location) -> l.id = i && not l.branch) t.locations -> ()
   | _ -> bad "the template `%s` has no initial location" t.t_name);
  if List.length (List.sort_uniq compare ids) <> List.length ids then bad "a location of `%s` is declared twice" t.t_name;
  let places = List.filter (fun l -> not l.branch) t.locations in
  process.places <- List.mapi (fun k (l : location) ->
      add scope l.l_name (Place k);
      if l.urgent && l.committed then bad "the location `%s` is both urgent and committed" l.l_name;
      let inv, rates = match l.invariant with None -> None, [] | Some t -> let e, rates = invariant_of scope t in Some e, rates in
      let inv = match inv with Some e when (match value e with Some v -> v <> 0 | None -> false) -> None | i -> i in
      { name = l.l_name; initial = Some l.id = t.init; l_committed = l.committed; l_urgent = l.urgent; inv; rates; unread = [] }) places;
  make_edges scope t number;
  st.prefix <- "";
  { number; scope }

let bind scope (p : var) outer arg =
  let i = full_info scope p.typ p.dims in
  let other () = bad "the argument for `%s` has another type" p.name in
  let rec fixed e = match e.k with
    | Element (a, ix) -> if value ix = None then bad "the index of an argument must be constant" else fixed a
    | Field (a, _, _) -> fixed a
    | _ -> () in
  match thing outer arg with
  | Data e when p.is_reference && is_storage e ->
    if not (same_type i.it e.ty) then other ();
    fixed e;
    add scope p.name (match (root e).k with Table _ -> Constant e | _ -> Storage e)
  | Data e ->
    let e = coerce e i.it in
    if not (same_type i.it e.ty) then other ();
    let v = constant e in
    check_range i.it v;
    add scope p.name (Constant (table p.name i.it v))
  | Sum_of (Some x, None, None) -> if not (same_type i.it x.ty) then other (); fixed x; add scope p.name (Storage x)
  | Channel c ->
    if not (same_type i.it c.ty) then other ();
    (match channel_offset c with
     | Some first -> add scope p.name (Channels (c.ty, first))
     | None -> bad "a channel that is passed must be known")
  | Sum_of _ | Process _ | Several _ -> bad "a variable, a clock or a channel is needed for `%s`" p.name

let rec template_scope maker params depth =
  if depth > 100 then bad "instances are nested too deeply";
  match maker.of_maker with
  | None -> params
  | Some (m, args) ->
    if List.length args <> List.length m.m_params then bad "an instance needs %d arguments" (List.length m.m_params);
    let scope = inner (if m.is_instance then system_scope else globals) in
    List.iter2 (fun p a -> bind scope p params a) m.m_params args;
    template_scope m scope (depth + 1)

let add_processes (t, level) =
  let name = match t with Name n -> n | _ -> bad "the name of a process is needed here" in
  let maker = match find system_scope name with
    | Some (Maker m) -> m | _ -> bad "there is no template or process `%s`" name in
  let template = match maker.template with Some t -> t | None -> bad "the template of `%s` is not there" name in
  if Hashtbl.mem process_scope.names name then bad "`%s` occurs in the system twice" name;
  let home = if maker.is_instance then system_scope else globals in
  let ranges = List.map (fun (p : var) ->
      if p.is_reference || p.dims <> [] then bad "`%s` has the parameter `%s`, which needs an argument" name p.name;
      range_type home p.typ) maker.m_params in
  if List.fold_left (fun n (a, b) -> min (1 lsl 20) (n * max 0 (b - a + 1))) 1 ranges > 1 lsl 16 then bad "`%s` stands for too many processes" name;
  let members = ref [] in
  let rec expand values = function
    | (a, b) :: rest -> for v = a to b do expand (v :: values) rest done
    | [] ->
      let values = List.rev values in
      let full = if values = [] then name else Printf.sprintf "%s(%s)" name (String.concat "," (List.map string_of_int values)) in
      let params = inner home in
      List.iter2 (fun (p : var) v -> add params p.name (Constant (const v))) maker.m_params values;
      members := make_process template (template_scope maker params 0) full level :: !members in
  if List.for_all (fun (a, b) -> a <= b) ranges then expand [] ranges;
  if !members <> [] then add process_scope name (Processes { s_name = name; ranges; members = Array.of_list (List.rev !members) })

let elaborate (d : document) =
  declarations globals d.d_decls;
  List.iter (fun (t : template) ->
      add system_scope t.t_name (Maker { template = Some t; of_maker = None; m_params = t.params; is_instance = false })) d.templates;
  List.iter (function
      | Instance i ->
        let of_ = match find system_scope i.template with Some (Maker m) -> Some m | _ -> None in
        add system_scope i.name (Maker { template = Option.bind of_ (fun m -> m.template); of_maker = Option.map (fun m -> m, i.args) of_;
                                         m_params = i.params; is_instance = true })
      | other -> declarations system_scope [ other ]) d.d_system;
  if d.line = [] then bad "there is no `system` line";
  List.iter (fun (_, level) -> if level > 0 then st.has_priorities <- true) d.line;
  List.iter add_processes d.line
