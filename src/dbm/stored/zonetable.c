#include "dbm/stored/zonetable.h"

#include "base/lanes.h"
#include "base/testbuild.h"
#include "dbm/stored/compact.h"

#include <assert.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

enum { LEAST_PAGE_SHIFT = 14, SHARED_PAGE_SHIFT = 15 };
enum { LEAST_SLOTS = LOWERED(1 << 10, 1 << 10, 1 << 2) };
enum { LEAST_SHARED_SLOTS = LOWERED(1 << 14, 1 << 14, 1 << 4) };

void zonetable_init(ZoneTable *table, Mem *mem, uint32_t n) {
  *table = (ZoneTable){.mem = mem, .page_shift = LEAST_PAGE_SHIFT, .mask = LEAST_SLOTS - 1};
  // Four of the largest zones in a page: little is wasted at its end.
  while ((sizeof(StoredZone) + packed_bytes(n, PACKED_32)) / ZONE_UNIT * 4 >> table->page_shift)
    table->page_shift++;
  table->slots = mem_alloc(mem, LEAST_SLOTS * sizeof *table->slots);
}

// Slots for all threads, in the memory of this one.
static ZoneSlots *new_slots(ZoneTable *table, uint32_t mask) {
  vec_reserve(table->mem, &table->retired, table->retired.size + 1);
  ZoneSlots *slots =
      mem_alloc_table(table->mem, sizeof *slots + ((size_t)mask + 1) * sizeof slots->at[0]);
  slots->mask = mask;
  table->retired.items[table->retired.size++] = slots;
  return slots;
}

void zonetable_share(ZoneTable *first, ZoneTable *other) {
  if (!first->shared) {
    if (first->page_shift < SHARED_PAGE_SHIFT)
      first->page_shift = SHARED_PAGE_SHIFT;
    const size_t max = (size_t)1 << (32 - first->page_shift);
    const size_t bytes = sizeof *first->shared + max * sizeof(char *);
    char *memory = first->shared_memory = mem_alloc(first->mem, bytes + alignof(ZoneShare));
    const size_t skip = (uintptr_t)memory % alignof(ZoneShare);
    first->shared = (ZoneShare *)(void *)(memory + (alignof(ZoneShare) - skip));
    first->pages = first->shared->pages;
    atomic_init(&first->shared->slots, new_slots(first, LEAST_SHARED_SLOTS - 1));
  }
  other->shared = first->shared;
  other->pages = first->pages;
  other->page_shift = first->page_shift;
}

static size_t page_bytes(const ZoneTable *table) {
  return ((size_t)ZONE_UNIT << table->page_shift) + PACKED_SLACK;
}

size_t zonetable_bytes(const ZoneTable *table) {
  size_t slots = (size_t)table->mask + 1;
  for (uint32_t i = 0; i < table->retired.size; i++)
    slots += (size_t)table->retired.items[i]->mask + 1;
  return table->own.size * page_bytes(table) + slots * sizeof *table->slots;
}

// Long strings are hashed by whole vectors, four at a time: each lane is a polynomial of what it
// saw. The lanes are mixed at the end.
enum { HASH_LANES = 8, HASH_TURNS = 4, HASH_STRIPE = 32, LEAST_LONG = 8 * HASH_STRIPE };
typedef uint32_t HashLanes __attribute__((vector_size(HASH_STRIPE)));
typedef uint32_t HashLanesAt __attribute__((vector_size(HASH_STRIPE), aligned(1), may_alias));
#define HASH_FACTOR 0x9e3779b5u

DBM_CLONES static uint64_t hash_long(const char *entries, size_t bytes, uint64_t seed) {
  HashLanes turns[HASH_TURNS] = {{(uint32_t)seed}, {0}, {0}, {0}};
  const char *at = entries, *end = entries + bytes;
  for (; (size_t)(end - at) >= HASH_TURNS * HASH_STRIPE; at += HASH_TURNS * HASH_STRIPE)
    for (size_t i = 0; i < HASH_TURNS; i++)
      turns[i] = (turns[i] + *(const HashLanesAt *)(at + i * HASH_STRIPE)) * HASH_FACTOR;
  for (; end - at >= HASH_STRIPE; at += HASH_STRIPE)
    turns[0] = (turns[0] + *(const HashLanesAt *)at) * HASH_FACTOR;
  HashLanes sum = turns[0] + *(const HashLanesAt *)(end - HASH_STRIPE); // part of it again
  for (size_t i = 1; i < HASH_TURNS; i++)
    sum = sum * HASH_FACTOR + turns[i];
  uint64_t words[HASH_LANES / 2], hash = seed ^ bytes;
  memcpy(words, &sum, sizeof words);
  for (size_t i = 0; i < HASH_LANES / 2; i++) {
    hash = (hash ^ words[i]) * 0x9fb21c651e98df25u;
    hash ^= hash >> 35;
  }
  return hash;
}

