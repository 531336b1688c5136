// Checks infinite runs: that a concrete run stays in a condition for ever, from the beginning or
// from some state on, or satisfies conditions again and again. The replayer (check/replay.h)
// checks the steps themselves.
//
// A run goes on for ever in one of three ways. A part of it repeats: the state after the last
// step is like the one after step loop_from, so the same edges can follow again and again. If the
// times of that part may vary, the clocks need not be alike (check/recur.h). Or time passes for
// ever after the last step. Or the run is stuck: no delay leads to an action.
#pragma once

#include "check/replay.h"

typedef struct LassoClaim {
  const Goal *stay;   // holds from some state on; NULL: anything does
  const Goal *start;  // holds in that state; NULL: it is the first one
  const Goal *labels; // each holds again and again, in the part that repeats; without clocks
  uint32_t label_count;
  bool diverges; // a part that repeats at other times takes at least a unit of time each round
} LassoClaim;

// How far clocks matter, here and in the net.
typedef struct LassoLimits {
  int64_t max;      // -1: clocks have to be equal to be alike (something is subtracted from them)
  int64_t diagonal; // differences of two clocks matter up to it; -1: not at all
} LassoLimits;
LassoLimits lasso_limits(const Net *, const LassoClaim *);
// Whether clock values are alike, up to the limits: the same tests hold now, and after the same
// steps (they are in one region). Numerators with a common denominator. doc/notes/queries.md says
// why the regions are bisimilar.
bool lasso_is_alike(uint32_t clocks, LassoLimits, const int64_t *a, const int64_t *b,
                    int64_t denominator);

// True if the run is one of the net and bears the claim out; else `why` says why not.
bool lasso_check(Mem *, const Net *, const LassoClaim *, const Run *, Text *why);
