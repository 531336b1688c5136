#include "dbm/zonetable.h"

#include "dbm/compact.h"
#include "dbm/lanes.h"

#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

enum { LEAST_PAGE_SHIFT = 14, SHARED_PAGE_SHIFT = 15, LEAST_SLOTS = 1 << 10 };

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
  for (uint32_t i = 0; i < table->own.size; i++)
    mem_free(table->mem, table->own.items[i]);
  vec_release(table->mem, &table->own);
  mem_free(table->mem, table->slots);
  if (table->owns_shared)
    mem_free(table->mem, table->shared);
}

void zonetable_share(ZoneTable *first, ZoneTable *other) {
  if (!first->shared) {
    if (first->page_shift < SHARED_PAGE_SHIFT)
      first->page_shift = SHARED_PAGE_SHIFT;
    const size_t most = (size_t)1 << (32 - first->page_shift);
    first->shared = mem_alloc(first->mem, sizeof *first->shared + most * sizeof(char *));
    first->owns_shared = true;
    first->pages = first->shared->pages;
  }
  other->shared = first->shared;
  other->pages = first->pages;
  other->page_shift = first->page_shift;
}

static size_t page_bytes(const ZoneTable *table) {
  return ((size_t)ZONE_UNIT << table->page_shift) + PACKED_SLACK;
}

size_t zonetable_bytes(const ZoneTable *table) {
  return table->own.size * page_bytes(table) + ((size_t)table->mask + 1) * sizeof *table->slots;
}

// A packed matrix as a string of bytes.
static ZoneString string_of(const Probe *probe) {
  return (ZoneString){probe->k, probe->format, probe->body,
                      packed_bytes(probe->k, probe->format)};
}

static uint32_t hash_zone(const ZoneString *zone) {
  const uint64_t seed = (uint64_t)zone->kind << 2 | zone->format;
  return (uint32_t)(XXH3_64bits_withSeed(zone->body, zone->bytes, seed) >> 32);
}

static bool is_same(const ZoneTable *table, ZoneRef ref, const ZoneString *wanted,
                    struct Compact *compact) {
  const KeptZone *zone = zonetable_at(table, ref);
  if (zone->k != wanted->kind || zone->format != wanted->format)
    return false;
  if (compact)
    zone = compact_open(compact, table, ref);
  return !memcmp(zone->body, wanted->body, wanted->bytes);
}

// The slot of a zone, or the free one where it belongs.
static uint64_t *find_slot(const ZoneTable *table, uint32_t hash, const ZoneString *zone,
                           struct Compact *compact) {
  uint32_t at = hash & table->mask;
  while (table->slots[at] && (table->slots[at] >> 32 != hash ||
                              !is_same(table, (ZoneRef)table->slots[at], zone, compact)))
    at = (at + 1) & table->mask;
  return &table->slots[at];
}

ZoneRef zonetable_find_string(const ZoneTable *table, const ZoneString *zone) {
  return (ZoneRef)*find_slot(table, hash_zone(zone), zone, NULL);
}

ZoneRef zonetable_find(const ZoneTable *table, const Probe *probe) {
  const ZoneString zone = string_of(probe);
  return (ZoneRef)*find_slot(table, hash_zone(&zone), &zone, probe->compact);
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

static void add_page(ZoneTable *table) {
  const uint32_t most = 1u << (32 - table->page_shift);
  // The pointer array first: if the page cannot be had, nothing is lost.
  vec_reserve(table->mem, &table->own, table->own.size + 1);
  char *page = mem_alloc_raw(table->mem, page_bytes(table));
  table->newest = table->shared ? atomic_fetch_add(&table->shared->count, 1) : table->own.size;
  table->own.items[table->own.size++] = page;
  if (table->newest >= most) // no references left
    mem_exhausted(table->mem);
  if (table->shared)
    table->pages[table->newest] = page;
  else
    table->pages = table->own.items;
  table->used = table->newest ? 0 : 1; // reference 0 is "none"
}

static ZoneRef allocate(ZoneTable *table, size_t bytes) {
  const uint32_t units = (uint32_t)((bytes + ZONE_UNIT - 1) / ZONE_UNIT);
  if (!table->own.size || table->used + units > 1u << table->page_shift)
    add_page(table);
  const ZoneRef ref = table->newest << table->page_shift | table->used;
  table->used += units;
  return ref;
}

static void make_room(ZoneTable *table) {
  if (table->count >= table->mask / 4 * 3)
    grow(table);
}

// Puts a string where it belongs, with room for more behind it.
static ZoneRef put(ZoneTable *table, uint64_t *slot, uint32_t hash, uint32_t summary,
                   const ZoneString *string, size_t room) {
  const ZoneRef ref = allocate(table, sizeof(KeptZone) + room);
  // Not const: the table itself fills it, once.
  KeptZone *zone = (KeptZone *)(uintptr_t)zonetable_at(table, ref);
  *zone = (KeptZone){
      .summary = summary, .k = string->kind & 0xfffffff, .format = (uint32_t)string->format & 15};
  memcpy(zone->body, string->body, string->bytes);
  memset(zone->body + string->bytes, 0, room - string->bytes);
  *slot = (uint64_t)hash << 32 | ref;
  table->count++;
  return ref;
}

static size_t padded(size_t bytes) {
  return (bytes + PACKED_PADDING - 1) / PACKED_PADDING * PACKED_PADDING;
}

ZoneRef zonetable_add_string(ZoneTable *table, const ZoneString *zone) {
  make_room(table);
  const uint32_t hash = hash_zone(zone);
  uint64_t *slot = find_slot(table, hash, zone, NULL);
  return *slot ? (ZoneRef)*slot : put(table, slot, hash, 0, zone, zone->bytes);
}

ZoneRef zonetable_add(ZoneTable *table, const Probe *probe) {
  make_room(table);
  ZoneString zone = string_of(probe);
  const uint32_t hash = hash_zone(&zone), k = probe->k;
  uint64_t *slot = find_slot(table, hash, &zone, probe->compact);
  if (*slot)
    return (ZoneRef)*slot;
  uint32_t summary = 0;
  // Tests by others read whole vectors, row by row: nothing may be written there later.
  const size_t row = zone.bytes / k, read = (k - 1) * row + padded(row);
  size_t room = padded(zone.bytes);
  if (probe->compact) {
    zone.bytes = room = compact_fold(probe->compact, k, probe->format, probe->body, &summary);
    zone.body = probe->compact->string;
  }
  if (table->shared && room < read)
    room = read;
  const ZoneRef ref = put(table, slot, hash, summary, &zone, room);
  if (probe->compact)
    compact_put(probe->compact, table, ref, probe->body);
  return ref;
}

ZoneRef zonetable_adopt(ZoneTable *table, ZoneRef ref) {
  make_room(table);
  const KeptZone *zone = zonetable_at(table, ref);
  const Probe probe = {.k = zone->k, .format = (PackedFormat)zone->format, .body = zone->body};
  const ZoneString key = string_of(&probe);
  const uint32_t hash = hash_zone(&key);
  uint64_t *slot = find_slot(table, hash, &key, NULL);
  if (!*slot) {
    *slot = (uint64_t)hash << 32 | ref;
    table->count++;
  }
  return (ZoneRef)*slot;
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
