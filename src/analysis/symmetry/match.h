// Tests whether a permutation of the network maps one expression, or one list of statements, to
// another: in the image of a state, the second has the image of the value of the first.
//
// The test walks both trees side by side. Every value has the sort of the variables that it is
// read from (analysis/symmetry/permutation.h). Values that the permutation moves may be compared
// for equality, copied, and used as an index of an array whose elements move along. All other
// operations need plain values. The test is sufficient, not necessary:
// analysis/symmetry/table.h handles the rest.
#pragma once

#include "analysis/symmetry/rules.h"

bool match_expr(const Match *, const Expr *, const Expr *image); // a condition; NULL: true
// The same; operands of && may change places if none of them can fail.
bool match_conjunction(const Match *, const Expr *, const Expr *image);
bool match_stmts(const Match *, const Stmt *, const Stmt *image);
