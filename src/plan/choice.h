// Choice: the engine and the symmetry for one query on one network, and why.
#pragma once

#include "plan/checking.h"

enum { CHOICE_LEAST_VISITED = 10000 }; // less takes no time: there is nothing to gain

// Decides the engine and the symmetry, as far as these options leave them open. Fills in
// check->choice and check->symmetry; a symmetry may widen the query (see widen_query).
void choice_make(Check *, const Options *);
// The same for a query about infinite runs: engine zones, and a symmetry.
void choice_make_infinite(Check *, const Options *);

// The same for extreme values: engine zones.
void choice_make_extreme(Check *);

// One sentence if another engine, which could answer the query as well, fits the model better
// than the one that has, and enough nodes were visited to care; else NULL.
const char *choice_hint(const Answer *, Mem *, const Net *);
