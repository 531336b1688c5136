// Searching: one search, with all that belongs to it: the space, workers, checkpoints, hunts.
#pragma once

#include "plan/hunts.h"

// Makes the space and lets the search run within the limits of the stage, with hunts beside it
// unless they are NULL. Space and nodes stay in the check until searching_end. False after an
// error.
bool searching_run(Check *, const Options *, const Stage *, Hunts *, ReachResult *);
void searching_end(Check *);
