(* The parser of expressions and statements, of models and of queries. *)
open Syntax

(* What has been parsed: an integer, a condition, a clock, or several of them put together. *)
type term =
  | Int of expr
  | Truth of expr
  | Clk of expr
  | Diff of expr * expr (* x - y *)
  | Sum of expr * expr (* x + c *)
  | Array of storage * (storage -> expr)

type parser = {
  l : lexer;
  query : bool; (* there are ||, negated clock tests, and conditions serve as numbers *)
  resolve : int -> string -> term;
  is_known : string -> bool; (* whether a name means anything *)
  declare : (int -> string -> int option -> storage) option; (* of local variables *)
  mutable bound : (string * int) list; (* by quantifiers, the last first *)
  mutable instances : int; (* that quantifiers have made *)
  enter : unit -> unit;
  leave : unit -> unit; (* the body of a loop *)
}

let model_words = [ "if"; "then"; "else"; "end"; "while"; "do"; "nop"; "local" ]
let query_words = [ "if"; "then"; "else"; "and"; "or"; "not"; "imply"; "true"; "false"; "deadlock" ]

let rec has_clock = function
  | Test _ | Deadlock -> true
  | Not a | Neg a -> has_clock a
  | And (a, b) | Or (a, b) | Bin (_, a, b) | Elem (a, b) -> has_clock a || has_clock b
  | Cond (a, b, c) -> has_clock a || has_clock b || has_clock c
  | _ -> false

let integer p = function
  | Int e -> e
  | Truth e when p.query && not (has_clock e) -> e
  | _ -> fail p.l.start "expected an integer before this"

let condition p = function
  | Truth e -> e
  | Int e -> Bin (Ne, e, Const 0)
  | _ -> fail p.l.start "expected a condition before this"

let fits v = v >= -0x80000000 && v <= 0x7fffffff
let mirrored = function Lt -> Gt | Le -> Ge | Gt -> Lt | Ge -> Le | o -> o

let compare_terms p a op b =
  let test x y op c =
    if op = Ne && not p.query then fail p.l.start "`!=` is not allowed on clocks";
    Truth (Test (x, y, op, c)) in
  match a, b with
  | Clk x, Clk y -> test x (Some y) op (Const 0)
  | Clk x, t -> test x None op (integer p t)
  | Diff (x, y), t -> test x (Some y) op (integer p t)
  | t, Clk x -> test x None (mirrored op) (integer p t)
  | t, Diff (x, y) -> test x (Some y) (mirrored op) (integer p t)
  (* Of the values that quantifiers bind: so that formulas which are the same under other names look the same, too. *)
  | Int (Const v), Int (Const w) when p.bound <> [] ->
    let is_so = match op with Eq -> v = w | Ne -> v <> w | Lt -> v < w | Le -> v <= w | Gt -> v > w | _ -> v >= w in
    Truth (Const (if is_so then 1 else 0))
  | _ -> Truth (Bin (op, integer p a, integer p b))

let add p a b =
  let to_clock clock rest =
    let c = integer p rest in
    match clock with Clk x -> Sum (x, c) | Sum (x, d) -> Sum (x, Bin (Add, d, c)) | _ -> assert false in
  match a, b with
  | (Clk _ | Sum _), _ -> to_clock a b
  | _, (Clk _ | Sum _) -> to_clock b a
  | _ -> Int (Bin (Add, integer p a, integer p b))
let subtract p a b =
  match a, b with
  | Clk x, Clk y -> Diff (x, y)
  | _ -> Int (Bin (Sub, integer p a, integer p b))

let word p w = p.l.token = Name w
let accept_word p w = accept p.l (Name w)
let expect_word p w = expect p.l (Name w)
let is_keyword p = match p.l.token with
  | Name w -> List.mem w (if p.query then query_words else model_words) | _ -> false

(* A quantifier is followed by a parenthesis: these words may name variables, too. *)
let most_instances = 65536
let at_quantifier p =
  let next = { p.l with at = p.l.at } in
  p.query && List.mem p.l.token [ Name "forall"; Name "exists"; Name "sum" ] && (advance next; next.token = Sign "(")
let rec balanced join = function
  | [] -> assert false
  | [ e ] -> e
  | l ->
    let half = List.length l / 2 in
    join (balanced join (List.filteri (fun i _ -> i < half) l)) (balanced join (List.filteri (fun i _ -> i >= half) l))

let constant at v = if fits v then Int (Const v) else fail at "the number %d is too large" v

(* formula = disjunction [ "imply" formula ] *)
let rec formula p =
  let left = disjunction p in
  if p.query && accept_word p "imply" then
    let right = formula p in
    Truth (Or (Not (condition p left), condition p right))
  else left
