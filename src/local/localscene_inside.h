// Inside scenes of local time: for the modules that fill local/localscene.h.
#ifndef TARN_LOCAL_LOCALSCENE_INSIDE_H
#define TARN_LOCAL_LOCALSCENE_INSIDE_H

#include "local/localscene.h"

#include <string.h>

static inline void *localscene_keep(LocalScenes *scenes, size_t bytes) {
  scenes->scenes->scenes_bytes += bytes;
  return arena_alloc(&scenes->scenes->scenes, bytes);
}

static inline void *localscene_copy(LocalScenes *scenes, const void *from, size_t bytes) {
  void *to = localscene_keep(scenes, bytes);
  if (bytes)
    memcpy(to, from, bytes);
  return to;
}

// Sets of clocks have this many words; there is always one.
static inline uint32_t localscene_set_words(const LocalScenes *scenes) {
  return scenes->all.clocks / 64 + 1;
}

static inline void localscene_add_clock(uint64_t *set, uint32_t clock) {
  set[clock / 64] |= (uint64_t)1 << clock % 64;
}

static inline LocationId localscene_location(const LocalScenes *scenes,
                                             ProcessId p) { // in Scenes.state
  return scenes->firsts[p] + (uint32_t)scenes->scenes->state[scenes->net->location_slot + p];
}

static inline void localscene_add_word(LocalScenes *scenes, uint32_t word) {
  vec_push(scenes->mem, &scenes->words, word);
}

static inline uint32_t localscene_number_words(LocalScenes *scenes, Intern *intern) {
  return intern_number(intern, scenes->words.items, scenes->words.size * sizeof(uint32_t));
}

#endif
