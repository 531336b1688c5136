#include "engine/statistics.h"

static const StatisticInfo table[] = {
#define STAT(name, help) {#name, help, offsetof(Statistics, name)},
    STATISTICS(STAT)
#undef STAT
        {"seconds", "time of the search", offsetof(Statistics, seconds)},
};

uint32_t statistics_count(void) { return sizeof table / sizeof *table; }

const StatisticInfo *statistics_at(uint32_t index) { return &table[index]; }

double statistics_value(const Statistics *statistics, const StatisticInfo *info) {
  const char *at = (const char *)statistics + info->offset;
  if (info->offset == offsetof(Statistics, seconds))
    return *(const double *)at;
  return (double)*(const uint64_t *)at;
}
