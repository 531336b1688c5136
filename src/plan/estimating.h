// Answers statistical queries.
#pragma once

#include "plan/checking.h"

// Runs the query of the check and makes its answer. False after an error.
bool estimating_run(Check *);
