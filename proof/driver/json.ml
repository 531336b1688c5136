(* As much of JSON as the runs of tarn need. *)

type t = Null | Bool of bool | Int of int | Other | String of string | List of t list | Object of (string * t) list

exception Broken of int
exception Twice of string (* a name of an object; readers differ in which value they take *)

let parse text =
  let size = String.length text in
  let at = ref 0 in
  let fail () = raise (Broken !at) in
  let rec blanks () = if !at < size && Syntax.is_blank text.[!at] then (incr at; blanks ()) in
  let peek () = blanks (); if !at < size then text.[!at] else fail () in
  let expect c = if peek () = c then incr at else fail () in
  let word w v =
    let n = String.length w in
    if !at + n <= size && String.sub text !at n = w then (at := !at + n; v) else fail () in
  let string () =
    expect '"';
    let b = Buffer.create 16 in
    let rec go () =
      if !at >= size then fail ();
      let c = text.[!at] in
      incr at;
      match c with
      | '"' -> Buffer.contents b
      | '\\' ->
        if !at >= size then fail ();
        (match text.[!at] with
         | ('"' | '\\' | '/') as c -> Buffer.add_char b c
         | 'n' -> Buffer.add_char b '\n'
         | 't' -> Buffer.add_char b '\t'
         | 'r' -> Buffer.add_char b '\r'
         | _ -> fail ());
        incr at; go ()
      | c -> Buffer.add_char b c; go () in
    go () in
  let number () =
    let start = !at in
    let is c = (c >= '0' && c <= '9') || String.contains "+-.eE" c in
    while !at < size && is text.[!at] do incr at done;
    match int_of_string_opt (String.sub text start (!at - start)) with Some v -> Int v | None -> Other in
  let rec value () =
    match peek () with
    | '{' -> incr at; if peek () = '}' then (incr at; Object []) else Object (members (Hashtbl.create 8))
    | '[' -> incr at; if peek () = ']' then (incr at; List []) else List (elements ())
    | '"' -> String (string ())
    | 't' -> word "true" (Bool true)
    | 'f' -> word "false" (Bool false)
    | 'n' -> word "null" Null
    | '-' | '0' .. '9' -> number ()
    | _ -> fail ()
  and members seen =
    ignore (peek ());
    let key = string () in
    if Hashtbl.mem seen key then raise (Twice key);
    Hashtbl.add seen key ();
    expect ':';
    let v = value () in
    if peek () = ',' then (incr at; (key, v) :: members seen) else (expect '}'; [ key, v ])
  and elements () =
    let v = value () in
    if peek () = ',' then (incr at; v :: elements ()) else (expect ']'; [ v ]) in
  let v = value () in
  blanks ();
  if !at <> size then fail ();
  v

let get key = function Object l -> Option.value (List.assoc_opt key l) ~default:Null | _ -> Null
let list = function List l -> l | _ -> []
