// Infinite runs, from what a search for them has found (answers/queries/liveness.h).
#pragma once

#include "answers/queries/liveness.h"
#include "answers/runs/trace.h"

// After CYCLES_FOUND and CYCLES_END: a run of the net, which may have one clock less than the one
// searched. Of a lasso the part that repeats is gone through until its end is like its beginning.
// If that is not found in a few rounds, its times vary from round to round (Run.varies). If that
// cannot be shown either, or TRACE_SYMBOLIC is asked for, the run is symbolic: one
// round, with its zones; not with `kept`. False if there is none, which would be a bug then.
bool lassorun_build(Trace *, Mem *, const Net *, Liveness *, TraceKind);
