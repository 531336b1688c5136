// The unit of time. Matrices hold small constants only, but models may count in nanoseconds. If
// all constants that clocks meet, in tests, updates and initial values, have a common divisor,
// they can be divided by it: a constant c becomes c / unit, and a time t of the source is t /
// unit then. All constraints x - y < c are divided by the same positive number, so the runs
// differ only in their times, and strictness does not change. Writers multiply times and
// constants by the unit.
//
// A unit other than 1 is taken only if some constant would be too large without (scale_wanted).
// Nets are read in the unit of the source; model/units.h makes those in other units.
#pragma once

#include "model/expr/expr.h"

// The constants that clocks meet, in the unit of the source.
typedef struct Scale {
  int64_t unit;    // in which they are counted where this is found; 0: 1
  int64_t common;  // greatest common divisor of all; 0: none but 0
  int64_t max;     // the largest of them
  bool is_dynamic; // some depend on variables: then the unit must be 1
  bool is_known;   // all constants were noted
} Scale;

static inline int64_t scale_unit(const Scale *scale) { return scale->unit ? scale->unit : 1; }

void scale_note(Scale *, int64_t constant);
void scale_note_expr(Scale *, const Expr *); // the clock tests in it; NULL: none
void scale_note_stmts(Scale *, const Stmt *);
void scale_join(Scale *, const Scale *); // notes what the other one has noted

// The unit for these constants, if they are to be at most `limit`; 1 if no other one helps.
int64_t scale_wanted(const Scale *, int64_t limit);

// Trees with all constants of clocks divided by the unit, which divides them. Parts that stay the
// same are shared.
typedef struct ScaleDivider {
  Arena *arena;
  int64_t unit;
  const Function *const *functions; // by id, to be called instead; NULL: calls stay as they are
} ScaleDivider;
const Expr *scale_expr(const ScaleDivider *, const Expr *);
const Stmt *scale_stmts(const ScaleDivider *, const Stmt *);

// value * unit / denominator, reduced.
void scale_print(Text *, int64_t value, int64_t denominator, int64_t unit);
