// Explains a check: puts its plan and its stages into the answer, if --explain asks for it.
#pragma once

#include "plan/checking.h"

void explain_plan(Check *);
// After stage number `index` of the plan. `reason` is why the question is still open; 0: it is
// not.
void explain_stage(Check *, uint32_t index, unsigned reason, ReachResult);
// A search that is a part of a stage, or was made for evidence. The texts are constant.
void explain_part(Check *, const char *name, const Statistics *, const char *outcome);
