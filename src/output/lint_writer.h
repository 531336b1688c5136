// Writes what lint found: one line for each finding, as compilers do it, or JSON.
#pragma once

#include "answers/queries/lint.h"

void lint_text(Text *, const Lint *);
void lint_json(Text *, const Lint *);
