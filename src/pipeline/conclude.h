// Makes the answer from the result of a search: verdict, run, certificate, graph, messages.
#ifndef TARN_CONCLUDE_H
#define TARN_CONCLUDE_H

#include "pipeline/checking.h"

// False after an error: the model failed in a run, or has no state at all.
bool conclude(Check *, ReachResult);

#endif
