// Runs of a search that is reduced by symmetry, mapped back to runs of the model.
//
// The nodes on the path to the goal are representatives: each was renamed after it was made. The
// path is made once more in the same space, which reports the renamings, and the transitions are
// looked up under the names that they have in the model. The result is an ordinary run from an
// initial state.
#pragma once

#include "search/space/trail.h"

// Replaces the ordinals of a path through representatives, the initial one first, by those of the
// run in the model. False if it cannot, which would be a bug.
bool unfold_run(Space *, Mem *, uint32_t *ordinals, uint32_t count);

// The same for a space that keeps trails: of the steps of a path, last first, which know how
// their nodes were renamed, and a last transition, SPACE_DELAY for none. Nothing is made again.
bool unfold_steps(Space *, Mem *, const TrailSteps *, uint32_t last, Ordinals *);
