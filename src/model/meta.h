// Meta variables (UPPAAL): they keep their values, but states are compared without them.
//
// Most meta variables are scratch: a transition that reads one writes it first. Then its value
// never matters between two transitions. Searches reset such variables to their initial values,
// so they are not part of a state (NetSlots.is_meta); only runs show their values.
//
// The others are kept (NetSlots.is_kept): they are read by guards, invariants or the query, or
// may be read by an update before the same transition writes them. The model treats them as
// ordinary variables. Which values a state has depends on how the search reached it
// (search/space/masked.h).
//
// The analysis does not track values: a write in a branch, in a loop or at an index that is not
// constant does not count.
#pragma once

#include "model/net.h"

void meta_find(Net *); // fills NetSlots.is_meta and is_kept; for net_finish

// A query reads this expression (NULL: nothing): a view of the net, in the arena, in which the
// scratch variables that it reads are kept. The net itself if there are none.
const Net *meta_keep(const Net *, Arena *, const Expr *);

const Name *meta_first_kept(const Net *); // NULL: none is

// Gives scratch variables their initial values back.
static inline void meta_forget(const Net *net, int32_t *state) {
  for (uint32_t slot = 0; net->slots.is_meta && slot < net->location_slot; slot++)
    if (net->slots.is_meta[slot])
      state[slot] = net->slots.initial[slot];
}

// Whether two states are the same but for scratch variables.
static inline bool meta_is_same(const Net *net, const int32_t *a, const int32_t *b) {
  for (uint32_t slot = 0; slot < net->slots.count; slot++)
    if (a[slot] != b[slot] && !(net->slots.is_meta && net->slots.is_meta[slot]))
      return false;
  return true;
}
