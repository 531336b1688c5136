// The stepper: runs joint transitions of a net (model/joint.h) on states. It has the interpreter,
// and space for clock tests and updates.
//
// Each call clears the clock tests or updates that it writes; the others keep their contents.
#pragma once

#include "model/joint.h"
#include "model/query.h"

typedef struct Stepper {
  Vm vm;
  Joint joint; // on the present transition
  ClockTests tests;
  ClockUpdates updates;
} Stepper;

void stepper_init(Stepper *, const Net *, Arena *);
void stepper_release(Stepper *); // what is not in the arena

// Inline, as they are the inner loop of spaces that count time in whole units. The guard of the
// present transition: its clock tests are `tests`.
static inline VmResult stepper_guard(Stepper *stepper, const int32_t *state) {
  vec_clear(&stepper->tests);
  return joint_guard(&stepper->joint, &stepper->vm, state, &stepper->tests);
}

// The present transition changes the state; its clock updates are `updates`.
static inline VmResult stepper_fire(Stepper *stepper, int32_t *state) {
  vec_clear(&stepper->updates);
  return joint_fire(&stepper->joint, &stepper->vm, state, &stepper->updates);
}

// The clock tests of the invariant are `tests`.
static inline VmResult stepper_invariant(Stepper *stepper, const int32_t *state) {
  vec_clear(&stepper->tests);
  return joint_invariant(stepper->joint.net, &stepper->vm, state, &stepper->tests);
}

// As goal_clause; the clock tests of the clause are `tests`.
static inline VmResult stepper_goal(Stepper *stepper, const Goal *goal, const int32_t *state,
                                    uint32_t *clause) {
  vec_clear(&stepper->tests);
  return goal_clause(goal, &stepper->vm, state, clause, &stepper->tests);
}
