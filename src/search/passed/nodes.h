// The nodes of a finished search. If there were several workers (workers_divide), the nodes of
// all workers of this process.
//
// References are numbers below a limit; some numbers belong to no node. If no other process took
// part, Node.parent holds such references. A group, which is the nodes of one key, is numbered in
// the same way; there are no more groups than nodes.
#pragma once

#include "search/reach.h"

NodeRef nodes_limit(const Reach *);
const Node *nodes_at(const Reach *, NodeRef); // NULL: there is none
uint32_t nodes_group(const Reach *, NodeRef); // of a node
// As nodes_key, but valid as long as the arena: folded keys are copied.
const uint64_t *nodes_keep_key(const Reach *, Arena *, uint32_t group);
const uint64_t *nodes_key(const Reach *, uint32_t group); // as store_key; NULL: there is none

// The search whose space gave the node's zone its number; others know it only if spaces share
// their zones.
Reach *nodes_owner(const Reach *, NodeRef);

// A stored node that covers the current node of the search's space, NODE_NONE if there is none.
// It belongs to a worker of this process.
NodeRef nodes_subsumer(Reach *);
// The same of the current node of a worker's space, which is its own.
NodeRef nodes_covering(const Reach *, uint32_t worker);
// Appends the ordinals on the path to the parent of what was found, last first.
void nodes_path(const Reach *, Mem *, Ordinals *);
