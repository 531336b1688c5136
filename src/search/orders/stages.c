// Why this order (it is not in the literature; HT15 is where its parts come from):
//
// A mistake is a visited node that a larger one, found later, evicts. Larger zones of one
// discrete state come from other ways to it, so every way should have been taken first. The
// waiting strategy of HT15 breaks the cycles of each process and orders the locations of
// what is left. That order is arbitrary where cycles are concerned, and going round a cycle
// is just what makes zones grow. Therefore:
// - Leaving a cycle for good waits until nothing inside is left (stages). Locations of one
//   cycle are one stage, so that this order is no choice: it is that of the process's strongly
//   connected components.
// - Inside, what has gone round less often comes first (rounds), and of that whatever is
//   earlier on the way round, as in HT15.
// - When a mistake happens anyway, the ranking system of HT15 gives the larger node
//   precedence over all that waits below the smaller one. Here it takes over the round, if
//   anything waits there: it and its successors, which evict in turn, then come before those
//   which they are going to replace.
//
// Compared with breadth first: a step inside one discrete state opens no round, for the oldest
// first is the best known order there.
#include "search/orders/stages.h"

#include "base/buckets.h"
#include "search/orders/rank.h"
#include "search/orders/topology.h"

static const uint64_t stage_mask = (uint64_t)UINT32_MAX << 32; // of weights, and their sums

// The node popped last, whose successors are being pushed.
typedef struct Opened {
  NodeRef ref; // NODE_NONE: none, or another worker's
  uint32_t group, round;
  const uint64_t *state; // packed; NULL: none
  uint64_t sum;          // of its weights
} Opened;

struct Stages {
  Mem *mem;
  Arena arena;
  Store *store;
  bool is_ranked;
  Topology topology; // if it is not ranked
  // By NodeRef: the tree of true parents. A node leaves it when a look finds that nothing waits
  // below it, nor ever will, so the look is not repeated. Ranked nodes stay.
  Pool branches;
  Opened opened;
  // The round of a node that another worker made, or that was found from another's, + 1; 0: none.
  uint32_t hint;
  Buckets buckets;
  VEC(NodeRef) trues; // with a true zone, ascending
};

Stages *stages_new(Mem *mem, Store *store, bool is_ranked) {
  Stages *stages = mem_alloc(mem, sizeof *stages);
  *stages = (Stages){.mem = mem,
                     .arena = {.mem = mem},
                     .store = store,
                     .is_ranked = is_ranked,
                     .opened = {.ref = NODE_NONE}};
  if (!is_ranked)
    topology_init(&stages->topology, &stages->arena, store->space->net, TOPOLOGY_FORWARD);
  pool_init(&stages->branches, mem, sizeof(TreeNode));
  buckets_init(&stages->buckets, mem);
  return stages;
}

static TreeNode *branch_at(const Stages *stages, NodeRef ref) {
  return pool_at(&stages->branches, ref);
}

// The branch of a node, made if it is new.
static TreeNode *branch_of(Stages *stages, NodeRef ref) {
  while (stages->branches.size <= ref)
    *branch_at(stages, pool_add(&stages->branches)) = (TreeNode){0, NODE_NONE, NODE_NONE};
  return branch_at(stages, ref);
}

uint32_t stages_round(const Stages *stages, NodeRef ref) {
  return branch_at(stages, ref)->round - 1;
}

// Whether something waits below the node, or may be found from the opened one.
static bool is_open(Stages *stages, NodeRef root) {
  for (NodeRef ref = root;;) {
    const NodeRef child = branch_at(stages, ref)->child;
    const Node *node = store_node(stages->store, ref);
    if (child != NODE_NONE) {
      ref = child;
      continue;
    }
    if (ref == stages->opened.ref || (node->is_stored && !node->is_visited))
      return true;
    if (ref == root)
      return false;
    ref = store_own(stages->store, node->parent); // whose first child it is
    branch_at(stages, ref)->child = branch_at(stages, branch_at(stages, ref)->child)->next;
  }
}

// Of a step to another discrete state; if no process moves, some variable changed.
static bool goes_back(TopologyStep step) { return step.is_back || !step.is_forward; }

// The round of a node that evicts: perhaps that of one which it evicted.
static uint32_t take_over(Stages *stages, uint32_t round) {
  const Store *store = stages->store;
  for (uint32_t i = 0; i < store->evicted.size; i++) {
    const NodeRef evicted = store->evicted.items[i];
    if (store_node(store, evicted)->is_visited && stages_round(stages, evicted) < round &&
        is_open(stages, evicted))
      round = stages_round(stages, evicted);
  }
  return round;
}

