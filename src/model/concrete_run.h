// Concrete runs: data only. Searches make them; check/replay and check/lasso accept them or say
// what is wrong.
//
// A run starts in an initial state at time 0. Each step has a time, its edges in the order in
// which their updates run, and the state that it leads to. After the last step, time passes up to
// `end_time`. Times and clock values are fractions with the run's denominator.
#pragma once

#include "model/net.h"

typedef struct RunStep {
  const Edge *const *edges; // none for steps[0], the initial state
  uint32_t edge_count;
  int64_t time;
  const int32_t *state;  // after the step
  const int64_t *clocks; // after the step, by clock, clock 0 included; NULL: not stated
} RunStep;

typedef struct Run {
  const RunStep *steps;
  uint32_t step_count;
  int64_t denominator;
  int64_t end_time;
  const int64_t *end_clocks; // NULL: not stated
  bool repeats;              // the steps after loop_from, which is not the last, can be repeated
  uint32_t loop_from;        // for ever: the last step leads to the state and clocks of this one
  bool varies;               // but for clocks: the same edges follow, at other times each round
  // Of a run in which a clock grows: the part that repeats, any number of times, ends with step
  // loop_to, and then the rest follows, once. If that is loop_from, the delay after it can be
  // longer by any time.
  bool goes_on;
  uint32_t loop_to;
} Run;
