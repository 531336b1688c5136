// The parts of the clock space in which a condition holds in a discrete state, for certificates
// about infinite runs whose conditions compare clocks (check/descent.h).
//
// The clauses of the condition are taken in turn. A clause makes the parts in which its tests and
// the invariant hold and no earlier clause does. The earlier ones are cut out test by test: if Z
// is a zone and t1, ..., tn are the tests of an earlier clause, the pieces Z && !t1,
// Z && t1 && !t2, ..., Z && t1 && ... && !tn remain. Pieces without points are dropped. So parts
// are disjoint conjunctions of tests, and each state of the condition lies in one of them.
#pragma once

#include "base/intern.h"
#include "check/statetransitions.h"

typedef struct ClockPart { // a range of ClockParts.tests, without the invariant
  uint32_t first, count;
} ClockPart;

typedef struct ClockPartsOf {        // a state: ranges of ClockParts.list
  uint32_t first, count;             // the parts
  uint32_t first_start, start_count; // clauses of another condition, which may overlap
} ClockPartsOf;

typedef struct ClockParts {
  Mem *mem;
  const Goal *stay, *start; // NULL: none
  uint32_t n;               // clocks of the net, clock 0 included
  NodeBound *zone;
  Intern states;
  VEC(ClockPartsOf) known; // by number of the state
  ClockTests tests;        // of all parts
  VEC(ClockPart) list, before, pieces, rest;
  ClockTests invariant;
  const char *error; // of an invariant or a condition; NULL: none so far
} ClockParts;

void clockparts_init(ClockParts *, Mem *, const Net *, const Goal *stay, const Goal *start);

// Those of a state: none where its invariant never holds, or after an error.
ClockPartsOf clockparts_of(ClockParts *, StateTransitions *, const int32_t *state);
static inline const ClockTest *clockparts_tests(const ClockParts *p, const ClockPart *part) {
  return p->tests.items + part->first;
}
