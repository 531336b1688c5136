// Tests of clock differences, propagated backwards through updates: the part of
// analysis/differences.h that handles statements.
//
// The front holds the tests that matter at one point of an update. Before x := y + c a test of x
// is one of y, its constant moved by c; before x := c a test of x - z is one of z alone, and a
// test of x alone disappears.
#ifndef TARN_MODEL_DIFFERENCEFLOW_H
#define TARN_MODEL_DIFFERENCEFLOW_H

#include "analysis/clockflow.h"

enum { DIFFERENCES_MOST = 1000 }; // tests at one place: more are refused

typedef struct FrontTest {
  ClockTest test;
  bool is_own; // of the process that makes the update, or changed by it; else it is foreign
} FrontTest;

typedef struct DifferenceFlow {
  ClockFlow *flow;
  VEC(FrontTest) front;
  bool has_changed; // a test was added since this was last false
} DifferenceFlow;

// An error: there are too many, or their constants have no bound.
void differenceflow_refuse(Report *, Place);

void differenceflow_release(DifferenceFlow *);
// Adds a test, unless it holds always or never. x - y # c is refused, as an error, where the
// front has too many tests or the constant is too large.
void differenceflow_add(DifferenceFlow *, ClockTest, bool is_own, Place);
// Turns the front after the statements into the one before.
void differenceflow_undo(DifferenceFlow *, const Stmt *);

static inline bool differenceflow_same(const ClockTest *a, const ClockTest *b) {
  return a->i == b->i && a->j == b->j && a->constant == b->constant && a->strict == b->strict;
}

#endif
