// Runs plans: the loop over the stages of a query, the only place where one search follows
// another.
#ifndef TARN_RUN_H
#define TARN_RUN_H

#include "plan/checking.h"

// Runs the plan of the check, which ends in the last search: its space and nodes stay until
// run_end. False after an error.
bool run_plan(Check *, ReachResult *);

// One search, for those who have no plan: other processes, and searches for evidence.
bool run_search(Check *, const Options *, ReachResult *);
void run_end(Check *);

#endif
