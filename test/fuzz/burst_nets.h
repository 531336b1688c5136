// Random networks in UPPAAL's language whose processes take many steps in zero time: committed
// and urgent locations, urgent channels, invariants that end together, branch points. What they
// share is as UPPAAL's users write it: functions, arrays with computed indices, structs, counters
// with ranges, reference parameters, select, arrays of channels, broadcasts with guarded
// receivers, clocks of one process and of all, twins. In some, errors at run time can happen. The
// same seed gives the same text.
#pragma once

enum { BURST_TEXT = 20000, BURST_QUERIES = 8, BURST_QUERY = 200 };

typedef struct BurstNet {
  char text[BURST_TEXT];
  char queries[BURST_QUERIES][BURST_QUERY];
} BurstNet;

void burst_nets_make(BurstNet *, unsigned long seed);
