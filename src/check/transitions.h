// Joint transitions of a location vector, enumerated in the simplest way: by looking at every
// synchronisation and at every edge of the present locations. The code is independent of
// model/joint.c, which the engines use, so that each is a test of the other. Both have the same
// order, and so the same ordinals.
//
// transitions_at is for one point of time. It lists the joint transitions that are possible
// there, straight from the definitions of guards, broadcasts, committed locations and priorities.
#pragma once

#include "model/net.h"

typedef struct TransitionEdges { // edges first .. first + count - 1 of Transitions.edges
  uint32_t first, count;
} TransitionEdges;

typedef struct Transitions {
  Mem *mem;
  const Net *net;
  const Edge **out;          // by source location, then declaration
  uint32_t *first;           // by location, and one more: its first in `out`
  bool *is_shared;           // by edge: it belongs to a synchronisation
  VEC(TransitionEdges) list; // by ordinal
  VEC(const Edge *) edges;
  VEC(const Edge *) chosen; // of the synchronisation being unfolded
  ClockTests tests;
} Transitions;

void transitions_init(Transitions *, Mem *, const Net *);

// Fills `list` for the locations of a state.
void transitions_find(Transitions *, const int32_t *state);

// Whether time may pass in a state: no process is in an urgent or a committed location.
bool transitions_can_delay(const Net *, const int32_t *state);

// A point: a state, and clock values as fractions with one denominator; clocks[0] is 0.
typedef struct TransitionPoint {
  const int32_t *state;
  const int64_t *clocks;
  int64_t denominator;
} TransitionPoint;

// Fills `list` with the joint transitions that are possible at a point, but for target invariants
// and run-time errors of updates. False if a guard fails at run time (see the Vm), and it decides
// whether just the edges of `step` move: it is one of theirs, one of another receiver of their
// broadcast, or, with priorities, one of a synchronisation that may come first. Without `step`,
// any guard that fails decides.
bool transitions_at(Transitions *, Vm *, const TransitionPoint *, const Edge *const *step,
                    uint32_t step_count);

// Whether an urgent synchronisation is enabled at the point, or becomes so less than `delay`
// later (0: now); clock values are numerators, and so is the delay.
bool transitions_urgent(Transitions *, Vm *, const TransitionPoint *, int64_t delay);

// Whether a transition has a higher priority than another: of its channel or, if these are equal,
// of the highest of its processes.
bool transitions_is_higher(const Transitions *, const TransitionEdges *, const TransitionEdges *);

// Whether there is a transition with just these edges, in this order.
bool transitions_contain(const Transitions *, const Edge *const *edges, uint32_t count);
