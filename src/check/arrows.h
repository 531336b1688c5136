// The joint transitions of one discrete state, as far as the state decides them, for all nodes of
// a certificate that have it.
#ifndef TARN_CHECK_ARROWS_H
#define TARN_CHECK_ARROWS_H

#include "check/branches.h"
#include "check/rooms.h"
#include "check/transitions.h"

// A joint transition of the present state, as far as the state decides it. Its tests are those
// of the guards and then those of the target's invariant, the latter carried back over the
// updates, so that all speak of the clocks before them.
typedef struct Arrow {
  uint32_t ordinal;
  uint32_t first_test, guard_count, test_count;
  uint32_t first_drop, drop_count; // of Arrows.drops
  size_t target;                   // of Arrows.targets: the state that it leads to
  size_t origin;                   // of Arrows.origins: where each clock comes from
  const char *error;               // it fails where the guards hold
  bool is_blocked;                 // the target's invariant never holds
  bool is_weakened;                // the tests say less than the target's invariant
} Arrow;

typedef struct Arrows {
  Mem *mem;
  const Net *net;
  Vm vm;
  Transitions transitions;
  bool is_split; // there are channels or priorities: transitions are `branches`
  Branches branches;
  const int32_t *state; // the present one
  bool invariant_fails, can_delay;
  ClockTests invariant;
  VEC(Arrow) list;
  ClockTests tests; // of all arrows
  VEC(int32_t) targets;
  VEC(Origin) origins;
  VEC(Origin) drops; // values with d < 0 that updates set clocks to
  ClockTests fresh;  // scratch
  ClockUpdates updates;
} Arrows;

void arrows_init(Arrows *, Mem *, const Net *);
void arrows_release(Arrows *);

// Finds those of a state, which must stay. NULL, or the error of its invariant.
const char *arrows_find(Arrows *, const int32_t *state);

// Adds the tests of a guard in a state. False if it does not hold; after an error there are none.
bool arrows_guard_holds(Arrows *, const Guard *, const int32_t *state, ClockTests *,
                        const char **error);

// Adds the tests of all invariants. An error counts whatever the clocks are.
bool arrows_invariants_hold(Arrows *, const int32_t *state, ClockTests *, const char **error);

// Whether no valuation meets the tests and the invariant: two of them, or one, are contradictory.
bool arrows_contradict(const Arrows *, const ClockTest *, uint32_t count);

#endif
