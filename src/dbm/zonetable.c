#include "dbm/zonetable.h"

#include "dbm/compact.h"
#include "dbm/lanes.h"

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

static size_t page_bytes(const ZoneTable *table) {
  return ((size_t)ZONE_UNIT << table->page_shift) + PACKED_SLACK;
}

size_t zonetable_bytes(const ZoneTable *table) {
  return table->pages.size * page_bytes(table) + ((size_t)table->mask + 1) * sizeof *table->slots;
}

static uint32_t hash_zone(const Probe *probe) {
  const uint64_t seed = (uint64_t)probe->k << 2 | probe->format;
  const size_t bytes = packed_bytes(probe->k, probe->format);
  return (uint32_t)(XXH3_64bits_withSeed(probe->body, bytes, seed) >> 32);
}

static bool is_same(const ZoneTable *table, ZoneRef ref, const Probe *probe) {
  const KeptZone *zone = zonetable_at(table, ref);
  if (zone->k != probe->k || zone->format != probe->format)
    return false;
  if (probe->compact)
    zone = compact_open(probe->compact, table, ref);
  return !memcmp(zone->body, probe->body, packed_bytes(probe->k, probe->format));
}

// The slot of a zone, or the free one where it belongs.
static uint64_t *find_slot(const ZoneTable *table, uint32_t hash, const Probe *probe) {
  uint32_t at = hash & table->mask;
  while (table->slots[at] &&
         (table->slots[at] >> 32 != hash || !is_same(table, (ZoneRef)table->slots[at], probe)))
    at = (at + 1) & table->mask;
  return &table->slots[at];
}

ZoneRef zonetable_find(const ZoneTable *table, const Probe *probe) {
  return (ZoneRef)*find_slot(table, hash_zone(probe), probe);
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
    char *page = mem_alloc(table->mem, page_bytes(table));
    table->used = table->pages.size ? 0 : 1; // reference 0 is "none"
    table->pages.items[table->pages.size++] = page;
  }
  const ZoneRef ref = (table->pages.size - 1) << table->page_shift | table->used;
  table->used += units;
  return ref;
}

ZoneRef zonetable_add(ZoneTable *table, const Probe *probe) {
  if (table->count >= table->mask / 4 * 3)
    grow(table);
  const uint32_t hash = hash_zone(probe), k = probe->k;
  uint64_t *slot = find_slot(table, hash, probe);
  if (*slot)
    return (ZoneRef)*slot;
  const void *body = probe->body;
  uint32_t summary = 0;
  size_t bytes = packed_bytes(k, probe->format);
  size_t room = (bytes + PACKED_PADDING - 1) / PACKED_PADDING * PACKED_PADDING;
  if (probe->compact) {
    bytes = room = compact_fold(probe->compact, k, probe->format, body, &summary);
    body = probe->compact->string;
  }
  const ZoneRef ref = allocate(table, sizeof(KeptZone) + room);
  // Not const: the table itself fills it, once.
  KeptZone *zone = (KeptZone *)(uintptr_t)zonetable_at(table, ref);
  *zone =
      (KeptZone){.summary = summary, .k = k & 0xfffffff, .format = (uint32_t)probe->format & 15};
  memcpy(zone->body, body, bytes);
  *slot = (uint64_t)hash << 32 | ref;
  table->count++;
  if (probe->compact)
    compact_put(probe->compact, table, ref, probe->body);
  return ref;
}

DBM_CLONES static uint32_t find_ref(ZoneRef ref, const ZoneRef *refs, uint32_t count) {
  for (uint32_t i = 0; i < count; i += LANES) {
    const Lanes32 found = *(const Lanes32At *)(refs + i) == (int32_t)ref;
    if (lanes_any32(&found))
      for (uint32_t at = i; at < i + LANES; at++)
        if (refs[at] == ref)
          return at;
  }
  return count;
}

uint32_t zonetable_same(ZoneRef ref, const ZoneRef *refs, uint32_t count) {
  if (count > LANES)
    return find_ref(ref, refs, count);
  uint32_t i = 0;
  while (i < count && refs[i] != ref)
    i++;
  return i;
}

uint32_t zonetable_covered(const ZoneTable *table, Probe *probe, const ZoneRef *refs,
                           uint32_t count) {
  return probe->compact ? compact_covered(table, probe, refs, count)
                        : probe_scan_covered(probe, table, refs, count);
}

uint32_t zonetable_covers(const ZoneTable *table, Probe *probe, const ZoneRef *refs,
                          uint32_t from, uint32_t count) {
  return probe->compact ? compact_covers(table, probe, refs, from, count)
                        : probe_scan_covers(probe, table, refs, from, count);
}

// Whether one zone of the table covers the probe's zone, or is covered by it.
static bool covers_probe(const ZoneTable *table, Probe *probe, ZoneRef ref) {
  const KeptZone *zone = zonetable_at(table, ref);
  return probe->compact ? compact_covered(table, probe, &ref, 1) == 0
                        : probe_is_covered(probe, zone->body, (PackedFormat)zone->format);
}

static bool is_under_probe(const ZoneTable *table, Probe *probe, ZoneRef ref) {
  const KeptZone *zone = zonetable_at(table, ref);
  return probe->compact ? compact_covers(table, probe, &ref, 0, 1) == 0
                        : probe_covers(probe, zone->body, (PackedFormat)zone->format);
}

// Where the result of a test is, or belongs.
static CoverEntry *cover_entry(CoverMemo *memo, ZoneRef small, ZoneRef big, uint32_t bounds) {
  const uint64_t both = (uint64_t)small << 32 | big;
  const uint64_t hash = (both ^ (uint64_t)bounds << 20) * 0x9e3779b97f4a7c15u;
  return &memo->entries[hash >> 40 & (COVER_ENTRIES - 1)];
}

static bool is_entry(const CoverEntry *entry, ZoneRef small, ZoneRef big, uint32_t bounds) {
  return entry->small == small && entry->big == big && entry->bounds == bounds;
}

uint32_t zonetable_recall_covered(const ZoneTable *table, CoverMemo *memo, Probe *probe,
                                  ZoneRef own, const ZoneRef *refs, uint32_t count) {
  const uint32_t bounds = probe->bounds->number;
  uint32_t i = 0, unknown = 0;
  for (; i < count; i++) {
    CoverEntry *entry = cover_entry(memo, own, refs[i], bounds);
    if (!is_entry(entry, own, refs[i], bounds)) {
      *entry = (CoverEntry){own, refs[i], bounds, covers_probe(table, probe, refs[i])};
      unknown++;
    }
    if (entry->is_covered)
      break;
  }
  memo->known += i + (i < count) - unknown;
  memo->unknown += unknown;
  return i;
}

uint32_t zonetable_recall_covers(const ZoneTable *table, CoverMemo *memo, Probe *probe,
                                 ZoneRef own, const ZoneRef *refs, uint32_t from,
                                 uint32_t count) {
  const uint32_t bounds = probe->bounds->number;
  uint32_t i = from, unknown = 0;
  for (; i < count; i++) {
    CoverEntry *entry = cover_entry(memo, refs[i], own, bounds);
    if (!is_entry(entry, refs[i], own, bounds)) {
      *entry = (CoverEntry){refs[i], own, bounds, is_under_probe(table, probe, refs[i])};
      unknown++;
    }
    if (entry->is_covered)
      break;
  }
  memo->known += i + (i < count) - from - unknown;
  memo->unknown += unknown;
  return i;
}
