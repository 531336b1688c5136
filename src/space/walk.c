#include "space/walk.h"

#include "base/random.h"
#include "model/joint.h"

#include <string.h>

// Joint transitions that are looked at in all; walks; their steps, the first ones of which are
// too near to the beginning to count; states.
enum { LOOKS = 1 << 14, WALKS = 1 << 5, STEPS = 1 << 9, SKIPPED = 1 << 6, STATES = 1 << 10 };

typedef struct Walker {
  const Net *net;
  Joint joint;
  Vm vm;
  Random random;
  ClockTests tests;
  ClockUpdates updates;
  int32_t *state, *target;
  uint32_t looks;
} Walker;

// Positions on one of the transitions that integers allow; false if there is none.
static bool choose(Walker *walker) {
  uint32_t chosen = 0, count = 0;
  joint_begin(&walker->joint, walker->state);
  for (; walker->looks < LOOKS && joint_next(&walker->joint); walker->looks++) {
    vec_clear(&walker->tests);
    if (joint_guard(&walker->joint, &walker->vm, walker->state, &walker->tests) == VM_TRUE &&
        !random_below(&walker->random, ++count))
      chosen = walker->joint.ordinal;
  }
  return count && joint_seek(&walker->joint, walker->state, chosen);
}

static bool step(Walker *walker) {
  walker->looks++;
  if (!choose(walker))
    return false;
  memcpy(walker->target, walker->state, walker->net->slot_count * sizeof *walker->target);
  vec_clear(&walker->updates);
  if (joint_fire(&walker->joint, &walker->vm, walker->target, &walker->updates) != VM_TRUE)
    return false;
  int32_t *const state = walker->state;
  walker->state = walker->target;
  walker->target = state;
  vec_clear(&walker->tests);
  return joint_invariant(walker->net, &walker->vm, walker->state, &walker->tests) == VM_TRUE;
}

// Adds the states of one walk to the sample.
static void walk(Walker *walker, const StateLayout *layout, uint64_t *keys, uint32_t *count) {
  for (uint32_t i = 0; i < STEPS && walker->looks < LOOKS && *count < STATES; i++) {
    if (!step(walker))
      return;
    if (i >= SKIPPED)
      state_pack(layout, keys + (size_t)(*count)++ * layout->words, walker->state);
  }
}

Sample walk_sample(Arena *arena, const Net *net, const StateLayout *layout) {
  Walker walker = {.net = net};
  uint64_t *keys = ARENA_ARRAY(arena, uint64_t, (size_t)STATES * layout->words);
  uint32_t *choice = ARENA_ARRAY(arena, uint32_t, net->processes.size);
  int32_t *initial = ARENA_ARRAY(arena, int32_t, net->slot_count);
  Sample sample = {.words = layout->words, .keys = keys};
  bool started = false;
  if (!state_initial(net, initial, choice, &started))
    return sample;
  walker.state = ARENA_ARRAY(arena, int32_t, net->slot_count);
  walker.target = ARENA_ARRAY(arena, int32_t, net->slot_count);
  joint_init(&walker.joint, net, arena);
  net_vm(net, &walker.vm, arena->mem);
  random_seed(&walker.random, 1);
  for (uint32_t i = 0; i < WALKS; i++) {
    memcpy(walker.state, initial, net->slot_count * sizeof *initial);
    walk(&walker, layout, keys, &sample.count);
  }
  vec_release(arena->mem, &walker.tests);
  vec_release(arena->mem, &walker.updates);
  vm_release(&walker.vm);
  joint_release(&walker.joint);
  return sample;
}
