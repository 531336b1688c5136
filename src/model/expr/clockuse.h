// Clocks in trees of expressions and statements: which clocks an expression can denote, which
// tests a condition consists of, which updates a list of statements may make. Shared by net,
// query and clockbounds; not used during a search.
#pragma once

#include "base/vec.h"
#include "model/expr/expr.h"

typedef VEC(ClockIndex) ClockList;

// Appends every clock that the expression can denote, each index within its range. Exactly
// one means that it is this clock whenever the evaluation succeeds.
void clockuse_clocks(Mem *, const Expr *, ClockList *);

// Calls `visit` for each clock test of a condition that can be a guard (expr_guard_flaw): no
// test is below a negation.
typedef void ClockTestVisit(void *context, const Expr *test);
void clockuse_tests(const Expr *, ClockTestVisit *, void *context);

// Calls `visit` for each clock assignment in the statements, at any depth, but not in the
// functions that they call.
typedef void ClockAssignVisit(void *context, const Stmt *assign);
void clockuse_assigns(const Stmt *, ClockAssignVisit *, void *context);

// The expression with other children: itself if they are its own, else made anew, with
// constants folded.
const Expr *clockuse_rebuild(Arena *, const Expr *, const Expr *a, const Expr *b, const Expr *c);

// Replaces tests of a clock against itself, x - x # c, by 0 # c, unless computing which clock it
// is may be an error.
const Expr *clockuse_fold(Arena *, const Expr *);

// Whether a condition compares two clocks, and whether some clocks strictly; the first place
// of each is kept (`x == c` is not strict).
typedef struct ClockTraits {
  bool has_diagonals, has_strict;
  Place diagonal_place, strict_place;
} ClockTraits;
void clockuse_traits(const Expr *, ClockTraits *);

// Errors for constants that clocks are compared with or set to, beyond +-most. Those that
// depend on variables are the VM's business.
void clockuse_check_tests(const Expr *, int64_t max, Report *);
void clockuse_check_assigns(const Stmt *, int64_t max, Report *);
