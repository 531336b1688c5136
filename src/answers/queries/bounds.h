// Decides `sup`, `inf` and `bounds`: the extreme values of integer expressions and clocks.
//
// For a clock, a search finds values up to a limit. If it meets larger ones, it tests whether the
// clock is unbounded: time can pass for ever where the condition holds, or there is a cycle in
// which time passes and the clock is not set, and that leads to a state where the condition
// holds. Otherwise it searches again with twice the limit.
#pragma once

#include "answers/queries/extremes.h"
#include "answers/runs/trace.h"
#include "search/reach.h"

typedef struct ValueBounds {
  const Expr *value;
  bool is_clock;
  bool found;                   // some state satisfies the condition
  bool is_infinite;             // there is no greatest value
  bool low_strict, high_strict; // the value is not reached, but approached
  int64_t low, high;
  int64_t unit; // that low and high are multiplied by when they are shown; 0: 1
} ValueBounds;

// The watch of `mem` has the time limit.
typedef struct BoundsSearch {
  Mem *mem;
  const Net *net;
  const Net *timed; // the net with one more clock, for lassos; NULL: there is none
  const Query *query;
  const Options *options;
  Statistics *stats;
  const char *stop_reason; // after a search that was stopped
  const char *refusal;     // or one that cannot be decided
  Place failure_place;     // or one that failed
  const char *failure;
} BoundsSearch;

// The bounds of the value with this index. False with stop_reason, refusal, failure, or an error
// in the report.
bool bounds_find(BoundsSearch *, uint32_t index, ValueBounds *, Report *);
// After a search that found that a clock grows for ever: a run that shows it (check/growth.h).
// False if none is found.
bool bounds_show_growth(BoundsSearch *, const ValueBounds *, Trace *, Report *);
// As a condition that holds of all states which satisfy the query's: `x < 5`, `2 <= i && i <= 9`.
void bounds_print(Text *, QueryKind, const ValueBounds *);
