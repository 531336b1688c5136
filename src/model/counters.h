// Counters: variables that edges only add constants to. What a process adds depends on its path
// through its locations. If no cycle adds more than 0, the maximum that a process can add is that
// of a longest path, and the sum over all processes bounds the counter. So `cars++` when a car
// enters and `cars--` when it leaves is at most the number of cars, whatever the guards say.
#pragma once

#include "model/net.h"

// Makes the ranges of slots smaller where they are counters; others stay as they are. The net is
// complete but for its ranges.
void counters_limit(const Net *, int32_t *low, int32_t *high);
