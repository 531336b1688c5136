// Rank: waiting nodes with ranks, the highest first, equals first come, first served (HT15).
//
// A node that evicts visited nodes ranks higher than whatever waits below those in the
// reachability tree. The tree is of stored nodes: an evicted node is spliced out, and its
// children move to its parent. (Node.parent remains the true parent.)
#ifndef TARN_SEARCH_RANK_H
#define TARN_SEARCH_RANK_H

#include "search/store.h"

typedef struct Rank Rank;

// Counts nodes walked in rank_visited of the store's statistics.
Rank *rank_new(Mem *, Store *);
void rank_release(Rank *);

// Takes in the space's current node, with what the store has just evicted. A node with a true
// zone ranks above all others. A node may be pushed again; it keeps its rank.
void rank_push(Rank *, NodeRef, bool is_true);
NodeRef rank_pop(Rank *); // NODE_NONE if nothing waits

// For checkpoints: the rank of a node that was pushed, and a node of an earlier search, which had
// that rank. All nodes that were pushed are restored, once the store has them.
uint32_t rank_of(const Rank *, NodeRef);
void rank_restore(Rank *, NodeRef, uint32_t own, bool waits);

#endif
