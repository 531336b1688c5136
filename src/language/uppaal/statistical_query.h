// Statistical queries, on the network that statistical queries run on:
//
//   query = "Pr" bound "(" path ")" [ (">=" | "<=") number ]
//         | "Pr" bound "(" path ")" (">=" | "<=") "Pr" bound "(" path ")"
//         | "Pr" mitl
//         | "E" bound "(" ("max" | "min") ":" value ")"
//         | "simulate" [ runs ] bound "{" value { "," value } "}" [ ":" [ count ":" ] formula ]
//   bound = "[" ( "<=" number | clock "<=" number | "#" "<=" number ) [ ";" runs ] "]"
//   path  = "<>" formula | "[]" formula | formula "U" formula
//   mitl  = until { ("&&" | "||") until }
//   until = unary [ ("U" | "R") interval unary ]
//   unary = ("<>" | "[]") interval mitl | "X" unary | "!" unary | "(" mitl ")" | formula
//   interval = "[" number "," number "]"
//
// A formula between `&&` and `||` of a mitl has no such operators itself, unless in parentheses.
#pragma once

#include "language/uppaal/language.h"
#include "model/statistical.h"

bool statistical_begins(const Parser *); // such a query begins here
// Parses to the end and elaborates; NULL after an error.
const Statistical *statistical_query(Parser *, Elaborator *);
