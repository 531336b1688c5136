// Goals that ask for deadlocks, for a search over zones of global time (semantics/zone/zones.h).
#pragma once

#include "answers/queries/deadlock.h"
#include "search/space/space.h"

typedef struct Deadgoal {
  Mem *mem;
  Deadlocks deadlocks;
  const Goal *goal;
  bool is_m;     // the abstraction is by M bounds, or there is none: what it finds is so
  bool doubtful; // some node may have met the goal: then the search has shown nothing
  Bound *zone;   // over all clocks
  int32_t *lower, *upper;
} Deadgoal;

// The space's is_goal asks for this goal from now on. Its zones are those after delay, and its
// clock bounds are static.
void deadgoal_attach(Deadgoal *, Mem *, Space *, const Net *, const Goal *, bool is_m);
void deadgoal_release(Deadgoal *);
