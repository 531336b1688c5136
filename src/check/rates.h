// Finds the clocks that stand still while time passes in a state. A location may give a clock a
// rate, 0 or 1 (x' == e); a clock without a given rate has rate 1.
#pragma once

#include "model/net.h"

typedef struct Rates {
  Mem *mem;
  const Net *net;
  bool *stands_still; // by clock
  bool *runs;         // by clock: it is given rate 1
  ClockTests tests;
} Rates;

void rates_init(Rates *, Mem *, const Net *); // all clocks run
// Finds `stands_still` in a state. NULL, or what is wrong: a rate fails, is not 0 or 1, or there
// are two for a clock.
const char *rates_find(Rates *, Vm *, const int32_t *state);
