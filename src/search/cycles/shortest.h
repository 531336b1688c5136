// Finds a shortest infinite run, once a search has found that one exists. The search is breadth
// first, over any space, with the rules of search/cycles/cycles.h.
//
// A run is a path to an end, or a path to a node and a cycle through it that meets all marks. Its
// length is the number of its transitions; delays do not count. As in cycles.h, a cycle returns
// to an equal node. So the run is shortest among those; a run with exact times may repeat
// earlier.
#pragma once

#include "search/cycles/cycles.h"

typedef struct Shortest {
  Mem *mem;
  Arena *arena; // keys of the steps live there
  Space *space;
  const CyclesRules *rules; // without is_target and is_hopeless
  uint32_t longest;         // runs are looked for that are not longer
  uint64_t max;             // successors and links that may be looked at; 0: any number
  CycleSteps steps;         // of the run, the initial node first; the caller's
  uint32_t loop;            // what follows steps[loop] repeats; UINT32_MAX: nothing
  uint32_t length;
} Shortest;

// CYCLES_FOUND and CYCLES_END: there is a run, and none is shorter. CYCLES_NONE: there is none.
// Else as for cycles_run.
CyclesResult shortest_find(Shortest *);
