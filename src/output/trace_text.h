// Runs in the manner of verifyta, for scripts that read its output: states as vectors of
// locations, transitions as `P.A->P.B { guard, sync, update }`.
#ifndef TARN_UPPAAL_TRACE_TEXT_H
#define TARN_UPPAAL_TRACE_TEXT_H

#include "answers/runs/trace.h"

void trace_text(Text *, const Trace *);

#endif
