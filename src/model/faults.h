// Finds out whether conditions and updates can fail when they run: a value out of the range of
// its variable, an index out of bounds, a division by zero, a negative clock, too many steps.
// The analysis uses the values that variables can have (model/ranges.h). Its answer is `true` if
// it does not know.
#pragma once

#include "model/net.h"

bool faults_in_expr(const Net *, const Expr *); // NULL: no
bool faults_in_stmts(const Net *, const Stmt *);
// Errors at run time only: of a guard and updates, not counting values out of the range of their
// variables where these just make a transition impossible.
bool faults_are_errors(const Net *, const Expr *, const Stmt *);
bool faults_in_process(const Net *, ProcessId); // its guards, updates and invariants
