// Finds out whether a model has an initial state and, if not, says why.
#pragma once

#include "model/net.h"

// Whether the invariants of some initial state hold, or fail to be evaluated: that is an error of
// its own.
bool initial_exists(Mem *, const Net *);

// The first initial location, by process, whose invariant does not hold when all clocks have
// their initial values and all variables theirs; NULL if there is none. If a process has several
// initial locations, it counts only if the invariant of none of them holds.
const Location *initial_obstacle(Mem *, const Net *);

// The first process without an initial location (Net.may_lack_initial); NULL if there is none.
const Process *initial_lacking(const Net *);
