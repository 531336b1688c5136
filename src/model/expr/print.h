// Writes expressions and statements in the TChecker syntax, for `show`, traces and messages, with
// as few parentheses as parse back to the same tree. Functions, quantifiers and bit operators,
// which that syntax lacks, are written as in UPPAAL.
#pragma once

#include "model/expr/expr.h"

void expr_print(Text *, const Expr *);
void stmt_print(Text *, const Stmt *); // and those after it
