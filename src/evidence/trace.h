// Traces: a run from an initial state to the node that a search found, rebuilt from the
// ordinals of its transitions by the exact semantics (the search's zones may be abstracted).
//
// Symbolic steps carry the exact zone after the step; concrete ones the exact time at which
// the step is taken, a fraction with the common denominator of the trace.
#ifndef TARN_EVIDENCE_TRACE_H
#define TARN_EVIDENCE_TRACE_H

#include "check/replay.h"
#include "dbm/dbm.h"
#include "model/joint.h"
#include "model/query.h"
#include "search/reach.h"

typedef struct TraceStep {
  const Edge *const *edges; // none for the initial state
  uint32_t edge_count;
  uint32_t sync;         // NET_NONE for an asynchronous edge
  const int32_t *state;  // after the step
  const Bound *zone;     // symbolic: after the step, delay included; else NULL
  int64_t time;          // concrete: numerator of the time of the step
  const int64_t *clocks; // concrete: numerators of the clock values after the step
} TraceStep;

typedef struct Trace {
  const Net *net;
  TraceKind kind;
  Arena arena;
  TraceStep *steps; // steps[0] is the initial state
  uint32_t step_count;
  int64_t denominator;       // concrete
  int64_t end_time;          // concrete: when the goal holds
  const int64_t *end_clocks; // NULL if the model failed: then the run ends with its last step
  bool repeats;              // see Run
  uint32_t loop_from;
} Trace;

// The run to the goal of a finished search (REACH_GOAL), or to the state in which the model
// failed (REACH_FAILED: the failing transition itself is left out). False if it cannot be
// rebuilt, which would be a bug.
bool trace_build(Trace *, Mem *, const Net *, const Goal *, const Reach *, ReachResult,
                 TraceKind);
// The same for a goal that is reached before the given time.
bool trace_build_before(Trace *, Mem *, const Net *, const Goal *, const Reach *, TraceKind,
                        int64_t time);
void trace_release(Trace *);

// The exact zones after each step of a run, delay included, in the arena; false if it is none.
bool trace_zones(const Run *, const Net *, Arena *, const Bound **zones);
// A run as a concrete trace; its parts must stay.
void trace_from_run(Trace *, Mem *, const Net *, const Run *);

// A concrete trace as the replayer wants it; the steps are made in the arena.
Run trace_run(const Trace *, Arena *);

#endif
