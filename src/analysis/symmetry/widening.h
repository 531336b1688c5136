// What is known of the values that variables can have (model/ranges.h, model/localranges.h) is
// made closed under the permutations of families: if a state is mapped to another one, that one
// is within the intervals, too.
#ifndef TARN_SYMMETRY_WIDENING_H
#define TARN_SYMMETRY_WIDENING_H

#include "analysis/symmetry/family.h"

// The new intervals lie in the arena.
void widening_apply(const Family *, uint32_t count, Arena *, Net *);

#endif
