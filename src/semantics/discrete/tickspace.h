// What the spaces that count time in whole units have in common (semantics/discrete/ticks.h):
// beginning and end, initial nodes, the goal, messages.
#pragma once

#include "semantics/discrete/tickrename.h"

// A space of this kind; NULL, with an error in the report, if model, goal or options do not suit
// it.
Space *tickspace_new(const TickKind *, Mem *, const Net *, const Goal *, const Options *,
                     Report *);

// The state of one of the nodes that are kept, in the order in which they were made, and behind
// its slots the values, by clock; valid until the next call.
const int32_t *tickspace_at(Space *, uint32_t ref);
// It becomes the taken node, whose transitions come next.
void tickspace_take(Ticks *, uint32_t ref);
