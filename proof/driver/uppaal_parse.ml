(* UPPAAL's language as it is written: tokens, trees, and the parser of .xta files and of the texts in XML. *)
open Syntax

type op = Add | Sub | Mul | Div | Mod | Min | Max | BitAnd | BitOr | BitXor | Shl | Shr | Eq | Ne | Lt | Le | Gt | Ge | And | Or
type quantifier = Forall | Exists | Sum

type tree =
  | Number of int
  | Truth of bool
  | Name of string
  | Index of tree * tree
  | Dot of tree * string
  | Call of tree * tree list
  | Negate of tree
  | Not of tree
  | Binary of op * tree * tree
  | Imply of tree * tree
  | Xor of tree * tree
  | Power of tree * tree
  | Choice of tree * tree * tree
  | Assign of op option * tree * tree
  | Step of op * bool * tree (* ++ and --; whether it stands behind *)
  | Quantified of quantifier * string * typ * tree
  | Values of (string option * tree) list (* {..} of an initialiser *)
  | Deadlock
  | Rate of tree (* x' *)
  | Real (* a number with a fraction *)
and typ = { base : base; is_const : bool; is_meta : bool; is_urgent : bool; is_broadcast : bool }
and base =
  | TInt of (tree * tree) option
  | TBool
  | TClock
  | TChan
  | TScalar of tree
  | TStruct of var list
  | TName of string
  | TVoid
  | TIgnored of string (* what symbolic queries do not know: of that kind *)
and dimension = Size of tree | Type of typ
and var = { name : string; typ : typ; dims : dimension list; init : tree option; is_reference : bool }

type stmt =
  | Empty
  | Effects of tree list
  | Block of stmt list
  | Declared of decl list
  | If of tree * stmt * stmt option
  | While of tree * stmt
  | Do of stmt * tree
  | For of tree list * tree option * tree list * stmt
  | Iterate of string * typ * stmt
  | Return of tree option
  | Assert of tree
and decl =
  | Variable of var
  | Typedef of var
  | Function of func
  | Priorities of (tree option * int) list
  | Before of stmt
  | After of stmt
  | Instance of { name : string; params : var list; template : string; args : tree list }
and func = { f_name : string; f_result : typ; f_params : var list; f_body : stmt list }

type direction = Send | Receive
type location = { id : string; l_name : string; invariant : tree option; urgent : bool; committed : bool; branch : bool }
type edge = { source : string; target : string; select : (string * typ) list; guard : tree option;
              sync : (tree * direction) option; update : tree list }
type template = { t_name : string; params : var list; decls : decl list; locations : location list; edges : edge list; init : string option }
type document = { d_decls : decl list; templates : template list; d_system : decl list; line : (tree * int) list }

(* ---- Tokens ---- *)

type token = Num of int | Word of string | Sym of string | Fraction | Text | End
type lexer = { text : string; tokens : (token * int) array; mutable at : int; is_text : bool (* .xta: more words are reserved *) }

let refuse at what = fail at "%s are not covered by the proof" what

(* Longer ones first. *)
let symbols = [ "-u->"; "-->"; "<<="; ">>="; "->"; "<="; ">="; "=="; "!="; "&&"; "||"; "<<"; ">>"; "<?"; ">?"; "**"; "++"; "--"; ":="; "+="; "-=";
                "*="; "/="; "%="; "&="; "|="; "^=" ]
let singles = "+-*/%<>&|^!?:;,.()[]{}'="

(* The syntax of UPPAAL 3: constants without a type and `=`, `=<` and `=>`, parameters between `;` that are references unless they
   are constants. *)
let is_old = ref false

let scan ~query text =
  let size = String.length text in
  let found = ref [] in
  let starts i s = i + String.length s <= size && String.sub text i (String.length s) = s in
  let is_letter c = starts_name c in
  let rec extent p j = if j < size && p text.[j] then extent p (j + 1) else j in
  let rec next i =
    if i >= size then found := (End, size) :: !found
    else
      let c = text.[i] in
      let add n token = found := (token, i) :: !found; next (i + n) in
      if List.mem c [ ' '; '\t'; '\n'; '\r'; '\012'; '\011' ] then next (i + 1)
      else if c = '\\' && (query || starts (extent (fun c -> c = ' ' || c = '\t' || c = '\r') (i + 1)) "\n") then next (i + 1) (* the line goes on *)
      else if starts i "//" then next (extent (fun c -> c <> '\n') i)
      else if starts i "/*" then
        let rec close j = if j >= size then fail i "this comment does not end" else if starts j "*/" then j + 2 else close (j + 1) in
        next (close (i + 2))
      else if is_digit c || (c = '.' && i + 1 < size && is_digit text.[i + 1]) then begin
        let j = extent is_digit i in
        let is_real = (j + 1 < size && text.[j] = '.' && is_digit text.[j + 1])
                      || (j + 1 < size && (text.[j] = 'e' || text.[j] = 'E') && (is_digit text.[j + 1] || (j + 2 < size && (text.[j + 1] = '-' || text.[j + 1] = '+') && is_digit text.[j + 2]))) in
        if is_real then begin
          let digits = extent is_digit in
          let k = if j < size && text.[j] = '.' then digits (j + 1) else j in
          let k = if k < size && (text.[k] = 'e' || text.[k] = 'E') then
              digits (if k + 1 < size && (text.[k + 1] = '-' || text.[k + 1] = '+') then k + 2 else k + 1) else k in
          add (k - i) Fraction
        end
        else
          let value = String.fold_left (fun v c -> min (v * 10 + Char.code c - 48) 1_000_000_000_000) 0 (String.sub text i (j - i)) in
          add (j - i) (Num value)
      end
      else if is_letter c then
        let j = extent (fun c -> is_letter c || is_digit c || c = '$' || c = '#') i in
        add (j - i) (Word (String.sub text i (j - i)))
      else if c = '"' then let j = extent (fun c -> c <> '"') (i + 1) in add (min size (j + 1) - i) Text
      else
        if !is_old && (starts i "=<" || starts i "=>") then add 2 (Sym (if starts i "=<" then "<=" else ">="))
        else match List.find_opt (fun s -> starts i s && (s <> "-->" || query)) symbols with
        | Some s -> add (String.length s) (Sym s)
        | None -> if String.contains singles c then add 1 (Sym (String.make 1 c)) else fail i "this character is not part of the language" in
  next 0;
  Array.of_list (List.rev !found)

(* A query, as it is shown: what its comments say is not asked. *)
let without_comments text =
  let b = Bytes.of_string text and size = String.length text in
  let starts i s = i + String.length s <= size && String.sub text i (String.length s) = s in
  let rec blank i stop = if i < stop then (if text.[i] <> '\n' then Bytes.set b i ' '; blank (i + 1) stop) in
  let rec go i =
    if i < size then
      if starts i "//" then (let j = Option.value (String.index_from_opt text i '\n') ~default:size in blank i j; go j)
      else if starts i "/*" then begin
        let rec close j = if j >= size then size else if starts j "*/" then j + 2 else close (j + 1) in
        let j = close (i + 2) in blank i j; go j
      end
      else go (i + 1) in
  go 0; Bytes.to_string b

let lexer ?(query = false) ?(is_text = false) text = { text; tokens = scan ~query text; at = 0; is_text }

let ahead l k = fst l.tokens.(min (l.at + k) (Array.length l.tokens - 1))
let here l = snd l.tokens.(l.at)
let advance l = if l.at + 1 < Array.length l.tokens then l.at <- l.at + 1
let is l s = ahead l 0 = Sym s
let is_word l w = ahead l 0 = Word w
let accept l s = is l s && (advance l; true)
let accept_word l w = is_word l w && (advance l; true)
let show_token = function Num n -> string_of_int n | Word s | Sym s -> "`" ^ s ^ "`" | Fraction -> "a real number" | Text -> "a string" | End -> "the end"
let unexpected l what = fail (here l) "expected %s, found %s" what (show_token (ahead l 0))
let expect l s = if not (accept l s) then unexpected l ("`" ^ s ^ "`")

let always = [ "and"; "bool"; "broadcast"; "chan"; "clock"; "const"; "default"; "do"; "else"; "exists"; "false"; "for"; "forall"; "if"; "imply"; "int";
               "meta"; "not"; "or"; "return"; "scalar"; "struct"; "true"; "typedef"; "urgent"; "void"; "while"; "before_update"; "after_update" ]
let in_text = [ "assign"; "commit"; "guard"; "init"; "process"; "progress"; "select"; "state"; "sync"; "system"; "trans"; "priority" ]
let is_name l = match ahead l 0 with Word w -> not (List.mem w always || (l.is_text && List.mem w in_text)) | _ -> false
let name l what = match ahead l 0 with Word w when is_name l -> advance l; w | _ -> unexpected l what

(* ---- Expressions ---- *)

let operator l = match ahead l 0 with
  | Word "and" -> 2, `Op And | Word "or" -> 1, `Op Or | Word "xor" -> 1, `Xor | Word "imply" -> 1, `Imply
  | Sym s ->
    (match s with
     | "||" -> 1, `Op Or | "&&" -> 2, `Op And | "|" -> 3, `Op BitOr | "^" -> 4, `Op BitXor | "&" -> 5, `Op BitAnd
     | "==" -> 6, `Op Eq | "!=" -> 6, `Op Ne | "<" -> 7, `Op Lt | "<=" -> 7, `Op Le | ">" -> 7, `Op Gt | ">=" -> 7, `Op Ge
     | "<?" -> 8, `Op Min | ">?" -> 8, `Op Max | "<<" -> 9, `Op Shl | ">>" -> 9, `Op Shr | "+" -> 10, `Op Add | "-" -> 10, `Op Sub
     | "*" -> 11, `Op Mul | "/" -> 11, `Op Div | "%" -> 11, `Op Mod | "**" -> 12, `Power | _ -> 0, `None)
  | _ -> 0, `None

let assignment l = match ahead l 0 with
  | Sym ("=" | ":=") -> Some None
  | Sym s -> List.assoc_opt s [ "+=", Some Add; "-=", Some Sub; "*=", Some Mul; "/=", Some Div; "%=", Some Mod; "&=", Some BitAnd; "|=", Some BitOr;
                                "^=", Some BitXor; "<<=", Some Shl; ">>=", Some Shr ]
  | _ -> None

let type_words = [ "bool"; "broadcast"; "chan"; "clock"; "const"; "int"; "meta"; "scalar"; "struct"; "urgent"; "void" ]
let at_type l = match ahead l 0 with
  | Word w -> List.mem w type_words || (List.mem w [ "double"; "hybrid"; "string" ] && (match ahead l 1 with Word _ | Sym "&" -> true | _ -> false))
  | _ -> false

let rec expr l =
  let a = climb l 1 in
  let a = if accept l "?" then
      let b = expr l in expect l ":"; let c = expr l in Choice (a, b, c) else a in
  match assignment l with None -> a | Some op -> advance l; Assign (op, a, expr l)
and climb l level =
  let rec more left =
    let k, what = operator l in
    if k = 0 || k < level then left
    else begin
      advance l;
      let right = climb l (k + 1) in
      more (match what with `Op o -> Binary (o, left, right) | `Xor -> Xor (left, right) | `Imply -> Imply (left, right) | _ -> Power (left, right))
    end in
  more (unary l)
and unary l = match ahead l 0, ahead l 1 with
  | Sym "-", Num n when n = 0x80000000 -> advance l; advance l; Number (-n)
  | (Sym "!" | Word "not"), _ -> advance l; Not (unary l)
  | Sym "-", _ -> advance l; Negate (unary l)
  | Sym "+", _ -> advance l; unary l
  | Sym "++", _ -> advance l; Step (Add, false, unary l)
  | Sym "--", _ -> advance l; Step (Sub, false, unary l)
  | _ -> postfix l
and postfix l =
  let rec more a =
    if accept l "[" then let i = expr l in expect l "]"; more (Index (a, i))
    else if accept l "." then (match ahead l 0 with Word w -> advance l; more (Dot (a, w)) | _ -> unexpected l "a name")
    else if accept l "(" then begin
      let args = if is l ")" then [] else list l in
      expect l ")"; more (Call (a, args))
    end
    else if accept l "'" then more (Rate a)
    else if accept l "++" then more (Step (Add, true, a))
    else if accept l "--" then more (Step (Sub, true, a))
    else a in
  more (primary l)
and primary l = match ahead l 0 with
  | Num n -> if n > 0x7fffffff then fail (here l) "this number is larger than 2147483647"; advance l; Number n
  | Sym "(" -> advance l; let a = expr l in expect l ")"; a
  | Sym "{" -> advance l; values l
  | Word "true" -> advance l; Truth true
  | Word "false" -> advance l; Truth false
  | Word ("forall" | "exists") -> quantified l
  | Word "sum" when (match ahead l 1, ahead l 2, ahead l 3 with Sym "(", Word _, Sym ":" -> true | _ -> false) -> quantified l
  | Word "deadlock" -> advance l; Deadlock
  | Fraction -> advance l; Real
  | _ -> Name (name l "an expression")
and quantified l =
  let q = match ahead l 0 with Word "forall" -> Forall | Word "exists" -> Exists | _ -> Sum in
  advance l;
  expect l "(";
  let n = name l "the name of the bound variable" in
  expect l ":";
  let t = typ l in
  expect l ")";
  Quantified (q, n, t, expr l)
and values l =
  let rec more () =
    if is l "}" then []
    else begin
      let field = match ahead l 0, ahead l 1 with Word w, Sym ":" -> advance l; advance l; Some w | _ -> None in
      let v = expr l in
      (field, v) :: (if accept l "," then more () else [])
    end in
  let all = more () in
  expect l "}"; Values all
and list l = let a = expr l in if accept l "," then a :: list l else [ a ]

(* ---- Types ---- *)

and typ l =
  let rec prefixes t =
    if accept_word l "const" then prefixes { t with is_const = true }
    else if accept_word l "meta" then prefixes { t with is_meta = true }
    else if accept_word l "urgent" then prefixes { t with is_urgent = true }
    else if accept_word l "broadcast" then prefixes { t with is_broadcast = true }
    else if is_word l "hybrid" then (match ahead l 1 with
        | Word "clock" -> advance l; { t with base = TIgnored "hybrid clocks" }
        | _ -> refuse (here l) "hybrid clocks")
    else t in
  let t = prefixes { base = TVoid; is_const = false; is_meta = false; is_urgent = false; is_broadcast = false } in
  let base = match ahead l 0 with
    | Word "int" ->
      advance l;
      if accept l "[" then begin
        let a = expr l in expect l ","; let b = expr l in expect l "]"; TInt (Some (a, b))
      end else TInt None
    | Word "bool" -> advance l; TBool
    | Word "clock" -> advance l; (match t.base with TIgnored _ as ignored -> ignored | _ -> TClock)
    | Word "chan" -> advance l; TChan
    | Word "void" -> advance l; TVoid
    | Word "scalar" -> advance l; expect l "["; let a = expr l in expect l "]"; TScalar a
    | Word "struct" -> advance l; expect l "{"; let f = fields l in expect l "}"; TStruct f
    | Word "double" when at_type l -> advance l; TIgnored "variables of the type `double`"
    | Word "string" when at_type l -> refuse (here l) "variables of the type `string`"
    | _ when !is_old && t.is_const && is_name l && (match ahead l 1 with Word _ -> false | _ -> true) -> TInt None
    | _ -> TName (name l "a type") in
  { t with base }
and fields l =
  if is l "}" then []
  else begin
    let t = typ l in
    let rec more () =
      let name = name l "the name of a field" in
      let dims = dimensions l in
      let v = { name; typ = t; dims; init = None; is_reference = false } in
      if accept l "," then v :: more () else [ v ] in
    let these = more () in
    expect l ";"; these @ fields l
  end
and dimensions l =
  if accept l "[" then begin
    let d = if at_type l then Type (typ l) else Size (expr l) in
    expect l "]"; d :: dimensions l
  end else []

let declarator l t what =
  let is_reference = accept l "&" in
  let name = name l what in
  { name; typ = t; dims = dimensions l; init = None; is_reference }

let old_parameters l =
  let rec more () =
    if is l ")" || ahead l 0 = End then []
    else begin
      let t = typ l in
      let rec group () =
        let v = { (declarator l t "the name of a parameter") with is_reference = not t.is_const } in
        v :: (if accept l "," then group () else []) in
      let these = group () in
      these @ (if accept l ";" then more () else [])
    end in
  more ()
let parameters l =
  let rec more () =
    let t = typ l in
    let v = declarator l t "the name of a parameter" in
    if accept l "," then v :: more () else [ v ] in
  if !is_old then old_parameters l else if is l ")" || ahead l 0 = End then [] else more ()

let rec bindings l =
  let n = name l "the name of a selected value" in
  expect l ":";
  let t = typ l in
  if accept l "," && ahead l 0 <> End then (n, t) :: bindings l else [ (n, t) ]

(* ---- Declarations and statements ---- *)

let at_trailer l = match ahead l 0, ahead l 1, ahead l 2 with
  | Word ("progress" | "gantt"), _, _ -> true
  | Word "IO", Word _, Sym "{" -> true
  | _ -> false

let at_declaration l =
  at_type l || is_word l "typedef"
  || (not (is_word l "assert") && not (is_word l "system") && not (at_trailer l) && is_name l
      && (match ahead l 1 with Word w -> not (List.mem w [ "and"; "or"; "imply"; "xor" ]) | _ -> false))

let condition l =
  let c = expr l in
  if is l "," then refuse (here l) "lists of expressions as a condition" else c

let rec statement l =
  if is l "{" then Block (block l)
  else match ahead l 0 with
    | Word "for" ->
      advance l; expect l "(";
      (match ahead l 1 with
       | Sym ":" when is_name l ->
         (match bindings l with
          | [ (n, t) ] -> expect l ")"; Iterate (n, t, statement l)
          | _ -> fail (here l) "one variable is bound here")
       | _ ->
         let a = if is l ";" then [] else list l in
         expect l ";";
         let b = if is l ";" then None else Some (condition l) in
         expect l ";";
         let c = if is l ")" then [] else list l in
         expect l ")"; For (a, b, c, statement l))
    | Word "do" ->
      advance l;
      let s = statement l in
      if not (accept_word l "while") then unexpected l "`while`";
      expect l "(";
      let c = condition l in
      expect l ")"; expect l ";"; Do (s, c)
    | Word "if" ->
      advance l; expect l "(";
      let c = condition l in
      expect l ")";
      let a = statement l in
      If (c, a, if accept_word l "else" then Some (statement l) else None)
    | Word "while" ->
      advance l; expect l "(";
      let c = condition l in
      expect l ")"; While (c, statement l)
    | Sym ";" -> advance l; Empty
    | Word "return" -> advance l; let v = if is l ";" then None else Some (expr l) in expect l ";"; Return v
    | Word "assert" when (match ahead l 1 with Sym ("=" | ":=") -> false | _ -> true) -> advance l; let e = expr l in expect l ";"; Assert e
    | _ -> let e = list l in expect l ";"; Effects e
and block l =
  expect l "{";
  let rec more () =
    if is l "}" then []
    else let s = if at_declaration l then Declared (declaration l) else statement l in s :: more () in
  let all = more () in
  expect l "}"; all
and declaration l = match ahead l 0, ahead l 1 with
  | Word "typedef", _ ->
    advance l;
    let t = typ l in
    let rec more () = let v = declarator l t "the name of the type" in if accept l "," then Typedef v :: more () else [ Typedef v ] in
    let all = more () in
    expect l ";"; all
  | Word "chan", Word "priority" ->
    advance l; advance l;
    let rec more level =
      let item = if accept_word l "default" then None else Some (unary l) in
      let next = if is l "<" then level + 1 else level in
      (item, level) :: (if accept l "," || accept l "<" then more next else []) in
    let all = more 0 in
    expect l ";"; [ Priorities all ]
  | Word ("before_update" | "after_update" as w), _ ->
    advance l; expect l "{";
    let rec more () =
      if is l "}" then []
      else begin
        let s = match ahead l 0 with
          | Sym "{" | Sym ";" | Word ("for" | "if" | "while") -> statement l
          | _ -> let e = list l in ignore (accept l ";"); Effects e in
        s :: more ()
      end in
    let all = Block (more ()) in
    expect l "}"; [ if w = "before_update" then Before all else After all ]
  | Word "import", _ -> refuse (here l) "imported functions"
  | Word "dynamic", _ -> refuse (here l) "dynamic templates"
  | _ ->
    let t = typ l in
    (match ahead l 1 with
     | Sym "(" when is_name l ->
       let f_name = name l "the name of a function" in
       expect l "(";
       let f_params = parameters l in
       expect l ")"; [ Function { f_name; f_result = t; f_params; f_body = block l } ]
     | _ ->
       let rec more () =
         let v = declarator l t "the name of a variable" in
         let v = if accept l "=" || accept l ":=" || (!is_old && t.is_const && not (is l ";")) then { v with init = Some (expr l) } else v in
         if accept l "," then Variable v :: more () else [ Variable v ] in
       let all = more () in
       expect l ";"; all)

let rec declarations l =
  if accept l ";" then declarations l
  else if at_declaration l || is_word l "before_update" || is_word l "after_update" || (is_word l "import" && ahead l 1 = Text)
  then let d = declaration l in d @ declarations l
  else []

let instance l =
  let n = name l "the name of a process" in
  let params = if accept l "(" then (let p = parameters l in expect l ")"; p) else [] in
  if not (accept l "=") then expect l ":=";
  let template = name l "the name of a template" in
  let args = if accept l "(" then (let a = if is l ")" then [] else list l in expect l ")"; a) else [] in
  expect l ";";
  Instance { name = n; params; template; args }

let system_line l =
  advance l;
  let rec more level =
    let item = unary l in
    let next = if is l "<" then level + 1 else level in
    (item, level) :: (if accept l "," || accept l "<" then more next else []) in
  let all = more 0 in
  if ahead l 0 <> End then expect l ";";
  all

let skip_braces l =
  let rec go depth =
    let depth = if is l "{" then depth + 1 else depth and closes = is l "}" in
    if ahead l 0 = End then ()
    else (advance l; if closes && depth = 1 then () else go (if closes then depth - 1 else depth)) in
  go 0

(* The system section of XML. What follows the line is for editors: blocks in braces. *)
let system l =
  let rec go decls =
    let decls = decls @ declarations l in
    if is_word l "system" then begin
      let line = system_line l in
      while at_trailer l do skip_braces l done;
      if ahead l 0 <> End then unexpected l "the end";
      decls, line
    end
    else if is_name l && not (at_trailer l) then go (decls @ [ instance l ])
    else fail (here l) "there is no `system` line" in
  go []

(* ---- Processes of .xta ---- *)

let conjunction l =
  let rec more a = if accept l "," then more (Binary (And, a, expr l)) else a in
  more (expr l)

let sync l =
  let c = unary l in
  if accept l "!" then c, Send else if accept l "?" then c, Receive else fail (here l) "a synchronisation ends with `!` or `?`"

let no_edge source target = { source; target; select = []; guard = None; sync = None; update = [] }

let rec edge_parts l given e =
  match ahead l 0 with
  | Word ("select" | "guard" | "sync" | "assign" | "probability" as w) ->
    if List.mem w given then fail (here l) "`%s` is given twice" w;
    advance l;
    let e =
      if is l ";" then e
      else match w with
        | "select" -> { e with select = bindings l }
        | "guard" -> { e with guard = Some (conjunction l) }
        | "sync" -> { e with sync = Some (sync l) }
        | "assign" -> { e with update = list l }
        | _ -> refuse (here l) "probabilities" in
    expect l ";"; edge_parts l (w :: given) e
  | _ -> e

let transitions l =
  let rec more source =
    let source = match ahead l 0 with
      | Sym ("->" | "-u->") -> (match source with Some s -> s | None -> fail (here l) "the first edge needs a source location")
      | _ -> name l "a location" in
    if not (accept l "-u->") then expect l "->";
    let e = no_edge source (name l "a location") in
    let e = if accept l "{" then (let e = edge_parts l [] e in expect l "}"; e) else e in
    if accept l "," then e :: more (Some source) else (expect l ";"; [ e ]) in
  if accept l ";" then [] else more None

let states l =
  let rec more () =
    let n = name l "the name of a location" in
    let invariant = if accept l "{" then begin
        let i = if is l "}" || is l ";" then None else Some (conjunction l) in
        if is l ";" then refuse (here l) "rates of delays";
        expect l "}"; i
      end else None in
    let s = { id = n; l_name = n; invariant; urgent = false; committed = false; branch = false } in
    if accept l "," then s :: more () else (expect l ";"; [ s ]) in
  more ()

let rec names l = let n = name l "a location" in if accept l "," then n :: names l else (expect l ";"; [ n ])

let process l =
  advance l;
  let t_name = name l "the name of a process" in
  let params = if accept l "(" then (let p = parameters l in expect l ")"; p) else [] in
  expect l "{";
  let decls = declarations l in
  let rec parts t =
    match ahead l 0 with
    | Word "state" -> advance l; parts { t with locations = t.locations @ states l }
    | Word "branchpoint" ->
      advance l;
      let b = List.map (fun n -> { id = n; l_name = n; invariant = None; urgent = false; committed = false; branch = true }) (names l) in
      parts { t with locations = t.locations @ b }
    | Word ("commit" | "urgent" as w) ->
      let at = here l in
      advance l;
      let marked = names l in
      List.iter (fun n -> if not (List.exists (fun s -> s.id = n) t.locations) then fail at "there is no location `%s`" n) marked;
      parts { t with locations = List.map (fun s ->
          if not (List.mem s.id marked) then s else if w = "commit" then { s with committed = true } else { s with urgent = true }) t.locations }
    | Word "init" ->
      if t.init <> None then fail (here l) "`init` is given twice";
      advance l;
      let n = name l "the initial location" in
      expect l ";"; parts { t with init = Some n }
    | Word "trans" -> advance l; parts { t with edges = t.edges @ transitions l }
    | _ -> t in
  let t = parts { t_name; params; decls; locations = []; edges = []; init = None } in
  expect l "}"; ignore (accept l ";"); t

let document text =
  let l = lexer ~is_text:true text in
  let rec go d =
    let d = { d with d_decls = d.d_decls @ declarations l } in
    match ahead l 0 with
    | Word "process" -> let t = process l in go { d with templates = d.templates @ [ t ] }
    | Word "dynamic" -> refuse (here l) "dynamic templates"
    | Word "system" ->
      if d.line <> [] then fail (here l) "`system` is given twice";
      let line = system_line l in go { d with line }
    | Word "query" when ahead l 1 = Sym "{" -> advance l; skip_braces l; go d
    | End -> d
    | _ when at_trailer l -> skip_braces l; go d
    | _ when is_name l && d.line = [] -> let i = instance l in go { d with d_system = d.d_system @ [ i ] }
    | _ -> unexpected l "a declaration, a process, `system` or the end" in
  go { d_decls = []; templates = []; d_system = []; line = [] }

(* The file does not say its syntax: what is wrong in the present one may be right in the old one. *)
let document_of_either text =
  try document text
  with Syntax.Error (at, why) when not (String.ends_with ~suffix:"not covered by the proof" why) ->
    is_old := true;
    let found = try Some (document text) with Syntax.Error _ -> None in
    is_old := false;
    match found with Some d -> d | None -> raise (Syntax.Error (at, why))

(* A text of its own: a label of XML, or a part of a query. *)
let whole parse l =
  let x = parse l in
  if ahead l 0 <> End then unexpected l "an operator or the end";
  x
