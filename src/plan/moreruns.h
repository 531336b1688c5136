// More runs to the goal, with --traces: each uses something that those before it do not.
#pragma once

#include "plan/checking.h"

// After the first run was found, which the answer has. Limits end it, and leave what was found.
// `attempt` is conclude_try of plan/conclude.h.
void moreruns_find(Check *, bool (*attempt)(Check *, bool (*find)(void *state), void *state));
