// Discrete points: a node is a discrete state and one whole value per clock; time passes by
// single units. This is the naive algorithm; the other engines are tested against it.
#pragma once

#include "model/query.h"
#include "search/options.h"
#include "search/space/space.h"

// As zones_new. Refuses strict constraints. tickrename_attach reduces it by symmetry.
Space *points_new(Mem *, const Net *, const Goal *, const Options *, Report *);

uint32_t points_count(const Space *); // those that are kept (tickspace_at)
// By clock, the least value in this state that stands for all larger ones, too. For models
// without tested differences of clocks.
void points_limits(Space *, const int32_t *state, int32_t *limits);
