// Conditional transitions: the joint transitions of a state of a net with channels or priorities,
// for all clock values at once, as the checker of certificates needs them. The module is
// independent of model/enabled.c, which the engines use, and follows the same definitions.
//
// A conditional transition has the edges that move together and the clock tests, besides their
// guards, under which exactly these edges move. A condition that is not a conjunction becomes
// several transitions. All modules split it by the same rule, so that the parts agree: the
// complement of t1 && ... && tn has the parts !t1, t1 && !t2, ..., t1 && ... && !tn. A part that
// the conjunction does not meet stays whole; a part without valuations is left out.
//
// A conditional transition without edges is a delay, where urgent synchronisations are enabled
// for some clock values only (model/joint.h).
#pragma once

#include "check/transitions.h"

typedef struct ConditionalTransition { // beside the edges, which are in Transitions.list
  uint32_t first, count;               // tests beyond the guards
  uint32_t first_after, after_count;   // tests after a delay
} ConditionalTransition;

typedef struct Conjunction {
  uint32_t first, count;
} Conjunction;

typedef struct ConditionalTransitions {
  Mem *mem;
  Transitions *transitions;
  Vm *vm;
  VEC(ConditionalTransition) list; // as Transitions.list
  ClockTests tests;
  bool can_delay; // time may pass freely

  // In the making:
  const int32_t *state;
  bool committed;                // only from a committed location
  ClockTests now;                // of the part being made
  ClockTests conjunction_tests;  // of those to be left out
  VEC(Conjunction) conjunctions; // the same
  VEC(Conjunction) parts;        // made, of part_tests
  ClockTests part_tests;
  VEC(ClockIndex) clocks;
  VEC(int64_t) matrix;
} ConditionalTransitions;

void conditional_init(ConditionalTransitions *, Mem *, Transitions *, Vm *);
// Fills Transitions.list, the list here and can_delay for a state.
void conditional_find(ConditionalTransitions *, const int32_t *state);
