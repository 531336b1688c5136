// The unit of time of a net. Matrices hold small constants only, but models may count in
// nanoseconds. If all constants that clocks meet, in tests, updates and initial values, have a
// common divisor, the net can be read with that as its unit: a constant c becomes c / unit, and a
// time t of the model is t / unit in the net. All constraints x - y < c are divided by the same
// positive number, so that the runs of both are the same but for their times, and strictness does
// not change. Code that shows a time or a constant of the net multiplies it by the unit.
//
// A unit other than 1 is taken only if some constant would be too large without (scale_wanted).
// Queries take part: a net is read again if a query does not fit its unit.
#pragma once

#include "model/expr/expr.h"

typedef struct Scale {
  int64_t unit;    // 0: 1
  int64_t common;  // greatest common divisor of all constants so far; 0: none but 0
  int64_t max;     // the largest of them
  bool is_dynamic; // some depend on variables: then the unit must be 1
  bool misfits;    // some constant is no multiple of the unit
} Scale;

static inline int64_t scale_unit(const Scale *scale) {
  return scale && scale->unit ? scale->unit : 1;
}

// Notes a constant of the source, and gives that of the net. NULL: there is no scale.
int64_t scale_constant(Scale *, int64_t value);
// The same of an expression, which stays as it is unless it is constant. NULL is 0.
const Expr *scale_expr(Scale *, Arena *, const Expr *);
// A constant of the source that 32 bits need not hold (Expr.wide).
const Expr *scale_number(Scale *, Arena *, Place, int64_t value);

// The unit for these constants, if they are to be at most `limit`; 1 if no other one helps.
int64_t scale_wanted(const Scale *, int64_t limit);

// value * unit / denominator, reduced.
void scale_print(Text *, int64_t value, int64_t denominator, int64_t unit);
