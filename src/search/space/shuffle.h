// Shuffles: lists the joint transitions of a state, in the order of declaration or, with a seed,
// in random order. The caller owns the Joint, which must outlive the shuffle.
#pragma once

#include "base/random.h"
#include "model/joint.h"
#include "search/space/space.h"

typedef struct Shuffle {
  Mem *mem;
  Joint *joint; // on the present transition
  const int32_t *state;
  bool is_random;
  Random random;
  Ordinals left; // shuffled: ordinals to come
} Shuffle;

void shuffle_init(Shuffle *, Mem *, Joint *, int seed);
void shuffle_begin(Shuffle *, const int32_t *state); // which must last as long as the shuffle
bool shuffle_next(Shuffle *);

// The numbers below `count`, shuffled: for spaces that know the transitions by number.
void shuffle_numbers(Ordinals *, Mem *, Random *, uint32_t count);
