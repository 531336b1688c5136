// Intervals of variables at one point of a model, and how conditions and statements change them.
// An interval contains every value that the variable can have at this point. Most intervals are
// those of the net (model/ranges.h); model/localranges.h refines some.
#pragma once

#include "model/access.h"

typedef struct Intervals {
  const Net *net;
  const int32_t *low, *high; // by slot
} Intervals;

typedef struct Cells { // slots, or entries of Net.tables, that a storage expression can denote
  ExprKind root;       // EXPR_VAR, EXPR_TABLE; else not known
  uint32_t first, count;
} Cells;

static inline Range intervals_join(Range a, Range b) {
  return (Range){a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
}
static inline Range intervals_meet(Range a, Range b) { // empty: low > high
  return (Range){a.low > b.low ? a.low : b.low, a.high < b.high ? a.high : b.high};
}

// As expr_range, with these intervals.
Range intervals_of(const Intervals *, const Expr *);
static inline Range intervals_of_net(const Net *net, const Expr *expr) {
  return intervals_of(&(Intervals){net, net->slots.low, net->slots.high}, expr);
}
Cells intervals_cells(const Intervals *, const Expr *storage);

// Intervals that change on the way through conditions and statements.
typedef struct Flow {
  Access *access;
  const Net *net; // its own intervals are what is known at every time
  int32_t *low, *high;
  bool is_dead; // no state gets here
} Flow;

// The condition holds, or does not; it is evaluated at this point.
void intervals_assume(Flow *, const Expr *condition, bool holds);
// The statements are run. No other process writes in between what they write.
void intervals_run(Flow *, const Stmt *);
