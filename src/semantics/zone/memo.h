// SPEED: nine transitions of ten on Fischer's protocol need no matrix. Without it (MODE=plain):
// every zone is computed.
//
// Memo: a cache of what transitions make of zones. The matrix work of a transition, from its
// guard to the extrapolation in its target, is its *transformer*. One transformer always makes
// the same of one zone, whatever the discrete states are. Both are known by numbers
// (semantics/zone/locvector.h, dbm/stored/zonetable.h).
//
// A result may be forgotten when its place is needed for another.
#pragma once

#include "base/mem.h"
#include "dbm/stored/zonetable.h"

// As a result: not known (ZONE_NONE), or that there is no node. MEMO_REASONS numbers below
// MEMO_EMPTY say that, too, and why (semantics/local/commute.h): zones never have them.
#define MEMO_EMPTY UINT32_MAX
enum { MEMO_REASONS = 64 };
static inline bool memo_is_zone(ZoneRef result) { return result < MEMO_EMPTY - MEMO_REASONS; }

typedef struct MemoEntry {
  ZoneRef zone;
  uint32_t transformer;
  ZoneRef result;
} MemoEntry;

typedef struct Memo {
  Mem *mem;
  MemoEntry *entries; // by hash
  uint32_t mask;
  uint32_t added; // since the table has this size
} Memo;

void memo_init(Memo *, Mem *);
// These can be called of an empty one, too, that is all zero.
void memo_release(Memo *);
void memo_clear(Memo *);
// Forgets results for zones, or that are zones, without a mark (dbm/stored/zonetable.h).
void memo_sweep(Memo *, const ZoneTable *zones, const ZoneTable *results);
void memo_add(Memo *, ZoneRef, uint32_t transformer, ZoneRef result);

static inline uint32_t memo_slot(const Memo *memo, ZoneRef zone, uint32_t transformer) {
  const uint64_t both = (uint64_t)zone << 32 | transformer;
  return (uint32_t)((both * 0x9e3779b97f4a7c15u) >> 32) & memo->mask;
}

// Each result is in its slot or in those of its neighbours, MEMO_WAYS in all.
enum { MEMO_WAYS = 4 };

static inline ZoneRef memo_find(const Memo *memo, ZoneRef zone, uint32_t transformer) {
  const uint32_t slot = memo_slot(memo, zone, transformer);
  for (uint32_t i = 0; i < MEMO_WAYS; i++) {
    const MemoEntry *entry = &memo->entries[slot ^ i];
    if (entry->zone == zone && entry->transformer == transformer)
      return entry->result;
  }
  return ZONE_NONE;
}

static inline void memo_fetch(const Memo *memo, ZoneRef zone, uint32_t transformer) {
  mem_fetch(&memo->entries[memo_slot(memo, zone, transformer)]);
}