and disjunction p =
  let rec more a =
    if p.query && (accept p.l (Sign "||") || accept_word p "or") then
      let a = condition p a in
      let b = condition p (conjunction p) in more (Truth (Or (a, b)))
    else a in
  more (conjunction p)
and conjunction p =
  let rec more a =
    if accept p.l (Sign "&&") || (p.query && accept_word p "and") then
      let a = condition p a in
      let b = condition p (negation p) in more (Truth (And (a, b)))
    else a in
  more (negation p)
and negation p =
  if accept p.l (Sign "!") || (p.query && accept_word p "not") then
    match negation p with
    | Int e -> Truth (Not e)
    | t ->
      let e = condition p t in
      if has_clock e && not p.query then fail p.l.start "a comparison of clocks cannot be negated in a model";
      Truth (Not e)
  else comparison p
and relation p =
  let op = match p.l.token with
    | Sign "==" -> Some Eq | Sign "!=" -> Some Ne | Sign "<" -> Some Lt | Sign "<=" -> Some Le
    | Sign ">" -> Some Gt | Sign ">=" -> Some Ge | _ -> None in
  if op <> None then advance p.l; op
(* comparison = sum [ relation sum [ relation sum ] ] *)
and comparison p =
  let first = sum p in
  match relation p with
  | None -> first
  | Some op ->
    let second = sum p in
    let left = compare_terms p first op second in
    (match relation p with
     | None -> left
     | Some next ->
       let upward o = o = Lt || o = Le in
       if not (upward op && upward next) then fail p.l.start "only `<` and `<=` can be combined";
       let right = compare_terms p second next (sum p) in
       if relation p <> None then fail p.l.start "only two comparisons can be combined";
       Truth (And (condition p left, condition p right)))
and sum p =
  let rec more a =
    if accept p.l (Sign "+") then let b = product p in more (add p a b)
    else if accept p.l (Sign "-") then let b = product p in more (subtract p a b)
    else a in
  more (product p)
and product p =
  let rec more a =
    let next op =
      advance p.l;
      let b = unary p in
      let x = integer p a and y = integer p b in
      more (Int (Bin (op, x, y))) in
    match p.l.token with
    | Sign "*" -> next Mul | Sign "/" -> next Div | Sign "%" -> next Mod
    | _ -> a in
  more (unary p)
and unary p =
  let at = p.l.start in
  if accept p.l (Sign "-") then
    match p.l.token with
    | Number n -> advance p.l; constant at (-n)
    | _ -> Int (Neg (integer p (unary p)))
  else primary p
and primary p =
  match p.l.token with
  | Number n -> let at = p.l.start in advance p.l; constant at n
  | Sign "(" ->
    advance p.l;
    if accept_word p "if" then begin
      let c = condition p (formula p) in
      if has_clock c then fail p.l.start "the condition of an `if` term compares a clock";
      expect_word p "then";
      let a = integer p (sum p) in
      expect_word p "else";
      let b = integer p (sum p) in
      expect p.l (Sign ")");
      Int (Cond (c, a, b))
    end
    else let t = formula p in expect p.l (Sign ")"); t
  | Name ("true" | "false" as w) when p.query -> advance p.l; Truth (Const (if w = "true" then 1 else 0))
  | Name "deadlock" when p.query -> advance p.l; Truth Deadlock
  | Name _ when at_quantifier p -> quantified p
  | Name _ when not (is_keyword p) -> storage p
  | t -> fail p.l.start "expected a number or a name, found %s" (describe t)
(* ("forall" | "exists" | "sum") "(" NAME ":" "int" "[" sum "," sum "]" ")" body: the body once for each value *)
and quantified p =
  let kind = p.l.token in
  advance p.l;
  expect p.l (Sign "(");
  let name = match p.l.token with Name n when not (is_keyword p) -> n | t -> fail p.l.start "expected the name of a variable, found %s" (describe t) in
  advance p.l;
  expect p.l (Sign ":");
  expect_word p "int";
  expect p.l (Sign "[");
  let bound () =
    let at = p.l.start in
    match Folding.fold (integer p (sum p)) with Const v -> v | _ -> fail at "the range of a variable must be constant" in
  let low = bound () in
  expect p.l (Sign ",");
  let high = bound () in
  expect p.l (Sign "]");
  expect p.l (Sign ")");
  if high < low then fail p.l.start "the range of the variable is empty";
  if p.instances + (high - low + 1) > most_instances then fail p.l.start "the variables of this query have too many values";
  let { at; start; token; _ } = p.l and outer = p.bound in
  let body v =
    p.l.at <- at; p.l.start <- start; p.l.token <- token;
    p.instances <- p.instances + 1;
    p.bound <- (name, v) :: outer;
    if kind = Name "sum" then integer p (sum p) else condition p (formula p) in
  let all = List.map body (List.init (high - low + 1) (fun i -> low + i)) in
  p.bound <- outer;
  match kind with
  | Name "sum" -> Int (balanced (fun a b -> Bin (Add, a, b)) all)
  | Name "forall" -> Truth (balanced (fun a b -> And (a, b)) all)
  | _ -> Truth (balanced (fun a b -> Or (a, b)) all)
