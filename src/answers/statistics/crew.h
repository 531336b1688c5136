// Many runs at once: threads that each simulate runs of a query, by their numbers. What a run
// gives depends on its number only, and outcomes are handed over in the order of the numbers; so
// the answer is the same for any number of threads.
#pragma once

#include "semantics/stochastic/watch.h"

typedef struct Crew Crew;

// Run i has the watch i % watch_count.
Crew *crew_new(Mem *, const Laws *, const Watch *const *watches, uint32_t watch_count,
               uint64_t seed, uint32_t threads);
// Asked now and then in the calling thread: the reason to stop, NULL: none.
void crew_set_stop(Crew *, const char *(*stop)(void *context), void *context);
void crew_release(Crew *);

// Makes the runs from `first` on. Returns how many there are outcomes of, which is fewer than
// `count` if a run failed or memory ran out: then crew_error has a sentence; or if there was a
// reason to stop.
uint32_t crew_run(Crew *, uint64_t first, uint32_t count, const Outcome **outcomes);
const char *crew_error(const Crew *, Place *);
const char *crew_stopped(const Crew *); // the reason; NULL: there was none

Race *crew_race(Crew *); // of the calling thread
