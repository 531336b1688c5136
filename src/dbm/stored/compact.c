#include "dbm/stored/compact.h"

#include <string.h>

enum { FEW = 4 }; // zones for which summaries are not worth while
// The cache begins with this many bytes, and grows while it misses often, up to a share of the
// table: else it would not be worth having a compact one.
enum { LEAST_CACHE = 1 << 14, LEAST_PLACES = 4, SHARE = 4, PATIENCE = 8 };

static size_t aligned(size_t bytes) { return (bytes + 63) / 64 * 64; }

static void make_places(Compact *compact, uint32_t places) {
  compact->refs = mem_alloc(compact->mem, (places + 1) * sizeof *compact->refs);
  compact->places = mem_alloc(compact->mem, places * compact->place_bytes + compact->max_bytes);
  compact->mask = places - 1;
  compact->misses = 0;
}

// Neighbours first, then clocks at a larger distance; where these are few, also turned round.
static void choose_pairs(CompactPair *pairs, uint32_t k) {
  uint32_t count = 0;
  for (int turn = 0; turn < 2; turn++)
    for (uint32_t distance = 1; distance + 1 < k; distance++)
      for (uint32_t i = 1; i + distance < k && count < COMPACT_PAIRS; i++, count++) {
        const uint16_t a = (uint16_t)i, b = (uint16_t)(i + distance);
        pairs[count] = turn ? (CompactPair){b, a} : (CompactPair){a, b};
      }
}

static size_t bytes_for(uint32_t n, PackedFormat format) {
  return aligned(sizeof(StoredZone) + packed_bytes(n, format) + PACKED_SLACK);
}

Compact *compact_new(Mem *mem, uint32_t n) {
  Compact *compact = mem_alloc(mem, sizeof *compact);
  const size_t matrix = aligned(dbm_bytes(n)), scratch = aligned(minimal_scratch_bytes(n));
  *compact = (Compact){
      .mem = mem, .place_bytes = bytes_for(n, PACKED_16), .max_bytes = bytes_for(n, PACKED_32)};
  compact->memory = mem_alloc(mem, 64 + 2 * matrix + scratch + minimal_max_bytes(n));
  char *memory = (char *)compact->memory + (64 - (uintptr_t)compact->memory % 64) % 64;
  compact->zone = (Bound *)(void *)memory;
  compact->whole = (Bound *)(void *)(memory + matrix);
  minimal_init(&compact->scratch, memory + 2 * matrix, n);
  compact->string = memory + 2 * matrix + scratch;
  compact->pairs = mem_alloc(mem, (n + 1) * sizeof *compact->pairs);
  for (uint32_t k = 0; k <= n && k <= UINT16_MAX; k++)
    choose_pairs(compact->pairs[k], k);
  uint32_t places = LEAST_PLACES;
  while (2 * places * compact->place_bytes <= LEAST_CACHE)
    places *= 2;
  make_places(compact, places);
  return compact;
}

static inline uint32_t place_of(const Compact *compact, ZoneRef ref, const StoredZone *stored) {
  const uint32_t place = (uint32_t)((ref * (uint64_t)0x9e3779b97f4a7c15u) >> 32) & compact->mask;
  return stored->format == PACKED_16 ? place : compact->mask + 1;
}

static inline StoredZone *place_at(const Compact *compact, uint32_t place) {
  return (StoredZone *)(void *)(compact->places + place * compact->place_bytes);
}

static void grow(Compact *compact, const ZoneTable *table) {
  const Mem *mem = mem_whole(compact->mem);
  const uint32_t places = 2 * (compact->mask + 1);
  const size_t bytes = places * compact->place_bytes;
  const size_t all = table->own.size * ((size_t)ZONE_UNIT << table->page_shift);
  compact->misses = 0;
  if (bytes > all / SHARE || (mem->limit && mem->bytes + bytes > mem->limit / 4 * 3))
    return;
  mem_free(compact->mem, compact->refs);
  mem_free(compact->mem, compact->places);
  compact->refs = NULL;
  compact->places = NULL;
  make_places(compact, places);
}

