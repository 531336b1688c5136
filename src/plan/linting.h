// `tarn lint`: what is suspicious in the model of a session (answers/queries/lint.h).
#pragma once

#include "plan/session.h"

// With these queries, or those of the model if there are none. The number of warnings, -2 if
// there are none but something is undecided, or -1 after an error.
int linting_run(Tarn *, const char *const *queries, size_t count);
