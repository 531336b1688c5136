// Reachability, for every space and order: the one search loop.
#pragma once

#include "base/team.h"
#include "search/orders/order.h"
#include "search/statistics.h"

typedef enum ReachResult {
  REACH_GOAL,      // found: goal_parent and goal_ordinal lead to it
  REACH_NONE,      // explored to the end
  REACH_STOPPED,   // time limit or interrupt
  REACH_FAILED,    // Space.failure: a run-time error of the model
  REACH_EXHAUSTED, // memory ran out; not a result of reach_run, which jumps (base/mem.h)
} ReachResult;

typedef struct Reach Reach;

// What is different where several workers search together (search/workers/workers.h).
typedef struct Division {
  ReachResult (*run)(Reach *);
  NodeRef (*next)(Reach *); // opens a node: as next_node in search/reach.c
  // Sends the current node to the worker that it belongs to; false if that is this one.
  bool (*deliver)(Reach *, NodeRef parent);
  void (*poll)(Reach *); // asks the caller whether to go on
  void (*release)(Reach *);
} Division;

// The writer of checkpoints (search/save/checkpoint.h). They are written between nodes.
typedef struct Saver {
  void (*save)(Reach *, bool stops); // if the search stops, or it is time for one
  void (*swept)(Reach *);            // zones were dropped
} Saver;

// The workers of a search (search/workers/workers.h), and what they know of each other. Most
// searches have one worker, which is alone.
typedef struct Peers {
  uint32_t count;      // of this process
  uint32_t all, first; // of all processes; the number of this one's first
  Link *link;          // to the others; NULL: there are none
  Reach **members;     // the first is the caller's
  Mem **mems;          // by member, for its mail; of all but the first for all that they have
  Team *team;
  MemBudget budget; // of all
  // Under the lock of the team: the counts as each last told them; who ended the search, NULL if
  // it was explored to the end, and why.
  Statistics *told;
  Reach *decider;
  ReachResult result;
} Peers;

struct Reach {
  Mem *mem;
  Mem *own; // the part that nodes and their order are in
  Space *space;
  Store store;
  Passed *passed; // the store, or what the space wants instead
  Order *waiting;
  struct Fly *fly; // clock bounds found during the search; NULL: none
  Statistics *stats;
  // The node found, or the transition that failed: an ordinal of a stored parent, or of an
  // initial node if the parent is NODE_NONE. A reference among the nodes of all workers.
  NodeRef goal_parent;
  uint32_t goal_ordinal;
  double start;
  const char *stop_reason; // NULL if it was not the caller's watch
  // No node is visited when so many were visited, or made. Where it ends does not depend on the
  // time.
  uint64_t max_visited, max_transitions;
  void *between_state;
  // Called now and then, between two nodes; true stops. It may open nodes of the space. NULL:
  // nothing.
  bool (*between)(void *state);
  MemWatch watch;  // limits take hold in the midst of a node, too
  MemWatch *outer; // the caller's, which is asked as well
  Reach *self;
  Peers own_peers;               // those of the first worker are for all
  Peers *peers;                  // never NULL
  const Division *division;      // NULL: one worker
  Worker *worker;                // with `division`: this one's part in it
  struct Mail *mail;             // likewise
  const Saver *saver;            // NULL: no checkpoints are written
  struct Checkpoint *checkpoint; // see search/save/checkpoint.h
  NodeRef saved;                 // nodes that are in it already
  bool is_resumed;               // from a checkpoint: there are no initial nodes
};

// A member by its number among the workers of all processes; NULL if it is another's.
static inline Reach *peers_member(const Peers *peers, uint32_t number) {
  return number - peers->first < peers->count ? peers->members[number - peers->first] : NULL;
}

// The space stays the caller's. Fields up to `stats` are set; the caller fills the rest.
void reach_init(Reach *, Mem *, Space *, SearchOrder, Statistics *);
ReachResult reach_run(Reach *);
void reach_release(Reach *);
bool reach_is_long(const Reach *); // as long as max_visited and max_transitions allow

// For search/workers/workers.h. The loop, of one worker, which limits of memory and time may end
// in the midst of a node.
ReachResult reach_explore(Reach *);
// Adds the space's current node, which belongs to this worker.
void reach_add(Reach *, NodeRef parent);
// Whether the space's current node is a goal; whether the last expansion, of `parent`, failed.
bool reach_is_goal(Reach *, NodeRef parent);
bool reach_failed(Reach *, NodeRef parent);
// Whether the search is to stop, from the caller's limits; statistics are brought up to date.
bool reach_stopped(Reach *);
void reach_measure(Reach *);
void reach_ask(Reach *); // only the caller is asked
