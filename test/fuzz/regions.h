// The naive oracle for networks of channels: a search on regions, written straight from the
// semantics. Time is real, constraints may be strict or negated; differences of clocks are not
// tested. What happens at a point is what check/moves.h says of it.
#ifndef TARN_TEST_FUZZ_REGIONS_H
#define TARN_TEST_FUZZ_REGIONS_H

#include "model/query.h"

typedef enum RegionsResult {
  REGIONS_GOAL,
  REGIONS_NONE,
  REGIONS_FAILED, // a run-time error of the model
  REGIONS_MANY,   // more than `most` regions
} RegionsResult;

// No clock is compared with more than `constant`, nor set to more.
RegionsResult regions_search(Mem *, const Net *, const Goal *, int32_t constant, uint32_t most,
                             uint32_t *visited);

#endif
