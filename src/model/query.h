// Queries: reachability `E<> formula` and invariance `A[] formula`. Both ask for a goal: a
// state that satisfies the formula, or its negation for A[].
//
// A goal is a disjunction of clauses; each clause is a compiled Guard: an integer
// condition and a conjunction of clock tests. Only disjunctions over clock tests are split,
// so that formulas over locations and variables stay one clause.
#ifndef TARN_MODEL_QUERY_H
#define TARN_MODEL_QUERY_H

#include "model/net.h"

enum { GOAL_MOST_CLAUSES = 4096 };

typedef enum QueryKind { QUERY_REACH, QUERY_INVARIANT } QueryKind; // E<>, A[]

typedef struct Query {
  QueryKind kind;
  const Expr *formula;
  const char *text; // as written
  Place place;
} Query;

typedef struct Goal {
  const Guard *clauses;
  uint32_t clause_count;
  bool has_diagonals, has_strict; // of its clock tests
  Place diagonal_place, strict_place;
} Goal;

// The goal of a query, in the arena; false with an error (too many clauses, constants too
// large).
bool query_goal(Goal *, Arena *, const Net *, const Query *, Report *);

// Whether some clause's integer part holds in the state; clauses from `*clause` on are tried.
// On true *clause is the one, and its clock tests are appended.
VmResult goal_clause(const Goal *, Vm *, const int32_t *state, uint32_t *clause, ClockTests *);

#endif
