// Prepares the joint transitions of a location vector as actions on offset matrices
// (semantics/local/localaction.h), and finds their targets.
#pragma once

#include "semantics/local/localvector.h"

// Of a transition in some state, which synchronises (NET_NONE: it does not). Valid until the next
// call.
LocalUse localtransition_use(LocalVectors *, const int32_t *state, uint32_t transition,
                             uint32_t sync);
// Finds target and transformer of a transition (semantics/zone/locvector.h), given the packed
// state that it leads to.
void localtransition_link(LocalVectors *, LocalVector *, uint32_t ordinal,
                          const uint64_t *packed);
// The same, given the target and the step; false, and nothing is done, if that is not the step.
bool localtransition_link_known(LocalVectors *, LocalVector *, uint32_t ordinal,
                                const LocalVector *target, uint32_t step);
