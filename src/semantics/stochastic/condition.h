// Conditions on a state in which clocks have values and move: whether they hold, and when they
// begin or cease to hold if time passes.
//
// Between two events a clock moves along a straight line. If a condition compares sums of clocks
// with numbers, its truth changes only where both sides of a comparison are equal. So these
// moments are computed, not searched. A guard of the usual form is a conjunction, that is an
// interval of delays; others are trees of comparisons. A condition that reads clocks in another
// way (a product of clocks, a function) is sampled.
//
// Two values of clocks that differ by less than TOLERANCE (relative, if they are large), or by
// what rounding makes of the time, count as equal: a clock that came to a bound is at it.
#pragma once

#include "model/access.h"

#define CONDITION_TOLERANCE 1e-9

typedef struct Condition Condition; // immutable, in an arena

// Where a condition is looked at. `rates` says how clocks move, by ClockIndex, [0] is 0. The Vm's
// clocks are the values.
typedef struct Motion {
  Vm vm;
  int32_t *state;
  double *clocks, *rates, *moved; // `moved` is room for clocks at another moment
  double *zeros;                  // by clock
  double blur;                    // what rounding makes of the present moment
  uint32_t clock_count;           // with clock 0
  // Some clocks follow differential equations: those that are bent. `advance` writes the clocks
  // of a later moment to `moved`, and next_sample tells where to look after a delay.
  bool is_curved;
  const bool *is_bent; // by clock
  VmResult (*advance)(void *context, double delay);
  double (*next_sample)(void *context, double delay);
  void *context;
  ClockTests tests;
  ClockUpdates updates;
} Motion;

// Compiles a guard, an invariant or a goal; NULL is true. `access` is of the net.
const Condition *condition_make(Arena *, Access *, const Expr *, uint32_t locals);

bool condition_is_moving(const Condition *);          // depends on clocks
bool motion_bends(const Motion *, const Condition *); // on clocks that are bent now

// Whether it holds now. VM_TRUE, VM_FALSE or VM_ERROR.
VmResult condition_holds(const Condition *, Motion *);

// The first delay in [0, limit] from which on it is `wanted`; INFINITY if there is none. With
// *is_open it is so only after that moment, not at it. VM_TRUE or VM_ERROR.
VmResult condition_first(const Condition *, Motion *, bool wanted, double limit, double *delay,
                         bool *is_open);
