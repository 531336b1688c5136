// Finds the values that the variables of one process can have in each of its locations.
//
// A variable that only one process writes changes only on the edges of that process. So an
// interval analysis over the locations of the process can use the guards, the invariants and the
// order of updates. Other variables have the net's intervals (model/ranges.h). Clock bounds that
// are expressions get their constants from this analysis: x <= 10 * n has a smaller constant
// where n is small. Processes without such bounds are skipped.
#pragma once

#include "model/intervals.h"

typedef struct SlotRange {
  uint32_t slot;
  int32_t low, high;
} SlotRange;

typedef struct SlotRanges { // of the variables that the location's process alone writes
  const SlotRange *items;
  uint32_t count; // 0: of none is more known than in the net
} SlotRanges;

// By slot, the process that writes it; others are above all of them: LOCALRANGES_NOBODY, or
// several.
enum { LOCALRANGES_NOBODY = INT32_MAX - 1, LOCALRANGES_SEVERAL };
const ProcessId *localranges_writers(const Net *, Arena *);

// Fills Net.local_ranges; the intervals of the net are known.
void localranges_compute(Net *, const ProcessId *writers);

// Sets the intervals of a flow to those of a location.
void localranges_enter(const Net *, Flow *, LocationId);
