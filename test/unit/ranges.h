// For unit tests that try states which need not be reachable.
#pragma once

#include "model/net.h"

// Every value of a declared range counts as possible (model/ranges.h).
static inline void forget_ranges(Net *net) {
  net->slots.low = net->slots.min;
  net->slots.high = net->slots.max;
  net->slots.local = NULL;
}
