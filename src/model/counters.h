// Counters: variables that edges only add constants to. What a process adds depends on its way
// through its locations. If no cycle of them adds more than 0, the most that it can have added is
// that of a longest path, and the sum over the processes bounds the counter. So `cars++` when a
// car enters and `cars--` when it leaves is at most the number of cars, whatever the guards say.
#pragma once

#include "model/net.h"

// Makes the ranges of slots smaller where they are counters; others stay as they are. The net is
// complete but for its ranges.
void counters_limit(const Net *, int32_t *low, int32_t *high);
