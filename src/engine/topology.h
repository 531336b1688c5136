// Topology: how far a location lies from the start of its process, in a topological-like order.
//
// A depth-first search of each process from its initial locations ignores the edges to
// locations on its stack; what remains has no cycles, and the reversed postorder of the search
// orders it topologically. Locations that no edge leads to come last.
#ifndef TARN_ENGINE_TOPOLOGY_H
#define TARN_ENGINE_TOPOLOGY_H

#include "base/arena.h"
#include "model/net.h"

// Which edge of a location the search takes first: the one declared first, or last.
typedef enum TopologyKind { TOPOLOGY_FORWARD, TOPOLOGY_REVERSE } TopologyKind;

typedef struct Topology {
  const Net *net;
  // By LocationId:
  uint32_t *index; // 0 .. location_count - 1, different within a process
  uint32_t *stage; // of its strongly connected component: how many others lead to it in a row
} Topology;

// The arrays live in the arena.
void topology_init(Topology *, Arena *, const Net *, TopologyKind);

// The index of process p in a discrete state.
static inline uint32_t topology_index(const Topology *topology, const int32_t *state,
                                      ProcessId p) {
  const Net *net = topology->net;
  return topology
      ->index[net->processes.items[p].first_location + (uint32_t)state[net->location_slot + p]];
}

// The stage of process p.
static inline uint32_t topology_stage(const Topology *topology, const int32_t *state,
                                      ProcessId p) {
  const Net *net = topology->net;
  return topology
      ->stage[net->processes.items[p].first_location + (uint32_t)state[net->location_slot + p]];
}

#endif
