// Courses: runs in the making. Transitions are taken one after the other, by the exact semantics,
// and what they ask of the times is collected (semantics/zone/concretetimes.h). A solution fills
// in the times of the steps and the values of the clocks.
#pragma once

#include "answers/runs/stoptimes.h"
#include "check/replay.h"
#include "dbm/federation.h"
#include "model/stepper.h"
#include "semantics/zone/concretetimes.h"

typedef struct CourseStep {
  RunStep step;    // without time and clocks
  uint32_t moment; // its step in `times`; others are delays only
  ClockOrigins origins;
} CourseStep;

typedef struct Course {
  Arena *arena; // of the run
  const Net *net;
  Mem *mem;  // of what is not in the arena of the run
  Arena own; // likewise
  Stepper stepper;
  ConcreteTimes times;
  bool has_stops; // clocks can be stopped: `stops` takes the place of `times`
  StopTimes stops;
  bool *stopped; // now
  bool passes;   // the present transition of `joint` is a delay (model/joint.h), which comes next
  int32_t *state; // now
  VEC(CourseStep) steps;
} Course;

// These are false if it cannot be. From the beginning, in an initial state.
bool course_init(Course *, const Net *, Arena *, const int32_t *state);
void course_release(Course *); // also if it cannot
// Time passes in the present state, or none if it cannot.
bool course_delay(Course *);
// Clock tests hold now. The number of tests until then, to which they can be set back.
void course_test(Course *, const ClockTests *);
uint32_t course_tests(const Course *);
void course_forget_tests(Course *, uint32_t count);
bool course_solve(Course *); // times for all tests
// The joint transition is taken at this moment.
bool course_fire(Course *, uint32_t ordinal);
// Adds that the clocks are now in one of the zones: the first with which there is a solution.
bool course_choose(Course *, const Federation *);
// The steps, with the solution that was found last, and the present as the end.
void course_fill(const Course *, Run *);
