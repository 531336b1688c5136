// A pack of hunts: random searches depth first, one in each thread, with different seeds. They
// share nothing. The first that decides the query, or fails, ends the others. The caller gets its
// seed and repeats that search, which finds the same state again.
#pragma once

#include "plan/checking.h"

typedef enum PackResult {
  PACK_NOTHING, // all were given up
  PACK_FOUND,   // `seed` decides
  PACK_STOPPED, // a limit of the check, or memory, came first
  PACK_FAILED,  // an error is in the report
} PackResult;

// So many hunts, with seeds from options->seed on; each is given up after `max` visited nodes.
PackResult pack_run(Check *, const Options *, uint32_t count, uint64_t max, int *seed);
