// Which values the variables of one process can have in each of its locations.
//
// Variables that one process alone writes change with its own edges only. So along its locations
// there is an analysis of intervals that knows the guards, the invariants and the order
// of updates; other variables have the net's intervals (model/ranges.h). Clock bounds that are
// expressions get their constants from it: x <= 10 * n asks for less where n is small. Processes
// without such bounds are not looked at.
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
