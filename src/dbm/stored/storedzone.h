// Stored zones: how a zone table (dbm/stored/zonetable.h) keeps a zone. For the table itself and
// for the modules that scan it.
#pragma once

#include "base/lock.h"
#include "base/vec.h"

typedef uint32_t ZoneRef; // a zone kept in a table
#define ZONE_NONE 0u

enum { ZONE_UNIT = 8 }; // bytes: references count units, which makes 32 GiB

// What the tables of threads that search together have in common.
typedef struct ZoneSlots { // as ZoneTable.slots
  uint32_t mask;
  _Atomic(uint64_t) at[];
} ZoneSlots;

typedef struct ZoneShare {
  Lock lock;                  // taken to add a zone
  _Atomic(ZoneSlots *) slots; // those in use; older ones may still be read
  atomic_uint count;          // zones
  atomic_uint page_count;
  char *pages[];
} ZoneShare;

typedef struct ZoneTable {
  Mem *mem;
  char **pages; // by number: `own`, or those of all threads
  VEC(char *) own;
  ZoneShare *shared;        // NULL: it is alone
  void *shared_memory;      // where that lies, if it is its own
  VEC(ZoneSlots *) retired; // slots in common that it made, all of them
  uint32_t page_shift;      // units of a page, as a power of two
  uint32_t newest;          // number of the newest page of its own
  uint32_t used;            // units of it
  uint64_t *slots;          // open addressing: hash above, reference below; 0 is free
  uint32_t mask;
  uint32_t count; // zones; if others share them, those that this thread added
  uint32_t *free; // by units: the first place where a zone was dropped; NULL: none ever was
} ZoneTable;

typedef struct StoredZone {
  uint32_t summary; // in a compact table (dbm/stored/compact.h); else the units that it takes
  uint32_t k : 28, is_marked : 1, format : 3;
  char entries[];
} StoredZone;

static inline const StoredZone *zonetable_at(const ZoneTable *table, ZoneRef ref) {
  const uint32_t mask = (1u << table->page_shift) - 1;
  return (const StoredZone *)(const void *)(table->pages[ref >> table->page_shift] +
                                            (size_t)(ref & mask) * ZONE_UNIT);
}