static inline uint32_t hash_zone(const ZoneString *zone) {
  const uint64_t seed = (uint64_t)zone->kind << 2 | zone->format;
  if (zone->bytes >= LEAST_LONG)
    return (uint32_t)(hash_long(zone->entries, zone->bytes, seed) >> 32);
  return (uint32_t)(XXH3_64bits_withSeed(zone->entries, zone->bytes, seed) >> 32);
}

// A packed matrix as a string of bytes.
static ZoneString string_of(const Probe *probe) {
  ZoneString zone = {.kind = probe->k,
                     .format = probe->format,
                     .entries = probe->entries,
                     .bytes = packed_bytes(probe->k, probe->format)};
  zone.hash = hash_zone(&zone);
  return zone;
}

static bool is_same(const ZoneTable *table, ZoneRef ref, const ZoneString *wanted,
                    struct Compact *compact) {
  const StoredZone *zone = zonetable_at(table, ref);
  if (zone->k != wanted->kind || zone->format != wanted->format)
    return false;
  if (compact)
    zone = compact_open(compact, table, ref);
  return !memcmp(zone->entries, wanted->entries, wanted->bytes);
}

// The slot of a zone, or the free one where it belongs.
static uint64_t *find_slot(const ZoneTable *table, const ZoneString *zone,
                           struct Compact *compact) {
  uint32_t at = zone->hash & table->mask;
  while (table->slots[at] && (table->slots[at] >> 32 != zone->hash ||
                              !is_same(table, (ZoneRef)table->slots[at], zone, compact)))
    at = (at + 1) & table->mask;
  return &table->slots[at];
}

// The same among all threads: the zone that is there, ZONE_NONE if it is free.
static ZoneRef find_shared(const ZoneTable *table, ZoneSlots *slots, const ZoneString *zone,
                           uint32_t *at) {
  uint64_t entry;
  for (*at = zone->hash & slots->mask;; *at = (*at + 1) & slots->mask) {
    entry = atomic_load_explicit(&slots->at[*at], memory_order_acquire);
    if (!entry || (entry >> 32 == zone->hash && is_same(table, (ZoneRef)entry, zone, NULL)))
      return (ZoneRef)entry;
  }
}

static ZoneSlots *shared_slots(const ZoneTable *table) {
  return atomic_load_explicit(&table->shared->slots, memory_order_acquire);
}

static ZoneRef find(const ZoneTable *table, const ZoneString *zone, struct Compact *compact) {
  uint32_t at;
  return table->shared ? find_shared(table, shared_slots(table), zone, &at)
                       : (ZoneRef)*find_slot(table, zone, compact);
}

ZoneRef zonetable_find_string(const ZoneTable *table, ZoneString zone) {
  zone.hash = hash_zone(&zone);
  return find(table, &zone, NULL);
}

ZoneRef zonetable_find(const ZoneTable *table, const Probe *probe) {
  const ZoneString zone = string_of(probe);
  return find(table, &zone, probe->compact);
}

