// Probabilities that need no runs: 0, because the zone engine shows that the goal cannot be
// reached, or 1, because it shows that every run reaches it within the bound.
//
// The network of symbolic queries can do all that random runs can: it has the same guards,
// invariants and updates, and ignores only rates and weights. Time is measured by a clock of its
// own, so the bound of the runs counts. The searches have small limits of nodes, not of time: the
// answer does not depend on the machine.
#pragma once

#include "plan/checking.h"

typedef struct Certain {
  const char *why; // NULL: nothing is certain
  double value;    // 0 or 1
} Certain;

void certain_find(Certain *, Tarn *, const PathQuery *);
