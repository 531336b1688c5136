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
//   precedence over all that waits below the smaller one. Here it takes over the round
//   instead, which has that effect, as do its successors when they evict in turn, and needs
//   no tree and no walk.
//
// Compared with breadth first: a step inside one discrete state opens no round, for the oldest
// first is the best known order there.
#include "engine/stages.h"

#include "base/heap.h"
#include "engine/topology.h"

struct Stages {
  Mem *mem;
  Arena arena;
  Store *store;
  Topology topology;
  Pool rounds;    // by NodeRef: uint32_t, one more than the round; 0: not pushed yet
  NodeRef opened; // the one popped last, whose successors are being pushed
  Heap heap;
};

Stages *stages_new(Mem *mem, Store *store) {
  Stages *stages = mem_alloc(mem, sizeof *stages);
  *stages = (Stages){.mem = mem, .arena = {.mem = mem}, .store = store, .opened = NODE_NONE};
  topology_init(&stages->topology, &stages->arena, store->space->net, TOPOLOGY_FORWARD);
  pool_init(&stages->rounds, mem, sizeof(uint32_t));
  return stages;
}

void stages_release(Stages *stages) {
  arena_release(&stages->arena);
  pool_release(&stages->rounds);
  heap_release(&stages->heap, stages->mem);
  mem_free(stages->mem, stages);
}

static uint32_t round_of(const Stages *stages, NodeRef ref) {
  return *(const uint32_t *)pool_at(&stages->rounds, ref) - 1;
}

// Whether the step to the current node goes back. Where its source is no longer known, it does.
static bool goes_back(const Stages *stages, const Node *node) {
  const Space *space = stages->store->space;
  if (node->parent != stages->opened)
    return true;
  bool goes_on = node->group == store_node(stages->store, node->parent)->group;
  for (ProcessId p = 0; p < space->net->processes.size; p++) {
    const uint32_t from = topology_index(&stages->topology, space->source, p);
    const uint32_t to = topology_index(&stages->topology, space->state, p);
    if (to < from)
      return true;
    goes_on |= to > from;
  }
  return !goes_on;
}

static uint32_t find_round(const Stages *stages, NodeRef ref) {
  const Store *store = stages->store;
  const Node *node = store_node(store, ref);
  if (node->parent == NODE_NONE)
    return 0;
  uint32_t round = round_of(stages, node->parent) + goes_back(stages, node);
  for (uint32_t i = 0; i < store->evicted.size; i++) {
    const NodeRef evicted = store->evicted.items[i];
    if (store_node(store, evicted)->is_visited && round_of(stages, evicted) < round)
      round = round_of(stages, evicted);
  }
  return round;
}

void stages_push(Stages *stages, NodeRef ref, bool is_true) {
  while (stages->rounds.size <= ref)
    pool_add(&stages->rounds);
  uint32_t *known = pool_at(&stages->rounds, ref);
  if (!*known)
    *known = find_round(stages, ref) + 1;
  const uint32_t round = *known - 1;
  if (is_true) { // below all others
    heap_push(&stages->heap, stages->mem, (HeapKey){0, ~ref});
    return;
  }
  const Space *space = stages->store->space;
  uint64_t stage = 1, index = 0;
  for (ProcessId p = 0; p < space->net->processes.size; p++) {
    stage += topology_stage(&stages->topology, space->state, p);
    index += topology_index(&stages->topology, space->state, p);
  }
  heap_push(&stages->heap, stages->mem, (HeapKey){stage << 32 | round, index << 32 | ref});
}

NodeRef stages_pop(Stages *stages) {
  if (!stages->heap.size)
    return NODE_NONE;
  const HeapKey key = heap_pop(&stages->heap);
  stages->opened = key.high ? (NodeRef)key.low : ~(NodeRef)key.low;
  return stages->opened;
}
