// Reachability over covering, for every space and order: the one search loop.
#ifndef TARN_ENGINE_REACH_H
#define TARN_ENGINE_REACH_H

#include "engine/order.h"
#include "engine/statistics.h"

typedef enum ReachResult {
  REACH_GOAL,    // found: goal_parent and goal_ordinal lead to it
  REACH_NONE,    // explored to the end
  REACH_STOPPED, // time limit or interrupt
  REACH_FAILED,  // Space.failure: a run-time error of the model
} ReachResult;

typedef struct Reach {
  Mem *mem;
  Space *space;
  Store store;
  Order *order;
  struct Fly *fly; // clock bounds found during the search; NULL: none
  Statistics *stats;
  // The node found, or the transition that failed: an ordinal of a stored parent, or of an
  // initial node if the parent is NODE_NONE.
  NodeRef goal_parent;
  uint32_t goal_ordinal;
  double time_limit; // seconds, 0: none
  const char *stop_reason;
  void *terminate_state;
  int (*terminate)(void *state); // polled now and then; non-zero stops
  void (*progress)(void *state, const Statistics *);
} Reach;

// The space stays the caller's. Fields up to `order` are set; the callers fills the rest.
void reach_init(Reach *, Mem *, Space *, SearchOrder, Statistics *);
ReachResult reach_run(Reach *);
void reach_release(Reach *);

#endif
