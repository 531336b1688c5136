#include "answers/statistics/stopping.h"

#include "answers/statistics/confidence.h"

#include <math.h>

uint64_t stopping_runs(double alpha, double epsilon) {
  return (uint64_t)ceil(log(2 / alpha) / (2 * epsilon * epsilon));
}

// The sequence costs a few logarithms for each run. It is asked less often as runs add up: the
// answer stays valid, as the sequence holds at every time.
static bool is_time_to_look(uint64_t runs) { return runs < 1024 || runs % (runs >> 10) == 0; }

bool stopping_is_due(const Stopping *stopping, uint64_t hits, uint64_t runs) {
  if (stopping->runs)
    return runs >= stopping->runs;
  const double alpha = stopping->alpha, epsilon = stopping->epsilon;
  if (stopping->rule == STOP_UPPAAL)
    return confidence_is_narrow(hits, runs, alpha, epsilon);
  if (stopping->rule == STOP_RUNS)
    return runs >= stopping_runs(alpha, epsilon);
  if (!is_time_to_look(runs))
    return false;
  const Interval interval = confidence_sequence(hits, runs, alpha);
  const double scale = stopping->rule == STOP_RELATIVE ? (double)hits / (double)runs : 1;
  return (interval.high - interval.low) / 2 <= epsilon * scale;
}
