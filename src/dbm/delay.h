// Delay under an invariant that only bounds single clocks from above.
//
// In a zone Z inside the invariant, let time pass as long as it holds. The new upper bound of x_k
// comes from the clock whose bound is reached first: [k][0] = min over c of [k][c] + b_c. Nothing
// else changes: that is at least the old [k][0], so no other path gets shorter. Thus O(n m)
// for m bounds, instead of a pass over the matrix for each.
#pragma once

#include "dbm/dbm.h"

// Each constraint is an upper bound of a clock (j = 0) and holds in the whole zone.
void dbm_delay(Bound *, uint32_t n, const Constraint *upper, uint32_t count);
