#include "engine/walk.h"

void walk_init(Walk *walk, Mem *mem, Arena *arena, const Net *net, int seed) {
  *walk = (Walk){.mem = mem, .is_random = seed != 0};
  joint_init(&walk->joint, net, arena);
  random_seed(&walk->random, (uint64_t)seed);
}

void walk_release(Walk *walk) { vec_release(walk->mem, &walk->left); }

static void shuffle(Walk *walk) {
  vec_clear(&walk->left);
  while (joint_next(&walk->joint))
    vec_push(walk->mem, &walk->left, walk->joint.ordinal);
  for (uint32_t i = walk->left.size; i > 1; i--) {
    const uint32_t j = random_below(&walk->random, i);
    const uint32_t swapped = walk->left.items[i - 1];
    walk->left.items[i - 1] = walk->left.items[j];
    walk->left.items[j] = swapped;
  }
}

void walk_begin(Walk *walk, const int32_t *state) {
  walk->state = state;
  joint_begin(&walk->joint, state);
  if (walk->is_random)
    shuffle(walk);
}

bool walk_next(Walk *walk) {
  if (!walk->is_random)
    return joint_next(&walk->joint);
  return walk->left.size && joint_seek(&walk->joint, walk->state, vec_pop(&walk->left));
}