static void unfold(Compact *compact, const StoredZone *stored, StoredZone *to) {
  *to = *stored;
  minimal_read(&compact->scratch, compact->zone, stored->k, stored->entries);
  packed_write(to->entries, compact->zone, stored->k, (PackedFormat)stored->format);
}

const StoredZone *compact_open(Compact *compact, const ZoneTable *table, ZoneRef ref) {
  const StoredZone *stored = zonetable_at(table, ref);
  uint32_t place = place_of(compact, ref, stored);
  if (compact->refs[place] != ref) {
    if (++compact->misses > PATIENCE * compact->mask)
      grow(compact, table);
    place = place_of(compact, ref, stored);
    unfold(compact, stored, place_at(compact, place));
    compact->refs[place] = ref;
  }
  return place_at(compact, place);
}

void compact_put(Compact *compact, const ZoneTable *table, ZoneRef ref, const void *entries) {
  const StoredZone *stored = zonetable_at(table, ref);
  const uint32_t place = place_of(compact, ref, stored);
  StoredZone *zone = place_at(compact, place);
  *zone = *stored;
  const size_t bytes = packed_bytes(zone->k, (PackedFormat)zone->format);
  memcpy(zone->entries, entries, bytes);
  memset(zone->entries + bytes, 0, PACKED_PADDING);
  compact->refs[place] = ref;
}

const StoredZone *compact_hold(Compact *compact, const ZoneTable *table, ZoneRef ref,
                               void *scratch) {
  const StoredZone *zone = compact_open(compact, table, ref);
  const size_t entries = packed_bytes(zone->k, (PackedFormat)zone->format);
  return memcpy(scratch, zone, sizeof *zone + entries + PACKED_PADDING);
}

enum { FROM_ZERO = 31 }; // the last bit of a summary

static uint32_t summarise(const Compact *compact, const Bound *zone, uint32_t k) {
  const uint32_t stride = dbm_stride(k);
  const CompactPair *pairs = compact->pairs[k];
  uint32_t summary = 0, late = 0;
  for (uint32_t b = 0; b < COMPACT_PAIRS && pairs[b].y; b++)
    summary |= (uint32_t)(zone[pairs[b].y * stride + pairs[b].x] <= BOUND_LE_ZERO) << b;
  for (uint32_t x = 0; x < k; x++)
    late |= zone[x] < BOUND_LE_ZERO;
  return summary | (uint32_t)!late << FROM_ZERO;
}

// What a summary must not have for the zone to be covered. A pair y, x with the string's entry at
// most (<=, 0) and the zone's above it says no to inclusion; to a_LU, if conditions (1) and (3)
// of dbm/simulation.c hold with (<=, 0) for the former.
static uint32_t forbidden(const Compact *compact, const MinimalTest *t) {
  const uint32_t stride = dbm_stride(t->n);
  const CompactPair *pairs = compact->pairs[t->n];
  uint32_t result = 0;
  for (uint32_t b = 0; b < COMPACT_PAIRS && pairs[b].y; b++) {
    const uint32_t y = pairs[b].y, x = pairs[b].x;
    if (t->zone[y * stride + x] <= BOUND_LE_ZERO)
      continue;
    if (t->kind == PROBE_ALU &&
        (t->lower[y] < 0 || t->upper[x] < 0 || t->zone[x] < bound_le(-t->upper[x]) ||
         bound_lt(-t->lower[y]) >= t->zone[x]))
      continue;
    result |= 1u << b;
  }
  return t->kind == PROBE_CLOSURE_LU ? 0 : result;
}

