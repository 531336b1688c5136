#include "base/pool.h"

#define PAGE_ITEMS (1u << POOL_PAGE_SHIFT)

void pool_init(Pool *pool, Mem *mem, size_t item_bytes) {
  *pool = (Pool){.mem = mem, .item_bytes = item_bytes};
}

void pool_grow(Pool *pool) {
  if (pool->capacity > UINT32_MAX - PAGE_ITEMS)
    mem_exhausted(pool->mem);
  if (pool->page_count == pool->page_slots) {
    pool->page_slots = pool->page_slots ? pool->page_slots * 2 : 4;
    pool->pages = mem_resize(pool->mem, pool->pages, pool->page_slots * sizeof *pool->pages);
  }
  pool->pages[pool->page_count] = mem_alloc_raw(pool->mem, PAGE_ITEMS * pool->item_bytes);
  pool->page_count++;
  pool->capacity += PAGE_ITEMS;
}
