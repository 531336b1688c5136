// Statistical queries: questions about random runs of a network. Front ends make them. Their
// expressions are those of the network and may use real numbers (doubles and clocks) anywhere.
#pragma once

#include "model/expr/expr.h"

// How long a run is: `<= T`, `x <= T` or `# <= N`. What happens at the limit still counts.
typedef enum RunBoundKind { RUN_BOUND_TIME, RUN_BOUND_CLOCK, RUN_BOUND_STEPS } RunBoundKind;

typedef struct RunBound {
  RunBoundKind kind;
  ClockIndex clock; // RUN_BOUND_CLOCK
  double limit;
  uint64_t runs; // `; runs`; 0: not given
} RunBound;

typedef enum PathKind {
  PATH_EVENTUALLY, // <> goal
  PATH_ALWAYS,     // [] goal
  PATH_UNTIL,      // hold U goal: the goal comes, and until then `hold` is true
  PATH_MITL, // a formula of metric interval temporal logic; the bound is that of the formula
} PathKind;

typedef enum MitlKind {
  MITL_ATOM,    // atom
  MITL_NOT,     // !a
  MITL_AND,     // a && b
  MITL_OR,      // a || b
  MITL_UNTIL,   // a U[low,high] b; <>[low,high] b has the atom true for a
  MITL_RELEASE, // a R[low,high] b; [][low,high] b has the atom false for a
  MITL_NEXT,    // X a: after the next step
} MitlKind;

typedef struct Mitl Mitl;
struct Mitl {
  MitlKind kind;
  const Expr *atom;
  const Mitl *a, *b;
  double low, high;
  Place place;
};

typedef struct PathQuery {
  RunBound bound;
  PathKind kind;
  const Expr *hold, *goal; // NULL: true
  const char *goal_text;   // as written; NULL: unknown
  const Mitl *mitl;
} PathQuery;

typedef enum StatisticalKind {
  STATISTICAL_PROBABILITY, // Pr[bound](path): an estimate
  STATISTICAL_TEST,        // Pr[bound](path) >= threshold, or <= with is_at_most
  STATISTICAL_COMPARISON,  // Pr[bound](path) >= Pr[other.bound](other)
  STATISTICAL_EXPECTATION, // E[bound](max: values[0]), or min: with is_min
  STATISTICAL_SIMULATION,  // simulate[bound] { values } : accepted : goal
} StatisticalKind;

typedef struct Statistical {
  StatisticalKind kind;
  const struct Net *net; // that of the expressions: with real numbers and rates
  PathQuery path, other; // EXPECTATION and SIMULATION use path.bound; SIMULATION path.goal
  double threshold;
  bool is_at_most, is_min;
  const Expr *const *values;
  const char *const *value_texts; // as written
  uint32_t value_count;
  uint64_t accepted; // SIMULATION: runs to keep that reach the goal; 0: all
} Statistical;
