// Simulation: a run that is made step by step, concretely. For each joint transition of the
// present state the delays after which it is possible are an interval; one is chosen, then the
// delay. The run so far is one for check/replay.h.
//
// Clock values and times are fractions with one denominator, which grows when a delay needs it.
#ifndef TARN_EVIDENCE_SIMULATE_H
#define TARN_EVIDENCE_SIMULATE_H

#include "base/random.h"
#include "check/replay.h"
#include "model/joint.h"

typedef struct Choice { // a joint transition, possible after a delay in the interval
  uint32_t ordinal;
  int64_t low, high; // numerators; high is SIMULATE_ENDLESS if there is no limit
  bool low_strict, high_strict;
} Choice;

#define SIMULATE_ENDLESS INT64_MAX

typedef struct Simulation {
  Mem *mem;
  const Net *net;
  Arena arena; // of the run
  Vm vm;
  Joint joint;
  int64_t denominator;
  VEC(RunStep) steps; // the last one is the present; times and clocks with the denominator
  VEC(Choice) choices;
  ClockTests tests, target_tests;
  ClockUpdates updates;
  int32_t *target;
  bool is_random;    // no step was chosen
  const char *error; // why a choice could not be made
} Simulation;

// Starts in the first initial state whose invariant holds; false if there is none.
bool simulate_init(Simulation *, Mem *, const Net *);
void simulate_release(Simulation *);
// Goes on from the end of a run that replay_run accepted.
void simulate_adopt(Simulation *, const Run *);

// Takes a choice after a delay of `over`/`under`; false if it is outside of the interval. A
// negative one means: as early as possible.
bool simulate_step(Simulation *, uint32_t choice, int64_t over, int64_t under);
bool simulate_back(Simulation *); // false at the beginning
// Up to `count` random steps; gives how many were possible.
uint32_t simulate_random(Simulation *, uint32_t count, Random *);

// The edges of a choice are then those of `joint`.
void simulate_show(Simulation *, uint32_t choice);
Run simulate_run(const Simulation *);

#endif
