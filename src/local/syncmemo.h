// SPEED: 4 % of the instructions of critical region 4. Without it (MODE=plain): local/sync.c
// computes each synchronised zone.
//
// Zones of local time with the same synchronised zone: it depends on some of their bounds
// only, those among clocks (and frozen times) and the minima. Where these and the setting are
// what they were in another zone, it is the same. For zones in 8 bits of up to ten clocks.
//
// A cache with one place for each hash, given up where it seldom knows the answer. All-zero is
// empty.
#ifndef TARN_LOCAL_SYNCMEMO_H
#define TARN_LOCAL_SYNCMEMO_H

#include "dbm/offset.h"
#include "dbm/stored/zonetable.h"

enum { SYNCMEMO_WORDS = 15, SYNCMEMO_ENTRIES = 1 << 10 };

typedef struct SyncMemoEntry { // two lines of the cache
  uint32_t setting;
  ZoneRef sync; // ZONE_NONE: to be found by whoever asked
  uint64_t words[SYNCMEMO_WORDS];
} SyncMemoEntry;

typedef struct SyncMemo {
  uint32_t asked, unknown;
  SyncMemoEntry entries[SYNCMEMO_ENTRIES];
} SyncMemo;

// Where the synchronised zone of a packed zone is, in the setting with this number (to which the
// shape belongs), or is to be put; NULL if there is no place for such zones.
ZoneRef *syncmemo_find(SyncMemo *, const OffsetShape *, uint32_t setting, const int8_t *entries);

#endif
