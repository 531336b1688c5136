// Zone table: every zone that a search meets, packed, once for all discrete states. Most zones
// are met in many states: each costs its state four bytes then, zones with the same number are
// equal, and what was found out about one (engine/memo.h) holds wherever it is met.
//
// Zones never move and are never dropped.
#ifndef TARN_DBM_ZONETABLE_H
#define TARN_DBM_ZONETABLE_H

#include "base/vec.h"
#include "dbm/packed.h"

typedef struct ZoneTable {
  Mem *mem;
  VEC(char *) pages;
  uint32_t page_shift; // units of a page, as a power of two
  uint32_t used;       // units of the newest page
  uint64_t *slots;     // open addressing: hash above, reference below; 0 is free
  uint32_t mask;
  uint32_t count; // zones
} ZoneTable;

enum { ZONE_UNIT = 8 }; // bytes: references count units, which makes 32 GiB

typedef struct KeptZone {
  uint32_t hash;
  uint32_t k : 28, format : 4;
  char body[];
} KeptZone;

// Which zone covers which under which bounds: worth remembering where a test is more than one
// look, that is modulo a simulation, and comes again. A cache; given up if it does not help.
typedef struct CoverEntry {
  ZoneRef small, big;
  uint32_t bounds; // PackedBounds.number
  bool is_covered;
} CoverEntry;

enum { COVER_ENTRIES = 1 << 14 };
typedef struct CoverMemo {
  uint64_t known, unknown;           // tests so far
  CoverEntry entries[COVER_ENTRIES]; // by hash; small == 0: free
} CoverMemo;

static inline bool zonetable_has_cover_memo(const CoverMemo *memo) {
  return memo && 4 * memo->unknown <= memo->known + COVER_ENTRIES / 4;
}

// For zones of up to n clocks.
void zonetable_init(ZoneTable *, Mem *, uint32_t n);
void zonetable_release(ZoneTable *);

static inline const KeptZone *zonetable_at(const ZoneTable *table, ZoneRef ref) {
  const uint32_t mask = (1u << table->page_shift) - 1;
  return (const KeptZone *)(const void *)(table->pages.items[ref >> table->page_shift] +
                                          (size_t)(ref & mask) * ZONE_UNIT);
}

// A packed zone in its smallest format: its number, ZONE_NONE if it is not there; or added.
ZoneRef zonetable_find(const ZoneTable *, uint32_t k, PackedFormat, const void *body);
ZoneRef zonetable_add(ZoneTable *, uint32_t k, PackedFormat, const void *body);

// Index of the first of the numbers that is this one, or at least count. A vector's length must
// be readable behind the last.
uint32_t zonetable_same(ZoneRef, const ZoneRef *, uint32_t count);
// Index of the first of the zones, which have the dimension of the probe's, that covers the
// probe's zone, or count.
uint32_t zonetable_covered(const ZoneTable *, Probe *, const ZoneRef *, uint32_t count);
// The same when the probe's zone is in the table, with what is known of earlier tests.
uint32_t zonetable_recall_covered(const ZoneTable *, CoverMemo *, Probe *, ZoneRef own,
                                  const ZoneRef *, uint32_t count);
uint32_t zonetable_recall_covers(const ZoneTable *, CoverMemo *, Probe *, ZoneRef own,
                                 const ZoneRef *, uint32_t from, uint32_t count);
// First index >= from of a zone that the probe's zone covers, or count.
uint32_t zonetable_covers(const ZoneTable *, Probe *, const ZoneRef *, uint32_t from,
                          uint32_t count);

#endif
