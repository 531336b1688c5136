// Runs plans: the loop over the stages of a query, the only place where one search follows
// another.
#pragma once

#include "plan/checking.h"

// Runs the plan of the check, which ends in the last search: its space and nodes stay until
// searching_end. False after an error.
bool run_plan(Check *, ReachResult *);
