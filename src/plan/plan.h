// Plans: what is run for a query, decided before anything is run.
//
// A plan is a list of stages in the order in which they may come. A stage says how to search,
// within which limit, and what its result proves. After a stage the question is either answered
// or open for a reason; the next stage is the first one behind it that is for this reason
// (plan/run.c has the loop). So a plan says why each of its searches would be made.
#pragma once

#include "answers/queries/liveness.h"
#include "base/arena.h"
#include "plan/capabilities.h"

typedef enum StageKind {
  STAGE_SEARCH,   // one search
  STAGE_PACK,     // random searches depth first, one in each thread
  STAGE_REPEAT,   // the search again that a hunt or a pack made and that found something
  STAGE_SLICE,    // one search in a smaller network
  STAGE_HULLS,    // one zone for each discrete state
  STAGE_INFINITE, // searches for an infinite run (answers/queries/liveness.h)
  STAGE_EXTREME,  // searches for extreme values (answers/queries/bounds.h)
  STAGE_ESTIMATE, // random runs (answers/statistics/estimate.h)
} StageKind;

// Smaller networks (plan/slices.h), from the smallest to the most exact.
typedef enum SliceKind {
  SLICE_LOOSE,
  SLICE_FREE, // and one process more, see slice_free
  SLICE_EXACT,
  SLICE_WHOLE,
  SLICE_KINDS
} SliceKind;

// Why a question is open.
enum {
  OPEN_START = 1,    // nothing was done yet
  OPEN_LIMIT = 2,    // the stage reached its own limit
  OPEN_HIT = 4,      // a random search beside it found something
  OPEN_SLICES = 8,   // the search became long, and a smaller network may decide
  OPEN_NOTHING = 16, // its result proves nothing
  OPEN_DOUBT = 32,   // it is possible in the abstraction, perhaps not in the model
  OPEN_NO_RUN = 64,  // the model failed, and the search did not keep the path
};

typedef struct Stage {
  StageKind kind;
  unsigned when; // reasons for which it is run
  const char *purpose;
  Options options;           // engine and so on are decided, but for slices
  uint64_t max_visited;      // 0: no limit
  uint64_t max_transitions;  // likewise
  SliceKind slice;           // STAGE_SLICE
  ProcessId freed;           // STAGE_SLICE with SLICE_FREE
  bool has_hunts, may_slice; // short random searches beside it; whether it stops for slices
  bool stays_in_slice;       // STAGE_REPEAT
  LivenessPart part;         // STAGE_INFINITE
  bool forgets;              // STAGE_INFINITE: in the slice SLICE_WHOLE
  bool proves_reached;       // a state that is found is one of the model
} Stage;

typedef struct Plan {
  const Stage *stages;
  uint32_t count;
} Plan;

// The plan for a query. The engine of the options is decided. `is_linked`:
// other processes search as well. It lives in the arena.
const Plan *plan_make(Arena *, const Request *, bool is_linked);
