// Compact: the working memory for a zone table that keeps zones in minimal form
// (dbm/stored/minimal.h), and a cache of unfolded zones, that is, zones that were packed again.
//
// A 32-bit summary of each zone saves most tests. It says which of up to 31 clock differences are
// never positive and, in the last bit, whether every clock can be 0.
//
// A Compact belongs to a Probe. Several probes, each with its own Compact, can use one table.
#pragma once

#include "dbm/stored/minimal_cover.h"

enum { COMPACT_PAIRS = 31 };

typedef struct CompactPair {
  uint16_t y, x;
} CompactPair;

typedef struct Compact {
  Mem *mem;
  CompactPair (*pairs)[COMPACT_PAIRS]; // of the summary, by dimension; 0, 0: no more
  void *memory;                        // of the following
  MinimalScratch scratch;
  Bound *zone;  // a matrix
  Bound *whole; // that of the probe (Probe.has_whole)
  void *string; // room for one
  // The cache. A zone has one place; what was there before goes. Behind the others there is one
  // place, a large one, for all zones in 32 bits.
  size_t place_bytes, max_bytes; // a StoredZone with its entries and slack: in 16 bits, in 32
  uint32_t mask;                 // places - 1
  uint32_t misses;               // since it has this size
  ZoneRef *refs;                 // by place
  char *places;
} Compact;

// For zones of up to n clocks.
Compact *compact_new(Mem *, uint32_t n);

// A zone of the table, packed: until the next call, or in room for `max_bytes`.
const StoredZone *compact_open(Compact *, const ZoneTable *, ZoneRef);
const StoredZone *compact_hold(Compact *, const ZoneTable *, ZoneRef, void *scratch);
// The same of a table that may be compact; else the first is NULL.
static inline const StoredZone *compact_at(Compact *compact, const ZoneTable *table, ZoneRef ref,
                                           void *scratch) {
  return compact ? compact_hold(compact, table, ref, scratch) : zonetable_at(table, ref);
}
// Puts a zone that was added into the cache: it is likely to be asked for soon.
void compact_put(Compact *, const ZoneTable *, ZoneRef, const void *entries);
// Writes the minimal form of a packed zone to `string`; its size, and the summary.
size_t compact_fold(Compact *, uint32_t k, PackedFormat, const void *entries, uint32_t *summary);

// As zonetable_covered and zonetable_covers, after the zone's own number has been looked for.
uint32_t compact_covered(const ZoneTable *, Probe *, const ZoneRef *, uint32_t count);
uint32_t compact_covers(const ZoneTable *, Probe *, const ZoneRef *, uint32_t from,
                        uint32_t count);
