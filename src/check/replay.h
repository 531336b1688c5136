// The replayer: interprets the model along a concrete run, step by step, and accepts it or says
// which step is wrong and why. It shares no code with the engines that find runs.
//
// A run starts in an initial state at time 0. Each step happens at its time, is made by its
// edges, in the order in which their updates run, and leads to its state. In the end time
// passes up to `end_time`, and there the goal holds. Times and clock values are fractions with
// the run's denominator.
#pragma once

#include "base/text.h"
#include "model/concrete_run.h"
#include "model/query.h"

// Builds with assertions replay every run that they make.
#ifdef NDEBUG
enum { REPLAY_ALWAYS = 0 };
#else
enum { REPLAY_ALWAYS = 1 };
#endif

// True if the run is one of the net, and ends where the goal holds (NULL: anywhere). Else
// `why` is `step N: reason`.
bool replay_run(Mem *, const Net *, const Goal *, const Run *, Text *why);
// Runs with larger denominators are rejected.
int64_t replay_max_denominator(const Net *);
