// Inside location vectors: for the modules that fill semantics/zone/locvector.h.
#pragma once

#include "base/testbuild.h"
#include "semantics/zone/locvector.h"

// What an interned list of words is of.
enum { PART_SETTING, PART_BOUNDS, PART_PASSAGE, PART_RENAMING, PART_BOTH };

// Contents are interned as words: three, and `max` others.
static inline void locvector_begin_words(LocVectors *vectors, uint32_t max, uint32_t a,
                                         uint32_t b, uint32_t c) {
  vec_reserve(vectors->mem, &vectors->draft.words, max + 3);
  vectors->draft.words.items[0] = a;
  vectors->draft.words.items[1] = b;
  vectors->draft.words.items[2] = c;
  vectors->draft.words.size = 3;
}

static inline void locvector_add_words(LocVectors *vectors, const void *words, uint32_t count) {
  if (count)
    memcpy(vectors->draft.words.items + vectors->draft.words.size, words,
           count * sizeof(uint32_t));
  vectors->draft.words.size += count;
}

static inline uint32_t locvector_end_words(LocVectors *vectors, Intern *intern) {
  return intern_number(intern, vectors->draft.words.items,
                       vectors->draft.words.size * sizeof(uint32_t));
}

// What a zone goes through and then enters, as one number: mostly both fit into one. Other
// contents must not be begun.
enum { LOCVECTOR_SMALL = LOWERED(1 << 15, 1 << 4, 1 << 1) };
static inline uint32_t locvector_number_transformer(LocVectors *vectors, uint32_t passage,
                                                    uint32_t entry) {
  if (passage < LOCVECTOR_SMALL && entry <= UINT16_MAX)
    return passage << 16 | entry;
  locvector_begin_words(vectors, 0, PART_BOTH, passage, entry);
  return (uint32_t)1 << 31 | locvector_end_words(vectors, &vectors->numbers[VECTOR_PARTS]);
}

// What a zone goes through whatever it enters: the words are all of its transformer.
static inline uint32_t locvector_end_transformer(LocVectors *vectors) {
  return locvector_number_transformer(
      vectors, 0, locvector_end_words(vectors, &vectors->numbers[VECTOR_PARTS]));
}

static inline uint64_t locvector_hash(const LocVectors *vectors, const uint64_t *packed) {
  uint64_t hash = 0;
  for (uint32_t i = 0; i < vectors->layout->words; i++) {
    hash = (hash ^ (packed[i] & vectors->masks[i])) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 32;
  }
  return hash;
}

static inline bool locvector_is_of(const LocVectors *vectors, const LocVector *vector,
                                   const uint64_t *packed) {
  for (uint32_t i = 0; i < vectors->layout->words; i++)
    if (vector->words[i] != (packed[i] & vectors->masks[i]))
      return false;
  return true;
}

static inline uint64_t locvector_maps(const LocVector *from, const LocVector *to) {
  return (uint64_t)from->map << 32 | to->map;
}

// The location vector of a packed state, made anew; with `after`, that of a delay by a transition
// after which these tests hold.
LocVector *locvector_make(LocVectors *, const uint64_t *packed, const ClockTestList *after);
// The number of a joint transition, made if it is new. `tested` has tests beyond the guards;
// NULL: there are none.
uint32_t locvector_find_transition(LocVectors *, const Edge *const *joint, uint32_t count,
                                   const Joint *tested);
// For semantics/zone/message.h, a location vector with nothing set but the map of active clocks,
// from their set as bits; valid until the next call, or until all location vectors are forgotten.
LocVector *locvector_receive(LocVectors *, const uint64_t *set);
