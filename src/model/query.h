// Queries. `E<> formula` and `A[] formula` ask for a goal: a state that satisfies the formula, or
// its negation for A[]. The others ask for a run, or for the extreme values of expressions.
//
// A goal is a disjunction of clauses; each clause is a compiled Guard: an integer
// condition and a conjunction of clock tests. Only disjunctions over clock tests are split,
// so that formulas over locations and variables stay one clause. A clause can also ask whether
// the state is deadlocked.
#pragma once

#include "model/net.h"
#include "model/statistical.h"

enum { GOAL_MAX_CLAUSES = 4096 };

typedef enum QueryKind {
  QUERY_REACH,      // E<> formula: some state satisfies it
  QUERY_INVARIANT,  // A[] formula: every state does
  QUERY_POSSIBLY,   // E[] formula: some run stays in it
  QUERY_EVENTUALLY, // A<> formula: every run comes to it
  QUERY_LEADS_TO,   // formula --> conclusion: from such a state every run comes to the conclusion
  QUERY_SUP,        // sup{formula}: values, their largest ones where the formula holds
  QUERY_INF,        // inf{formula}: values, their smallest ones
  QUERY_BOUNDS,     // bounds{formula}: values, both
  QUERY_BUCHI,      // some run satisfies each of the values, conditions, again and again
  QUERY_STATISTICAL, // Pr, E, simulate: see `statistical`
} QueryKind;

typedef struct Query {
  QueryKind kind;
  const Expr *formula;       // NULL: true
  const Expr *conclusion;    // QUERY_LEADS_TO
  const Expr *const *values; // QUERY_SUP, _INF, _BOUNDS: integers and clocks; QUERY_BUCHI
  uint32_t value_count;
  const Statistical *statistical; // QUERY_STATISTICAL
  const char *text;               // as written
  // What formula, conclusion and values were made of (model/syntax.h); NULL: not known.
  const struct Tree *tree, *conclusion_tree;
  const struct Tree *const *value_trees;
  Place place;
} Query;

typedef enum GoalEnd { GOAL_ANY, GOAL_DEADLOCKED, GOAL_NOT_DEADLOCKED } GoalEnd;

typedef struct Goal {
  const Guard *clauses;
  uint32_t clause_count;
  const GoalEnd *ends; // by clause: whether the state has to be deadlocked; NULL: nowhere
  bool has_diagonals, has_strict; // of its clock tests
  Place diagonal_place, strict_place;
  // What it was made of (Query.tree), and whether it is the opposite of that; NULL: not known.
  const struct Tree *tree;
  bool is_opposite;
} Goal;

// The goal of a query, in the arena: its formula, or the negation for A[] and A<>. False with an
// error (too many clauses, constants too large).
bool query_goal(Goal *, Arena *, const Net *, const Query *, Report *);
// The same of any condition (NULL: true), or of its negation.
bool goal_build(Goal *, Arena *, const Expr *condition, bool negated, Place, Report *);

// Notes the constants that clocks meet in the query.
void query_note(const Query *, Scale *);
// Sets those of the clocks in `reads` that the query reads.
void query_note_clocks(const Query *, Mem *, bool *reads);
// The query for a net in this unit; its constants are multiples of the unit.
Query query_in_unit(const Query *, Arena *, int64_t unit);

// The net as the query sees it: meta variables that it reads are kept, as meta_keep says.
const Net *query_keep_meta(const Query *, const Net *, Arena *);

// Whether some clause's integer part holds in the state; clauses from `*clause` on are tried.
// On true *clause is the one, and its clock tests are appended.
VmResult goal_clause(const Goal *, Vm *, const int32_t *state, uint32_t *clause, ClockTests *);
