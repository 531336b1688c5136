#include "search/space/walk.h"

#include "base/intern.h"
#include "base/random.h"
#include "model/stepper.h"

#include <string.h>

// Joint transitions that are looked at in all; walks; their steps, without the first ones, which
// are too near to the beginning to count; states.
typedef struct Shape {
  uint32_t looks, walks, steps, skipped, states;
  bool is_distinct; // each state counts once
} Shape;
static const Shape long_walks = {1 << 14, 1 << 5, 1 << 9, 1 << 6, 1 << 10, false};
static const Shape short_walks = {1 << 15, 1 << 10, 1 << 6, 1 << 3, 1 << 11, true};

typedef struct Walker {
  const StateLayout *layout;
  Shape shape;
  Stepper stepper;
  Random random;
  int32_t *state;
  uint32_t looks;
  uint64_t *before;
  Sample sample;
  Intern met; // distinct states
} Walker;

// Positions on one of the transitions that integers allow; false if there is none.
static bool choose(Walker *walker) {
  uint32_t chosen = 0, count = 0;
  Joint *joint = &walker->stepper.joint;
  joint_begin(joint, walker->state);
  for (; walker->looks < walker->shape.looks && joint_next(joint); walker->looks++)
    if (stepper_guard(&walker->stepper, walker->state) == VM_TRUE &&
        !random_below(&walker->random, ++count))
      chosen = joint->ordinal;
  return count && joint_seek(joint, walker->state, chosen);
}

// One step of a walk, which ends if there is none.
static bool step(Walker *walker) {
  walker->looks++;
  return choose(walker) && stepper_fire(&walker->stepper, walker->state) == VM_TRUE &&
         stepper_invariant(&walker->stepper, walker->state) == VM_TRUE;
}

// The state becomes one of the sample, and the step that led to it. `before` is the last one.
static void note(Walker *walker) {
  Sample *sample = &walker->sample;
  const uint32_t words = sample->words;
  uint64_t *key = sample->keys + (size_t)sample->count * words;
  const size_t step = (size_t)sample->step_count++ * words;
  state_pack(walker->layout, key, walker->state);
  for (uint32_t i = 0; i < words; i++) {
    sample->sources[step + i] = walker->before[i];
    sample->targets[step + i] = walker->before[i] = key[i];
  }
  sample->count += !walker->shape.is_distinct ||
                   intern_number(&walker->met, key, words * sizeof *key) > sample->count;
}

static bool is_full(const Walker *walker) {
  return walker->looks >= walker->shape.looks || walker->sample.count == walker->shape.states ||
         walker->sample.step_count == 2 * walker->shape.states;
}

// Adds the states of one walk to the sample.
static void walk(Walker *walker) {
  for (uint32_t i = 0; i < walker->shape.steps && !is_full(walker); i++) {
    if (i == walker->shape.skipped)
      state_pack(walker->layout, walker->before, walker->state);
    if (!step(walker))
      return;
    if (i >= walker->shape.skipped)
      note(walker);
  }
}

Sample walk_sample(Arena *arena, const Net *net, const StateLayout *layout, bool is_scattered) {
  const Shape shape = is_scattered ? short_walks : long_walks;
  const size_t words = layout->words;
  Walker walker = {.layout = layout,
                   .shape = shape,
                   .sample = {.words = layout->words,
                              .keys = ARENA_ARRAY(arena, uint64_t, (shape.states + 1) * words),
                              .sources = ARENA_ARRAY(arena, uint64_t, 2 * shape.states * words),
                              .targets = ARENA_ARRAY(arena, uint64_t, 2 * shape.states * words)},
                   .before = ARENA_ARRAY(arena, uint64_t, words),
                   .state = ARENA_ARRAY(arena, int32_t, net->slots.count)};
  int32_t *initial = ARENA_ARRAY(arena, int32_t, net->slots.count);
  intern_init(&walker.met, arena->mem);
  stepper_init(&walker.stepper, net, arena);
  random_seed(&walker.random, 1);
  const bool has_state = state_initial(net, initial, 0);
  for (uint32_t i = 0; has_state && i < shape.walks && !is_full(&walker); i++) {
    walker.looks++;
    memcpy(walker.state, initial, net->slots.count * sizeof *initial);
    walk(&walker);
  }
  stepper_release(&walker.stepper);
  intern_release(&walker.met);
  return walker.sample;
}
