// Reachability over covering, for every space and order: the one search loop.
#ifndef TARN_SEARCH_REACH_H
#define TARN_SEARCH_REACH_H

#include "search/order.h"
#include "space/statistics.h"

typedef enum ReachResult {
  REACH_GOAL,    // found: goal_parent and goal_ordinal lead to it
  REACH_NONE,    // explored to the end
  REACH_STOPPED, // time limit or interrupt
  REACH_FAILED,  // Space.failure: a run-time error of the model
} ReachResult;

typedef struct Crew Crew;

typedef struct Reach {
  Mem *mem;
  Space *space;
  Store store;
  Order *order;
  struct Fly *fly; // clock bounds found during the search; NULL: none
  Statistics *stats;
  // The node found, or the transition that failed: an ordinal of a stored parent, or of an
  // initial node if the parent is NODE_NONE. A reference among the nodes of all workers.
  NodeRef goal_parent;
  uint32_t goal_ordinal;
  double start;
  double time_limit;      // seconds, 0: none
  uint32_t poll_interval; // visited nodes between looks at the clock
  const char *stop_reason;
  void *terminate_state;
  int (*terminate)(void *state); // polled now and then; non-zero stops
  void (*progress)(void *state, const Statistics *);
  MemWatch watch;    // limits take hold in the midst of a node, too
  MemWatch *outer;   // the caller's, which is asked as well
  Crew *crew;        // those who search together; NULL: alone
  struct Post *post; // this one's part in it
  uint32_t waited;   // how often it did something else than visit a node
  bool has_gift;     // the opened node is another worker's
  bool has_goal;     // it was found
} Reach;

// Those who search together: each has a Reach.
struct Crew {
  uint32_t count;
  Reach **members; // the first is the caller's
  Mem **mems;      // by member, for its mail; of all but the first for all that they have
  struct Team *team;
  MemBudget budget; // of all
  double start;
  // Under the lock of the team: the counts as each last told them; who ended the search, NULL if
  // it was explored to the end, and why.
  Statistics *told;
  Reach *decider;
  ReachResult result;
  bool is_exhausted;
};

// The space stays the caller's. Fields up to `order` are set; the callers fills the rest.
void reach_init(Reach *, Mem *, Space *, SearchOrder, Statistics *);
// Before reach_run: it will be done by that many threads, each with a space, a store and an order
// of its own (doc/notes/threads.md). The callbacks are called in the calling one. The other
// spaces are made here and are no concern of the caller.
void reach_divide(Reach *, uint32_t workers, SearchOrder);
ReachResult reach_run(Reach *);
void reach_release(Reach *);

#endif
