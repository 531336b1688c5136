// Renamings in certificates: the checker's own proof that they are symmetries of the network.
//
// A certificate of a reduced search lists families of ids with what belongs to each id
// (processes, clocks, variables, events, values). Here it is checked, with code that shares
// nothing with analysis/symmetry, that exchanging ids maps the network to itself: everything is
// written out as text under the new names and compared, as sorted lists. Values that move may
// only stand in comparisons by == and !=, copies and indices of arrays that move along. Where the
// texts of edges with the same ends differ, these are run on all values of what they access.
#pragma once

#include "check/naming.h"
#include "model/query.h"

typedef struct Renamings {
  const RenamedFamily *families;
  uint32_t count;
} Renamings;

// Whether all of them are symmetries, under which the goal (NULL: none) is invariant. False with
// the reason.
bool renaming_check(const Renamings *, Mem *, const Net *, const Goal *, Text *why);

// Whether `to`, where each id goes, is a permutation that the family allows in this state.
bool renaming_allows(const RenamedFamily *, const Net *, const int32_t *state,
                     const uint32_t *to);
// Renames a state in place, and the clocks: from[x] is the clock that x was before.
void renaming_apply(const RenamedFamily *, const Net *, const uint32_t *to, int32_t *state,
                    int32_t *scratch, ClockIndex *from, ClockIndex *scratch_clocks);
