// Rank: the priority of nodes that evict others (HT15).
//
// A node that evicts visited nodes ranks higher than every node that waits below them in the
// reachability tree. The tree consists of stored nodes: an evicted node is spliced out, and its
// children move to its parent. (Node.parent remains the true parent.)
#pragma once

#include "search/passed/store.h"

// The highest, which is also that of checkpoints: of nodes with a true zone.
enum { RANK_TRUE = (1 << 30) - 1 };

// A node in the tree of true parents, evicted nodes included; by NodeRef
// (search/orders/stages.h).
typedef struct TreeNode {
  uint32_t round;      // one more than it, or than the rank; 0: not pushed yet
  NodeRef child, next; // first child, next sibling
} TreeNode;

// The rank of a new node with what the store has just evicted, at least `least`. Counts nodes
// walked in rank_visited of the store's statistics.
uint32_t rank_of(Store *, const Pool *branches, uint32_t least);
