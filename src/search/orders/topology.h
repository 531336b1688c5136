// Topology: how far a location lies from the start of its process, in a topological-like order.
//
// A depth-first search of each process from its initial locations ignores the edges to
// locations on its stack; what remains has no cycles, and the reversed postorder of the search
// orders it topologically. Locations that no edge leads to come last.
#pragma once

#include "model/state.h"

// Which edge of a location the search takes first: the one declared first, or last.
typedef enum TopologyKind { TOPOLOGY_FORWARD, TOPOLOGY_REVERSE } TopologyKind;

// A process in packed states (model/state.h).
typedef struct TopologyPart {
  uint32_t word, shift;
  uint64_t mask;           // shifted
  const uint64_t *weights; // by local index of its location
} TopologyPart;

typedef struct Topology {
  uint32_t process_count, words; // of packed states
  // By LocationId. The lower half is the index: 0 .. location_count - 1, different within a
  // process. The upper half is the stage, that of its strongly connected component: how many
  // others lead to it in a row.
  uint64_t *weights;
  TopologyPart *parts; // by process
  uint64_t *masks;     // by word: the bits of locations
  ProcessId *owners;   // by word and bit, if it is one of them: whose location
} Topology;

// From one packed state to another.
typedef struct TopologyStep {
  uint64_t change;          // of the sum of weights, modulo 2^64
  bool is_back, is_forward; // some process comes to a lower, a higher index
} TopologyStep;

// The arrays live in the arena.
void topology_init(Topology *, Arena *, const Net *, TopologyKind);

static inline uint64_t topology_weight(const TopologyPart *part, const uint64_t *packed) {
  return part->weights[(packed[part->word] & part->mask) >> part->shift];
}
// The sum of all processes' weights.
uint64_t topology_sum(const Topology *, const uint64_t *packed);
TopologyStep topology_step(const Topology *, const uint64_t *from, const uint64_t *to);
