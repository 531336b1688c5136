// SPEED: a fifth of the time of corsso 6 in local time. Without it (MODE=plain): memory is waited
// for.
//
// Prefetching: large searches wait for memory more than they compute. So what the passed list
// holds of nodes that come next is fetched before it is needed, for many of them at once.
#ifndef TARN_SEARCH_PREFETCH_H
#define TARN_SEARCH_PREFETCH_H

#include "search/passed/store.h"

// Memory is fetched in stages. Each stage finds its place by what the one before has fetched: the
// slot of the table, the group, its zones.
typedef enum FetchStage { FETCH_SLOT, FETCH_GROUP, FETCH_ZONES } FetchStage;

// A node that is not current.
typedef struct PrefetchKey {
  const uint64_t *key;
  uint64_t hash;
  const Group *group; // found between the stages: likely the key's
} PrefetchKey;

// Has memory fetched that the store needs to add nodes with these keys: one stage for all, then
// the next, so that the processor waits for all of them together.
void prefetch_stage(const Store *, PrefetchKey *, uint32_t count, FetchStage);
// What the store needs for the successors of the opened node.
void prefetch_successors(Store *);

#endif
