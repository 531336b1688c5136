// What can still happen in a concrete state: whether some delay leads to an action, and whether
// time can pass for ever. Each condition on clocks is an interval of delays.
#pragma once

#include "check/statetransitions.h"

typedef struct Waiting {
  StateTransitions outgoing;
} Waiting;

void waiting_init(Waiting *, Mem *, const Net *);

// Whether no delay leads to an action; whether one does. Both are false if it is not known: where
// urgent channels have clock guards. Clocks are numerators; [0] is 0.
bool waiting_is_deadlocked(Waiting *, const int32_t *state, const int64_t *clocks,
                           int64_t denominator);
bool waiting_can_act(Waiting *, const int32_t *state, const int64_t *clocks, int64_t denominator);
// Whether time can pass for ever in the state.
bool waiting_is_endless(Waiting *, const int32_t *state);
