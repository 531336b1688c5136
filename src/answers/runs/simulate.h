// Simulation: a run that is made step by step, concretely. For each joint transition of the
// present state the delays after which it is possible are an interval; one is chosen, then the
// delay. Time can also pass without a transition. The run so far is one for check/replay.h.
//
// Clock values and times are fractions with one denominator, which grows when a delay needs it.
// Steps that were taken back are kept until another one is taken, so that one can go forward
// again.
#pragma once

#include "base/random.h"
#include "check/replay.h"
#include "model/stepper.h"

// Why a transition is not possible, now or after a delay.
typedef enum Obstacle {
  OBSTACLE_NONE,
  OBSTACLE_GUARD,  // its guard does not hold before the invariants stop time
  OBSTACLE_UPDATE, // a value would leave its range, or a clock become negative
  OBSTACLE_TARGET, // an invariant would not hold after it
} Obstacle;

typedef struct Choice { // a joint transition, possible after a delay in the interval
  uint32_t ordinal;
  // Twice the numerators of its ends. If the end itself is outside, the low one is 1 more and the
  // high one 1 less: then they are odd. So an interval with low > high is empty.
  int64_t low, high; // high is SIMULATE_ENDLESS if there is no limit
  bool is_delay;     // time passes, and nothing else happens (JOINT_SPLIT in model/joint.h)
  Obstacle obstacle; // if it is none
} Choice;

#define SIMULATE_ENDLESS (INT64_MAX - 1)

typedef struct SimulatedClock { // after a delay d: value + d, or the value, if it does not run
  int64_t value;
  bool runs;
} SimulatedClock;

typedef struct Simulation {
  Mem *mem;
  const Net *net;
  Arena arena; // of the run
  Stepper stepper;
  int64_t denominator;
  VEC(RunStep) steps; // the last one is the present; times and clocks with the denominator
  uint32_t known;     // steps from steps.size up to this were taken back
  int64_t waited;     // time that has passed since the last step
  int64_t *clocks;    // now
  SimulatedClock *now, *then; // the same; and after a transition
  VEC(Choice) choices;
  Choice wait;   // how long time may pass, for all that transitions say; empty if not at all
  Choice before; // of the transition that was tried last, without the invariants after it
  int32_t *target;
  bool is_random;    // no step was chosen
  bool is_lost;      // a limit was reached before all choices were found
  const char *error; // why a choice could not be made
} Simulation;

// Starts in the first initial state whose invariant holds; false if there is none.
bool simulate_init(Simulation *, Mem *, const Net *);
void simulate_release(Simulation *);
// Goes on from the end of a run, whose first state must stay. False if a step is none,
// which cannot be if replay_run accepted it.
bool simulate_adopt(Simulation *, const Run *);

// Takes a choice after a delay of `over`/`under`; false if it is outside of the interval. A
// negative one means: as early as possible.
bool simulate_step(Simulation *, uint32_t choice, int64_t over, int64_t under);
// Lets time pass, a delay that is not negative; false if it cannot.
bool simulate_wait(Simulation *, int64_t over, int64_t under);
// Takes the last delay or step back; false at the beginning.
bool simulate_back(Simulation *);
// Goes to a step, also to one that was taken back; false if there is no such step.
bool simulate_go(Simulation *, uint32_t step);
// Up to `count` random steps; gives how many were possible.
uint32_t simulate_random(Simulation *, uint32_t count, Random *);

// After a jump in the midst of one of the functions above: there are no choices, and going to a
// step, this one too, finds them.
void simulate_lose_choices(Simulation *);
// If no transition is possible, adds a sentence that says whether this is a deadlock or
// a time-lock, and why time cannot pass; false if one is possible.
bool simulate_stuck(Simulation *, Text *);

// What stands against the transition that the stepper is on, which is not a delay.
Obstacle simulate_obstacle(Simulation *);
// The delays after which the invariant of one process holds, in the present state; or after
// OBSTACLE_TARGET, those for which the transition lacks only invariants and this one holds.
Choice simulate_stay(Simulation *, ProcessId, bool is_target);

// The edges of a choice are then those of the stepper.
void simulate_show(Simulation *, uint32_t choice);
Run simulate_run(const Simulation *);
