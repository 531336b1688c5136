// One search of a network, compared with the oracle (regions.h): the same answer, and evidence
// for it that the replayer or the checker accepts.
#pragma once

#include "regions.h"

#include "base/text.h"
#include "search/options.h"
#include "search/reach.h"

typedef struct Configuration {
  int engine, abstraction, bounds, order, delay, seed, compact;
} Configuration;

typedef struct CompareCounts {
  unsigned runs, certificates, searches[ENGINE_WIDE + 1];
  unsigned verdicts; // that differ from the oracle's
} CompareCounts;

typedef struct Compare {
  Mem *mem;
  const Net *net;
  const Goal *goal;
  int32_t constant; // for the oracle, to look for errors behind a goal
  uint32_t max;     // regions
  CompareCounts *counts;
  bool is_refused; // by the last one: it does not take the model
  Text why;        // of the last one: what is wrong, or why it was refused
  Options options;
  Reach reach;
  Statistics stats;
} Compare;

// False if the configuration gives another answer than the oracle, or no evidence for it. Where
// the oracle gave up (REGIONS_MANY) the evidence decides.
bool compare_agrees(Compare *, const Configuration *, RegionsResult oracle);
