#include "base/pairs.h"

#include <string.h>

enum { LEAST_ENTRIES = 256 };

void pairs_init(Pairs *pairs, Mem *mem) {
  *pairs = (Pairs){.mem = mem, .mask = LEAST_ENTRIES - 1};
  pairs->entries = mem_alloc(mem, LEAST_ENTRIES * sizeof *pairs->entries);
}

void pairs_release(Pairs *pairs) {
  if (pairs->mem)
    mem_free(pairs->mem, pairs->entries);
}

void pairs_clear(Pairs *pairs) {
  memset(pairs->entries, 0, ((size_t)pairs->mask + 1) * sizeof *pairs->entries);
  pairs->count = 0;
}

static void grow(Pairs *pairs) {
  const size_t old_size = (size_t)pairs->mask + 1;
  PairsEntry *old = pairs->entries;
  pairs->entries = mem_alloc_table(pairs->mem, 2 * old_size * sizeof *old);
  pairs->mask = pairs->mask * 2 + 1;
  for (size_t i = 0; i < old_size; i++) {
    mem_tick_item(pairs->mem, i, old);
    if (old[i].value)
      *pairs_place(pairs, old[i].a, old[i].b) = old[i];
  }
  mem_free(pairs->mem, old);
}

void pairs_set(Pairs *pairs, uint64_t a, uint32_t b, uint32_t value) {
  if (pairs->count >= pairs->mask / 2)
    grow(pairs);
  *pairs_place(pairs, a, b) = (PairsEntry){a, b, value};
  pairs->count++;
}
