// Depth first: the order in which a depth-first search finishes the nodes of a graph, and the
// strongly connected components of the graph (paper key Tar72).
//
// Components are numbered from 0 as they are complete, so that numbers never grow along an arc.
// If an arc leads from one component to another, all nodes of the target component are finished
// before the node where the arc starts.
#pragma once

#include "base/vec.h"

#define DEPTHFIRST_NONE UINT32_MAX

typedef struct DepthFirst {
  Mem *mem;
  // The graph: by node, and one more, its first arc; and where an arc leads, DEPTHFIRST_NONE if
  // nowhere.
  const uint64_t *first;
  uint32_t (*end)(const void *graph, uint64_t arc);
  const void *graph;
  uint32_t *numbers;      // by node: its component; DEPTHFIRST_NONE before it is complete
  uint32_t count;         // of components
  VEC(uint32_t) finished; // nodes
  struct Visit *visits;   // by node
  VEC(uint32_t) path, active;
} DepthFirst;

// Of a graph of `count` nodes; `mem`, `first`, `end` and `graph` are set. Other fields are
// released.
void depthfirst_init(DepthFirst *, uint32_t count);
void depthfirst_release(DepthFirst *);
// Visits a node and all that can be reached from it, as far as they were not visited before.
void depthfirst_visit(DepthFirst *, uint32_t root);
