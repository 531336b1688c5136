(* Trees of the TChecker language, and its tokens. *)

exception Error of int * string (* where in the text, and what is wrong *)

let fail at fmt = Printf.ksprintf (fun s -> raise (Error (at, s))) fmt

type op = Add | Sub | Mul | Div | Mod | Eq | Ne | Lt | Le | Gt | Ge

type storage = { name : string; base : int; size : int option (* of an array *) }

type expr =
  | Const of int
  | Var of storage
  | Local of storage
  | Clock of storage
  | Elem of expr * expr (* of one of the three above *)
  | At of string * int * int (* process and location *)
  | Label of string * int
  | Neg of expr
  | Not of expr
  | Bin of op * expr * expr
  | And of expr * expr
  | Or of expr * expr
  | Cond of expr * expr * expr
  | Test of expr * expr option * op * expr (* x - y op c *)
  | Deadlock (* in queries *)

type stmt =
  | Nop
  | Assign of expr * expr
  | Set of expr * expr option * expr option (* clock x = y + c *)
  | Declare of storage * expr option
  | If of expr * stmt list * stmt list
  | While of expr * stmt list

(* ---- Tokens ---- *)

type token = Number of int | Name of string | Sign of string | Newline | End

type lexer = {
  text : string;
  stop : int;
  lines : bool; (* ends of lines are tokens, and # begins a comment *)
  mutable at : int; (* after the token *)
  mutable start : int; (* of the token *)
  mutable token : token;
}

let is_digit c = c >= '0' && c <= '9'
let starts_name c = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c = '_'
let is_blank c = c = ' ' || c = '\t' || c = '\r' || c = '\n'

let advance l =
  let rec blanks i =
    if i >= l.stop then i
    else if l.lines && l.text.[i] = '#' then comment i
    else if is_blank l.text.[i] && not (l.lines && l.text.[i] = '\n') then blanks (i + 1)
    else i
  and comment i = if i < l.stop && l.text.[i] <> '\n' then comment (i + 1) else blanks i in
  let i = blanks l.at in
  l.start <- i;
  let take n token = l.at <- i + n; l.token <- token in
  let rec extent p j = if j < l.stop && p l.text.[j] then extent p (j + 1) else j in
  if i >= l.stop then (l.at <- l.stop; l.token <- End)
  else
    match l.text.[i] with
    | '\n' -> take 1 Newline
    | c when is_digit c ->
      let j = extent is_digit i in
      let digits = String.sub l.text i (j - i) in
      (* no number of the language has more than ten digits, but zeroes may come before *)
      let value = String.fold_left (fun v c -> min (v * 10 + Char.code c - 48) 1_000_000_000_000) 0 digits in
      take (j - i) (Number value)
    | c when starts_name c ->
      let j = extent (fun c -> starts_name c || is_digit c || c = '.') i in
      take (j - i) (Name (String.sub l.text i (j - i)))
    | c ->
      let two = if i + 1 < l.stop then String.sub l.text i 2 else "" in
      if List.mem two [ "=="; "!="; "<="; ">="; "&&"; "||" ] then take 2 (Sign two)
      else take 1 (Sign (String.make 1 c))

let lexer ?(lines = false) text start stop =
  let l = { text; stop; lines; at = start; start; token = End } in
  advance l; l

let accept l token = l.token = token && (advance l; true)
let describe = function
  | Number n -> string_of_int n | Name s | Sign s -> "`" ^ s ^ "`" | Newline -> "the end of the line" | End -> "the end"
let expect l token =
  if not (accept l token) then fail l.start "expected %s, found %s" (describe token) (describe l.token)
