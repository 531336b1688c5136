// Cuts: ways to split the locations of a process into two parts, so that states can be divided
// among workers (search/workers/partition.h).
//
// The parity of some bits of a location's number says in which part it lies, so it is a parity of
// bits of the packed state, too. Each part has at least a third of the locations. A cut is good
// if few transitions cross it, and if both parts are met about equally often. Both are guessed
// from a sample (search/space/walk.h); processes of the same kind share their samples.
#pragma once

#include "search/space/walk.h"

enum { CUTS_MAX = 32 };

typedef struct Cut {
  ProcessId process;
  uint64_t mask;   // of the number of its location
  uint32_t number; // the same without low bits that do not count: below CUTS_MAX
  // The share of states in one part less that in the other, but never near 0: as it is guessed,
  // and as it may be, if there is reason to doubt.
  double skew, doubted;
  double crossing; // the share of transitions that cross
  // What it costs compared with what it helps: the lower the better. If nothing is known of that,
  // how many joint transitions lead from one part to the other, roughly.
  double price;
} Cut;

typedef struct Cuts {
  Cut *items;
  uint32_t count;
} Cuts;

// Of each process that has one the cut that the fewest joint transitions cross, halves if there
// are several; those with the fewest first. Only `process`, `mask` and `price` are set.
Cuts cuts_fewest(Arena *, const Net *, const StateLayout *);
// All cuts that may help, those with the lowest price first.
Cuts cuts_priced(Arena *, const Net *, const StateLayout *, const Sample *);

static inline uint32_t cuts_parity(uint64_t bits) { return (uint32_t)__builtin_parityll(bits); }
