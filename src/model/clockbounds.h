// Static clock bounds: per clock the largest constant that a lower-bound test (L: x > c,
// x >= c) and an upper-bound test (U: x < c, x <= c) can still compare it with, per location
// (paper key BBFL03) or for the whole net. Invariants are included; so are the constants of a
// goal. A bound that is an integer expression counts with its largest value in
// the location where it is tested (model/localranges.h).
//
// Computed per process by a backward fixpoint; a state's bounds are the maximum over its
// processes. An update x := y + c carries the bounds of x, less c, to y.
#ifndef TARN_MODEL_CLOCKBOUNDS_H
#define TARN_MODEL_CLOCKBOUNDS_H

#include "model/clockflow.h" // CLOCK_UNBOUNDED: the value does not matter
#include "model/differences.h"

typedef struct ClockBound { // sparse entry
  ClockIndex clock;
  int32_t lower, upper;
} ClockBound;

typedef struct ClockBoundList {
  const ClockBound *items;
  uint32_t size;
} ClockBoundList;

typedef struct ClockBounds {
  uint32_t clocks; // clock 0 included
  // Per location (local scope), only the clocks with some bound.
  ClockBoundList *by_location;
  // Dense, clocks entries each: the maximum over all locations, and what the goal adds at
  // every state.
  int32_t *global_lower, *global_upper;
  int32_t *goal_lower, *goal_upper;
} ClockBounds;

// False with an error if the bounds do not exist (x := y - c on a cycle). `goal` may be NULL.
bool clockbounds_compute(ClockBounds *, Arena *, const Net *, const Goal *goal, Report *);
// The same for those who know the differences that are tested (model/differences.h): these give
// no bounds to their clocks, but what updates make of them does.
bool clockbounds_compute_beside(ClockBounds *, Arena *, const Net *, const Goal *goal,
                                const Differences *, Report *);

// Bounds of a discrete state, local scope: `lower` and `upper` get one entry per clock.
void clockbounds_of_state(const ClockBounds *, const Net *, const int32_t *state, int32_t *lower,
                          int32_t *upper);

#endif
