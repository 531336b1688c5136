// What a process can do in zero time, for certificates that leave out transitions
// (check/leftout.h). Written from the definitions in doc/notes/partial-order.md; shares nothing
// with analysis, which the searches use.
//
// Sets are arrays of bits. A *deed* is all that an edge does: what it reads, how it writes, which
// constants it sets, its event, the location that it enters, and flags. The deeds of a process
// are the union over the edges that it can take.
#pragma once

#include "base/arena.h"
#include "model/access.h"
#include "model/query.h"

typedef uint64_t Bits;

enum {
  DEED_MOVES = 1,  // there is an edge
  DEED_STICKS = 2, // enters a committed location that may have no way out
  DEED_FAILS = 4,  // can have an error at run time
};

typedef struct Deeds {
  Bits *reads;  // cells: guard, updates, invariants of source and target
  Bits *writes; // cells, in any other way than the next three
  Bits *ups, *downs;
  Bits *sets;    // constants, by number
  Bits *events;  // by number
  Bits *targets; // locations
  unsigned flags;
} Deeds;

typedef struct ZeroConstant { // an edge sets the cell to this value
  CellId cell;
  uint32_t slot; // UINT32_MAX: a clock
  int64_t value;
} ZeroConstant;

typedef struct ZeroLower { // a guard y >= bound, or > bound; y is only ever reset
  ClockIndex clock;
  int64_t bound;
  bool strict;
} ZeroLower;

typedef struct ZeroEdge {
  Deeds own, all;         // its own; and those of all that can follow it in zero time
  Bits *guard;            // cells that the guard reads
  Bits *needs;            // and updates and target invariant
  Bits *harms;            // cells of invariants of other processes that it may make false
  const ZeroLower *lower; // of its guard
  uint32_t lower_count;
  bool recurs; // a run can take it again and again in zero time
} ZeroEdge;

typedef struct ZeroSyncs { // synchronisations of a process by an event
  const Sync **items;
  uint32_t count;
} ZeroSyncs;

typedef struct ZeroTime {
  const Net *net;
  Arena *arena;
  Access access;
  uint32_t cell_words, constant_words, event_words, location_words;
  ZeroEdge *edges;
  Bits **invariants; // by location: cells
  bool *resets_only; // by clock: nothing sets it to anything but 0
  bool *only_above;  // by clock: invariants bound it from above only
  VEC(ZeroConstant) constants;
  ZeroSyncs *syncs; // by process * events + event
  bool can_fail;    // some edge
} ZeroTime;

static inline bool bits_has(const Bits *set, uint32_t bit) {
  return set[bit / 64] >> bit % 64 & 1;
}
static inline void bits_add(Bits *set, uint32_t bit) { set[bit / 64] |= (Bits)1 << bit % 64; }
static inline void bits_join(Bits *to, const Bits *from, uint32_t words) {
  for (uint32_t i = 0; i < words; i++)
    to[i] |= from[i];
}
static inline bool bits_meet(const Bits *a, const Bits *b, uint32_t words) {
  Bits common = 0;
  for (uint32_t i = 0; i < words; i++)
    common |= a[i] & b[i];
  return common;
}

// Of a finished net. False if it is too large.
bool zerotime_init(ZeroTime *, Arena *, const Net *);

// The cell of a slot that is one by itself; UINT32_MAX: it is not, or no part of a state.
CellId zerotime_cell(const ZeroTime *, uint32_t slot);

static inline ZeroSyncs zerotime_syncs(const ZeroTime *z, ProcessId p, EventId event) {
  return z->syncs[(size_t)p * z->net->events.size + event];
}

void zerotime_clear(const ZeroTime *, Deeds *);
Deeds zerotime_deeds(const ZeroTime *); // empty, in the arena
void zerotime_join(const ZeroTime *, Deeds *to, const Deeds *);
// Cells that are written in any way but by constants.
void zerotime_written(const ZeroTime *, const Deeds *, Bits *cells);
