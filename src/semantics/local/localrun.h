// Turns runs of local time into runs of global time: the actions, ordered by the time at which
// they happen (GHSW19, Lemmas 10 and 11).
#pragma once

#include "model/query.h"
#include "semantics/local/localvector.h"

// Takes the ordinals of a run in the order in which the search found it, the initial one first,
// and replaces them by those of a run in global time to the same state, in which the goal (NULL:
// nothing) can hold at the end. False if there is none, which would be a bug.
bool localrun_order(LocalVectors *, const Goal *, uint32_t *ordinals, uint32_t count);
