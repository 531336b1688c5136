// Clock bounds found during the search, node by node (paper key HKSW11, Algorithm 1).
//
// The search keeps every node. A node is *tentative* if another node covers it under the bounds
// of that other node. When these bounds grow, the tentative node is tested again. If it is no
// longer covered, it is *reopened*: it waits again. The bounds of a node come from its own needs
// (search/space/needs.h) and from its successors, through the updates of the transition. They
// only grow.
#pragma once

#include "search/orders/order.h"
#include "search/space/levels.h"

typedef enum FlyState {
  FLY_WAITING,
  FLY_OPEN,      // being visited
  FLY_VISITED,   // covers others under its own bounds, as far as they are known
  FLY_TENTATIVE, // covered under the bounds of its subsumer, which is not covered itself
  FLY_SETTLED,   // covered under the static bounds; the subsumer may be tentative
} FlyState;

// Zones of waiting, open and visited nodes lie in the blocks of their group. Tentative nodes have
// one, too; settled ones have none.
typedef struct FlyNode {
  LevelsRef bounds;
  LevelsRef stay;       // to be added when it has some bound
  LevelsRef cut;        // of its transition, for the parent, when it has some bound
  WayRef way;           // of its clocks from the parent's
  NodeRef covered;      // first node that it covers
  NodeRef next_covered; // in the list of its subsumer
  uint32_t tested;      // visited nodes of its group when it was last tested for covering
  uint8_t state;        // FlyState
  bool is_raised;       // in `raised`
  bool is_dirty;        // in `dirty`
} FlyNode;

typedef struct FlyGroup {
  LevelsRef limits;          // the static bounds
  uint32_t visited, pending; // nodes; those that wait or are open
  uint32_t better;           // visited nodes whose bounds are below the limits
} FlyGroup;

typedef VEC(NodeRef) FlyRefs;

typedef struct Fly {
  Passed passed; // first: a Passed * is a Fly *
  NodeRef opened;
  Mem *mem;
  Space *space;
  Store *store;
  Order *order;
  bool is_stack;     // the order is depth first
  bool only_visited; // other nodes do not count as subsumers now
  LevelTable table;
  Pool nodes;           // parallel to the store's
  VEC(FlyGroup) groups; // likewise
  FlyRefs raised;       // bounds have grown and are to be passed on
  FlyRefs dirty;        // bounds have grown: covered ones are to be tested again
  uint32_t tentative;   // nodes
} Fly;

static inline FlyNode *fly_at(const Fly *fly, NodeRef ref) { return pool_at(&fly->nodes, ref); }

static inline FlyGroup *fly_group(const Fly *fly, NodeRef ref) {
  return &fly->groups.items[store_node(fly->store, ref)->group];
}

// For a space with `needs`; all stay the caller's.
Fly *fly_new(Mem *, Space *, Store *, Order *, SearchOrder);

// A node's bounds grow. Those above hear of it when all that has grown is passed on.
void fly_raise(Fly *, NodeRef, LevelsRef by);
void fly_pass_all(Fly *);

// After the search, for certificates. By NodeRef: the visited node that the node is, or that
// covers it.
void fly_subsumers(const Fly *, NodeRef *subsumers);
// The bounds of a visited node over the active clocks; NULL if there are none.
const struct PackedBounds *fly_bounds(Fly *, NodeRef);
