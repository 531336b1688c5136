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
#include "engine/stages.h"

#include "base/heap.h"
#include "engine/topology.h"

// A node in the tree of true parents, evicted nodes included. Nodes below which nothing waits,
// nor ever will, leave it when somebody looks there: nobody looks twice.
typedef struct Branch {
  uint32_t round;      // one more than it; 0: not pushed yet
  NodeRef child, next; // first child, next sibling
} Branch;

struct Stages {
  Mem *mem;
  Arena arena;
  Store *store;
  Topology topology;
  Pool branches;  // by NodeRef
  NodeRef opened; // the one popped last, whose successors are being pushed
  uint32_t hint;  // round of a node that another worker made
  Heap heap;
};

Stages *stages_new(Mem *mem, Store *store) {
  Stages *stages = mem_alloc(mem, sizeof *stages);
  *stages = (Stages){.mem = mem, .arena = {.mem = mem}, .store = store, .opened = NODE_NONE};
  topology_init(&stages->topology, &stages->arena, store->space->net, TOPOLOGY_FORWARD);
  pool_init(&stages->branches, mem, sizeof(Branch));
  return stages;
}

void stages_release(Stages *stages) {
  arena_release(&stages->arena);
  pool_release(&stages->branches);
  heap_release(&stages->heap, stages->mem);
  mem_free(stages->mem, stages);
}

static Branch *branch_at(const Stages *stages, NodeRef ref) {
  return pool_at(&stages->branches, ref);
}

static uint32_t round_of(const Stages *stages, NodeRef ref) {
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
    if (ref == stages->opened || (node->is_stored && !node->is_visited))
      return true;
    if (ref == root)
      return false;
    ref = store_own(stages->store, node->parent); // whose first child it is
    branch_at(stages, ref)->child = branch_at(stages, branch_at(stages, ref)->child)->next;
  }
}

// Whether the step from the opened node to the current one goes back.
static bool goes_back(const Stages *stages, bool goes_on) {
  Space *space = stages->store->space;
  space_unpack(space);
  for (ProcessId p = 0; p < space->net->processes.size; p++) {
    const uint32_t from = topology_index(&stages->topology, space->source, p);
    const uint32_t to = topology_index(&stages->topology, space->state, p);
    if (to < from)
      return true;
    goes_on |= to > from;
  }
  return !goes_on;
}

static uint32_t find_round(Stages *stages, NodeRef ref) {
  const Store *store = stages->store;
  const Node *node = store_node(store, ref);
  if (node->parent == NODE_NONE)
    return 0;
  const NodeRef parent = store_own(store, node->parent);
  uint32_t round = stages->hint;
  if (parent != NODE_NONE) // a step inside one discrete state opens no round
    round = round_of(stages, parent) +
            (parent != stages->opened || // then its source is no longer known
             goes_back(stages, node->group == store_node(store, parent)->group));
  for (uint32_t i = 0; i < store->evicted.size; i++) {
    const NodeRef evicted = store->evicted.items[i];
    if (store_node(store, evicted)->is_visited && round_of(stages, evicted) < round &&
        is_open(stages, evicted))
      round = round_of(stages, evicted);
  }
  return round;
}

static void take_in(Stages *stages, NodeRef ref) {
  const NodeRef parent = store_own(stages->store, store_node(stages->store, ref)->parent);
  Branch *branch = branch_at(stages, ref);
  *branch = (Branch){find_round(stages, ref) + 1, NODE_NONE, NODE_NONE};
  if (parent == NODE_NONE)
    return;
  branch->next = branch_at(stages, parent)->child;
  branch_at(stages, parent)->child = ref;
}

void stages_push(Stages *stages, NodeRef ref, bool is_true) {
  while (stages->branches.size <= ref)
    *branch_at(stages, pool_add(&stages->branches)) = (Branch){0};
  if (!branch_at(stages, ref)->round)
    take_in(stages, ref);
  if (is_true) { // below all others
    heap_push(&stages->heap, stages->mem, (HeapKey){0, ~ref});
    return;
  }
  Space *space = stages->store->space;
  uint64_t stage = 1, index = 0;
  space_unpack(space);
  for (ProcessId p = 0; p < space->net->processes.size; p++) {
    stage += topology_stage(&stages->topology, space->state, p);
    index += topology_index(&stages->topology, space->state, p);
  }
  heap_push(&stages->heap, stages->mem,
            (HeapKey){stage << 32 | round_of(stages, ref), index << 32 | ref});
}

NodeRef stages_pop(Stages *stages) {
  if (!stages->heap.size)
    return NODE_NONE;
  const HeapKey key = heap_pop(&stages->heap);
  stages->opened = key.high ? (NodeRef)key.low : ~(NodeRef)key.low;
  return stages->opened;
}

uint32_t stages_hint(const Stages *stages) {
  return stages->opened == NODE_NONE
             ? 0
             : round_of(stages, stages->opened) + goes_back(stages, false);
}

void stages_expect(Stages *stages, uint32_t hint) {
  stages->hint = hint;
  stages->opened = NODE_NONE; // nothing more will be found from it
}
