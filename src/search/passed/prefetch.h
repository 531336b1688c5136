// SPEED: a fifth of the time of Fischer 11. Without it (MODE=plain): the search waits for memory.
//
// Prefetching: large searches wait for memory more than they compute. So the data of the next
// nodes in the passed list and the space is fetched before it is needed, for many nodes at once.
#pragma once

#include "search/orders/order.h"

// A node that is not current.
typedef struct PrefetchKey {
  const uint64_t *key;
  uint64_t hash;
  const Group *group; // found between the stages: likely the key's
} PrefetchKey;

// Has memory fetched that the store needs to add nodes with these keys: one stage for all, then
// the next, so that the processor waits for all of them together.
void prefetch_stage(const Store *, PrefetchKey *, uint32_t count, FetchStage);
// What the successors of the opened node, and the nodes that will be opened after it, need.
void prefetch_successors(Store *, const Order *);
