// Dead variables in certificates: what a slot holds does not matter where every path writes it
// before it is read. A certificate with CERTIFY_FORGETS lists such slots for each location. Its
// nodes then stand for states with any value there, and have the initial one.
//
// Two states are alike if they differ only in slots that are listed for their locations. The
// lists hold if like states do like things. With p the process of a location l, this is so if
//   1. a listed slot is one of a variable of few slots, and nothing accesses it but p: no query,
//      no update around each step, no guard, update, invariant or rate of another process;
//   2. the invariant of l, and the rates of clocks there, do not read it;
//   3. an edge out of l does not read it in its guard, nor in its update before that has
//   certainly
//      written it;
//   4. an edge out of l certainly writes it if it is not listed for the target.
// Then like states have the same invariants and the same transitions, with the same effect on
// clocks, and these lead to like states: what is not listed for the target was written, by values
// that do not depend on listed slots, or was not listed before. They meet the query together. So
// whatever run there is from a state, there is one with the same edges from each like state; and
// a check of the states with initial values in the listed slots is one of all.
#pragma once

#include "model/query.h"

typedef struct ForgottenSlots { // of a location
  const uint32_t *items;
  uint32_t count;
} ForgottenSlots;

// Lists by location. NULL if they hold; else the reason why they need not. The goal may be NULL.
const char *forgotten_refuse(Mem *, const Net *, const Goal *, const ForgottenSlots *);
// Sets what is listed for the locations of a state to its initial value.
void forgotten_set_back(const Net *, const ForgottenSlots *, int32_t *state);
