// Steps of local time: joint transitions, prepared as actions on offset matrices
// (local/localaction.h) for the scenes in which they are taken, and where they lead.
#ifndef TARN_LOCAL_LOCALSTEP_H
#define TARN_LOCAL_LOCALSTEP_H

#include "local/localscene.h"

// Valid until the next call.
LocalUse localstep_use(LocalScenes *, const LocalScene *, uint32_t ordinal);
// Finds target and effect of a move (zone/scene.h), given the packed state that it leads to.
void localstep_link(LocalScenes *, LocalScene *, uint32_t ordinal, const uint64_t *packed);
// The same, given the target and the step; false, and nothing is done, if that is not the step.
bool localstep_link_known(LocalScenes *, LocalScene *, uint32_t ordinal, const LocalScene *target,
                          uint32_t step);

#endif
