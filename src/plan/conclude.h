// Makes the answer from the result of a search: verdict, run, certificate, graph, messages.
#pragma once

#include "plan/checking.h"

// False after an error: the model failed in a run, or has no state at all.
bool conclude(Check *, ReachResult);

// Looks for something better than what is there. False also if a limit is reached on the way:
// then the memory for it is given back, and the limit is lifted.
bool conclude_try(Check *, bool (*find)(void *state), void *state);
// How many successors a search for a shorter run may make; 0: any number.
uint64_t conclude_effort(const Tarn *);

// Says what stands in the way at the end of the answer's run, at a deadlock or a time-lock. If it
// `waits`, time passes first as long as it can and the goal holds. Whether it can pass on.
bool conclude_obstacles(Check *, bool waits);

// After a search to the end, or before one: false, with an error, if there is no initial state.
bool conclude_has_states(Tarn *);
