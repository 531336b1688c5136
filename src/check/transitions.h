// Joint transitions of a location vector, enumerated in the simplest way: by looking at every
// synchronisation and at every edge of the present locations. The code is independent of
// model/joint.c, which the engines use, so that each is a test of the other. Both have the same
// order, and so the same ordinals.
//
// Processes can be left out, which a certificate of a slice does (check/sliced.h). What is listed
// then are the joint transitions of the others, those of whole ones that are not empty: what
// takes part of those that are left out is ready at any time, from a committed location if it has
// an edge there. They stop no time.
//
// transitions_at is for one point of time. It lists the joint transitions that are possible
// there, straight from the definitions of guards, broadcasts, committed locations and priorities.
#pragma once

#include "model/net.h"

typedef struct TransitionEdges { // edges first .. first + count - 1 of Transitions.edges
  uint32_t first, count;
} TransitionEdges;

// A synchronisation, with the parts of processes that are not left out.
typedef struct Meeting {
  const Sync *sync;
  const SyncPart *parts;
  uint32_t count;
  bool is_whole;     // none is left out
  bool lacks_sender; // of a broadcast, it is left out
  bool may_commit;   // one that is left out can take part from a committed location
} Meeting;

typedef struct Transitions {
  Mem *mem;
  const Net *net;
  const bool *left_out;      // by process; NULL: none is
  VEC(Meeting) meetings;     // in order of synchronisations; those without parts are not here
  const Edge **out;          // by source location, then declaration; of those not left out
  uint32_t *first;           // by location, and one more: its first in `out`
  bool *is_shared;           // by edge: it belongs to a synchronisation
  VEC(TransitionEdges) list; // by ordinal
  VEC(const Edge *) edges;
  VEC(const Edge *) chosen; // of the synchronisation being unfolded
  ClockTests tests;
} Transitions;

void transitions_init(Transitions *, Mem *, const Net *);
// Leaves out processes from now on; not for transitions_at, nor transitions_urgent.
void transitions_leave_out(Transitions *, const bool *left_out);

// Fills `list` for the locations of a state.
void transitions_find(Transitions *, const int32_t *state);

// Whether time may pass in a state: no process is in an urgent or a committed location.
bool transitions_can_delay(const Transitions *, const int32_t *state);
// Whether a process is in a committed location.
bool transitions_some_committed(const Transitions *, const int32_t *state);

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
