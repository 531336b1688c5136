// Finds a best run, once a search has found that there is one.
//
// Shortest: the search is breadth first and evicts no stored node, since a longer run must not
// replace a shorter one. The first run found has the fewest transitions. A search that symmetry
// reduces finds a run of the same length.
//
// Fastest: the net gets one more clock t that is never reset. A binary search finds the least c
// such that a run with t <= c exists. Simulation by clock bounds stays sound, because t is only
// compared from above. All constants are whole numbers, so the infimum of the times is one, too.
// If t < c is also possible, runs come arbitrarily close to c - 1; the run that is shown comes as
// close as its denominator allows.
#pragma once

#include "analysis/symmetry/symmetry.h"
#include "answers/runs/trace.h"

// A space of zones in which a run to the goal (NULL: to an error) is looked for; the options are
// made for it. NULL: there is none.
Space *prefer_space(Mem *, const Net *, const Goal *, Options *);

typedef struct Preference {
  Mem *mem;
  const Net *net; // of the run
  const Goal *goal;
  TraceKind kind;
  const Symmetry *symmetry; // of model and goal, for the shortest; NULL: none is used
  uint64_t max;             // successors that the search for the shortest may make; 0: any number
  const Net *searched;      // with the ranges that the symmetry needs; NULL: the net
} Preference;

// False if there is no answer (an interrupt, a limit, a model that fails on the way, `max`).
bool prefer_shortest(Trace *, const Preference *);

// The same for a model that fails, with or without a goal: a shortest run to an error, which is
// told.
typedef struct PreferFailure {
  const char *text; // constant
  Place place;
} PreferFailure;
bool prefer_failure(Trace *, const Preference *, PreferFailure *);

// `timed` is the net with such a clock as its last one, `query` the query read for it, and
// `max` whole units in which the goal can be reached.
bool prefer_fastest(Trace *, const Preference *, const Net *timed, const Query *, int64_t max);
