// The ranking system of HT15, Algorithm 1.2, where it is silent as its counts demand:
// - The node of the initial rank is 0, and 1 + the highest rank of a waiting node below an
//   evicted one; an evicted node with nothing waiting below, or that waits itself, gives none.
// - Evicted nodes are treated oldest first, each ranked and then spliced out.
// - The parent of a new node may just have been spliced out: its nearest ancestor in the tree
//   takes its place.
// - A rank never changes.
// - Where several workers search together each has a tree of its own nodes.
//
// The tree is kept as left child and right sibling; links to parent and left sibling let a
// node be taken out at once.
#include "search/rank.h"

#include "base/heap.h"

#include <stdlib.h>

enum { NO_RANK = 0, LEAST_RANK = 1 }; // ranks are kept one higher than the paper's
#define TRUE_RANK UINT32_MAX

typedef struct Branch { // of the tree; by NodeRef
  NodeRef parent;       // of one spliced out: its parent then
  NodeRef child, next, previous;
  uint32_t rank; // NO_RANK: not pushed yet
  bool is_out;
} Branch;

struct Rank {
  Mem *mem;
  Store *store;
  Statistics *stats;
  Pool branches;
  Heap heap; // rank, the highest first, then the reference
};

Rank *rank_new(Mem *mem, Store *store, Statistics *stats) {
  Rank *rank = mem_alloc(mem, sizeof *rank);
  *rank = (Rank){.mem = mem, .store = store, .stats = stats};
  pool_init(&rank->branches, mem, sizeof(Branch));
  return rank;
}

void rank_release(Rank *rank) {
  pool_release(&rank->branches);
  heap_release(&rank->heap, rank->mem);
  mem_free(rank->mem, rank);
}

static Branch *branch_at(const Rank *rank, NodeRef ref) { return pool_at(&rank->branches, ref); }

// The next node of a walk below `root`, parents first; NODE_NONE after the last one.
static NodeRef walk_on(const Rank *rank, NodeRef root, NodeRef ref, bool enter) {
  if (enter && branch_at(rank, ref)->child != NODE_NONE)
    return branch_at(rank, ref)->child;
  while (ref != root && branch_at(rank, ref)->next == NODE_NONE)
    ref = branch_at(rank, ref)->parent;
  return ref == root ? NODE_NONE : branch_at(rank, ref)->next;
}

// The highest rank of a node that waits below `root`, which was visited.
static uint32_t most_waiting(Rank *rank, NodeRef root) {
  uint32_t most = NO_RANK;
  for (NodeRef ref = root; ref != NODE_NONE;) {
    const bool is_visited = store_node(rank->store, ref)->is_visited;
    const uint32_t own = branch_at(rank, ref)->rank;
    rank->stats->rank_visited++;
    mem_tick(rank->mem);
    if (!is_visited && own > most)
      most = own;
    ref = walk_on(rank, root, ref, is_visited);
  }
  return most;
}

static void attach(Rank *rank, NodeRef ref, NodeRef parent) {
  Branch *branch = branch_at(rank, ref);
  branch->parent = parent;
  branch->previous = branch->next = NODE_NONE;
  if (parent == NODE_NONE)
    return;
  Branch *above = branch_at(rank, parent);
  branch->next = above->child;
  if (above->child != NODE_NONE)
    branch_at(rank, above->child)->previous = ref;
  above->child = ref;
}

static void detach(Rank *rank, NodeRef ref) {
  const Branch *branch = branch_at(rank, ref);
  if (branch->next != NODE_NONE)
    branch_at(rank, branch->next)->previous = branch->previous;
  if (branch->previous != NODE_NONE)
    branch_at(rank, branch->previous)->next = branch->next;
  else if (branch->parent != NODE_NONE)
    branch_at(rank, branch->parent)->child = branch->next;
}

static void splice_out(Rank *rank, NodeRef ref) {
  detach(rank, ref);
  Branch *branch = branch_at(rank, ref);
  for (NodeRef child = branch->child; child != NODE_NONE;) {
    const NodeRef next = branch_at(rank, child)->next;
    attach(rank, child, branch->parent);
    child = next;
  }
  branch->child = NODE_NONE;
  branch->is_out = true;
}

// The nearest ancestor in the tree; the way there is shortened for the next time.
static NodeRef live_ancestor(Rank *rank, NodeRef ref) {
  NodeRef live = ref;
  while (live != NODE_NONE && branch_at(rank, live)->is_out)
    live = branch_at(rank, live)->parent;
  while (ref != live) {
    Branch *branch = branch_at(rank, ref);
    ref = branch->parent;
    branch->parent = live;
  }
  return live;
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
    splice_out(rank, evicted);
  }
  *branch_at(rank, ref) = (Branch){.child = NODE_NONE, .rank = own};
  attach(rank, ref, live_ancestor(rank, store_own(store, store_node(store, ref)->parent)));
}

// Each stored node is below its nearest ancestor that is stored: so it was before, as children of
// evicted nodes went to the parents of these.
void rank_link(Rank *rank) {
  const Store *store = rank->store;
  for (NodeRef ref = 0; ref < rank->branches.size; ref++) {
    Branch *branch = branch_at(rank, ref);
    const Node *node = store_node(store, ref);
    branch->parent = store_own(store, node->parent);
    branch->child = NODE_NONE;
    branch->is_out = !node->is_stored || branch->rank == NO_RANK;
  }
  for (NodeRef ref = 0; ref < rank->branches.size; ref++)
    if (!branch_at(rank, ref)->is_out)
      attach(rank, ref, live_ancestor(rank, branch_at(rank, ref)->parent));
}

uint32_t rank_of(const Rank *rank, NodeRef ref) { return branch_at(rank, ref)->rank; }

void rank_restore(Rank *rank, NodeRef ref, uint32_t own, bool waits) {
  while (rank->branches.size <= ref)
    *branch_at(rank, pool_add(&rank->branches)) = (Branch){0};
  branch_at(rank, ref)->rank = own;
  if (waits)
    heap_push(&rank->heap, rank->mem, (HeapKey){TRUE_RANK - own, ref});
}

void rank_push(Rank *rank, NodeRef ref, bool is_true) {
  while (rank->branches.size <= ref)
    *branch_at(rank, pool_add(&rank->branches)) = (Branch){0};
  if (branch_at(rank, ref)->rank == NO_RANK)
    take_in(rank, ref, is_true);
  const uint32_t own = branch_at(rank, ref)->rank;
  heap_push(&rank->heap, rank->mem, (HeapKey){TRUE_RANK - own, ref});
}

NodeRef rank_pop(Rank *rank) {
  return rank->heap.size ? (NodeRef)heap_pop(&rank->heap).low : NODE_NONE;
}
