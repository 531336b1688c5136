// The replayer: interprets the model along a concrete run, step by step, and accepts it or says
// which step is wrong and why. It shares no code with the engines that find runs.
//
// A run starts in an initial state at time 0. Each step happens at its time, is made by its
// edges, in the order in which their updates run, and leads to its state. In the end time
// passes up to `end_time`, and there the goal holds. Times and clock values are fractions with
// the run's denominator.
#ifndef TARN_CHECK_REPLAY_H
#define TARN_CHECK_REPLAY_H

#include "base/text.h"
#include "model/query.h"

// Builds with assertions replay every run that they make.
#ifdef NDEBUG
enum { REPLAY_ALWAYS = 0 };
#else
enum { REPLAY_ALWAYS = 1 };
#endif

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
} Run;

// True if the run is one of the net, and ends where the goal holds (NULL: anywhere). Else
// `why` is `step N: reason`.
bool replay_run(Mem *, const Net *, const Goal *, const Run *, Text *why);
// Runs with larger denominators are rejected.
int64_t replay_most_denominator(const Net *);

#endif
