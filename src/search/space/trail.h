// Trails: record how a search reached its nodes, for passed lists whose nodes have no parents
// because a node may be reached again (a dart from which more points have to be explored).
//
// A node can then lie on the path to itself, so one parent per node is not enough. Each time a
// node is reached, it gets a new mark, which refers to the mark that its parent had when the
// parent was taken. A trail costs nothing unless it is on.
//
// In a search that is reduced by symmetry a mark also says how its node was renamed when it was
// reached: the ids of each family in their new order (semantics/orbit.h), one family after the
// other.
//
// If several workers search together, each has a trail, and a mark may refer to a mark of any of
// them.
#pragma once

#include "base/intern.h"
#include "base/pool.h"
#include "search/space/space.h"

typedef struct TrailMark {
  uint32_t parent; // its mark among those of all workers, + 1; 0: none
  uint32_t ordinal;
  uint32_t renaming; // its number; 0: none
} TrailMark;

typedef struct Trail {
  bool is_on;
  Pool marks;   // of TrailMark
  Pool newest;  // by node: its newest mark, among those of all workers, + 1; 0: none
  uint32_t now; // mark of the taken node + 1 among those of all workers, 0: none
  uint32_t workers, number;
  Intern renamings;
  const uint32_t *order; // how the current node was renamed, set by the space; NULL: not at all
  uint32_t order_count;
} Trail;

typedef struct TrailStep {
  uint32_t ordinal;      // SPACE_DELAY for a delay
  const uint32_t *order; // how the node was renamed; NULL: it was not
} TrailStep;
typedef VEC(TrailStep) TrailSteps;

void trail_init(Trail *, Mem *, bool is_on);

void trail_take(Trail *, uint32_t ref);                    // its successors come next
void trail_reach(Trail *, uint32_t ref, uint32_t ordinal); // new, or reached anew
// The parts of trail_reach, for trails that were saved: a mark, and the one that a node has now,
// among those of all workers, + 1.
void trail_append(Trail *, TrailMark);
void trail_set_newest(Trail *, uint32_t ref, uint32_t mark);
// The newest mark of a node, among those of all workers, + 1; 0: there are none.
uint32_t trail_newest(const Trail *, uint32_t ref);
// Appends the steps on the way to a mark (+ 1) of one of the trails, last first; at most so many.
// Returns what is left: 0, or a mark of a trail that is NULL, of a worker of another process.
uint32_t trail_steps(const Trail *const *trails, uint32_t workers, uint32_t mark, uint32_t max,
                     Mem *, TrailSteps *);
