// Partners: which edges of processes that stand at the same place of a column correspond, as far
// as the processes that they synchronise with tell. For proposals of symmetry only
// (analysis/symmetry/propose.h).
//
// Edges correspond in the order of declaration. That order may be another one in one of the
// processes: a fork that its left philosopher takes first is, for the last philosopher, the one
// that is taken second. So edges that differ in nothing but their events are put in the order of
// their partners.
#pragma once

#include "analysis/symmetry/builder.h"

typedef VEC(EdgeId) EdgeIds;

// The edges of a process that belongs to an id; the list is the caller's.
void partners_list_edges(const Builder *, ProcessId, uint32_t id, EdgeIds *);

// The parts of synchronisations, by process and in their order.
typedef struct SyncUses {
  uint32_t *first; // by process, and one more: the first of its items
  struct SyncUse {
    uint32_t sync;
    EventId event;
  } * items;
} SyncUses;

SyncUses *partners_list_syncs(Arena *, const Net *);
// The `which`-th synchronisation in which a process takes part with an event; NET_NONE if there
// is none.
uint32_t partners_find_sync(const SyncUses *, ProcessId, EventId, uint32_t which);
