// One zone for each key: the hull of all zones that a search meets there. A search of such nodes
// ends soon where keys have many zones. It meets all that the exact search meets, and more. So
// only its answer "there is none" counts.
//
// The hull of two zones takes the larger of both bounds in each entry; the result is tight. Then
// time passes in it, because the hull has valuations that are in neither zone, and their delays
// may lead out of it. Each bound of a difference is a bound of some zone of the space. If the
// space extrapolates its zones, there are finitely many such bounds, and upper bounds follow from
// them and the invariant. So the search ends.
#pragma once

#include "semantics/zone/globalzone.h"

void hulls_init(Hulls *, Mem *, Space *zones); // of global time
void hulls_release(Hulls *);
// The current node of the space becomes the hull of its key with it, unless that covers it
// already. The key is that of the current node, or longer.
void hulls_join(Hulls *, const uint64_t *key, uint32_t words);
