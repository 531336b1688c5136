// Static clock bounds: for each clock, the largest constant with which a later lower-bound test
// (L: x > c, x >= c) and a later upper-bound test (U: x < c, x <= c) can compare it. Bounds are
// found per location (paper key BBFL03) or for the whole net. Invariants and the constants of a
// goal are included. A bound that is an integer expression counts with its largest value in the
// location where it is tested (model/localranges.h).
//
// Computed per process by a backward fixpoint; a state's bounds are the maximum over its
// processes. An update x := y + c carries the bounds of x, less c, to y.
#pragma once

#include "analysis/clockflow.h" // CLOCK_UNBOUNDED: the value does not matter
#include "analysis/diagonals.h"

typedef struct ClockBound { // sparse entry
  ClockIndex clock;
  int64_t lower, upper;
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
  int64_t *global_lower, *global_upper;
  int64_t *goal_lower, *goal_upper;
  int32_t *small_lower, *small_upper; // the goal's again, cut to 32 bits
} ClockBounds;

// False with an error if the bounds do not exist (x := y - c on a cycle). `goal` may be NULL.
// Constants are cut to `max`: engine wide knows larger ones than the others. `diagonals` is for
// engines that handle tested differences (analysis/diagonals.h): these differences give no bounds
// to their clocks, but the tests that updates make of them do. It may be NULL.
bool clockbounds_compute_up_to(ClockBounds *, Arena *, const Net *, const Goal *goal,
                               const Diagonals *, int64_t max, Report *);
static inline bool clockbounds_compute_beside(ClockBounds *bounds, Arena *arena, const Net *net,
                                              const Goal *goal, const Diagonals *diagonals,
                                              Report *report) {
  return clockbounds_compute_up_to(bounds, arena, net, goal, diagonals, NET_MAX_CONSTANT, report);
}
// The same for searches that cut zones at the goal's tests: on either side of them, so that a
// test counts with both bounds of its clock.
bool clockbounds_compute_cut(ClockBounds *, Arena *, const Net *, const Goal *, const Diagonals *,
                             Report *);
static inline bool clockbounds_compute(ClockBounds *bounds, Arena *arena, const Net *net,
                                       const Goal *goal, Report *report) {
  return clockbounds_compute_beside(bounds, arena, net, goal, NULL, report);
}

// Bounds of a discrete state, local scope: `lower` and `upper` get one entry per clock.
void clockbounds_of_state(const ClockBounds *, const Net *, const int32_t *state, int32_t *lower,
                          int32_t *upper);
// What process p adds to the bounds of the goal in a state.
static inline const ClockBoundList *clockbounds_at(const ClockBounds *bounds, const Net *net,
                                                   const int32_t *state, ProcessId p) {
  const uint32_t index = (uint32_t)state[net->location_slot + p];
  return &bounds->by_location[net->processes.items[p].first_location + index];
}
