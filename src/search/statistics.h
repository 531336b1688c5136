// Statistics of one search, named and defined as the papers do: one list, from which the
// struct, the printed table, the JSON object and the man page are made.
#pragma once

#include "search/options.h"

// Name, the searches that have it (StatisticScope), meaning.
#define STATISTICS(STAT)                                                                         \
  STAT(visited, EVERY, "nodes taken from the waiting list and expanded")                         \
  STAT(stored, EVERY, "nodes in the passed list at the end")                                     \
  STAT(max_stored, EVERY, "the most the passed list ever held")                                  \
  STAT(mistakes, EVERY, "visited nodes that are no longer in the passed list at the end")        \
  STAT(transitions, EVERY, "successors computed with a non-empty zone")                          \
  STAT(covered, EVERY, "nodes dropped or evicted by covering")                                   \
  STAT(reopened, FLY, "covered nodes that wait again")                                           \
  STAT(raised, FLY, "times that the clock bounds of a node grew")                                \
  STAT(left_out, PARTIAL, "transitions left out by partial order")                               \
  STAT(rank_visited, RANK, "nodes walked to compute ranks")                                      \
  STAT(states, DENSE, "different discrete states stored")                                        \
  STAT(discovered, DISCRETE, "calls that add a dart or a point")                                 \
  STAT(checkpoints, SAVED, "checkpoints written")                                                \
  STAT(checkpoint_ms, SAVED, "milliseconds that they took, without a search meanwhile")          \
  STAT(node_bytes, DENSE, "memory of the passed list for each stored node")                      \
  STAT(peak_bytes, EVERY, "most memory in use")

typedef struct Statistics {
#define STAT(name, scope, help) uint64_t name;
  STATISTICS(STAT)
#undef STAT
  double seconds, cpu_seconds;
} Statistics;

// Name, which searches it is for in words, the condition on their options.
#define STATISTIC_SCOPES(SCOPE)                                                                  \
  SCOPE(EVERY, NULL, true)                                                                       \
  SCOPE(FLY, "bounds fly and lazy",                                                              \
        options->bounds == BOUNDS_FLY || options->bounds == BOUNDS_LAZY)                         \
  SCOPE(RANK, "order rank", options->order == ORDER_RANK)                                        \
  SCOPE(PARTIAL, "reduced by partial order", options->is_reduced)                                \
  SCOPE(SAVED, "with checkpoints", options->checkpoint)                                          \
  SCOPE(DENSE, "engines zones and local",                                                        \
        options->engine != ENGINE_DARTS && options->engine != ENGINE_POINTS)                     \
  SCOPE(DISCRETE, "engines darts and points",                                                    \
        options->engine == ENGINE_DARTS || options->engine == ENGINE_POINTS)

typedef enum StatisticScope {
#define SCOPE(name, words, condition) STATISTIC_##name,
  STATISTIC_SCOPES(SCOPE)
#undef SCOPE
} StatisticScope;

typedef struct StatisticInfo {
  const char *name, *help;
  StatisticScope scope;
  size_t offset; // of a uint64_t; of the times, which come last, a double
} StatisticInfo;

uint32_t statistics_count(void);                // times included
bool statistics_is_time(const StatisticInfo *); // a double, in seconds
const StatisticInfo *statistics_at(uint32_t index);
double statistics_value(const Statistics *, const StatisticInfo *);
// Adds those of another worker, which searched at the same time. Nodes are of one worker each,
// but the most that each stored need not have been at the same time.
void statistics_add(Statistics *, const Statistics *other);
// Adds those of a search that came after: counts add up, the most of something is the larger.
void statistics_follow(Statistics *, const Statistics *later);
// Whether a search with these options has it. One that it does not have is 0, is left out of
// the text, and is null in JSON, where the names are always the same.
bool statistics_applies(const StatisticInfo *, const Options *);
// Which searches have it, as words for the manual; NULL: all.
const char *statistics_searches(const StatisticInfo *);