// Makes a node part of the tree.
static inline void take_in(Stages *stages, NodeRef ref, NodeRef parent, uint32_t round) {
  TreeNode *branch = branch_at(stages, ref);
  branch->round = round + 1;
  if (parent == NODE_NONE)
    return;
  TreeNode *above = branch_at(stages, parent);
  branch->next = above->child;
  above->child = ref;
}

typedef struct Rating {
  uint64_t sum; // of the weights of its locations
  uint32_t round;
} Rating;

static void wait(Stages *stages, NodeRef ref, Rating rating, bool is_true) {
  if (!is_true || stages->is_ranked) {
    const uint32_t turn = stages->is_ranked ? RANK_TRUE - rating.round : rating.round;
    buckets_push(&stages->buckets,
                 (HeapKey){(rating.sum & stage_mask) | turn, rating.sum << 32 | ref});
    return;
  }
  vec_push(stages->mem, &stages->trues, ref);
  NodeRef *at = &vec_last(&stages->trues); // nearly always the youngest one
  for (; at > stages->trues.items && at[-1] > ref; at--)
    at[0] = at[-1];
  *at = ref;
}

// Of a node found from the opened one: few processes have moved.
static Rating rate_next(const Stages *stages, const Node *node) {
  const Opened *opened = &stages->opened;
  const TopologyStep step =
      topology_step(&stages->topology, opened->state, stages->store->space->key);
  // A step inside one discrete state opens no round.
  const bool is_new_round = node->group != opened->group && goes_back(step);
  return (Rating){opened->sum + step.change, opened->round + is_new_round};
}

// Of any other node: how the step to it went is no longer known.
static Rating rate(const Stages *stages, const Node *node, NodeRef parent) {
  const uint64_t sum = topology_sum(&stages->topology, stages->store->space->key);
  if (node->parent == NODE_NONE)
    return (Rating){sum, 0};
  return (Rating){sum, stages->hint ? stages->hint - 1 : stages_round(stages, parent) + 1};
}

void stages_push(Stages *stages, NodeRef ref, bool is_true) {
  const Node *node = store_node(stages->store, ref);
  const NodeRef parent = store_own(stages->store, node->parent);
  Rating rating = stages->is_ranked ? (Rating){0, is_true ? RANK_TRUE : 0}
                  : parent != NODE_NONE && parent == stages->opened.ref
                      ? rate_next(stages, node)
                      : rate(stages, node, parent);
  if (!branch_of(stages, ref)->round) {
    if (stages->store->evicted.size)
      rating.round = stages->is_ranked ? rank_of(stages->store, &stages->branches, rating.round)
                                       : take_over(stages, rating.round);
    take_in(stages, ref, parent, rating.round);
  }
  rating.round = stages_round(stages, ref);
  wait(stages, ref, rating, is_true);
}

void stages_restore(Stages *stages, NodeRef ref, uint32_t round, bool waits, bool is_true) {
  const NodeRef parent = store_own(stages->store, store_node(stages->store, ref)->parent);
  branch_of(stages, parent == NODE_NONE || parent < ref ? ref : parent);
  take_in(stages, ref, parent, round);
  if (waits)
    wait(stages, ref, (Rating){topology_sum(&stages->topology, stages->store->space->key), round},
         is_true);
}

static void open(Stages *stages, NodeRef ref) {
  stages->hint = 0;
  const uint32_t group = store_node(stages->store, ref)->group;
  stages->opened = (Opened){.ref = ref,
                            .group = group,
                            .round = stages_round(stages, ref),
                            .state = store_opening_key(stages->store, group)};
}

NodeRef stages_pop(Stages *stages) {
  HeapKey key;
  if (stages->trues.size) {
    open(stages, vec_pop(&stages->trues));
    stages->opened.sum = topology_sum(&stages->topology, stages->opened.state);
  } else if (buckets_pop(&stages->buckets, &key)) {
    open(stages, (NodeRef)key.low);
    stages->opened.sum = (key.high & stage_mask) | key.low >> 32;
  } else {
    return NODE_NONE;
  }
  return stages->opened.ref;
}

uint32_t stages_peek(const Stages *stages, NodeRef *refs, uint32_t max) {
  return stages->trues.size ? 0 : buckets_peek(&stages->buckets, refs, max);
}

void stages_visit(Stages *stages, const uint64_t *state, uint32_t round) {
  stages->opened = (Opened){.ref = NODE_NONE, .round = round, .state = state};
}

uint32_t stages_hint(const Stages *stages) {
  const Opened *opened = &stages->opened;
  if (!opened->state)
    return 0;
  const uint64_t *state = stages->store->space->key;
  return opened->round + goes_back(topology_step(&stages->topology, opened->state, state));
}

void stages_expect(Stages *stages, uint32_t hint) {
  stages->hint = hint + 1;
  stages->opened.ref = NODE_NONE; // nothing more will be found from it, if it is its own
}
