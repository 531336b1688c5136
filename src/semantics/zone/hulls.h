// One zone for each key: the hull of all zones that a search meets there. A search of such nodes
// ends soon where keys have many zones. It meets all that the exact search meets, and more: so
// only "there is none" is to be taken from it.
//
// The hull of two zones takes the larger of both bounds in each entry; that is tight again. Then
// time passes in it: it has valuations that are in neither zone, and their delays may lead out.
// Bounds of differences are those of some zone of the space. These are finitely many if the space
// extrapolates its zones, and upper bounds follow from them and the invariant: so the search
// ends.
#pragma once

#include "semantics/zone/globalzone.h"

void hulls_init(Hulls *, Mem *, Space *zones); // of global time
void hulls_release(Hulls *);
// The current node of the space becomes the hull of its key with it, unless that covers it
// already. The key is that of the current node, or longer.
void hulls_join(Hulls *, const uint64_t *key, uint32_t words);
