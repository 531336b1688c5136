#include "base/pool.h"

#define PAGE_ITEMS (1u << POOL_PAGE_SHIFT)
#define FIRST_ITEMS 64u

void pool_init(Pool *pool, Mem *mem, size_t item_bytes) {
  *pool = (Pool){.mem = mem, .item_bytes = item_bytes};
}

void pool_release(Pool *pool) {
  for (uint32_t i = 0; i < pool->page_count; i++)
    mem_free(pool->mem, pool->pages[i]);
  mem_free(pool->mem, pool->pages);
  pool_init(pool, pool->mem, pool->item_bytes);
}

// Small pools pay for what they use: the first page doubles from FIRST_ITEMS up to a
// whole page; later pages are whole.
void pool_grow(Pool *pool) {
  if (pool->page_count == 1 && pool->capacity < PAGE_ITEMS) {
    pool->pages[0] = mem_resize(pool->mem, pool->pages[0], pool->capacity * 2 * pool->item_bytes);
    pool->capacity *= 2;
    return;
  }
  if (pool->capacity > UINT32_MAX - PAGE_ITEMS)
    mem_exhausted(pool->mem);
  if (pool->page_count == pool->page_slots) {
    pool->page_slots = pool->page_slots ? pool->page_slots * 2 : 4;
    pool->pages = mem_resize(pool->mem, pool->pages, pool->page_slots * sizeof *pool->pages);
  }
  const uint32_t items = pool->page_count ? PAGE_ITEMS : FIRST_ITEMS;
  pool->pages[pool->page_count] = mem_alloc(pool->mem, items * pool->item_bytes);
  pool->page_count++;
  pool->capacity += items;
}
