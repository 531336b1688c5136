// Tests whether a node of a certificate contains a deadlocked state. In such a state no
// transition is possible, now or after any delay. The test follows the definition and uses the
// checker's own matrices (check/nodezone.h).
//
// Take a discrete state with invariant I. A transition is possible in a zone. The states that can
// wait for it are the past of that zone, within I; if time may not pass, they are the zone
// itself. The test subtracts these zones, one for each transition. What is left is deadlocked.
//
// A node stands for a_LU(Z) (check/certify.h), which may contain a deadlocked state although Z
// does not. So the test starts with a zone that contains a_LU(Z): a clock that can exceed L in Z
// loses its upper bounds, and a clock that can exceed U may be any value above U. If
// something is left of this zone, the test cuts Z in two at a clock bound and looks at each part.
// Smaller parts give smaller zones. The cutting ends when every clock of a part lies on one side
// of each of its bounds.
#pragma once

#include "check/statetransitions.h"

typedef struct Stuck {
  Mem *mem;
  uint32_t n;           // clocks of the net, clock 0 included
  NodeBounds all;       // every clock, with bounds that see every test
  VEC(NodeBound) pasts; // of the present state, n x n each
  uint32_t past_count;
  bool has_pasts;      // they are found
  bool is_free;        // some transition is always possible, after a delay
  VEC(NodeBound) left; // a list of zones
  NodeBound *hull, *zone;
  uint32_t cuts; // of the present node, so far
} Stuck;

void stuck_init(Stuck *, Mem *, const Net *);

// Call this when the present state changes.
void stuck_forget(Stuck *);
// Whether a node may stand for a deadlocked state that meets the tests. `zone` is its zone after
// delay; the transitions are those of its state.
bool stuck_is_possible(Stuck *, const StateTransitions *, const NodeBound *zone,
                       const NodeBounds *, const ClockTest *, uint32_t count);
// The same for a deadlocked state that meets the tests however long time passes.
bool stuck_stays(Stuck *, const StateTransitions *, const NodeBound *zone, const NodeBounds *,
                 const ClockTest *, uint32_t count);
// Whether time can pass for ever in the present state of the transitions while the tests hold.
bool stuck_can_idle(const StateTransitions *, const ClockTest *, uint32_t count);
