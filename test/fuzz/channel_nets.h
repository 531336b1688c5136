// Random networks with channels, urgency, priorities and all else that UPPAAL's models have and
// TChecker's have not; and a random goal. The same seed gives the same network.
#pragma once

#include "base/random.h"
#include "model/query.h"

enum { CHANNEL_NETS_CONSTANT = 5 }; // the largest that a clock is compared with or set to

typedef struct ChannelNet {
  Mem *mem;
  Random random;
  Net net;
  Report report;
  Goal goal;
  Arena arena; // of the goal
  uint32_t clocks, variables, channels;
  bool compares;         // two clocks with each other
  bool has_clock_guards; // on receivers and urgent edges, and with priorities
} ChannelNet;

// With `compares`: some tests compare two clocks.
void channel_nets_make(ChannelNet *, Mem *, uint64_t seed, bool compares);
void channel_nets_release(ChannelNet *);
void channel_nets_print(const ChannelNet *); // to stdout
