(* UPPAAL's XML: a small reader of elements and texts, and the document in them. What it does not know it refuses. *)
open Syntax
open Uppaal_parse

type node = { tag : string; attributes : (string * string) list; children : item list; at : int }
and item = Element of node | Chars of string

(* ---- XML ---- *)

let utf8 at code =
  if code = 9 || code = 10 || code = 13 || (code >= 32 && code < 0xd800) || (code >= 0xe000 && code < 0x110000) then
    let b = Buffer.create 4 in
    Buffer.add_utf_8_uchar b (Uchar.of_int code); Buffer.contents b
  else fail at "this is no character"

let parse text =
  let size = String.length text in
  let starts i s = i + String.length s <= size && String.sub text i (String.length s) = s in
  let rec find i s = if i >= size then fail size "`%s` is missing" s else if starts i s then i else find (i + 1) s in
  let is_name c = starts_name c || is_digit c || c = '-' || c = '.' || c = ':' || Char.code c >= 128 in
  let rec extent p j = if j < size && p text.[j] then extent p (j + 1) else j in
  let blanks i = extent is_blank i in
  (* `&` and what follows: the text, and where it ends *)
  let entity i =
    let j = find i ";" in
    let name = String.sub text (i + 1) (j - i - 1) in
    let number s = match int_of_string_opt s with Some n -> utf8 i n | None -> fail i "`&%s;` is no character" name in
    let n = String.length name in
    let value = match name with
      | "lt" -> "<" | "gt" -> ">" | "amp" -> "&" | "quot" -> "\"" | "apos" -> "'"
      | _ when n > 2 && name.[0] = '#' && name.[1] = 'x' -> number ("0x" ^ String.sub name 2 (n - 2))
      | _ when n > 1 && name.[0] = '#' && String.for_all is_digit (String.sub name 1 (n - 1)) -> number (String.sub name 1 (n - 1))
      | _ -> fail i "the entity `&%s;` is not covered by the proof" name in
    value, j + 1 in
  let rec attribute_value b i quote =
    if i >= size then fail i "a quote is missing"
    else if text.[i] = quote then i + 1
    else if text.[i] = '<' then fail i "`<` in an attribute"
    else if text.[i] = '&' then (let v, j = entity i in Buffer.add_string b v; attribute_value b j quote)
    else (Buffer.add_char b (if is_blank text.[i] then ' ' else text.[i]); attribute_value b (i + 1) quote) in
  let rec attributes i =
    let i = blanks i in
    if i < size && (text.[i] = '>' || text.[i] = '/' || text.[i] = '?') then [], i
    else begin
      let j = extent is_name i in
      if j = i then fail i "this is no XML";
      let key = String.sub text i (j - i) in
      let k = blanks j in
      if not (starts k "=") then fail k "`=` is missing";
      let k = blanks (k + 1) in
      if k >= size || not (text.[k] = '"' || text.[k] = '\'') then fail k "a quote is missing";
      let b = Buffer.create 16 in
      let next = attribute_value b (k + 1) text.[k] in
      let rest, last = attributes next in
      if List.mem_assoc key rest then fail i "the attribute `%s` is given twice" key;
      (key, Buffer.contents b) :: rest, last
    end in
  (* behind `<` *)
  let rec element at i =
    let j = extent is_name i in
    if j = i then fail i "this is no XML";
    let tag = String.sub text i (j - i) in
    let attributes, k = attributes j in
    if starts k "/>" then { tag; attributes; children = []; at }, k + 2
    else if starts k ">" then begin
      let children, k = content (k + 1) in
      let last = k + String.length tag in
      if not (starts k tag) || (last < size && is_name text.[last]) then fail k "`</%s>` is missing" tag;
      let last = blanks last in
      if not (starts last ">") then fail last "`>` is missing";
      { tag; attributes; children; at }, last + 1
    end
    else fail k "`>` is missing"
  (* up to `</`, and behind it *)
  and content i =
    let items = ref [] and b = Buffer.create 64 in
    let flush () = if Buffer.length b > 0 then (items := Chars (Buffer.contents b) :: !items; Buffer.clear b) in
    let rec go i =
      if i >= size then fail i "an element does not end"
      else if starts i "</" then i + 2
      else if starts i "<!--" then go (comment i)
      else if starts i "<![CDATA[" then begin
        let j = find (i + 9) "]]>" in
        Buffer.add_string b (String.sub text (i + 9) (j - i - 9)); go (j + 3)
      end
      else if starts i "<?" then go (find i "?>" + 2)
      else if text.[i] = '<' then (flush (); let e, j = element i (i + 1) in items := Element e :: !items; go j)
      else if text.[i] = '&' then (let v, j = entity i in Buffer.add_string b v; go j)
      else if starts i "\r\n" then go (i + 1)
      else (Buffer.add_char b (if text.[i] = '\r' then '\n' else text.[i]); go (i + 1)) in
    let last = go i in
    flush (); List.rev !items, last
  and comment i =
    let j = find (i + 4) "--" in
    if starts j "-->" then j + 3 else fail j "`--` in a comment" in
  (* What comes before and behind the root. *)
  let rec misc i =
    let i = blanks i in
    if starts i "<?" then begin
      let j = find i "?>" in
      let said = String.lowercase_ascii (String.sub text i (j - i)) in
      let has s = let n = String.length s in
        let rec go k = k + n <= String.length said && (String.sub said k n = s || go (k + 1)) in go 0 in
      if has "encoding" && not (has "utf-8" || has "us-ascii") then refuse i "documents in other encodings than UTF-8";
      misc (j + 2)
    end
    else if starts i "<!--" then misc (comment i)
    else if starts i "<!DOCTYPE" then begin
      let j = find i ">" in
      if String.contains (String.sub text i (j - i)) '[' then refuse i "declarations in the document type";
      misc (j + 1)
    end
    else i in
  (* Each byte above 127 belongs to a character that begins with as many ones as it has bytes. *)
  let rec check i =
    if i < size then begin
      let c = Char.code text.[i] in
      let n = if c < 0x80 then 1 else if c land 0xe0 = 0xc0 then 2 else if c land 0xf0 = 0xe0 then 3 else if c land 0xf8 = 0xf0 then 4 else 0 in
      if n = 0 || i + n > size then refuse i "documents that are not UTF-8";
      for k = i + 1 to i + n - 1 do if Char.code text.[k] land 0xc0 <> 0x80 then refuse i "documents that are not UTF-8" done;
      check (i + n)
    end in
  check 0;
  let start = misc (if starts 0 "\xEF\xBB\xBF" then 3 else 0) in
  if not (starts start "<") then fail start "this is no XML";
  let root, last = element start (start + 1) in
  let last = misc last in
  if last <> size then fail last "something follows the document";
  root

(* ---- The document ---- *)

let elements n = List.filter_map (function Element e -> Some e | Chars _ -> None) n.children
let all n tag = List.filter (fun e -> e.tag = tag) (elements n)
let child n tag = match all n tag with [] -> None | [ e ] -> Some e | e :: _ -> fail e.at "`%s` is given twice" tag
let rec content n = String.concat "" (List.map (function Chars s -> s | Element e -> content e) n.children)
let attribute n key = Option.value (List.assoc_opt key n.attributes) ~default:""
let only n tags = List.iter (fun e -> if not (List.mem e.tag tags) then fail e.at "`%s` has no element `%s`" n.tag e.tag) (elements n)

(* Messages speak of the element: positions in its text are of no use. *)
let within n f = try f () with Error (_, why) -> raise (Error (n.at, why))
let read ?(is_text = false) n parse = within n (fun () -> parse (lexer ~is_text (content n)))
let option ?is_text n tag parse none = match child n tag with None -> none | Some e -> read ?is_text e parse

let trimmed s = String.trim s
let check_labels n kinds = List.iter (fun e ->
    if not (List.mem (attribute e "kind") kinds) then fail e.at "there is no label of the kind `%s` here" (attribute e "kind")) (all n "label")
let label n kind parse none =
  match List.filter (fun e -> attribute e "kind" = kind) (all n "label") with
  | [] -> none
  | [ e ] -> read e (fun l -> if ahead l 0 = End then none else parse l)
  | e :: _ -> fail e.at "the label `%s` is given twice" kind

let location n =
  only n [ "name"; "urgent"; "committed"; "label" ];
  let id = attribute n "id" in
  let l_name = match child n "name" with Some e when trimmed (content e) <> "" -> trimmed (content e) | _ -> "_" ^ id in
  check_labels n [ "invariant"; "exponentialrate"; "comments"; "testcodeEnter"; "testcodeExit" ];
  (* Rates of delays have no meaning for symbolic queries. *)
  { id; l_name; invariant = label n "invariant" (whole (fun l -> Some (conjunction l))) None;
    urgent = child n "urgent" <> None; committed = child n "committed" <> None; branch = n.tag = "branchpoint" }

let edge n =
  only n [ "source"; "target"; "label"; "nail" ];
  let ref_of tag = match child n tag with Some e -> attribute e "ref" | None -> fail n.at "`%s` is missing" tag in
  check_labels n [ "select"; "guard"; "synchronisation"; "assignment"; "probability"; "comments"; "testcode" ];
  let ended parse l = whole (fun l -> let x = parse l in ignore (accept l ","); ignore (accept l ";"); x) l in
  { source = ref_of "source"; target = ref_of "target"; select = label n "select" (ended bindings) [];
    guard = label n "guard" (ended (fun l -> Some (conjunction l))) None; sync = label n "synchronisation" (ended (fun l -> Some (sync l))) None;
    update = label n "assignment" (ended list) [] }

let template n =
  only n [ "name"; "parameter"; "declaration"; "init"; "location"; "branchpoint"; "transition" ];
  let t_name = match child n "name" with Some e when trimmed (content e) <> "" -> trimmed (content e) | _ -> "_" in
  { t_name; params = option n "parameter" (whole parameters) []; decls = option n "declaration" (whole declarations) [];
    locations = List.map location (List.filter (fun e -> e.tag = "location" || e.tag = "branchpoint") (elements n));
    edges = List.map edge (all n "transition"); init = Option.map (fun e -> attribute e "ref") (child n "init") }

let document text =
  let root = parse text in
  if root.tag <> "nta" && root.tag <> "project" then fail root.at "this is no model of UPPAAL";
  if root.tag = "project" then refuse root.at "projects";
  only root [ "imports"; "declaration"; "instantiation"; "system"; "queries"; "template"; "lsc" ];
  if all root "lsc" <> [] then refuse root.at "scenarios";
  let d_decls = option root "declaration" (whole declarations) [] in
  let templates = List.map template (all root "template") in
  let rec instances l = let d = declarations l in if is_name l then let i = instance l in d @ (i :: instances l) else d in
  let before = option root "instantiation" (whole instances) [] in
  let decls, line = option ~is_text:true root "system" system ([], []) in
  if line = [] then fail root.at "there is no `system` line";
  { d_decls; templates; d_system = before @ decls; line }
