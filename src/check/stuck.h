// Whether a node of a certificate stands for a deadlocked state: one from which no delay leads to
// a transition. Written from the definition, on the checker's own matrices (check/nodezone.h).
//
// In a discrete state with invariant I the states that are not deadlocked are, for some
// transition, in the past of those where it is possible, within I; if time may not pass, they are
// those themselves. Both are zones. What is left of a set when all of them are subtracted is
// deadlocked.
//
// A node stands for a_LU(Z), see check/certify.h, and a state of it may be deadlocked though none
// of Z is. So the set is a zone that contains a_LU(Z): a clock that can be above L in Z has no
// upper bounds, and one that can be above U may be as small as just above U. Where something is
// left of it, Z is cut in two at a bound of a clock, and each part is looked at: the smaller they
// are, the more exact is the set. At the end of that each clock of a part is on one side of its
// bounds.
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
void stuck_release(Stuck *);

// Another state is the present one.
void stuck_forget(Stuck *);
// Whether the node, whose zone after delay is this, may stand for a deadlocked state that meets
// the tests. Arrows are those of its state.
bool stuck_is_possible(Stuck *, const StateTransitions *, const NodeBound *zone,
                       const NodeBounds *, const ClockTest *, uint32_t count);
// Whether time can pass for ever in the present state of the arrows.
bool stuck_can_idle(const StateTransitions *);
