// Concrete times for a sequence of joint transitions.
//
// The times T_0 <= T_1 <= ... of the steps are the unknowns. Every clock value is the time
// since some step plus a constant, so each guard, invariant and goal test is a difference
// constraint T_u - T_v <= c or < c. The earliest solution is found by longest paths from T_0 = 0
// over pairs (integer part, number of epsilons), where a strict constraint counts one
// epsilon; then the largest epsilon 1/m that satisfies everything is taken: the denominator
// is as small as it can be for that solution.
#pragma once

#include "base/arena.h"
#include "base/vec.h"
#include "dbm/dbm.h"
#include "model/expr/code.h"

typedef struct Difference { // T_u - T_v < or <= constant
  uint32_t u, v;
  int64_t constant;
  bool strict;
} Difference;

typedef struct ConcreteTimes {
  Mem *mem;
  VEC(Difference) constraints;
  uint32_t clocks;  // clock 0 included
  uint32_t *origin; // per clock: the step at which it was `offset`
  int64_t *offset;
  uint32_t now;            // the present step
  int64_t denominator;     // after concretetimes_solve
  int64_t max_denominator; // larger ones are not tried; 0: any
  bool has_outgrown;       // offsets have become too large
  VEC(int64_t) times;      // numerators
} ConcreteTimes;

typedef struct ClockOrigins { // of all clocks, as ConcreteTimes has them
  const uint32_t *origin;
  const int64_t *offset;
} ClockOrigins;

void concretetimes_init(ConcreteTimes *, Mem *, uint32_t clocks); // step 0, all clocks 0
void concretetimes_step(ConcreteTimes *, bool can_delay);         // the next step, delayed or not
void concretetimes_test(ConcreteTimes *, const ClockTest *,
                        uint32_t count); // must hold at the present step
// The same of the bounds of a zone of n clocks, those left out that are not among ours. Bounds of
// clocks from below, or from above, may be met though they are strict.
typedef enum Relaxed { AS_IT_IS, LOWER_RELAXED, UPPER_RELAXED } Relaxed;
void concretetimes_test_zone(ConcreteTimes *, const Bound *zone, uint32_t n, Relaxed);
void concretetimes_update(ConcreteTimes *, const ClockUpdate *, uint32_t count);
// The present step is at this time or before; strict: before.
void concretetimes_limit(ConcreteTimes *, int64_t time, bool is_strict);
bool concretetimes_solve(ConcreteTimes *); // false: no solution

// The present ones; and, after concretetimes_solve, the values of clocks that had these when the
// time was that of a step: numerators. Both in the arena.
ClockOrigins concretetimes_origins(const ConcreteTimes *, Arena *);
const int64_t *concretetimes_clocks(const ConcreteTimes *, ClockOrigins, uint32_t step, Arena *);
