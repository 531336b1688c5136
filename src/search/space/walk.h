// Walk: samples discrete states by random walks, as a guess at what a search will meet. Walks
// ignore clocks, so a sampled state need not be reachable, and a state counts each time a walk
// passes it. Sampling takes less than a millisecond and always gives the same states.
#pragma once

#include "model/state.h"

typedef struct Sample {
  uint32_t count, words;
  uint64_t *keys; // packed states
  uint32_t step_count;
  uint64_t *sources, *targets; // by step: the packed states from which and to which it leads
} Sample;

// In the arena; there may be no states, if walks soon come to an end. If it is scattered it comes
// from more and shorter walks, and has each state once: it is nearer to what a search stores
// where walks end in states that they do not leave.
Sample walk_sample(Arena *, const Net *, const StateLayout *, bool is_scattered);

// Item i of `keys`, `sources` or `targets`.
static inline const uint64_t *walk_at(const Sample *sample, const uint64_t *states, uint32_t i) {
  return states + (size_t)i * sample->words;
}
