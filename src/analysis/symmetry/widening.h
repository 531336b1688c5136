// Widens the intervals of variables (model/ranges.h, model/localranges.h) until they are closed
// under the permutations of families: if a state lies within the intervals, so does every image
// of it.
#pragma once

#include "analysis/symmetry/family.h"

// A view of the net, in the arena, with wider intervals. It shares all else with the net, which
// must outlive it, and is not released.
const Net *widening_apply(const Family *, uint32_t count, Arena *, const Net *);
