// Concrete times for a sequence of joint transitions.
//
// The times T_0 <= T_1 <= ... of the steps are the unknowns. Every clock value is the time
// since some step plus a constant, so each guard, invariant and goal test is a difference
// constraint T_u - T_v <= c or < c. The earliest solution is found by longest paths from T_0 = 0
// over pairs (integer part, number of epsilons), where a strict constraint counts one
// epsilon; then the largest epsilon 1/m that satisfies everything is taken: the denominator
// is as small as it can be for that solution.
#ifndef TARN_ZONE_TIMING_H
#define TARN_ZONE_TIMING_H

#include "base/vec.h"
#include "model/code.h"

typedef struct Difference { // T_u - T_v < or <= constant
  uint32_t u, v;
  int64_t constant;
  bool strict;
} Difference;

typedef struct Timing {
  Mem *mem;
  VEC(Difference) constraints;
  uint32_t clocks;  // clock 0 included
  uint32_t *origin; // per clock: the step at which it was `offset`
  int64_t *offset;
  uint32_t now;        // the present step
  int64_t denominator; // after timing_solve
  VEC(int64_t) times;  // numerators
} Timing;

void timing_init(Timing *, Mem *, uint32_t clocks); // step 0, all clocks 0
void timing_release(Timing *);
void timing_step(Timing *, bool can_delay);                    // the next step, delayed or not
void timing_test(Timing *, const ClockTest *, uint32_t count); // must hold at the present step
void timing_update(Timing *, const ClockUpdate *, uint32_t count);
void timing_limit(Timing *, int64_t time); // the present step is before this time
bool timing_solve(Timing *);               // false: no solution

#endif
