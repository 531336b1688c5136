// Orders: which waiting node is visited next. The search pushes each new node and pops until
// nothing waits. Evicted nodes are still popped; the search skips them. A node may be pushed
// again while it is the space's current node.
#pragma once

#include "search/options.h"
#include "search/passed/store.h"

typedef struct Order Order;

// For a space that does not show its discrete states, orders that look at them are breadth
// first.
Order *order_new(Mem *, SearchOrder, Store *);
// Right after Passed.add: the space's current node and the list of those evicted are still
// those of the node added.
void order_push(Order *, NodeRef);
NodeRef order_pop(Order *); // NODE_NONE if nothing waits
// Nodes that are likely to be popped next, in this order; how many, at most `max`.
uint32_t order_peek(const Order *, NodeRef *refs, uint32_t max);

// For an order that is a queue or a stack: the waiting nodes, oldest first, by index below
// order_waiting.
NodeRef order_at(const Order *, uint32_t index);

// A node of an earlier search (search/save/checkpoint.h), the space's current one if it waits.
// What order_round told of it then is its round, or ORDER_MAX_ROUND if it was no less.
enum { ORDER_MAX_ROUND = (1 << 30) - 1 };
void order_restore(Order *, NodeRef, uint32_t round, bool waits);

// For several workers. Each has an order for its own nodes.
// A node is made by one worker and belongs to another. order_hint is called by the maker: it
// tells what its order knows of the space's current node, a successor of the node popped last.
// The owner passes that on to its own order by order_expect, before it pushes the node.
uint32_t order_hint(const Order *);
void order_expect(Order *, uint32_t hint);
// A node that waits here may be visited by another worker. order_waiting is how many wait, at
// most. order_round tells what the other's order has to know of a node that was popped here. The
// other worker calls order_visit instead of popping it.
uint32_t order_waiting(const Order *);
uint32_t order_round(const Order *, NodeRef);
void order_visit(Order *, const uint64_t *key, uint32_t round);
