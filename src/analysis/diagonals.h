// Differences of clocks that tests compare (`x - y < 3`), per location: the sets G of Gastin,
// Mukherjee and Srivathsan (paper keys GMS19, GMS20) as far as they are not clock bounds. Zones
// are covered modulo a simulation that knows them; doc/notes/diagonals.md has the definitions and
// the proof.
//
// The set of a location has the tests of its invariant and of the guards of its edges. It also
// has the tests of the targets, carried back over the updates, unless the guard decides them.
// Computed per process by a backward fixpoint; a state's set is the union over its processes and
// the goal. A test that an update makes one of a single clock becomes a clock bound of the
// location (`single`, analysis/clockbounds.h).
#pragma once

#include "analysis/diagonalflow.h"
#include "model/query.h"

typedef struct TestList {
  const ClockTest *items;
  uint32_t count;
} TestList;

typedef struct Diagonals {
  TestList *by_location; // sorted, each test once
  TestList *single;      // by location: tests of one clock, above 0 or of 0
  TestList goal;
  TestList all; // of all locations and the goal
} Diagonals;

// Whether there is any difference in the model or in the goal, which may be NULL.
bool diagonals_occur(const Net *, const Goal *);

// False with an error if the sets grow for ever (x := y + c over and over), or beyond
// DIAGONALS_MAX.
// With is_symmetric the sets have the negation of each of their tests: then the simulation, with
// equal bounds L and U, goes both ways.
bool diagonals_compute(Diagonals *, Arena *, const Net *, const Goal *goal, bool is_symmetric,
                       Report *);

// Those of a discrete state, sorted, each once; replaces the contents of the list.
void diagonals_of_state(const Diagonals *, Mem *, const Net *, const int32_t *state,
                        ClockTests *);
