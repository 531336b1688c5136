// Parts of checkpoints (search/save/checkpoint.h) for the spaces that count time in whole units:
// the keys of all nodes with what is known of each, the trail, and the waiting nodes in their
// order.
//
// Zones are written once. Here everything is written each time, because a node has only a few
// bytes, and the nodes of darts change.
//
// A later search may have other workers. A node then belongs to another one, as its key says. The
// marks of a trail refer to each other, so they stay together: those of worker w go to worker w
// modulo the number of workers, behind those that are there already, and keep their order. So
// every process knows the new number of each mark.
#pragma once

#include "semantics/discrete/ticks.h"

extern const PassedParts tickcheckpoint;
