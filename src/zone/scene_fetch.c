#include "zone/scene_fetch.h"

#include "zone/scene_inside.h"

// The scene with this hash, if there is one: it may still be another's.
static const Scene *guess_scene(const Scenes *scenes, uint64_t hash) {
  uint32_t at = (uint32_t)hash & scenes->mask;
  for (uint64_t slot; (slot = scenes->slots[at]); at = (at + 1) & scenes->mask)
    if (slot >> 32 == hash >> 32)
      return pool_at(&scenes->list, (uint32_t)slot - 1);
  return NULL;
}

void scene_fetch_key(const Scenes *scenes, const uint64_t *packed, FetchStage stage) {
  const uint64_t hash = scene_hash(scenes, packed);
  if (stage == FETCH_SLOT) {
    mem_fetch(&scenes->slots[(uint32_t)hash & scenes->mask]);
    return;
  }
  const Scene *scene = guess_scene(scenes, hash);
  if (scene && stage == FETCH_ITEM)
    mem_fetch(scene->words);
  else if (scene && scene->moves)
    mem_fetch(scene->moves);
}

void scene_fetch_expect(const Scenes *scenes, SceneAhead *ahead, uint32_t transition,
                        const uint64_t *packed) {
  const uint64_t hash = scene_hash(scenes, packed);
  ahead->items[ahead->count].hash = hash;
  ahead->items[ahead->count++].transition = transition;
  mem_fetch(&scenes->slots[(uint32_t)hash & scenes->mask]);
}

void scene_fetch_ahead(const Scenes *scenes, SceneAhead *ahead, const Scene *from,
                       FetchStage stage) {
  for (uint32_t i = 0; i < ahead->count && stage == FETCH_ITEM; i++) {
    const Scene *scene = guess_scene(scenes, ahead->items[i].hash);
    ahead->items[i].scene = scene;
    if (scene)
      mem_fetch(scene->words);
  }
  for (uint32_t i = 0; i < ahead->count && stage == FETCH_LINK && !scenes->only_bounds; i++) {
    const Scene *scene = ahead->items[i].scene;
    if (scene)
      pairs_fetch(&scenes->passages, scene_maps(from, scene), ahead->items[i].transition);
  }
}
