// Orders the edges of processes in one column, so that edges of the same place correspond. Used
// for proposals of symmetry only (analysis/symmetry/propose.h).
//
// By default, edges correspond in their order of declaration. But the order may differ between
// processes: the fork that one philosopher takes first may be the second fork of another. So
// edges that differ only in their events are ordered by the processes they synchronise with.
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
