// Runs as verifyta prints them, for scripts that read its output: states as vectors of locations,
// transitions as `P.A->P.B { guard, sync, update }`.
#pragma once

#include "answers/runs/trace.h"

void trace_text(Text *, const Trace *);
