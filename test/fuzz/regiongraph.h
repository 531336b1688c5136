// The region graph of a small network, made naively, and questions answered on it straight from
// the semantics: what `make agree-queries` compares the searches with.
//
// A region is held as one of its points: the fractions of the clocks are spread evenly, so that
// equal regions have equal points. Clocks above the largest constant, `max`, are all the same;
// where clocks are compared with each other (`gaps`) they are not: all fractions are kept, and
// where two neighbours in the order of values, 0 being the first, are more than `max` apart,
// those above are moved down by a whole number, so that they still are. Then `max` has to be at
// least the sum of a constant of a test and one that a clock is set to.
// With is_points a node is a point instead: time passes in steps of 1 / Regions.scale, one more
// than there are clocks. That is exact for models without strict constraints, as far as questions
// about single states and about runs under conditions without clocks are concerned: a run to a
// state that meets strict tests is a solution of constraints on the times of its steps, of which
// at most one for each clock and one for the end is strict in any cycle, so that there is a
// solution in these steps; and infinite runs can be rounded to whole times.
// It shares with tarn the model, the interpreter of its expressions, and check/transitions.h.
#pragma once

#include "check/transitions.h"
#include "model/query.h"

enum { REGIONS_CLOCKS = 6, REGIONS_SLOTS = 40 };

typedef struct RegionEdge {
  uint32_t target;
  bool is_action, is_tick;
} RegionEdge;

typedef struct Region {
  int32_t state[REGIONS_SLOTS];
  int32_t clocks[REGIONS_CLOCKS + 1]; // in units of 1 / Regions.scale
  uint32_t first_edge, edge_count;
  bool idles; // time passes for ever, without leaving the region
  bool is_deadlocked;
} Region;

typedef struct Regions {
  Mem mem;
  const Net *net;
  Transitions transitions;
  Vm vm;
  uint32_t n;
  int32_t max, scale;
  bool gaps, is_points;
  bool has_ticks; // the last clock can be set back with an action when it is 1 or more
  VEC(Region) list;
  VEC(RegionEdge) edges;
  uint32_t *table;
  uint32_t mask;
  uint32_t initial_count;
  ClockTests tests;
  ClockUpdates updates;
  bool has_failed; // a run-time error of the model
} Regions;

// False if there are more than `limit` regions, or it is too large otherwise. `gaps` is set by
// the caller: clocks are compared with each other.
bool regions_make(Regions *, const Net *, int32_t max, bool has_ticks, uint32_t limit);
void regions_release(Regions *);

// The largest constant with which clocks are compared.
int32_t regions_max(const Net *);
int32_t regions_max_of(const Expr *);

int64_t regions_value(Regions *, const Region *, const Expr *); // of an integer
bool regions_holds(Regions *, const Region *, const Expr *);
// Whether some run from one of these regions (NULL: the initial ones) stays in a condition, or
// outside of it, for ever.
bool regions_stays(Regions *, const bool *from, const Expr *, bool negated);
// Whether some run satisfies each condition again and again.
bool regions_recurs(Regions *, const Expr *const *conditions, uint32_t count);
