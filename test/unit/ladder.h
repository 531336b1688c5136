// A space for the tests of orders: a node is a key and a level, and covers lower levels of its
// key. What happens is up to the test: it sets the current node and adds it to the store.
#pragma once

#include "search/passed/store.h"

typedef struct Ladder {
  Space space; // first
  Statistics stats;
  uint64_t key;
  uint32_t level;
} Ladder;

static inline uint32_t ladder_find_subsumer(Space *space, const uint32_t *zones, uint32_t count) {
  uint32_t i = 0;
  while (i < count && zones[i] < ((Ladder *)space)->level)
    i++;
  return i;
}

static inline uint32_t ladder_find_subsumed(Space *space, const uint32_t *zones, uint32_t from,
                                            uint32_t count) {
  while (from < count && zones[from] > ((Ladder *)space)->level)
    from++;
  return from;
}

static inline uint32_t ladder_keep(Space *space) { return ((Ladder *)space)->level; }

static inline void ladder_init(Ladder *ladder) {
  *ladder = (Ladder){.space = {.key_words = 1,
                               .find_subsumer = ladder_find_subsumer,
                               .find_subsumed = ladder_find_subsumed,
                               .keep = ladder_keep}};
  ladder->space.key = &ladder->key;
}

// Adds a node; NODE_NONE if it is covered. Levels begin at 0, zones at 1.
static inline NodeRef ladder_add(Ladder *ladder, Store *store, NodeRef parent, uint64_t key,
                                 uint32_t level) {
  ladder->key = key;
  ladder->level = level + 1;
  return store->passed.add(&store->passed, parent);
}
