// Statistics of one search, named and defined as the papers do: one list, from which the
// struct, the printed table, the JSON object and the man page are made.
#ifndef TARN_ENGINE_STATISTICS_H
#define TARN_ENGINE_STATISTICS_H

#include "base/mem.h"

#define STATISTICS(STAT)                                                                         \
  STAT(visited, "nodes taken from the waiting list and expanded")                                \
  STAT(stored, "nodes in the passed list at the end")                                            \
  STAT(max_stored, "the most the passed list ever held")                                         \
  STAT(mistakes, "visited nodes that are no longer in the passed list at the end")               \
  STAT(transitions, "successors computed with a non-empty zone")                                 \
  STAT(covered, "nodes dropped or evicted by covering")                                          \
  STAT(reopened, "covered nodes that wait again (bounds fly and lazy)")                          \
  STAT(raised, "times that the clock bounds of a node grew (bounds fly and lazy)")               \
  STAT(rank_visited, "nodes walked to compute ranks (order rank only)")                          \
  STAT(states, "different discrete states stored (engine zones)")                                \
  STAT(discovered, "calls that add a dart or a point (engines darts, points)")                   \
  STAT(peak_bytes, "most memory in use")

typedef struct Statistics {
#define STAT(name, help) uint64_t name;
  STATISTICS(STAT)
#undef STAT
  double seconds;
} Statistics;

typedef struct StatisticInfo {
  const char *name, *help;
  size_t offset; // of a uint64_t, except `seconds`, a double, which comes last
} StatisticInfo;

uint32_t statistics_count(void); // `seconds` included
const StatisticInfo *statistics_at(uint32_t index);
double statistics_value(const Statistics *, const StatisticInfo *);

#endif
