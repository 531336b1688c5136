// Pool: a growing array of fixed-size items addressed by 32-bit index. Unlike a vector it
// grows by pages: growth never needs twice the memory, and items do not move.
#pragma once

#include "base/mem.h"

enum { POOL_PAGE_SHIFT = 13 }; // items per page: 8192

typedef struct Pool {
  Mem *mem;
  size_t item_bytes;
  uint32_t size;       // items in use
  uint32_t capacity;   // items allocated
  uint32_t page_count; // pages allocated
  uint32_t page_slots; // room in `pages`
  char **pages;
} Pool;

void pool_init(Pool *, Mem *, size_t item_bytes);
void pool_grow(Pool *); // adds a page; used by pool_add only

static inline void *pool_at(const Pool *pool, uint32_t index) {
  return pool->pages[index >> POOL_PAGE_SHIFT] +
         (size_t)(index & ((1u << POOL_PAGE_SHIFT) - 1)) * pool->item_bytes;
}

// Index of a new item, which has any contents: the caller fills it. It is never UINT32_MAX:
// a pool that large counts as memory exhausted.
static inline uint32_t pool_add(Pool *pool) {
  if (pool->size == pool->capacity)
    pool_grow(pool);
  return pool->size++;
}