// What a summary must have for its zone to be covered by the test's; the pairs change sides. For
// a_LU, (1) and (3) hold if the string's clocks can be 0, and only then something is said.
static uint32_t required(const Compact *compact, const MinimalTest *t) {
  const uint32_t stride = dbm_stride(t->n);
  const CompactPair *pairs = compact->pairs[t->n];
  uint32_t result = 0;
  for (uint32_t b = 0; b < COMPACT_PAIRS && pairs[b].y; b++) {
    const uint32_t y = pairs[b].y, x = pairs[b].x;
    if (t->zone[y * stride + x] <= BOUND_LE_ZERO &&
        (t->kind == PROBE_INCLUSION || (t->lower[y] >= 0 && t->upper[x] >= 0)))
      result |= 1u << b;
  }
  return t->kind == PROBE_CLOSURE_LU ? 0 : result;
}

// A zone out of range ends the search, and is nothing that could be folded: some other one is
// kept in its stead.
size_t compact_fold(Compact *compact, uint32_t k, PackedFormat format, const void *entries,
                    uint32_t *summary) {
  packed_read(compact->zone, k, entries, format);
  if (format == PACKED_32 && !dbm_in_range(compact->zone, k))
    dbm_zero(compact->zone, k);
  *summary = summarise(compact, compact->zone, k);
  return minimal_make(&compact->scratch, compact->string, compact->zone, k);
}

static MinimalTest test_of(Probe *probe) {
  Compact *compact = probe->compact;
  const bool has_bounds = probe->kind != PROBE_INCLUSION;
  if (!probe->has_whole)
    packed_read(compact->whole, probe->k, probe->entries, probe->format);
  probe->has_whole = true;
  return (MinimalTest){.kind = probe->kind,
                       .n = probe->k,
                       .zone = compact->whole,
                       .lower = has_bounds ? probe->bounds->lower : NULL,
                       .upper = has_bounds ? probe->bounds->upper : NULL};
}

static inline const StoredZone *find_open(const Compact *compact, ZoneRef ref,
                                          const StoredZone *stored) {
  const uint32_t place = place_of(compact, ref, stored);
  return compact->refs[place] == ref ? place_at(compact, place) : NULL;
}

uint32_t compact_covered(const ZoneTable *table, Probe *probe, const ZoneRef *refs,
                         uint32_t count) {
  Compact *compact = probe->compact;
  const MinimalTest test = test_of(probe);
  const uint32_t wrong = count < FEW ? 0 : forbidden(compact, &test);
  uint32_t i = 0;
  for (; i < count; i++) {
    const StoredZone *stored = zonetable_at(table, refs[i]);
    if (stored->summary & wrong)
      continue;
    const StoredZone *zone = find_open(compact, refs[i], stored);
    if (!zone) {
      const MinimalAnswer answer = minimal_covers(&compact->scratch, stored->entries, &test);
      if (answer == MINIMAL_YES)
        break;
      if (answer == MINIMAL_NO)
        continue;
      zone = compact_open(compact, table, refs[i]);
    }
    if (probe_is_covered(probe, zone->entries, (PackedFormat)zone->format))
      break;
  }
  return i;
}

uint32_t compact_covers(const ZoneTable *table, Probe *probe, const ZoneRef *refs, uint32_t i,
                        uint32_t count) {
  Compact *compact = probe->compact;
  const MinimalTest test = test_of(probe);
  const bool is_alu = probe->kind == PROBE_ALU;
  const uint32_t needed = count - i < FEW ? 0 : required(compact, &test);
  for (; i < count; i++) {
    const StoredZone *stored = zonetable_at(table, refs[i]);
    if (needed & ~stored->summary && (!is_alu || stored->summary >> FROM_ZERO))
      continue;
    const StoredZone *zone = find_open(compact, refs[i], stored);
    if (!zone) {
      const MinimalAnswer answer = minimal_is_covered(&compact->scratch, stored->entries, &test);
      if (answer == MINIMAL_YES)
        break;
      if (answer == MINIMAL_NO)
        continue;
      zone = compact_open(compact, table, refs[i]);
    }
    if (probe_covers(probe, zone->entries, (PackedFormat)zone->format))
      break;
  }
  return i;
}
