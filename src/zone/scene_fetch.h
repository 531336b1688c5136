// SPEED: a seventh of the time of Fischer 11. Without it (MODE=plain): scene_find waits for
// memory.
//
// Prefetching of scenes, for search/prefetch.h.
#ifndef TARN_ZONE_SCENE_FETCH_H
#define TARN_ZONE_SCENE_FETCH_H

#include "zone/scene.h"

// Has memory fetched (see store_fetch) that scene_find will need, in two stages; and, after them,
// the moves.
void scene_fetch_key(const Scenes *, const uint64_t *packed, FetchStage);
// The same for the targets of moves that have no link yet, which are *expected*, and for their
// effects.
void scene_fetch_expect(const Scenes *, SceneAhead *, uint32_t transition,
                        const uint64_t *packed);
void scene_fetch_ahead(const Scenes *, SceneAhead *, const Scene *from, FetchStage);

#endif
