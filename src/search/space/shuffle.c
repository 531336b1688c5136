#include "search/space/shuffle.h"

void shuffle_init(Shuffle *shuffle, Mem *mem, Joint *joint, int seed) {
  *shuffle = (Shuffle){.mem = mem, .joint = joint, .is_random = seed != 0};
  random_seed(&shuffle->random, (uint64_t)seed);
}

static void mix(Shuffle *shuffle) {
  vec_clear(&shuffle->left);
  while (joint_next(shuffle->joint))
    vec_push(shuffle->mem, &shuffle->left, shuffle->joint->ordinal);
  random_mix(&shuffle->random, shuffle->left.items, shuffle->left.size);
}

void shuffle_begin(Shuffle *shuffle, const int32_t *state) {
  shuffle->state = state;
  joint_begin(shuffle->joint, state);
  if (shuffle->is_random)
    mix(shuffle);
}

bool shuffle_next(Shuffle *shuffle) {
  if (!shuffle->is_random)
    return joint_next(shuffle->joint);
  return shuffle->left.size &&
         joint_seek(shuffle->joint, shuffle->state, vec_pop(&shuffle->left));
}

void shuffle_numbers(Ordinals *numbers, Mem *mem, Random *random, uint32_t count) {
  vec_clear(numbers);
  for (uint32_t i = 0; i < count; i++)
    vec_push(mem, numbers, i);
  random_mix(random, numbers->items, count);
}