static void grow(ZoneTable *table) {
  const uint32_t mask = table->mask * 2 + 1;
  uint64_t *slots = mem_alloc_table(table->mem, sizeof *slots * ((size_t)mask + 1));
  for (uint32_t i = 0; i <= table->mask; i++) {
    mem_tick_item(table->mem, i, slots);
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
  const uint32_t max = 1u << (32 - table->page_shift);
  // The pointer array first: if the page cannot be had, nothing is lost.
  vec_reserve(table->mem, &table->own, table->own.size + 1);
  char *page = mem_alloc_raw(table->mem, page_bytes(table));
  if (table->own.size) // it is likely to be filled
    mem_populate(table->mem, page, page_bytes(table));
  table->newest =
      table->shared ? atomic_fetch_add(&table->shared->page_count, 1) : table->own.size;
  table->own.items[table->own.size++] = page;
  if (table->newest >= max) // no references left
    mem_exhausted(table->mem);
  if (table->shared)
    table->pages[table->newest] = page;
  else
    table->pages = table->own.items;
  table->used = table->newest ? 0 : 1; // reference 0 is "none"
}

// Not const: the table itself fills it.
static StoredZone *zone_at(ZoneTable *table, ZoneRef ref) {
  return (StoredZone *)(uintptr_t)zonetable_at(table, ref);
}

// Units of a zone with so much room for its entries.
static uint32_t units_for(size_t room) {
  return (uint32_t)((sizeof(StoredZone) + room + ZONE_UNIT - 1) / ZONE_UNIT);
}

static ZoneRef allocate(ZoneTable *table, uint32_t units) {
  const ZoneRef dropped = table->free ? table->free[units] : ZONE_NONE;
  if (dropped) {
    table->free[units] = zone_at(table, dropped)->summary;
    return dropped;
  }
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

// A string, where no slot leads to yet, with room for more behind it.
static ZoneRef write(ZoneTable *table, uint32_t summary, const ZoneString *string, size_t room) {
  const ZoneRef ref = allocate(table, units_for(room));
  StoredZone *zone = zone_at(table, ref);
  *zone = (StoredZone){
      .summary = summary, .k = string->kind & 0xfffffff, .format = (uint32_t)string->format & 7};
  memcpy(zone->entries, string->entries, string->bytes);
  memset(zone->entries + string->bytes, 0, room - string->bytes);
  return ref;
}

static void grow_shared(ZoneTable *table, ZoneSlots *old) {
  ZoneSlots *slots = new_slots(table, old->mask * 2 + 1);
  ZoneShare *shared = table->shared;
  bool is_late = false;
  lock_acquire(&shared->lock);
  // Unless another one did it meanwhile.
  for (uint32_t i = 0; atomic_load(&shared->slots) == old && i <= old->mask && !is_late; i++) {
    is_late = i % 1024 == 0 && mem_is_late(table->mem);
    const uint64_t entry = atomic_load_explicit(&old->at[i], memory_order_relaxed);
    uint32_t at = (uint32_t)(entry >> 32) & slots->mask;
    while (entry && atomic_load_explicit(&slots->at[at], memory_order_relaxed))
      at = (at + 1) & slots->mask;
    if (entry)
      atomic_store_explicit(&slots->at[at], entry, memory_order_relaxed);
  }
  if (atomic_load(&shared->slots) == old && !is_late)
    atomic_store_explicit(&shared->slots, slots, memory_order_release);
  lock_release(&shared->lock);
  if (is_late)
    mem_exhausted(table->mem);
}

// All that may run out of memory is done before the lock is taken, so that none stays locked.
static ZoneRef add_shared(ZoneTable *table, const ZoneString *zone, size_t room) {
  ZoneShare *shared = table->shared;
  ZoneSlots *slots = shared_slots(table);
  uint32_t at;
  ZoneRef ref = find_shared(table, slots, zone, &at);
  if (ref)
    return ref;
  if (atomic_load_explicit(&shared->count, memory_order_relaxed) >= slots->mask / 4 * 3)
    grow_shared(table, slots);
  const ZoneRef own = write(table, 0, zone, room);
  lock_acquire(&shared->lock);
  slots = shared_slots(table);
  ref = find_shared(table, slots, zone, &at);
  if (!ref) {
    const uint64_t entry = (uint64_t)zone->hash << 32 | own;
    atomic_store_explicit(&slots->at[at], entry, memory_order_release);
    atomic_fetch_add_explicit(&shared->count, 1, memory_order_relaxed);
  }
  lock_release(&shared->lock);
  if (ref) // another one was faster
    table->used = own & ((1u << table->page_shift) - 1);
  else
    table->count++;
  return ref ? ref : own;
}

// Puts a string where it belongs.
static ZoneRef put(ZoneTable *table, uint64_t *slot, uint32_t summary, const ZoneString *string,
                   size_t room) {
  const ZoneRef ref = write(table, summary, string, room);
  *slot = (uint64_t)string->hash << 32 | ref;
  table->count++;
  return ref;
}

static size_t padded(size_t bytes) {
  return (bytes + PACKED_PADDING - 1) / PACKED_PADDING * PACKED_PADDING;
}

ZoneRef zonetable_add_string(ZoneTable *table, ZoneString zone) {
  zone.hash = hash_zone(&zone);
  if (table->shared)
    return add_shared(table, &zone, zone.bytes);
  make_room(table);
  uint64_t *slot = find_slot(table, &zone, NULL);
  if (*slot)
    return (ZoneRef)*slot;
  return put(table, slot, units_for(zone.bytes), &zone, zone.bytes);
}

// Other threads read whole vectors, row by row, in 16 bits (dbm/kernel/longstep.c) from any entry
// on: nothing may be written there later.
static ZoneRef add_matrix(ZoneTable *table, const ZoneString *zone) {
  const size_t row = zone->bytes / zone->kind, by_rows = (zone->kind - 1) * row + padded(row);
  const size_t read = zone->format == PACKED_16 ? zone->bytes + PACKED_PADDING : by_rows;
  const size_t room = padded(zone->bytes);
  return add_shared(table, zone, room < read ? read : room);
}

ZoneRef zonetable_add(ZoneTable *table, const Probe *probe) {
  ZoneString zone = string_of(probe);
  if (table->shared)
    return add_matrix(table, &zone);
  make_room(table);
  uint64_t *slot = find_slot(table, &zone, probe->compact);
  if (*slot)
    return (ZoneRef)*slot;
  size_t room = padded(zone.bytes);
  uint32_t summary = units_for(room);
  if (probe->compact) {
    zone.bytes = room =
        compact_fold(probe->compact, probe->k, probe->format, probe->entries, &summary);
    zone.entries = probe->compact->string;
  }
  const ZoneRef ref = put(table, slot, summary, &zone, room);
  if (probe->compact)
    compact_put(probe->compact, table, ref, probe->entries);
  return ref;
}

void zonetable_mark(ZoneTable *table, ZoneRef ref) { zone_at(table, ref)->is_marked = true; }

bool zonetable_is_marked(const ZoneTable *table, ZoneRef ref) {
  return zonetable_at(table, ref)->is_marked;
}

// Empties a slot. Entries behind it that could no longer be found move up.
static void empty_slot(ZoneTable *table, uint32_t hole) {
  const uint32_t mask = table->mask;
  for (uint32_t at = (hole + 1) & mask; table->slots[at]; at = (at + 1) & mask) {
    const uint32_t home = (uint32_t)(table->slots[at] >> 32) & mask;
    if (((at - home) & mask) < ((at - hole) & mask))
      continue;
    table->slots[hole] = table->slots[at];
    hole = at;
  }
  table->slots[hole] = 0;
}

// A quarter of a page, see zonetable_init, and padding.
static size_t max_units(const ZoneTable *table) {
  return ((size_t)1 << table->page_shift) / 4 + PACKED_PADDING / ZONE_UNIT + 1;
}

#ifdef NDEBUG
static void poison(StoredZone *zone) { (void)zone; }
#else
static void poison(StoredZone *zone) {
  memset(zone->entries, 0x55, zone->summary * ZONE_UNIT - sizeof *zone);
}
#endif

static void drop(ZoneTable *table, ZoneRef ref) {
  StoredZone *zone = zone_at(table, ref);
  poison(zone);
  assert(zone->summary < max_units(table));
  uint32_t *first = &table->free[zone->summary];
  zone->summary = *first;
  *first = ref;
  table->count--;
}

void zonetable_sweep(ZoneTable *table) {
  assert(!table->shared);
  if (!table->free)
    table->free = mem_alloc(table->mem, max_units(table) * sizeof *table->free);
  for (uint32_t i = 0; i <= table->mask; i++)
    while (table->slots[i] && !zonetable_is_marked(table, (ZoneRef)table->slots[i])) {
      drop(table, (ZoneRef)table->slots[i]);
      empty_slot(table, i); // another one may be there now
    }
  for (uint32_t i = 0; i <= table->mask; i++)
    if (table->slots[i])
      zone_at(table, (ZoneRef)table->slots[i])->is_marked = false;
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
