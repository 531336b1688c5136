// A bounded comparison of two networks with the same variables, clocks and locations: whether
// they have the same states at the same times.
//
// Both are explored together, breadth first, without any abstraction and with one clock more that
// is never set. In each step a node of both networks, which is a discrete state and a zone over
// all clocks, has to have the same set of successors. This is done twice, with zones before and
// after the delay. Names of actions are not compared. The clock makes most of these graphs
// infinite: the comparison ends after some nodes.
#pragma once

#include "base/report.h"
#include "model/net.h"

typedef enum Alike {
  ALIKE_DIFFERENT,
  ALIKE_SAME,    // in all nodes that were compared
  ALIKE_UNKNOWN, // they cannot be compared
} Alike;

// `nodes` is how many there may be, and becomes how many were compared. `is_all`: there are no
// others.
Alike alike_compare(Mem *, const Net *, const Net *, uint32_t *nodes, bool *is_all);
