// Expressions of the TChecker language: parsed, names resolved, types checked, in one pass,
// into the trees of model/expr.h. Guards and invariants are read with it, statements
// (io/tck_stmt.h) and queries (io/query_reader.h) too.
//
//   formula     = disjunction [ "imply" formula ]                  (queries only)
//   disjunction = conjunction { ("||" | "or") conjunction }        (queries only)
//   conjunction = negation { ("&&" | "and") negation }
//   negation    = ("!" | "not") negation | comparison
//   comparison  = sum [ relation sum [ relation sum ] ]     two relations: only < and <=
//   sum         = product { ("+" | "-") product }
//   product     = unary { ("*" | "/" | "%") unary }
//   unary       = "-" unary | primary
//   primary     = NUMBER | storage | "(" formula ")"
//               | "(" "if" formula "then" sum "else" sum ")"
//   storage     = NAME [ "[" sum "]" ]
//
// So `!` takes the whole comparison that follows it: `! i == 3` is `i != 3`. The words `and`,
// `or`, `not`, `imply`, `true` and `false` belong to queries.
#ifndef TARN_IO_TCK_EXPR_H
#define TARN_IO_TCK_EXPR_H

#include "io/tck_term.h"

Term tck_formula(TckParser *);
Term tck_sum(TckParser *);
Term tck_storage(TckParser *); // the parser is at a name

#endif
