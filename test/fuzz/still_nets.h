// Random networks in which time often stands still: urgent and committed locations, chains of
// them, invariants that end together, synchronisations with weak parts, broadcasts whose
// receivers have guards, counters, shared variables and clocks, updates that make invariants of
// others false, and some with errors at run time. As text of TChecker or UPPAAL; the same seed
// gives the same text.
#pragma once

#include <stdbool.h>

enum { STILL_TEXT = 20000, STILL_QUERIES = 7, STILL_QUERY = 200 };

typedef struct StillNet {
  bool is_uppaal;
  char text[STILL_TEXT];
  char queries[STILL_QUERIES][STILL_QUERY];
} StillNet;

// In UPPAAL's language only, if asked for.
void still_nets_make(StillNet *, unsigned long seed, bool only_uppaal);
