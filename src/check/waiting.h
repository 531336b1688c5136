// What can still happen in a concrete state: whether some delay leads to an action, and how long
// time can pass. Written straight from the semantics, on fractions: each condition on clocks is
// an interval of delays.
#ifndef TARN_CHECK_WAITING_H
#define TARN_CHECK_WAITING_H

#include "check/moves.h"

typedef struct Waiting {
  Mem *mem;
  const Net *net;
  Moves *moves;
  Vm *vm;
  ClockTests tests;
  ClockUpdates updates;
  int32_t *state;
  struct WaitingOrigin *origins;
} Waiting;

void waiting_init(Waiting *, Mem *, const Net *, Moves *, Vm *);
void waiting_release(Waiting *);

// Whether no delay leads to an action. Clocks are numerators; [0] is 0. The list of moves is
// lost.
bool waiting_is_deadlocked(Waiting *, const int32_t *state, const int64_t *clocks,
                           int64_t denominator);
// Whether time can pass without end in the state.
bool waiting_is_endless(Waiting *, const int32_t *state);

#endif
