#include "dbm/zonetable.h"

#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

enum { LEAST_PAGE_SHIFT = 14, LEAST_SLOTS = 1 << 10 };

void zonetable_init(ZoneTable *table, Mem *mem, uint32_t n) {
  *table = (ZoneTable){.mem = mem, .page_shift = LEAST_PAGE_SHIFT, .mask = LEAST_SLOTS - 1};
  // Four of the largest zones in a page: little is wasted at its end.
  while ((sizeof(KeptZone) + packed_bytes(n, PACKED_32)) / ZONE_UNIT * 4 >> table->page_shift)
    table->page_shift++;
  table->slots = mem_alloc(mem, LEAST_SLOTS * sizeof *table->slots);
}

void zonetable_release(ZoneTable *table) {
  if (!table->mem)
    return;
  for (uint32_t i = 0; i < table->pages.size; i++)
    mem_free(table->mem, table->pages.items[i]);
  vec_release(table->mem, &table->pages);
  mem_free(table->mem, table->slots);
}

static uint32_t hash_zone(uint32_t k, PackedFormat format, const void *body) {
  const uint64_t seed = (uint64_t)k << 2 | format;
  return (uint32_t)(XXH3_64bits_withSeed(body, packed_bytes(k, format), seed) >> 32);
}

// The slot of a zone, or the free one where it belongs.
static uint64_t *find_slot(const ZoneTable *table, uint32_t hash, uint32_t k, PackedFormat format,
                           const void *body) {
  uint32_t at = hash & table->mask;
  for (; table->slots[at]; at = (at + 1) & table->mask) {
    if (table->slots[at] >> 32 != hash)
      continue;
    const KeptZone *zone = zonetable_at(table, (ZoneRef)table->slots[at]);
    if (zone->k == k && zone->format == format &&
        !memcmp(zone->body, body, packed_bytes(k, format)))
      break;
  }
  return &table->slots[at];
}

ZoneRef zonetable_find(const ZoneTable *table, uint32_t k, PackedFormat format,
                       const void *body) {
  return (ZoneRef)*find_slot(table, hash_zone(k, format, body), k, format, body);
}

static void grow(ZoneTable *table) {
  const uint32_t mask = table->mask * 2 + 1;
  uint64_t *slots = mem_alloc(table->mem, sizeof *slots * ((size_t)mask + 1));
  for (uint32_t i = 0; i <= table->mask; i++) {
    if (!table->slots[i])
      continue;
    uint32_t at = (uint32_t)(table->slots[i] >> 32) & mask;
    while (slots[at])
      at = (at + 1) & mask;
    slots[at] = table->slots[i];
  }
  mem_free(table->mem, table->slots);
  table->slots = slots;
  table->mask = mask;
}

static ZoneRef allocate(ZoneTable *table, size_t bytes) {
  const uint32_t page_units = 1u << table->page_shift;
  const uint32_t units = (uint32_t)((bytes + ZONE_UNIT - 1) / ZONE_UNIT);
  if (!table->pages.size || table->used + units > page_units) {
    if (table->pages.size == 1u << (32 - table->page_shift)) // no references left
      mem_exhausted(table->mem);
    // The pointer array first: if the page cannot be had, nothing is lost.
    vec_reserve(table->mem, &table->pages, table->pages.size + 1);
    char *page = mem_alloc(table->mem, (size_t)page_units * ZONE_UNIT + PACKED_SLACK);
    table->used = table->pages.size ? 0 : 1; // reference 0 is "none"
    table->pages.items[table->pages.size++] = page;
  }
  const ZoneRef ref = (table->pages.size - 1) << table->page_shift | table->used;
  table->used += units;
  return ref;
}

ZoneRef zonetable_add(ZoneTable *table, uint32_t k, PackedFormat format, const void *body) {
  if (table->count >= table->mask / 4 * 3)
    grow(table);
  const uint32_t hash = hash_zone(k, format, body);
  uint64_t *slot = find_slot(table, hash, k, format, body);
  if (*slot)
    return (ZoneRef)*slot;
  const size_t bytes = packed_bytes(k, format);
  const size_t padded = (bytes + PACKED_PADDING - 1) / PACKED_PADDING * PACKED_PADDING;
  const ZoneRef ref = allocate(table, sizeof(KeptZone) + padded);
  // Not const: the table itself fills it, once.
  KeptZone *zone = (KeptZone *)(uintptr_t)zonetable_at(table, ref);
  *zone = (KeptZone){.hash = hash, .k = k & 0xfffffff, .format = (uint32_t)format & 15};
  memcpy(zone->body, body, bytes);
  *slot = (uint64_t)hash << 32 | ref;
  table->count++;
  return ref;
}
