// The joint transitions of one discrete state, as far as the state decides them, for all nodes of
// a certificate that have it.
#pragma once

#include "check/conditional.h"
#include "check/nodezone.h"
#include "check/rates.h"
#include "check/transitions.h"

// A joint transition of the present state, as far as the state decides it. Its tests are those
// of the guards and then those of the target's invariant, the latter carried back over the
// updates, so that all speak of the clocks before them.
typedef struct StateTransition {
  uint32_t ordinal;
  uint32_t first_test, guard_count, test_count;
  uint32_t first_drop, drop_count; // of Arrows.drops
  size_t target;                   // of Arrows.targets: the state that it leads to
  size_t origin;                   // of Arrows.origins: where each clock comes from
  const char *error;               // it fails where the guards hold
  bool is_blocked;                 // the target's invariant never holds
  bool is_weakened;                // the tests say less than the target's invariant
} StateTransition;

typedef struct StateTransitions {
  Mem *mem;
  const Net *net;
  Vm vm;
  Transitions transitions;
  bool is_split; // there are channels or priorities: transitions are `conditional`
  ConditionalTransitions conditional;
  const int32_t *state; // the present one
  bool invariant_fails, can_delay;
  Rates rates; // of clocks, while time passes in it
  ClockTests invariant;
  VEC(StateTransition) list;
  ClockTests tests; // of all transitions
  VEC(int32_t) targets;
  VEC(Origin) origins;
  VEC(Origin) drops; // values with d < 0 that updates set clocks to
  ClockTests fresh;  // scratch
  ClockUpdates updates;
} StateTransitions;

void statetransitions_init(StateTransitions *, Mem *, const Net *);

// Finds those of a state, which must stay. NULL, or the error of its invariant.
const char *statetransitions_find(StateTransitions *, const int32_t *state);

// Adds the tests of a guard in a state. False if it does not hold; after an error there are none.
bool statetransitions_guard_holds(StateTransitions *, const Guard *, const int32_t *state,
                                  ClockTests *, const char **error);

// Adds the tests of all invariants, but of processes that are left out. An error counts whatever
// the clocks are.
bool statetransitions_invariants_hold(StateTransitions *, const int32_t *state, ClockTests *,
                                      const char **error);

// Whether no valuation meets the tests and the invariant: two of them, or one, are contradictory.
bool statetransitions_contradict(const StateTransitions *, const ClockTest *, uint32_t count);

// Appends `<P.a->b, Q.c->d>`: a transition of the list.
void statetransitions_print(Text *, const StateTransitions *, const StateTransition *);
