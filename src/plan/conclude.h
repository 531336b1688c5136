// Makes the answer from the result of a search: verdict, run, certificate, graph, messages.
#ifndef TARN_CONCLUDE_H
#define TARN_CONCLUDE_H

#include "plan/checking.h"

// False after an error: the model failed in a run, or has no state at all.
bool conclude(Check *, ReachResult);

// After a search to the end, or before one: false, with an error, if there is no initial state.
bool conclude_has_states(Tarn *);

#endif
