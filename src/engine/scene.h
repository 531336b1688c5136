// Scenes: what a search needs to know of a location vector, found once and kept: the frame
// (clocks that matter, with their bounds), the invariant as constraints over it, whether time
// may pass.
//
// The cache is bounded: when it is full, all scenes are forgotten. That happens in
// scene_keep_small only, so that pointers to scenes are valid from one call of it to the next.
#ifndef TARN_ENGINE_SCENE_H
#define TARN_ENGINE_SCENE_H

#include "dbm/dbm.h"
#include "engine/frame.h"
#include "model/clockbounds.h"

typedef struct Scene Scene;

struct Scene {
  Scene *next; // in its bucket
  uint64_t hash;
  const Frame *frame;
  const Constraint *invariant; // the constant clock tests
  uint32_t invariant_count;
  bool is_dynamic; // some invariant depends on variables: ask the Vm instead
  bool is_upper;   // all of `invariant` bound single clocks from above
  bool can_delay;
  int32_t locations[]; // one per process
};

typedef struct Scenes {
  const Net *net;
  const ClockBounds *bounds; // NULL: all clocks, without bounds
  bool is_global;            // one frame for all
  bool is_m;                 // both bounds of a clock are the larger one
  uint32_t n;                // clocks, clock 0 included
  const uint64_t *keys;      // by location: a scene's hash is the xor of its locations' keys
  Arena arena;               // keeps; `scenes` is emptied when the cache is full
  Arena scenes;
  Frame fixed; // the frame for all, if there is one
  int32_t *lower, *upper;
  Scene **buckets;
  uint32_t count;
  uint32_t mask, most; // buckets - 1; scenes at the most
} Scenes;

void scene_init(Scenes *, Mem *, const Net *, const ClockBounds *, bool is_global, bool is_m);
void scene_release(Scenes *);
void scene_keep_small(Scenes *);

uint64_t scene_hash(const Scenes *, const int32_t *state);
const Scene *scene_make(Scenes *, const int32_t *state, uint64_t hash); // used by scene_find

// The scene of a state whose hash is known: the hash changes by key(old) ^ key(new) when a
// process moves.
static inline const Scene *scene_find(Scenes *scenes, const int32_t *state, uint64_t hash) {
  const uint32_t count = scenes->net->processes.size;
  const int32_t *locations = state + scenes->net->location_slot;
  for (const Scene *scene = scenes->buckets[hash & scenes->mask]; scene; scene = scene->next) {
    int32_t differs = 0;
    for (uint32_t p = 0; p < count; p++)
      differs |= scene->locations[p] ^ locations[p];
    if (!differs)
      return scene;
  }
  return scene_make(scenes, state, hash);
}

#endif
