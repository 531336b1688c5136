// Walks: the joint transitions of one state after the other, in the order of declaration or,
// with a seed, shuffled.
#ifndef TARN_ENGINE_WALK_H
#define TARN_ENGINE_WALK_H

#include "base/random.h"
#include "model/joint.h"

typedef struct Walk {
  Mem *mem;
  Joint joint; // on the present transition
  const int32_t *state;
  bool is_random;
  Random random;
  VEC(uint32_t) left; // shuffled: ordinals to come
} Walk;

void walk_init(Walk *, Mem *, Arena *, const Net *, int seed);
void walk_release(Walk *);
void walk_begin(Walk *, const int32_t *state); // which must last as long as the walk
bool walk_next(Walk *);

#endif
