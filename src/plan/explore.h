// Runs searches: one, several with --order hunt, and those for deadlocks.
#ifndef TARN_EXPLORE_H
#define TARN_EXPLORE_H

#include "plan/checking.h"

// One search. Its space and nodes stay in the check until explore_end. False after an error.
bool explore(Check *, const Options *, ReachResult *);
void explore_end(Check *);

// As the options ask for it, again if that is needed to know the way to a failure.
bool explore_as_asked(Check *, ReachResult *);

// A search for deadlocks.
bool explore_deadlock(Check *, ReachResult *);

#endif
