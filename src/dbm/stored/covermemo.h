// SPEED: 5 % of the instructions of corsso 3 and CSMA/CD 7. Without it (MODE=plain): the tests of
// dbm/stored/zonetable.h are made each time.
//
// Remembers which zone covers which under which bounds. Worth it where a test is more than one
// look, that is modulo a simulation, and comes again; given up if it does not help.
#ifndef TARN_DBM_STORED_COVERMEMO_H
#define TARN_DBM_STORED_COVERMEMO_H

#include "dbm/stored/zonetable.h"

typedef struct CoverEntry {
  ZoneRef small, big;
  uint32_t bounds; // PackedBounds.number
  bool is_covered;
} CoverEntry;

enum { COVER_ENTRIES = 1 << 14 };
typedef struct CoverMemo {
  uint64_t known, unknown; // tests so far
  uint64_t review;         // at so many that were unknown, covermemo_review is called
  uint32_t mask;           // of the entries in use: more when there have been more tests
  bool helps;
  CoverEntry entries[COVER_ENTRIES]; // by hash; small == 0: free
} CoverMemo;

CoverMemo *covermemo_new(Mem *);
void covermemo_clear(CoverMemo *);
// The table grows, or is given up.
void covermemo_review(CoverMemo *);
// After some tests, of which some were not known.
static inline void covermemo_count(CoverMemo *memo, uint32_t tests, uint32_t unknown) {
  memo->known += tests - unknown;
  memo->unknown += unknown;
  if (memo->unknown >= memo->review)
    covermemo_review(memo);
}

static inline bool covermemo_helps(const CoverMemo *memo) { return memo && memo->helps; }

// Where the result of a test is, or belongs.
static inline CoverEntry *covermemo_entry(CoverMemo *memo, ZoneRef small, ZoneRef big,
                                          uint32_t bounds) {
  const uint64_t both = (uint64_t)small << 32 | big;
  const uint64_t hash = (both ^ (uint64_t)bounds << 20) * 0x9e3779b97f4a7c15u;
  return &memo->entries[hash >> 40 & memo->mask];
}

static inline bool covermemo_is_entry(const CoverEntry *entry, ZoneRef small, ZoneRef big,
                                      uint32_t bounds) {
  return entry->small == small && entry->big == big && entry->bounds == bounds;
}

// Forgets tests of zones without a mark.
void covermemo_forget(const ZoneTable *, CoverMemo *);

// As zonetable_covered and zonetable_covers, where the probe's zone is in the table.
uint32_t covermemo_covered(const ZoneTable *, CoverMemo *, Probe *, ZoneRef own, const ZoneRef *,
                           uint32_t count);
uint32_t covermemo_covers(const ZoneTable *, CoverMemo *, Probe *, ZoneRef own, const ZoneRef *,
                          uint32_t from, uint32_t count);

#endif
