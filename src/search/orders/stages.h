// Stages: the default order. Stage by stage, round by round, and within a round forward.
//
// Waiting nodes come in this order:
// 1. nodes with a true zone, the youngest first: nothing can make them obsolete;
// 2. the lowest stage: the sum of the stages of the processes (search/orders/topology.h). No
//    process ever returns to an earlier stage, so no node that waits or will be found can reach
//    an earlier stage;
// 3. the lowest round. The run to a node begins a new round where some process goes back in its
//    topological-like order, or only variables change;
// 4. the lowest sum of the processes' indices in that order;
// 5. the oldest.
// A node that evicts a visited one takes over its round if that is lower and some node that was
// found from the visited one still waits. So the new node and its successors are explored before
// that node.
//
// If nodes are ranked (search/orders/rank.h) the highest rank comes first instead, and then the
// oldest.
#pragma once

#include "search/passed/store.h"

typedef struct Stages Stages;

Stages *stages_new(Mem *, Store *, bool is_ranked);

// Takes in the space's current node, with what the store has just evicted. A node may be pushed
// again; it keeps its round, or its rank.
void stages_push(Stages *, NodeRef, bool is_true);
// Where several workers search together: the round of the current node, a successor of the one
// popped last, for the worker that it belongs to; and, there, before it is pushed.
uint32_t stages_hint(const Stages *);
void stages_expect(Stages *, uint32_t hint);
// As order_restore.
void stages_restore(Stages *, NodeRef, uint32_t round, bool waits, bool is_true);
NodeRef stages_pop(Stages *);                                      // NODE_NONE if nothing waits
uint32_t stages_peek(const Stages *, NodeRef *refs, uint32_t max); // as order_peek
// The round, or the rank, of a node that another worker is to visit; and, there, instead of
// popping one.
uint32_t stages_round(const Stages *, NodeRef);
void stages_visit(Stages *, const uint64_t *state, uint32_t round);
