// A space for the tests of orders: a node is a key and a level, and covers lower levels of its
// key. What happens is up to the test: it sets the current node and adds it to the store.
#ifndef TARN_TEST_UNIT_LADDER_H
#define TARN_TEST_UNIT_LADDER_H

#include "search/store.h"

#include <string.h>

typedef struct Levels {
  Space space; // first
  uint64_t key;
  int64_t level;
} Levels;

static inline int64_t levels_read(const void *bodies, uint32_t i) {
  int64_t level;
  memcpy(&level, (const char *)bodies + i * sizeof level, sizeof level);
  return level;
}

static inline uint32_t levels_find_coverer(Space *space, const void *bodies, uint32_t count,
                                           uint32_t format) {
  (void)format;
  uint32_t i = 0;
  while (i < count && levels_read(bodies, i) < ((Levels *)space)->level)
    i++;
  return i;
}

static inline uint32_t levels_find_covered(Space *space, const void *bodies, uint32_t from,
                                           uint32_t count, uint32_t format) {
  (void)format;
  while (from < count && levels_read(bodies, from) > ((Levels *)space)->level)
    from++;
  return from;
}

static inline void levels_prepare(Space *space) { (void)space; }

static inline uint32_t levels_format(Space *space) {
  (void)space;
  return 0;
}

static inline size_t levels_body_bytes(Space *space, uint32_t format) {
  (void)space;
  (void)format;
  return sizeof(int64_t);
}

static inline void levels_write(Space *space, void *body, uint32_t format) {
  (void)format;
  memcpy(body, &((Levels *)space)->level, sizeof(int64_t));
}

static inline void levels_init(Levels *levels) {
  *levels = (Levels){.space = {.key_words = 1,
                               .most_body_bytes = sizeof(int64_t),
                               .prepare = levels_prepare,
                               .find_coverer = levels_find_coverer,
                               .find_covered = levels_find_covered,
                               .format = levels_format,
                               .body_bytes = levels_body_bytes,
                               .write = levels_write}};
  levels->space.key = &levels->key;
}

// Adds a node; NODE_NONE if it is covered.
static inline NodeRef levels_add(Levels *levels, Store *store, NodeRef parent, uint64_t key,
                                 int64_t level) {
  levels->key = key;
  levels->level = level;
  return store_add(store, parent);
}

#endif
