// Tests of clock differences, propagated backwards through updates: the part of
// analysis/diagonals.h that handles statements.
//
// The front holds the tests that matter at one point of an update. Before x := y + c a test of x
// is one of y, its constant moved by c; before x := c a test of x - z is one of z alone, and a
// test of x alone disappears.
#pragma once

#include "analysis/clockflow.h"

enum { DIAGONALS_MAX = 1000 }; // tests at one place: more are refused

typedef struct FrontTest {
  ClockTest test;
  bool is_own; // of the process that makes the update, or changed by it; else it is foreign
} FrontTest;

typedef struct DiagonalFlow {
  ClockFlow *flow;
  VEC(FrontTest) front;
  bool has_changed; // a test was added since this was last false
} DiagonalFlow;

// An error: there are too many, or their constants have no bound.
void diagonalflow_refuse(Report *, Place);

void diagonalflow_release(DiagonalFlow *);
// Adds a test, unless it holds always or never. x - y # c is refused, as an error, where the
// front has too many tests or the constant is too large.
void diagonalflow_add(DiagonalFlow *, ClockTest, bool is_own, Place);
// Turns the front after the statements into the one before.
void diagonalflow_undo(DiagonalFlow *, const Stmt *);

static inline bool diagonalflow_same(const ClockTest *a, const ClockTest *b) {
  return a->i == b->i && a->j == b->j && a->constant == b->constant && a->strict == b->strict;
}
