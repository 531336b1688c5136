// The ranking system of HT15, Algorithm 1.2, where it is silent as its counts demand:
// - The node of the initial rank is 0, and 1 + the highest rank of a waiting node below an
//   evicted one; an evicted node with nothing waiting below, or that waits itself, gives none.
// - Evicted nodes are treated oldest first, each ranked and then spliced out.
// - A rank never changes.
// - Where several workers search together each has a tree of its own nodes.
//
// The tree is kept as that of true parents, with first child and next sibling: what is below a
// node is the same in both. Nodes that were spliced out stay where they are, but do not count.
#include "search/orders/rank.h"

#include <stdlib.h>

// The next node of a walk below `root`, parents first; NODE_NONE after the last one.
static NodeRef walk_on(const Store *store, const Pool *branches, NodeRef root, NodeRef ref) {
  const TreeNode *branch = pool_at(branches, ref);
  if (store_node(store, ref)->is_visited && branch->child != NODE_NONE)
    return branch->child;
  for (; ref != root && branch->next == NODE_NONE; branch = pool_at(branches, ref))
    ref = store_own(store, store_node(store, ref)->parent);
  return ref == root ? NODE_NONE : branch->next;
}

// One more than the highest rank of a node that waits below `root`, which was visited; 0: none.
static uint32_t max_waiting(Store *store, const Pool *branches, NodeRef root) {
  uint32_t max = 0;
  for (NodeRef ref = root; ref != NODE_NONE; ref = walk_on(store, branches, root, ref)) {
    const Node *node = store_node(store, ref);
    const uint32_t round = ((const TreeNode *)pool_at(branches, ref))->round;
    store->passed.stats->rank_visited += node->is_stored;
    mem_tick(store->mem);
    if (node->is_stored && !node->is_visited && round > max)
      max = round;
  }
  return max;
}

static int compare_refs(const void *a, const void *b) {
  const NodeRef x = *(const NodeRef *)a, y = *(const NodeRef *)b;
  return (x > y) - (x < y);
}

uint32_t rank_of(Store *store, const Pool *branches, uint32_t least) {
  NodeRef *evicted = store->evicted.items;
  const uint32_t count = store->evicted.size;
  uint32_t rank = least;
  if (count > 1)
    qsort(evicted, count, sizeof *evicted, compare_refs);
  for (uint32_t i = 0; i < count; i++)
    store_node(store, evicted[i])->is_stored = true; // until it is spliced out
  for (uint32_t i = 0; i < count; i++) {
    Node *node = store_node(store, evicted[i]);
    const uint32_t max = node->is_visited ? max_waiting(store, branches, evicted[i]) : 0;
    if (max > rank)
      rank = max < RANK_TRUE ? max : RANK_TRUE;
    node->is_stored = false;
  }
  return rank;
}
