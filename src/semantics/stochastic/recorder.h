// Records one run: its steps with times, edges, random numbers and states, for output and for
// check/randomreplay.
#pragma once

#include "model/random_run.h"
#include "semantics/stochastic/watch.h"

// Makes run `run` of a seed once more, in the arena. False with the race's error, if it has one;
// else the run was given up. The tolerance stays 0.
bool recorder_run(RandomRun *, Arena *, const Watch *, Race *, uint64_t seed, uint64_t run);
