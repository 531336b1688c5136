// Many runs at once: threads that each simulate runs of a query, by their numbers. The outcome of
// a run depends only on its number, and outcomes are delivered in the order of the numbers. So
// the answer is the same for any number of threads.
//
// Threads wait for each other only at the end. A thread takes the next few runs when it is ready
// for them; the calling thread delivers finished outcomes between its own runs.
#pragma once

#include "semantics/stochastic/watch.h"

typedef struct Crew Crew;

typedef enum CrewEnd {
  CREW_DONE,    // all runs were made, or there were enough
  CREW_STOPPED, // there was a reason to stop: crew_stopped
  CREW_FAILED,  // a run failed, or memory ran out: crew_error has a sentence
} CrewEnd;

// Is given the outcomes in order, in the calling thread; true: there are enough.
typedef bool CrewTake(void *context, uint64_t run, const Outcome *);

// Run i has the watch i % watch_count.
Crew *crew_new(Mem *, const Laws *, const Watch *const *watches, uint32_t watch_count,
               uint64_t seed, uint32_t threads);
// Asked now and then in the calling thread: the reason to stop, NULL: none.
void crew_set_stop(Crew *, const char *(*stop)(void *context), void *context);
void crew_release(Crew *);

// Makes the runs 0 to count - 1 (0: no limit), as long as `take` wants more. A run fails only
// if those before it were not enough.
CrewEnd crew_run(Crew *, uint64_t count, CrewTake *take, void *context);
const char *crew_error(const Crew *, Place *);
const char *crew_stopped(const Crew *); // the reason; NULL: there was none

Race *crew_race(Crew *); // of the calling thread