(* NAME "(" sum ")" "." NAME, after the first name: `P1.l` or `P_1.l` *)
and member p at name =
  advance p.l;
  let number = match Folding.fold (integer p (sum p)) with
    | Const v when v >= 0 -> v
    | _ -> fail at "the number of a process must be a constant, or bound by `forall`, `exists` or `sum`" in
  expect p.l (Sign ")");
  expect p.l (Sign ".");
  let rest = match p.l.token with Name n -> n | t -> fail p.l.start "expected a name after `.`, found %s" (describe t) in
  advance p.l;
  let called = List.map (fun line -> Printf.sprintf "%s%s%d.%s" name line number rest) [ ""; "_" ] in
  match List.filter p.is_known called with
  | [ one ] -> p.resolve at one
  | [] -> fail at "there is neither `%s` nor `%s`" (List.hd called) (List.nth called 1)
  | _ -> fail at "there are both `%s` and `%s`" (List.hd called) (List.nth called 1)
(* storage = NAME [ "[" sum "]" ] | member *)
and storage p =
  let at = p.l.start in
  let name = match p.l.token with Name n -> n | _ -> assert false in
  advance p.l;
  match List.assoc_opt name p.bound with
  | Some v -> Int (Const v)
  | None when p.query && p.l.token = Sign "(" -> member p at name
  | None ->
  let t = p.resolve at name in
  if not (accept p.l (Sign "[")) then t
  else begin
    let i = integer p (sum p) in
    expect p.l (Sign "]");
    match t with
    | Array (s, make) -> let e = Elem (make s, i) in (match make s with Clock _ -> Clk e | _ -> Int e)
    | Int (Var _ | Local _ as e) -> Int (Elem (e, i))
    | Clk (Clock _ as e) -> Clk (Elem (e, i))
    | _ -> fail at "`%s` cannot be indexed" name
  end

(* ---- Statements ---- *)

let integer_condition p =
  let c = condition p (formula p) in
  if has_clock c then fail p.l.start "the condition of a statement compares a clock" else c

let assignment p =
  let at = p.l.start in
  let target = storage p in
  expect p.l (Sign "=");
  let value = sum p in
  match target, value with
  | Clk x, Clk y -> Set (x, Some y, None)
  | Clk x, Sum (y, c) -> Set (x, Some y, Some c)
  | Clk x, t -> Set (x, None, Some (integer p t))
  | Int e, t -> Assign (e, integer p t)
  | _ -> fail at "an array cannot be assigned to"

let rec statements p =
  let first = statement p in
  let at_end () = p.l.token = End || word p "end" || word p "else" in
  if accept p.l (Sign ";") && not (at_end ()) then first :: statements p else [ first ]
and statement p =
  if accept_word p "nop" then Nop
  else if accept_word p "if" then begin
    let c = integer_condition p in
    expect_word p "then";
    let a = statements p in
    let b = if accept_word p "else" then statements p else [] in
    expect_word p "end"; If (c, a, b)
  end
  else if accept_word p "while" then begin
    let c = integer_condition p in
    expect_word p "do";
    p.enter ();
    let a = statements p in
    p.leave ();
    expect_word p "end"; While (c, a)
  end
  else if accept_word p "local" then local p
  else match p.l.token with
    | Name _ when not (is_keyword p) -> assignment p
    | t -> fail p.l.start "expected a statement, found %s" (describe t)
(* "local" NAME [ "=" sum | "[" sum "]" ] *)
and local p =
  let at = p.l.start in
  match p.l.token, p.declare with
  | Name name, Some declare when not (is_keyword p) ->
    advance p.l;
    if accept p.l (Sign "=") then
      let value = integer p (sum p) in Declare (declare at name None, Some value)
    else if accept p.l (Sign "[") then begin
      let size = match Folding.fold (integer p (sum p)) with
        | Const n when n >= 1 && n <= 1_000_000 -> n
        | _ -> fail at "the size of a local array must be a constant" in
      expect p.l (Sign "]");
      Declare (declare at name (Some size), None)
    end
    else Declare (declare at name None, None)
  | t, _ -> fail at "expected the name of a variable, found %s" (describe t)
