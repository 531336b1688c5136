// Concrete times for a sequence of joint transitions where clocks can be stopped
// (model/stopwatches.h): semantics/zone/concretetimes.h for such models.
//
// The unknowns are the delays d_0, d_1, ... A clock is a constant plus the delays in which it ran
// since it was set. So each test is a row of a linear program (answers/runs/simplex.h). Zones of
// such models contain more than can be: there may be no solution.
#pragma once

#include "answers/runs/simplex.h"
#include "base/arena.h"
#include "model/expr/code.h"

typedef struct StopSpan { // delays [from, to) in which a clock counted, as the clock `of`
  ClockIndex of;
  uint32_t from, to; // to UINT32_MAX: it still does
} StopSpan;

typedef struct StopClock {
  int64_t offset;
  VEC(StopSpan) spans; // clocks that are set to others have several
} StopClock;

typedef struct StopTest {                       // of two clocks, when it was made
  uint32_t first_span, plus_count, minus_count; // of StopTimes.spans: x_i, then x_j
  uint32_t delays;                              // so far
  int64_t bound;
  bool is_strict;
} StopTest;

typedef enum StopEventKind { STOP_DELAY, STOP_UPDATE, STOP_STEP } StopEventKind;

typedef struct StopEvent {
  StopEventKind kind;
  uint32_t delay;     // STOP_DELAY
  ClockUpdate update; // STOP_UPDATE
} StopEvent;

typedef struct StopTimes {
  Arena *arena;
  uint32_t clocks; // clock 0 included
  StopClock *now;
  VEC(const bool *) stopped; // by delay, then by clock
  VEC(StopTest) tests;
  VEC(StopSpan) spans;
  VEC(StopEvent) events;
  VEC(int64_t) delays; // after stoptimes_solve: numerators
  int64_t denominator;
} StopTimes;

void stoptimes_init(StopTimes *, Arena *, uint32_t clocks);          // all clocks 0
void stoptimes_delay(StopTimes *, const bool *stopped);              // time passes
void stoptimes_step(StopTimes *);                                    // marks a step of the run
void stoptimes_test(StopTimes *, const ClockTest *, uint32_t count); // hold now
void stoptimes_update(StopTimes *, const ClockUpdate *, uint32_t count);
SimplexResult stoptimes_solve(StopTimes *, int64_t max_denominator);

// After stoptimes_solve: walks through the run. The time and the values of the clocks at the next
// step, or, after the last one, at the end.
typedef struct StopWalk {
  const StopTimes *times;
  uint32_t event;
  int64_t time, *values;
} StopWalk;
void stoptimes_walk(StopWalk *, const StopTimes *);
void stoptimes_next(StopWalk *);
