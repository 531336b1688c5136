// Levels of clocks, propagated backwards through updates: the part of analysis/clockbounds.h that
// handles statements.
//
// A level is the largest constants with which a clock may still be compared. A *front* holds
// the levels at one point of an update, as two rows: those of the process that makes the
// update, then the *foreign* ones, of others. Rows are indexed by ClockFlow.position.
#pragma once

#include "model/expr/clockuse.h"
#include "model/net.h"

#define CLOCK_UNBOUNDED INT32_MIN // no test: the value does not matter

typedef struct Level {
  int64_t lower, upper;
} Level;

#define NO_LEVEL ((Level){CLOCK_UNBOUNDED, CLOCK_UNBOUNDED})

typedef struct ClockFlow {
  Mem *mem;
  const Net *net;
  Report *report;
  bool *touches;               // by function: it assigns clocks, by itself or through others
  bool some_touches;           // some function does
  uint32_t *position;          // by clock, in the rows of now; UINT32_MAX: not there
  uint32_t size;               // of a row
  int64_t max;                 // constants are cut to this
  int64_t limit;               // a level above it is an error: it would grow for ever
  struct ClockUndones *undone; // inside of clockflow_undo: what it knows of functions
} ClockFlow;

void clockflow_init(ClockFlow *, Mem *, const Net *, int64_t max, Report *);

static inline int64_t clockflow_larger(int64_t a, int64_t b) { return a > b ? a : b; }
// Both true if something changed.
bool clockflow_raise(Level *, Level by);
bool clockflow_raise_all(Level *row, const Level *by, uint32_t size);

// Constants are cut to what clocks may be compared with.
static inline int64_t clockflow_clamp(int64_t value, int64_t max) {
  return value > max ? max : value < -max ? -max : value;
}

// Least value of e in x := y + e.
static inline int64_t clockflow_addend(const ClockFlow *flow, const Stmt *assign) {
  return assign->value ? clockflow_clamp(expr_range(assign->value).low, flow->max) : 0;
}

// Calls `visit` for the clock assignments of statements and of the functions that they call, once
// for each function. (Functions do not recurse: front ends refuse it.)
void clockflow_assigns(const ClockFlow *, const Stmt *, ClockAssignVisit *, void *context);

// Turns the front after the statements into the one before. x := e ends the levels of x, x :=
// y + c moves them, less c, to the own level of y (x := x + c with c >= 0 only the own ones),
// and if c is negative asks whether y is at least -c. Sources must have a position.
void clockflow_undo(const ClockFlow *, const Stmt *, Level *front);
// The same for the update of an edge and what is around all updates. That ends no level: updates
// of other edges of the transition come between.
void clockflow_undo_edge(const ClockFlow *, const Edge *, Level *front);
