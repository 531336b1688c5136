// Zone table: every zone that a search meets, packed, once for all discrete states. Most zones
// are met in many states: each costs its state four bytes then, zones with the same number are
// equal, and what was found out about one (zone/memo.h) holds wherever it is met.
//
// A table can be *compact*: then the bodies are zones in minimal form (dbm/stored/compact.h),
// `format` is that of the packed zone, and all who use the table have a probe with a Compact.
//
// Zones never move. Those that nobody has any more are dropped when the owner says so.
//
// Threads that search together have a table each, for the pages that they fill, but zones in
// common: a zone has one number, and any of them can read it. To look for a zone nothing is
// locked; who adds one locks the slots for as long as it takes to fill one.
#ifndef TARN_DBM_STORED_ZONETABLE_H
#define TARN_DBM_STORED_ZONETABLE_H

#include "dbm/stored/packed.h"

// Which zone covers which under which bounds: worth remembering where a test is more than one
// look, that is modulo a simulation, and comes again. A cache; given up if it does not help.
typedef struct CoverEntry {
  ZoneRef small, big;
  uint32_t bounds; // PackedBounds.number
  bool is_covered;
} CoverEntry;

enum { COVER_ENTRIES = 1 << 14 };
typedef struct CoverMemo {
  uint64_t known, unknown; // tests so far
  uint32_t mask;           // of the entries in use: more when there have been more tests
  CoverEntry entries[COVER_ENTRIES]; // by hash; small == 0: free
} CoverMemo;

CoverMemo *zonetable_new_covers(Mem *);
void zonetable_clear_covers(CoverMemo *);
void zonetable_grow_covers(CoverMemo *);
// After some tests, of which some were not known: the table may grow.
static inline void zonetable_count_tests(CoverMemo *memo, uint32_t tests, uint32_t unknown) {
  memo->known += tests - unknown;
  memo->unknown += unknown;
  if (memo->unknown > 2 * memo->mask && memo->mask < COVER_ENTRIES - 1)
    zonetable_grow_covers(memo);
}

static inline bool zonetable_has_cover_memo(const CoverMemo *memo) {
  return memo && 4 * memo->unknown <= memo->known + 4 * COVER_ENTRIES; // filled once
}

// Where the result of a test is, or belongs.
static inline CoverEntry *zonetable_cover_entry(CoverMemo *memo, ZoneRef small, ZoneRef big,
                                                uint32_t bounds) {
  const uint64_t both = (uint64_t)small << 32 | big;
  const uint64_t hash = (both ^ (uint64_t)bounds << 20) * 0x9e3779b97f4a7c15u;
  return &memo->entries[hash >> 40 & memo->mask];
}

static inline bool zonetable_is_cover_entry(const CoverEntry *entry, ZoneRef small, ZoneRef big,
                                            uint32_t bounds) {
  return entry->small == small && entry->big == big && entry->bounds == bounds;
}

// For zones of up to n clocks.
void zonetable_init(ZoneTable *, Mem *, uint32_t n);
void zonetable_release(ZoneTable *);
size_t zonetable_bytes(const ZoneTable *); // memory in use

// Before there is any zone in either: from now on they have their zones in common. The first must
// outlive the others. Not for compact tables.
void zonetable_share(ZoneTable *first, ZoneTable *other);

// The probe's zone: its number, ZONE_NONE if it is not there; or added.
ZoneRef zonetable_find(const ZoneTable *, const Probe *);
ZoneRef zonetable_add(ZoneTable *, const Probe *);
// Zones of another kind (dbm/stored/offsetpack.h), which the table takes as strings of bytes:
// equal ones have the same kind, which fixes their size, format and bytes. Not for compact
// tables.
typedef struct ZoneString {
  uint32_t kind; // KeptZone.k
  PackedFormat format;
  const void *body;
  size_t bytes;
  uint32_t hash; // zonetable_hash of the rest
} ZoneString;

uint32_t zonetable_hash(const ZoneString *);

ZoneRef zonetable_find_string(const ZoneTable *, const ZoneString *);
ZoneRef zonetable_add_string(ZoneTable *, const ZoneString *);

// Zones that are marked stay when the table is swept; the others are dropped, and their numbers
// may become those of new zones. Whoever has numbers must forget these first. Not for compact
// tables, nor for zones in common.
void zonetable_mark(ZoneTable *, ZoneRef);
bool zonetable_is_marked(const ZoneTable *, ZoneRef);
void zonetable_forget_covers(const ZoneTable *, CoverMemo *); // tests of zones without a mark
void zonetable_sweep(ZoneTable *);                            // takes the marks away

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
