// Concrete runs without end, from what a search for them has found (answers/queries/liveness.h).
#ifndef TARN_EVIDENCE_LASSORUN_H
#define TARN_EVIDENCE_LASSORUN_H

#include "answers/queries/liveness.h"
#include "answers/runs/trace.h"

// After CYCLES_FOUND and CYCLES_END: a run of the net, which may have one clock less than the one
// searched. Of a lasso the part that repeats is gone through until its end is like its beginning.
// False if that is not found in a few rounds.
bool lassorun_build(Trace *, Mem *, const Net *, Liveness *);

#endif
