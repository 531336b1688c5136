// The replayer of random runs: interprets the model along a run of the simulator, step by step,
// and accepts it or says which step is wrong and why. It shares no code with the simulator.
//
// It shows that the model has the run, and that the run has the outcome that it states. It does
// not show the probability.
//
// Guards, invariants and clocks are evaluated before and after each step, and at DELAY_LOOKS
// moments of each delay. If the clocks of an invariant are linear, it holds between two moments
// at which it holds; another one may not. Conditions of a path and guards of urgent edges that
// compare sums of linear clocks are also evaluated wherever they can change, apart from guards
// that hold at a single moment. Other conditions may hold between two moments: then the outcome
// is not shown, and the checker says so.
//
// With the tolerance 0 every number must be exact: no sum of delays may have been rounded.
// Otherwise each step may differ by the tolerance, relative for numbers above 1, from what the
// step before gives. Clocks that follow differential equations are integrated by code of its own.
#pragma once

#include "base/text.h"
#include "model/random_run.h"
#include "model/statistical.h"

// What the run is said to show; all NULL: nothing.
typedef struct RandomClaim {
  const RunBound *bound; // it ends there, unless the path is decided before
  const PathQuery *path; // its kind, goal and bound: whether the run satisfies it
  const Expr *value;     // the extreme of this number
  bool is_min;
} RandomClaim;

// True if the run is one of the net and has its outcome. Else `why` is `step N: reason`. If the
// run is accepted but not all of the outcome was checked, *rest says what was not; else NULL.
bool randomreplay_run(Mem *, const Net *, const RandomRun *, const RandomClaim *, Text *why,
                      const char **rest);
