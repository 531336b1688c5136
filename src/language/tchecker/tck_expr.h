// Expressions of the TChecker language. One pass parses them, resolves names, checks types and
// builds the trees of model/expr/expr.h. Guards, invariants, statements
// (language/tchecker/tck_stmt.h) and queries (language/query_reader.h) use it.
//
//   formula     = disjunction [ "imply" formula ]                  (queries only)
//   disjunction = conjunction { ("||" | "or") conjunction }        (queries only)
//   conjunction = negation { ("&&" | "and") negation }
//   negation    = ("!" | "not") negation | comparison
//   comparison  = sum [ relation sum [ relation sum ] ]     two relations: only < and <=
//   sum         = product { ("+" | "-") product }
//   product     = unary { ("*" | "/" | "%") unary }
//   unary       = "-" unary | primary
//   primary     = NUMBER | storage | "(" formula ")" | quantified  (queries only)
//               | "(" "if" formula "then" sum "else" sum ")"
//   quantified  = ("forall" | "exists" | "sum") "(" NAME ":" "int" "[" sum "," sum "]" ")"
//                 formula
//   storage     = NAME [ "[" sum "]" ] | NAME "(" sum ")" NAME     (the latter in queries)
//
// The body of a quantifier reaches as far as it can; that of `sum` is a `sum`. It is read once
// for each value of the variable, which then is a number. `P(2).l` is location `l` of process
// `P2` or `P_2`.
//
// So `!` takes the whole comparison that follows it: `! i == 3` is `i != 3`. The words `and`,
// `or`, `not`, `imply`, `true` and `false` belong to queries.
#pragma once

#include "language/tchecker/tck_term.h"

Term tck_formula(TckParser *);
Term tck_sum(TckParser *);
Term tck_storage(TckParser *); // the parser is at a name
