#include "dbm/stored/covermemo.h"

#include "base/testbuild.h"
#include "dbm/stored/compact.h"

#include <string.h>

enum { FEW = LOWERED(1 << 10, 1 << 10, 1 << 2) }; // entries to begin with

CoverMemo *covermemo_new(Mem *mem) {
  CoverMemo *memo = mem_alloc_raw(mem, sizeof *memo); // what is not in use is not touched
  memo->known = memo->unknown = 0;
  memo->review = FEW;
  memo->mask = FEW - 1;
  memo->helps = true;
  covermemo_clear(memo);
  return memo;
}

void covermemo_clear(CoverMemo *memo) {
  memset(memo->entries, 0, (memo->mask + 1) * sizeof *memo->entries);
}

// Each entry stays where it is, or moves to a place that no other one can have.
static void grow(CoverMemo *memo) {
  const uint32_t old = memo->mask;
  memo->mask = old * 4 + 3;
  memset(memo->entries + old + 1, 0, (memo->mask - old) * sizeof *memo->entries);
  for (uint32_t i = 0; i <= old; i++) {
    const CoverEntry entry = memo->entries[i];
    memo->entries[i].small = ZONE_NONE;
    if (entry.small)
      *covermemo_entry(memo, entry.small, entry.big, entry.bounds) = entry;
  }
}

// It helps if a fifth of the tests are known; four fifths, if more were made than it has room
// for.
void covermemo_review(CoverMemo *memo) {
  memo->helps = memo->unknown <= 4 * memo->known &&
                4 * memo->unknown <= memo->known + 4 * (uint64_t)COVER_ENTRIES;
  memo->review = memo->unknown + FEW;
  if (memo->helps && memo->unknown > 2 * memo->mask && memo->mask < COVER_ENTRIES - 1)
    grow(memo);
}

void covermemo_forget(const ZoneTable *table, CoverMemo *memo) {
  for (uint32_t i = 0; i <= memo->mask; i++) {
    CoverEntry *entry = &memo->entries[i];
    if (entry->small &&
        !(zonetable_is_marked(table, entry->small) && zonetable_is_marked(table, entry->big)))
      *entry = (CoverEntry){0};
  }
}

// Whether one zone of the table covers the probe's zone, or is covered by it.
static bool covers_probe(const ZoneTable *table, Probe *probe, ZoneRef ref) {
  const StoredZone *zone = zonetable_at(table, ref);
  return probe->compact ? compact_covered(table, probe, &ref, 1) == 0
                        : probe_is_covered(probe, zone->entries, (PackedFormat)zone->format);
}

static bool is_under_probe(const ZoneTable *table, Probe *probe, ZoneRef ref) {
  const StoredZone *zone = zonetable_at(table, ref);
  return probe->compact ? compact_covers(table, probe, &ref, 0, 1) == 0
                        : probe_covers(probe, zone->entries, (PackedFormat)zone->format);
}

uint32_t covermemo_covered(const ZoneTable *table, CoverMemo *memo, Probe *probe, ZoneRef own,
                           const ZoneRef *refs, uint32_t count) {
  const uint32_t bounds = probe->bounds->number;
  uint32_t i = 0, unknown = 0;
  for (; i < count; i++) {
    CoverEntry *entry = covermemo_entry(memo, own, refs[i], bounds);
    if (!covermemo_is_entry(entry, own, refs[i], bounds)) {
      *entry = (CoverEntry){own, refs[i], bounds, covers_probe(table, probe, refs[i])};
      unknown++;
    }
    if (entry->is_covered)
      break;
  }
  covermemo_count(memo, i + (i < count), unknown);
  return i;
}

uint32_t covermemo_covers(const ZoneTable *table, CoverMemo *memo, Probe *probe, ZoneRef own,
                          const ZoneRef *refs, uint32_t from, uint32_t count) {
  const uint32_t bounds = probe->bounds->number;
  uint32_t i = from, unknown = 0;
  for (; i < count; i++) {
    CoverEntry *entry = covermemo_entry(memo, refs[i], own, bounds);
    if (!covermemo_is_entry(entry, refs[i], own, bounds)) {
      *entry = (CoverEntry){refs[i], own, bounds, is_under_probe(table, probe, refs[i])};
      unknown++;
    }
    if (entry->is_covered)
      break;
  }
  covermemo_count(memo, i + (i < count) - from, unknown);
  return i;
}
