// What stops a simulation at a deadlock or a time-lock: which invariant stops time, and what each
// transition would need.
#pragma once

#include "answers/runs/simulate.h"

// A line for each, all indented by the same text; of very many transitions some are counted only.
void obstacles_print(Text *, Simulation *, const char *indent);

// The guards of some edges, as one condition; nothing if there are none.
void obstacles_guards(Text *, const Edge *const *edges, uint32_t count);
