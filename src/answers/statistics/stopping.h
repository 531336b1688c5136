// When an estimate of a probability ends.
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef enum StopRule {
  STOP_UPPAAL,   // after the first run at which Clopper and Pearson's interval is narrow
  STOP_RUNS,     // after a number of runs that is fixed before, see stopping_runs
  STOP_SEQUENCE, // once the confidence sequence is narrow: half its width is at most epsilon
  STOP_RELATIVE, // the same, with epsilon times the estimate; for small probabilities. Without a
                 // hit it never ends
} StopRule;

typedef struct Stopping {
  StopRule rule;
  uint64_t runs; // not 0: the query fixes their number, and the rule is not asked
  double alpha, epsilon;
} Stopping;

// Whether the estimate ends here. `runs` grows by one from call to call.
bool stopping_is_due(const Stopping *, uint64_t hits, uint64_t runs);
// The number of runs of STOP_RUNS: enough for half a width of epsilon whatever the probability is
// (Hoeffding's bound).
uint64_t stopping_runs(double alpha, double epsilon);
