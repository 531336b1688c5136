// Writes expressions and statements in the TChecker syntax, for `show`, traces and messages, with
// as few parentheses as parse back to the same tree. Functions, quantifiers and bit operators,
// which that syntax lacks, are written as in UPPAAL.
#pragma once

#include "model/expr/expr.h"

void expr_print(Text *, const Expr *);
void stmt_print(Text *, const Stmt *); // and those after it

// What stands behind the name of a function that is called, of a constant array or struct, and of
// a variable of a frame: so that names which are those of several things can be told apart.
typedef struct Marks {
  void (*add)(void *context, Text *, const Expr *);
  void *context;
} Marks;
void expr_print_marked(Text *, const Expr *, const Marks *); // NULL: without marks
void stmt_print_marked(Text *, const Stmt *, const Marks *);
