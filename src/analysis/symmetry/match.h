// Whether one expression, or list of statements, is the image of another under a permutation of
// the network: evaluated in the image of a state, it gives the image of the value.
//
// The trees are walked side by side. Every value has a sort (analysis/symmetry/permutation.h):
// that of the variables it is read from. Values that a permutation moves may only be compared for
// equality, copied, and used as an index of an array whose elements move along; everything else
// wants plain values. This is sufficient, not necessary: see analysis/symmetry/table.h for the
// rest.
#pragma once

#include "analysis/symmetry/rules.h"

bool match_expr(const Match *, const Expr *, const Expr *image); // a condition; NULL: true
// The same; operands of && may change places if none of them can fail.
bool match_conjunction(const Match *, const Expr *, const Expr *image);
bool match_stmts(const Match *, const Stmt *, const Stmt *image);
