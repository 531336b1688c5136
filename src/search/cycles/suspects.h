// Tests suspicious components (search/cycles/sccs.h): is one of their cycles a run?
//
// A cycle of the graph with covering is a sequence of steps from a stored node back to it. The
// steps are taken in the space itself, round after round, without covering. If some step becomes
// impossible, the cycle is not a run. If a round ends in the same node as an earlier one, the
// rounds between them are a cycle of equal nodes, which search/cycles/cycles.h would have found,
// too, but perhaps after millions of nodes. There are finitely many zones, so one of the two
// happens.
//
// A few cycles of each component are tried. If none is a run, nothing is known.
#pragma once

#include "search/cycles/tour.h"

typedef struct Suspects {
  Mem *mem;
  Arena *arena; // keys of the steps live there
  const Sccs *sccs;
  const SccsRules *rules; // by which they were found
  CycleSteps steps;       // of the run that was found, the initial node first
  uint32_t loop;          // what follows steps[loop] repeats
} Suspects;

// Whether a run was found. The caller releases `steps`.
bool suspects_find(Suspects *);
