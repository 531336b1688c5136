// How the zone engine (semantics/zone/engine.h) begins and ends.
#pragma once

#include "semantics/zone/engine.h"

// Fills the functions of the space and all fields but the location vectors, tables and probe;
// false, with an error in the report, if model, goal and options do not go together.
bool setup_init(Zones *, const Time *, Mem *, const Net *, const Goal *, const Options *,
                Report *);
// After the notion of time has set what location vectors depend on: for zones that have no more
// than these bytes when they are packed.
void setup_prepare(Zones *, size_t max_bytes);
