// Permutations of a network: a renaming of its processes, events, clocks, variables and of some
// values. It acts on discrete states: slot s with value v becomes slot slot[s] with the value
// that v is mapped to. Locations keep their local index. Whether this is a symmetry of the
// network is for analysis/symmetry/verify.h to say.
//
// Values: each slot has a *sort*. Sort 0 is plain: its values stay. The values of another sort
// are mapped by the ValueMap of that number, one to one; values outside the map stay.
#pragma once

#include "model/net.h"

enum { SORT_PLAIN = 0 };

typedef struct ValueMap {
  int32_t low;
  uint32_t count;
  const int32_t *to; // to[v - low] is where v goes
} ValueMap;

typedef struct EventPair { // event `from` of a process becomes `to` of its image
  ProcessId process;
  EventId from, to;
} EventPair;

typedef struct Permutation {
  const Net *net;
  const ProcessId *process; // image of each process
  const ClockIndex *clock;  // clock_count + 1; clock 0 stays
  const uint32_t *slot;     // slot_count: variables, then locations, which follow the processes
  const uint32_t *sort;     // of each variable's slot
  const ValueMap *maps;     // by sort; maps[0] is empty
  uint32_t sort_count;
  const EventPair *events; // ascending by process and `from`; other events stay
  uint32_t event_count;
} Permutation;

EventId permutation_event(const Permutation *, ProcessId, EventId);

static inline int32_t permutation_value(const Permutation *perm, uint32_t sort, int32_t value) {
  const ValueMap *map = &perm->maps[sort];
  const uint32_t at = (uint32_t)value - (uint32_t)map->low;
  return at < map->count ? map->to[at] : value;
}

// The image of a state; the two do not overlap.
void permutation_apply(const Permutation *, int32_t *to, const int32_t *from);

// Whether every initial state has an initial state as its image.
bool permutation_keeps_initial(const Permutation *);
