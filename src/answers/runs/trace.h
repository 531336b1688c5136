// Traces: a run from an initial state to the node that a search found, rebuilt from the
// ordinals of its transitions by the exact semantics (the search's zones may be abstracted).
//
// Symbolic steps carry the exact zone after the step; concrete ones the exact time at which
// the step is taken, a fraction with the common denominator of the trace.
#pragma once

#include "check/replay.h"
#include "dbm/dbm.h"
#include "model/joint.h"
#include "model/query.h"
#include "search/reach.h"

typedef struct Trace {
  const Net *net;
  TraceKind kind;
  Arena arena;
  Run run;             // without end_clocks if it is symbolic, or the model failed
  const Bound **zones; // symbolic: by step, after it, delay included; else NULL
} Trace;

typedef struct TraceLimit { // the run ends at this time or before; strict: before
  int64_t time;
  bool is_strict;
} TraceLimit;

// The run to the goal of a finished search (REACH_GOAL), within the limit unless that is NULL; or
// to the state in which the model failed (REACH_FAILED: the failing transition itself is left
// out). False if it cannot be rebuilt, which would be a bug.
bool trace_build(Trace *, Mem *, const Net *, const Goal *, const Reach *, ReachResult, TraceKind,
                 const TraceLimit *);
// The run with these ordinals, the initial one first, to where the goal (NULL: anything) holds.
bool trace_follow(Trace *, Mem *, const Net *, const Goal *, const Ordinals *, TraceKind);
void trace_release(Trace *);

// The exact zones after each step of a run, delay included, in the arena; false if it is none.
bool trace_zones(const Run *, const Net *, Arena *, const Bound **zones);

// Evidence that a checker rejects is a bug here or there: better seen at once. The text is
// released.
void trace_expect(bool is_accepted, const char *what, Text *why);
