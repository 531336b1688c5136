// Spaces that count time in whole units, as far as they are the same (discrete/ticks.h): how they
// begin and end, initial nodes, the goal, messages.
#ifndef TARN_DISCRETE_TICKSPACE_H
#define TARN_DISCRETE_TICKSPACE_H

#include "discrete/tickrename.h"

// A space of this kind; NULL, with an error in the report, if model, goal or options do not suit
// it.
Space *tickspace_new(const TickKind *, Mem *, const Net *, const Goal *, const Options *,
                     Report *);

void tickspace_read(Ticks *, uint32_t ref); // into `source` and `source_values`
void tickspace_take(Ticks *, uint32_t ref); // the same, and its transitions come next

#endif
