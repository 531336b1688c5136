// Time-darts: a node is a discrete state, an anchor (one whole value per clock) and two distances
// w and p. The points from distance w on, as far as the invariant lets time pass, are reachable;
// those from p on have been visited (JLS12; doc/notes/darts.md).
#pragma once

#include "model/query.h"
#include "search/options.h"
#include "search/space/space.h"

#define DARTS_INFINITE INT32_MAX // as a passed distance: nothing has been visited

// As zones_new. Refuses strict constraints. tickrename_attach reduces it by symmetry.
Space *darts_new(Mem *, const Net *, const Goal *, const Options *, Report *);

// The distances of one of the kept darts; its anchor is what tickspace_at calls its values.
void darts_distances(const Space *, uint32_t ref, int32_t *waiting, int32_t *passed);
