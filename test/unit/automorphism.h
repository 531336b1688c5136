// Whether a permutation is an automorphism, found out by force: the joint transitions of sampled
// states are mapped and looked for among those of the image. For the tests of symmetry.
#pragma once

#include "analysis/symmetry/family.h"
#include "base/random.h"
#include "base/text.h"
#include "model/joint.h"
#include "model/state.h"

#include <stdlib.h>
#include <string.h>

typedef struct Behaviour { // of a state: one line for each transition, sorted
  Mem *mem;
  char *lines[256];
  uint32_t count;
} Behaviour;

static inline ClockIndex image_clock(const Permutation *perm, ClockIndex x) {
  return perm ? perm->clock[x] : x;
}

static inline int compare_lines(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static inline void add_line(Behaviour *b, const Net *net, const Permutation *perm,
                            VmResult result, const ClockTests *tests, const ClockUpdates *updates,
                            const int32_t *target) {
  Text text = {.mem = b->mem};
  text_addf(&text, "%d", result);
  char *parts[64];
  uint32_t count = 0;
  for (uint32_t i = 0; i < tests->size && count < 64; i++) {
    Text part = {.mem = b->mem};
    const ClockTest t = tests->items[i];
    text_addf(&part, " %u-%u<%lld%d", image_clock(perm, t.i), image_clock(perm, t.j),
              (long long)t.constant, t.strict);
    parts[count++] = part.chars;
  }
  qsort(parts, count, sizeof *parts, compare_lines);
  for (uint32_t i = 0; i < count; i++) {
    text_add(&text, parts[i]);
    mem_free(b->mem, parts[i]);
  }
  int64_t offset[64] = {0};
  ClockIndex origin[64];
  for (ClockIndex x = 0; x <= net->clock_count; x++)
    origin[x] = x;
  for (uint32_t i = 0; updates && i < updates->size; i++) {
    const ClockUpdate u = updates->items[i];
    origin[u.x] = origin[u.y];
    offset[u.x] = offset[u.y] + u.constant;
  }
  int64_t moved_offset[64];
  ClockIndex moved[64];
  for (ClockIndex x = 0; x <= net->clock_count; x++) {
    moved[image_clock(perm, x)] = image_clock(perm, origin[x]);
    moved_offset[image_clock(perm, x)] = offset[x];
  }
  for (ClockIndex x = 0; target && x <= net->clock_count; x++)
    text_addf(&text, " %u+%d", moved[x], (int)moved_offset[x]);
  int32_t *image = mem_alloc(b->mem, net->slots.count * sizeof *image);
  if (target && perm)
    permutation_apply(perm, image, target);
  else if (target)
    memcpy(image, target, net->slots.count * sizeof *image);
  for (uint32_t s = 0; target && s < net->slots.count; s++)
    text_addf(&text, ",%d", image[s]);
  mem_free(b->mem, image);
  bool known = false;
  for (uint32_t i = 0; i < b->count; i++)
    known |= !strcmp(b->lines[i], text.chars);
  if (known || b->count == 256)
    text_release(&text);
  else
    b->lines[b->count++] = text.chars;
}

static inline void behaviour_find(Behaviour *b, const Net *net, Arena *arena,
                                  const Permutation *perm, const int32_t *state) {
  *b = (Behaviour){.mem = arena->mem};
  Joint joint;
  joint_init(&joint, net, arena);
  Vm vm;
  net_vm(net, &vm, arena->mem);
  ClockTests tests = {0};
  ClockUpdates updates = {0};
  int32_t *target = ARENA_ARRAY(arena, int32_t, net->slots.count);
  VmResult result = joint_invariant(net, &vm, state, &tests);
  add_line(b, net, perm, (VmResult)(result + 10 * joint_can_delay(&joint, state)), &tests, NULL,
           NULL);
  for (joint_begin(&joint, state); joint_next(&joint);) {
    tests.size = updates.size = 0;
    memcpy(target, state, net->slots.count * sizeof *target);
    result = joint_guard(&joint, &vm, state, &tests);
    if (result == VM_TRUE)
      result = joint_fire(&joint, &vm, target, &updates);
    if (result == VM_TRUE || result == VM_ERROR)
      add_line(b, net, perm, result, &tests, &updates, result == VM_TRUE ? target : NULL);
  }
  qsort(b->lines, b->count, sizeof *b->lines, compare_lines);
  vec_release(arena->mem, &tests);
  vec_release(arena->mem, &updates);
  vm_release(&vm);
  joint_release(&joint);
}

static inline void behaviour_release(Behaviour *b) {
  for (uint32_t i = 0; i < b->count; i++)
    mem_free(b->mem, b->lines[i]);
}

// Whether the state, if the family's symmetry is to hold there, behaves like its image, and never
// leads to where it does not hold.
static inline bool behaves_alike(const Net *net, Arena *arena, const Family *family,
                                 const Permutation *perm, const int32_t *state) {
  int32_t *image = ARENA_ARRAY(arena, int32_t, net->slots.count);
  permutation_apply(perm, image, state);
  if (!family_holds(family, net, state))
    return true;
  for (uint32_t s = 0; s < net->slots.count; s++)
    if (image[s] < net->slots.min[s] || image[s] > net->slots.max[s])
      return false;
  Behaviour a, b;
  behaviour_find(&a, net, arena, perm, state);
  behaviour_find(&b, net, arena, NULL, image);
  bool same = a.count == b.count;
  for (uint32_t i = 0; same && i < a.count; i++)
    same = !strcmp(a.lines[i], b.lines[i]);
  behaviour_release(&a);
  behaviour_release(&b);
  Joint joint;
  joint_init(&joint, net, arena);
  for (joint_begin(&joint, state); same && joint_next(&joint);) {
    memcpy(image, state, net->slots.count * sizeof *image);
    for (uint32_t k = 0; k < joint.edge_count; k++)
      image[net->location_slot + joint.edges[k]->process] =
          net_index(net, joint.edges[k]->target);
    same = family_holds(family, net, image);
  }
  joint_release(&joint);
  return same;
}

// Looks at `count` random states, with the swap of the first two ids and with the rotation.
static inline bool is_automorphism(const Net *net, Mem *mem, const Family *family,
                                   uint32_t count) {
  Arena arena = {.mem = mem};
  Random random;
  random_seed(&random, 7);
  bool good = true;
  for (uint32_t n = 0; good && n < count; n++) {
    int32_t *state = ARENA_ARRAY(&arena, int32_t, net->slots.count);
    for (uint32_t s = 0; s < net->slots.count; s++)
      state[s] =
          net->slots.min[s] +
          (int32_t)random_below(&random, (uint32_t)(net->slots.max[s] - net->slots.min[s] + 1));
    uint32_t *image = ARENA_ARRAY(&arena, uint32_t, family->size);
    for (int kind = family->is_cyclic; good && kind < 2; kind++) {
      for (uint32_t i = 0; i < family->size; i++)
        image[i] = kind ? (i + 1) % family->size : i < 2 ? 1 - i : i;
      const Permutation perm = family_permutation(family, &arena, net, image);
      good = behaves_alike(net, &arena, family, &perm, state);
    }
    if (n % 16 == 15)
      arena_clear(&arena);
  }
  arena_release(&arena);
  return good;
}
