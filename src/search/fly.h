// Clock bounds found during the search, node by node (paper key HKSW11, Algorithm 1).
//
// The search keeps every node. One that is covered by another, under the bounds of that node,
// is *tentative*: it takes part in the bounds of that node, and must be looked at again when they
// grow; if it is not covered any more it is *reopened*, that is, waits again. Bounds of a node
// come from what it needs itself (space/needs.h) and from its successors, through the
// updates of the transition; they only grow.
#ifndef TARN_SEARCH_FLY_H
#define TARN_SEARCH_FLY_H

#include "search/order.h"
#include "space/levels.h"
#include "space/statistics.h"

typedef struct Fly Fly;

// For a space with `needs`; all stay the caller's.
Fly *fly_new(Mem *, Space *, Store *, Order *, SearchOrder, Statistics *);
void fly_release(Fly *);
Passed *fly_passed(Fly *); // the passed list of such a search

// After the search, for certificates. By NodeRef: the visited node that the node is, or that
// covers it.
void fly_subsumers(const Fly *, NodeRef *subsumers);
// The bounds of a visited node over the active clocks; NULL if there are none.
const struct PackedBounds *fly_bounds(Fly *, NodeRef);

#endif
