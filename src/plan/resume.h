// Checkpoints of a check (search/save/checkpoint.h): describes the search they belong to, and
// resumes it.
#pragma once

#include "plan/checking.h"
#include "search/save/checkpoint.h"

// Before a search: it writes checkpoints, if the options say so. False with an error.
bool resume_attach(Check *, const Options *, Checkpoint *);
// After that: it goes on from one, the same.
bool resume_read(Check *, const Options *);
// After it: an error if a checkpoint could not be written.
void resume_end(Check *, const Checkpoint *);
