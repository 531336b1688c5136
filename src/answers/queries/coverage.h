// Coverage: which locations, edges and synchronisations some run uses. A search over zones of
// global time, with limits, whose passed list notes what each successor shows.
//
// Abstractions keep it exact: a node that covers another has every edge that the other has.
// Symmetry is not used, because a process counts for itself.
#pragma once

#include "answers/queries/deadgoal.h"
#include "base/intern.h"
#include "search/options.h"
#include "search/reach.h"

enum { COVERAGE_MAX_PLACES = 64 };

typedef struct Coverage {
  Mem *mem;
  const Net *net;
  bool *locations, *edges, *syncs;    // by id: some run has it
  bool *blocking;                     // by location: urgent or committed, and time may be blocked
  bool has_blocking;                  // some location is
  bool skips_blocking;                // that is not known for this model
  Place invalid[COVERAGE_MAX_PLACES]; // where a value was out of the range of its variable
  uint32_t invalid_count;
  const char *failure; // a run-time error of the model that ended the search; NULL: none
  Place failure_place;
  const char *stop_reason; // why the search was cut; NULL: it was not, or it failed
} Coverage;

void coverage_init(Coverage *, Arena *, Mem *, const Net *);
// Searches and adds to what is known. With `is_exact` by M bounds, so that `blocking` is exact.
// False, with an error in the report, if the model cannot be searched. A search ends early at
// limits of time (NULL: there are none).
bool coverage_search(Coverage *, bool is_exact, MemWatch *limits, Statistics *, Report *);

// Searches for a goal, with the default options. REACH_STOPPED: no answer.
ReachResult coverage_reach(Mem *, const Net *, const Goal *, MemWatch *limits);
