// Writes certificates of extreme values: `sup`, `inf` and `bounds` (plan/valueclaims.h).
#pragma once

#include "answers/queries/bounds.h"
#include "plan/checking.h"

// After all values are found: makes a run for each side of each of them and a search that shows
// that there is nothing beyond. Writes both to the file that the options name.
// Of the searches for evidence: one that suits every model, whatever the asked ones do.
Options valueproof_options(const Check *);
void valueproof_write(Check *, BoundsSearch *, const ValueBounds *);
