// Walk: discrete states that random walks meet. Clocks are left out of account, so that not all
// of them need be reachable; and they are met as often as walks pass by, not once each. A guess
// at what a search will meet, made in less than a millisecond and always the same.
#ifndef TARN_SPACE_WALK_H
#define TARN_SPACE_WALK_H

#include "model/state.h"

typedef struct Sample {
  uint32_t count, words;
  const uint64_t *keys; // packed states
  uint32_t step_count;
  // By step: the packed state that it leads to, and how that differs from the one before
  // (exclusive or).
  const uint64_t *targets, *changes;
} Sample;

// In the arena; there may be no states, if walks soon come to an end.
Sample walk_sample(Arena *, const Net *, const StateLayout *);
// The same by more and shorter walks, and each state once. It is nearer to what a search stores
// where walks end in states that they do not leave.
Sample walk_scatter(Arena *, const Net *, const StateLayout *);

static inline const uint64_t *walk_key(const Sample *sample, uint32_t i) {
  return sample->keys + (size_t)i * sample->words;
}

static inline const uint64_t *walk_target(const Sample *sample, uint32_t i) {
  return sample->targets + (size_t)i * sample->words;
}

static inline const uint64_t *walk_change(const Sample *sample, uint32_t i) {
  return sample->changes + (size_t)i * sample->words;
}

#endif
