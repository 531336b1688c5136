// The naive oracle: a search on regions, written straight from the semantics. Time is real,
// constraints may be strict or negated. What happens at a point is what check/transitions.h says
// of it.
#pragma once

#include "model/query.h"

typedef enum RegionsResult {
  REGIONS_GOAL,
  REGIONS_NONE,
  REGIONS_FAILED, // a run-time error of the model
  REGIONS_MANY,   // more than `max` regions
} RegionsResult;

// No clock is compared with more than `constant`, nor set to more. Differences are not tested.
// Without a goal (NULL) only errors end it.
RegionsResult regions_search(Mem *, const Net *, const Goal *, int32_t constant, uint32_t max,
                             uint32_t *visited);

// The same where differences of clocks are tested. Clocks are sorted by value, 0 first; where two
// neighbours are more than `gap` apart, those above are as good as nearer by a whole number, as
// long as it is more than `gap`: every clock there is above all constants, as is its difference
// to those below. `gap` is at least all constants, and all that updates can add on the way to a
// test.
RegionsResult regions_search_gaps(Mem *, const Net *, const Goal *, int32_t gap, uint32_t max,
                                  uint32_t *visited);
