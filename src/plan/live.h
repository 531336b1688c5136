// Answers queries about infinite runs: `E[]`, `A<>`, `-->` and Büchi conditions.
#pragma once

#include "plan/checking.h"

// Makes the searches of a stage, and says why the question is still open (plan/plan.h). False
// after an error.
bool live_search(Check *, const Stage *, unsigned *reason, ReachResult *);
// After them: verdict and evidence. False after an error.
bool live_conclude(Check *);
