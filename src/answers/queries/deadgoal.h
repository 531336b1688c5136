// Goals that ask for deadlocks, for a search over zones of global time (semantics/zone/zones.h).
#pragma once

#include "answers/queries/deadlock.h"
#include "search/space/space.h"

typedef struct Deadgoal Deadgoal;
struct Deadgoal {
  Mem *mem;
  Space *space;
  Deadgoal *first;                        // of all threads: the one that was attached
  Space *(*make_sibling)(Space *, Mem *); // the space's own
  Deadlocks deadlocks;
  const Goal *goal;
  bool asks_only; // for deadlocks: nothing else meets the goal
  bool is_m;      // the abstraction is by M bounds, or there is none: what it finds is so
  bool
      doubtful; // of the first: some node may have met the goal, so that the search shows nothing
  bool has_zone; // of the current node
  Bound *zone;   // over all clocks
  int32_t *lower, *upper;
};

// The space's is_goal asks for this goal from now on. Its zones are those after delay, and its
// clock bounds are static. Spaces that it makes for other threads ask for it, too.
void deadgoal_attach(Deadgoal *, Mem *, Space *, const Net *, const Goal *, bool is_m);
void deadgoal_release(Deadgoal *);
