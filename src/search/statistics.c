#include "search/statistics.h"

static const StatisticInfo table[] = {
#define STAT(name, scope, help) {#name, help, STATISTIC_##scope, offsetof(Statistics, name)},
    STATISTICS(STAT)
#undef STAT
        {"seconds", "wall time of the query, from its beginning to its answer", STATISTIC_EVERY,
         offsetof(Statistics, seconds)},
    {"cpu_seconds", "processor time that the process took for it, in all threads",
     STATISTIC_EVERY, offsetof(Statistics, cpu_seconds)},
};

uint32_t statistics_count(void) { return sizeof table / sizeof *table; }

const StatisticInfo *statistics_at(uint32_t index) { return &table[index]; }

bool statistics_is_time(const StatisticInfo *info) {
  return info->offset >= offsetof(Statistics, seconds);
}

double statistics_value(const Statistics *statistics, const StatisticInfo *info) {
  const char *at = (const char *)statistics + info->offset;
  if (statistics_is_time(info))
    return *(const double *)at;
  return (double)*(const uint64_t *)at;
}

void statistics_add(Statistics *sum, const Statistics *other) {
  const uint64_t bytes = sum->node_bytes * sum->stored + other->node_bytes * other->stored;
#define STAT(name, scope, help) sum->name += other->name;
  STATISTICS(STAT)
#undef STAT
  sum->seconds = other->seconds > sum->seconds ? other->seconds : sum->seconds;
  sum->node_bytes = sum->stored ? bytes / sum->stored : 0;
}

bool statistics_applies(const StatisticInfo *info, const Options *options) {
#define SCOPE(name, words, condition) condition,
  const bool applies[] = {STATISTIC_SCOPES(SCOPE)};
#undef SCOPE
  return applies[info->scope];
}

const char *statistics_searches(const StatisticInfo *info) {
#define SCOPE(name, words, condition) words,
  static const char *const searches[] = {STATISTIC_SCOPES(SCOPE)};
#undef SCOPE
  return searches[info->scope];
}

void statistics_follow(Statistics *sum, const Statistics *later) {
  const Statistics before = *sum;
#define STAT(name, scope, help) sum->name += later->name;
  STATISTICS(STAT)
#undef STAT
#define MAX(name) sum->name = before.name > later->name ? before.name : later->name
  MAX(max_stored);
  MAX(peak_bytes);
  MAX(node_bytes);
#undef MAX
  sum->seconds += later->seconds;
  sum->cpu_seconds += later->cpu_seconds;
}
