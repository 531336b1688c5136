// Pairs: a hash table from pairs of numbers to numbers.
#pragma once

#include "base/mem.h"

typedef struct PairsEntry { // four of them in a line of the cache
  uint64_t a;
  uint32_t b;
  uint32_t value; // 0: free
} PairsEntry;

typedef struct Pairs {
  Mem *mem;
  PairsEntry *entries; // open addressing
  uint32_t mask;
  uint32_t count;
} Pairs;

void pairs_init(Pairs *, Mem *);
void pairs_release(Pairs *);
void pairs_clear(Pairs *);

static inline uint32_t pairs_slot(const Pairs *pairs, uint64_t a, uint32_t b) {
  const uint64_t hash = (a * 0x9e3779b97f4a7c15u ^ b) * 0xbf58476d1ce4e5b9u;
  return (uint32_t)(hash >> 32) & pairs->mask;
}

static inline void pairs_fetch(const Pairs *pairs, uint64_t a, uint32_t b) {
  mem_fetch(&pairs->entries[pairs_slot(pairs, a, b)]);
}

// Where a pair is, or would be.
static inline PairsEntry *pairs_place(const Pairs *pairs, uint64_t a, uint32_t b) {
  uint32_t at = pairs_slot(pairs, a, b);
  while (pairs->entries[at].value && (pairs->entries[at].a != a || pairs->entries[at].b != b))
    at = (at + 1) & pairs->mask;
  return &pairs->entries[at];
}

static inline uint32_t pairs_get(const Pairs *pairs, uint64_t a, uint32_t b) { // 0: not there
  return pairs_place(pairs, a, b)->value;
}

// For a pair that is not there; the value is not 0.
void pairs_set(Pairs *, uint64_t a, uint32_t b, uint32_t value);
