// Walk: discrete states that random walks meet. Clocks are left out of account, so that not all
// of them need be reachable; and they are met as often as walks pass by, not once each. A guess
// at what a search will meet, made in less than a millisecond and always the same.
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
