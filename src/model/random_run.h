// Random runs: data only. The simulator makes them; check/randomreplay accepts them or says what
// is wrong.
//
// A run starts in the initial state at time 0. Each step has a time, its edges in the order in
// which their updates run, the random numbers that these updates drew, and the state that it
// leads to. After the last step, time passes up to `end_time`. Times and clocks are real numbers.
// If the tolerance is 0, they are exact: sums of delays, without rounding.
#pragma once

#include "model/net.h"

typedef struct RandomStep {
  const Edge *const *edges; // none for steps[0], the initial state; the sender first
  uint32_t edge_count;
  double time;
  const double *draws; // uniform in (0, 1)
  uint32_t draw_count;
  const int32_t *state; // after the step
  const double *clocks; // after the step, by clock, clock 0 included
} RandomStep;

typedef struct RandomRun {
  uint64_t seed, run;
  const RandomStep *steps;
  uint32_t step_count;
  double end_time;
  const double *end_clocks;
  double tolerance;
  bool is_satisfied; // of Pr and simulate
  double value;      // of E: the extreme value
} RandomRun;

// Whether each slot of a state begins a real number; is_real has room for all slots.
void random_run_reals(const Net *, bool *is_real);
