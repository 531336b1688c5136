// Inside scenes: for the modules that fill zone/scene.h.
#ifndef TARN_ZONE_SCENE_INSIDE_H
#define TARN_ZONE_SCENE_INSIDE_H

#include "zone/scene.h"

// What an interned list of words is of.
enum { SCENE_ENTRY, SCENE_STAY, SCENE_PASSAGE, SCENE_BOUNDS };

static inline void *scene_alloc(Scenes *scenes, size_t bytes) {
  scenes->scenes_bytes += bytes;
  return arena_alloc(&scenes->scenes, bytes);
}

// Contents are interned as words: up to three, and `most` others.
static inline void scene_begin_words(Scenes *scenes, uint32_t most, uint32_t a, uint32_t b,
                                     uint32_t c) {
  vec_reserve(scenes->mem, &scenes->words, most + 3);
  scenes->words.items[0] = a;
  scenes->words.items[1] = b;
  scenes->words.items[2] = c;
  scenes->words.size = 3;
}

static inline void scene_add_words(Scenes *scenes, const void *words, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    scenes->words.items[scenes->words.size++] = ((const uint32_t *)words)[i];
}

static inline uint32_t scene_end_words(Scenes *scenes, Intern *intern) {
  return intern_number(intern, scenes->words.items, scenes->words.size * sizeof(uint32_t));
}

// What a zone goes through and then enters, as one number: mostly both fit into one. Builds with
// assertions have few that do, to have the others tested.
#ifdef NDEBUG
enum { SCENE_SMALL = 1 << 15 };
#else
enum { SCENE_SMALL = 1 << 4 };
#endif
static inline uint32_t scene_number_effect(Scenes *scenes, uint32_t passage, uint32_t entry) {
  const uint32_t other = (uint32_t)1 << 31;
  if (passage < SCENE_SMALL && entry <= UINT16_MAX)
    return passage << 16 | entry;
  const uint32_t known = pairs_get(&scenes->effects, passage, entry);
  if (known)
    return known;
  pairs_set(&scenes->effects, passage, entry, other | scenes->effects.count);
  return other | (scenes->effects.count - 1);
}

static inline uint64_t scene_hash(const Scenes *scenes, const uint64_t *packed) {
  uint64_t hash = 0;
  for (uint32_t i = 0; i < scenes->layout->words; i++) {
    hash = (hash ^ (packed[i] & scenes->masks[i])) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 32;
  }
  return hash;
}

static inline bool scene_is_of(const Scenes *scenes, const Scene *scene, const uint64_t *packed) {
  for (uint32_t i = 0; i < scenes->layout->words; i++)
    if (scene->words[i] != (packed[i] & scenes->masks[i]))
      return false;
  return true;
}

static inline uint64_t scene_maps(const Scene *from, const Scene *to) {
  return (uint64_t)from->map << 32 | to->map;
}

// The scene of a packed state, made anew; with `after`, that of a delay by a transition after
// which these tests hold.
Scene *scene_make(Scenes *, const uint64_t *packed, const ClockTestList *after);
// The number of a joint transition, and of a frame's map, which the frame then has.
uint32_t scene_find_transition(Scenes *, const Edge *const *joint, uint32_t count);
uint32_t scene_share_map(Scenes *, Frame *);

#endif
