// The ranking system of HT15, Algorithm 1.2, where it is silent as its counts demand:
// - The node of the initial rank is 0, and 1 + the highest rank of a waiting node below an
//   evicted one; an evicted node with nothing waiting below, or that waits itself, gives none.
// - Evicted nodes are treated oldest first, each ranked and then spliced out.
// - A rank never changes.
// - Where several workers search together each has a tree of its own nodes.
//
// The tree is kept as that of true parents, with first child and next sibling: what is below a
// node is the same in both. Nodes that were spliced out stay where they are, but do not count.
#include "search/rank.h"

#include "base/heap.h"

#include <stdlib.h>

enum { NO_RANK = 0, LEAST_RANK = 1 }; // ranks are kept one higher than the paper's
#define TRUE_RANK UINT32_MAX

typedef struct Branch { // of the tree; by NodeRef
  NodeRef child, next;
  uint32_t rank; // NO_RANK: not pushed yet
  bool is_out;   // spliced out
} Branch;

struct Rank {
  Mem *mem;
  Store *store;
  Pool branches;
  Heap heap; // rank, the highest first, then the reference
};

Rank *rank_new(Mem *mem, Store *store) {
  Rank *rank = mem_alloc(mem, sizeof *rank);
  *rank = (Rank){.mem = mem, .store = store};
  pool_init(&rank->branches, mem, sizeof(Branch));
  return rank;
}

void rank_release(Rank *rank) {
  pool_release(&rank->branches);
  heap_release(&rank->heap, rank->mem);
  mem_free(rank->mem, rank);
}

static Branch *branch_at(const Rank *rank, NodeRef ref) { return pool_at(&rank->branches, ref); }

// The branch of a node, made if it is new.
static Branch *branch_of(Rank *rank, NodeRef ref) {
  while (rank->branches.size <= ref)
    *branch_at(rank, pool_add(&rank->branches)) = (Branch){.child = NODE_NONE, .next = NODE_NONE};
  return branch_at(rank, ref);
}

static NodeRef parent_of(const Rank *rank, NodeRef ref) {
  return store_own(rank->store, store_node(rank->store, ref)->parent);
}

// The next node of a walk below `root`, parents first; NODE_NONE after the last one.
static NodeRef walk_on(const Rank *rank, NodeRef root, NodeRef ref, bool enter) {
  if (enter && branch_at(rank, ref)->child != NODE_NONE)
    return branch_at(rank, ref)->child;
  while (ref != root && branch_at(rank, ref)->next == NODE_NONE)
    ref = parent_of(rank, ref);
  return ref == root ? NODE_NONE : branch_at(rank, ref)->next;
}

// The highest rank of a node that waits below `root`, which was visited.
static uint32_t most_waiting(Rank *rank, NodeRef root) {
  uint32_t most = NO_RANK;
  for (NodeRef ref = root; ref != NODE_NONE;) {
    const bool is_visited = store_node(rank->store, ref)->is_visited;
    const Branch *branch = branch_at(rank, ref);
    rank->store->passed.stats->rank_visited += !branch->is_out;
    mem_tick(rank->mem);
    if (!is_visited && !branch->is_out && branch->rank > most)
      most = branch->rank;
    ref = walk_on(rank, root, ref, is_visited);
  }
  return most;
}

static void attach(Rank *rank, NodeRef ref) {
  const NodeRef parent = parent_of(rank, ref);
  if (parent == NODE_NONE)
    return;
  Branch *above = branch_of(rank, parent);
  branch_at(rank, ref)->next = above->child;
  above->child = ref;
}

static int compare_refs(const void *a, const void *b) {
  const NodeRef x = *(const NodeRef *)a, y = *(const NodeRef *)b;
  return (x > y) - (x < y);
}

// Ranks a new node and makes it part of the tree, those which it evicted no longer are.
static void take_in(Rank *rank, NodeRef ref, bool is_true) {
  Store *store = rank->store;
  uint32_t own = is_true ? TRUE_RANK : LEAST_RANK;
  if (store->evicted.size > 1)
    qsort(store->evicted.items, store->evicted.size, sizeof(NodeRef), compare_refs);
  for (uint32_t i = 0; i < store->evicted.size; i++) {
    const NodeRef evicted = store->evicted.items[i];
    if (store_node(store, evicted)->is_visited) {
      const uint32_t most = most_waiting(rank, evicted);
      if (most >= own)
        own = most < TRUE_RANK ? most + 1 : TRUE_RANK;
    }
    branch_at(rank, evicted)->is_out = true;
  }
  branch_at(rank, ref)->rank = own;
  attach(rank, ref);
}

uint32_t rank_of(const Rank *rank, NodeRef ref) { return branch_at(rank, ref)->rank; }

static void wait(Rank *rank, NodeRef ref) {
  heap_push(&rank->heap, rank->mem, (HeapKey){TRUE_RANK - rank_of(rank, ref), ref});
}

void rank_restore(Rank *rank, NodeRef ref, uint32_t own, bool waits) {
  Branch *branch = branch_of(rank, ref);
  branch->rank = own;
  branch->is_out = !store_node(rank->store, ref)->is_stored;
  attach(rank, ref);
  if (waits)
    wait(rank, ref);
}

void rank_push(Rank *rank, NodeRef ref, bool is_true) {
  if (branch_of(rank, ref)->rank == NO_RANK)
    take_in(rank, ref, is_true);
  wait(rank, ref);
}

NodeRef rank_pop(Rank *rank) {
  return rank->heap.size ? (NodeRef)heap_pop(&rank->heap).low : NODE_NONE;
}
