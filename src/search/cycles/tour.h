// Tours: a path from the start to a node of a component (search/cycles/sccs.h), and a cycle
// through that node that meets all marks. A cycle of the graph with covering need not be a cycle
// of the space.
#pragma once

#include "base/arena.h"
#include "search/cycles/sccs.h"

typedef struct CycleStep { // of a run
  uint32_t ordinal;        // Space.ordinal
  const uint64_t *key;     // of the node that it leads to
  uint32_t zone;
} CycleStep;
typedef VEC(CycleStep) CycleSteps;

typedef struct TourVisit { // breadth first: how a node was met
  uint32_t from;           // index of the visit before
  uint32_t link;           // of the node there
  NodeRef node;
} TourVisit;

typedef struct TourLink { // of the cycle
  NodeRef node;
  uint32_t link;
} TourLink;

typedef struct Tour {
  Mem *mem;
  const Sccs *sccs;
  const SccsRules *rules;
  uint32_t turn; // links are looked at in another order for each
  NodeRef now;
  uint32_t met;  // marks
  uint8_t *seen; // by NodeRef
  VEC(TourVisit) visits;
  VEC(TourLink) links;
  CycleSteps cycle;    // its steps
  VEC(uint32_t) marks; // and what they meet
} Tour;

void tour_init(Tour *, Mem *, const Sccs *, const SccsRules *);
// A cycle through the node, of no more than so many steps, from which on keys live in the arena.
// False if there is none.
bool tour_find_cycle(Tour *, NodeRef, uint32_t max, Arena *);
// Appends the path to a node by which it was found first, the initial node first.
void tour_find_way(const Store *, NodeRef, Mem *, Arena *, CycleSteps *);
