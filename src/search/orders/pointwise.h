// Pointwise: orders waiting nodes by vectors of indices, as if they were in one long list.
//
// The list is popped at its head. A new node is inserted before the first node that it precedes,
// or at the end. Node a precedes node b if no index of a is larger than b's and some index is
// smaller. Dropped nodes (evicted ones) leave the list.
#pragma once

#include "search/passed/store.h"

typedef struct Pointwise Pointwise;

// Vectors have `width` indices, the i-th one below sizes[i].
Pointwise *pointwise_new(Mem *, uint32_t width, const uint32_t *sizes);

// A node may wait several times.
void pointwise_push(Pointwise *, NodeRef, const uint32_t *vector);
// The node leaves the list, where it came last if it is there several times. Nothing if it does
// not wait.
void pointwise_drop(Pointwise *, NodeRef);
NodeRef pointwise_pop(Pointwise *); // the head of the list; NODE_NONE if nothing waits
