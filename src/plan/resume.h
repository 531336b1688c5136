// Checkpoints of a check (search/save/checkpoint.h): describes the search they belong to, and
// resumes it.
#pragma once

#include "plan/checking.h"
#include "search/save/checkpoint.h"

// Before a search that is prepared: it writes checkpoints and goes on from one, if the options
// say so. Processes that search together agree on it. False with an error.
bool resume_begin(Check *, const Options *, Checkpoint *);
// After it: an error if a checkpoint could not be written.
void resume_end(Check *, const Checkpoint *);
