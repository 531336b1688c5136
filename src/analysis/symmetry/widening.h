// What is known of the values that variables can have (model/ranges.h, model/localranges.h) is
// made closed under the permutations of families: if a state is mapped to another one, that one
// is within the intervals, too.
#ifndef TARN_SYMMETRY_WIDENING_H
#define TARN_SYMMETRY_WIDENING_H

#include "analysis/symmetry/family.h"

// A view of the net, in the arena, with wider intervals. It shares all else with the net, which
// must outlive it, and is not released.
const Net *widening_apply(const Family *, uint32_t count, Arena *, const Net *);

#endif
