// Inside location vectors of local time: for the modules that fill local/localvector.h.
#ifndef TARN_LOCAL_LOCALVECTOR_INSIDE_H
#define TARN_LOCAL_LOCALVECTOR_INSIDE_H

#include "local/localvector.h"

#include <string.h>

static inline void *localvector_keep(LocalVectors *vectors, size_t bytes) {
  return arena_alloc(&vectors->vectors->cache, bytes);
}

static inline void *localvector_copy(LocalVectors *vectors, const void *from, size_t bytes) {
  void *to = localvector_keep(vectors, bytes);
  if (bytes)
    memcpy(to, from, bytes);
  return to;
}

// Sets of clocks have this many words; there is always one.
static inline uint32_t localvector_set_words(const LocalVectors *vectors) {
  return vectors->all.clocks / 64 + 1;
}

static inline void localvector_add_clock(uint64_t *set, uint32_t clock) {
  set[clock / 64] |= (uint64_t)1 << clock % 64;
}

static inline LocationId localvector_location(const LocalVectors *vectors,
                                              ProcessId p) { // in LocVectors.state
  return vectors->firsts[p] +
         (uint32_t)vectors->vectors->draft.state[vectors->net->location_slot + p];
}

static inline void localvector_add_word(LocalVectors *vectors, uint32_t word) {
  vec_push(vectors->mem, &vectors->words, word);
}

static inline uint32_t localvector_number_words(LocalVectors *vectors, Intern *intern) {
  return intern_number(intern, vectors->words.items, vectors->words.size * sizeof(uint32_t));
}

#endif
