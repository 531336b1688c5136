#include "base/intern.h"

#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

enum { LEAST_SLOTS = 64 };

void intern_init(Intern *intern, Mem *mem) {
  *intern = (Intern){.mem = mem, .arena = {.mem = mem}, .mask = LEAST_SLOTS - 1};
  intern->slots = mem_alloc(mem, LEAST_SLOTS * sizeof *intern->slots);
}

void intern_release(Intern *intern) {
  if (!intern->mem)
    return;
  arena_release(&intern->arena);
  vec_release(intern->mem, &intern->items);
  mem_free(intern->mem, intern->slots);
}

void intern_clear(Intern *intern) {
  arena_clear(&intern->arena);
  vec_clear(&intern->items);
  memset(intern->slots, 0, sizeof *intern->slots * (intern->mask + 1));
  intern->bytes = 0;
}

static void grow(Intern *intern) {
  const uint32_t mask = intern->mask * 2 + 1;
  uint32_t *slots = mem_alloc_table(intern->mem, sizeof *slots * ((size_t)mask + 1));
  for (uint32_t i = 0; i < intern->items.size; i++) {
    mem_tick_item(intern->mem, i, slots);
    uint32_t at = (uint32_t)intern->items.items[i].hash & mask;
    while (slots[at])
      at = (at + 1) & mask;
    slots[at] = i + 1;
  }
  mem_free(intern->mem, intern->slots);
  intern->slots = slots;
  intern->mask = mask;
}

uint32_t intern_number(Intern *intern, const void *bytes, size_t size) {
  if (intern->items.size >= intern->mask / 2)
    grow(intern);
  const uint64_t hash = XXH3_64bits(bytes, size);
  uint32_t at = (uint32_t)hash & intern->mask;
  for (; intern->slots[at]; at = (at + 1) & intern->mask) {
    const InternItem *item = &intern->items.items[intern->slots[at] - 1];
    if (item->hash == hash && item->size == size && !memcmp(item->bytes, bytes, size))
      return intern->slots[at];
  }
  const void *copy = arena_copy(&intern->arena, bytes, size);
  vec_push(intern->mem, &intern->items, ((InternItem){hash, copy, size, NULL}));
  intern->bytes += size + sizeof(InternItem);
  return intern->slots[at] = intern->items.size;
}
