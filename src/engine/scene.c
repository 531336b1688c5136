#include "engine/scene.h"

#include "base/random.h"
#include "dbm/extra.h"
#include "model/state.h"

#include <string.h>

_Static_assert(CLOCK_NO_BOUND == CLOCK_UNBOUNDED, "one value for a missing bound");

enum { CACHE_BYTES = 16 << 20 }; // about this much for all scenes
enum { LEAST_SCENES = 64 };

static const uint64_t *make_keys(Arena *arena, uint32_t count) {
  uint64_t *keys = ARENA_ARRAY(arena, uint64_t, count);
  Random random;
  random_seed(&random, 1);
  for (uint32_t i = 0; i < count; i++)
    keys[i] = random_next(&random);
  return keys;
}

// Buckets for as many scenes as fit, a power of two.
static void size_cache(Scenes *scenes) {
  const size_t bytes = sizeof(Scene) + sizeof(Frame) + 64 + 24 * (size_t)scenes->n +
                       4 * (size_t)scenes->net->processes.size;
  scenes->most = CACHE_BYTES / bytes < LEAST_SCENES ? LEAST_SCENES
                                                    : (uint32_t)(CACHE_BYTES / bytes);
  uint32_t size = LEAST_SCENES;
  while (size < scenes->most && size < 1u << 16)
    size *= 2;
  scenes->mask = size - 1;
  scenes->buckets = ARENA_ARRAY(&scenes->arena, Scene *, size);
}

void scene_init(Scenes *scenes, Mem *mem, const Net *net, const ClockBounds *bounds,
                bool is_global, bool is_m) {
  const uint32_t n = net->clock_count + 1;
  *scenes = (Scenes){.net = net,
                     .bounds = bounds,
                     .is_global = is_global || !bounds,
                     .is_m = is_m,
                     .n = n,
                     .arena = {.mem = mem},
                     .scenes = {.mem = mem}};
  scenes->keys = make_keys(&scenes->arena, net->locations.size);
  scenes->lower = ARENA_ARRAY(&scenes->arena, int32_t, n);
  scenes->upper = ARENA_ARRAY(&scenes->arena, int32_t, n);
  frame_init(&scenes->fixed, &scenes->arena, n);
  if (!bounds)
    frame_set_all(&scenes->fixed, n);
  else if (is_global)
    frame_set(&scenes->fixed, n, bounds->global_lower, bounds->global_upper, is_m);
  size_cache(scenes);
}

void scene_release(Scenes *scenes) {
  arena_release(&scenes->scenes);
  arena_release(&scenes->arena);
}

void scene_keep_small(Scenes *scenes) {
  if (scenes->count < scenes->most)
    return;
  arena_release(&scenes->scenes);
  memset(scenes->buckets, 0, sizeof *scenes->buckets * (scenes->mask + 1));
  scenes->count = 0;
}

uint64_t scene_hash(const Scenes *scenes, const int32_t *state) {
  const Net *net = scenes->net;
  const int32_t *locations = state + net->location_slot;
  uint64_t hash = 0;
  for (uint32_t p = 0; p < net->processes.size; p++)
    hash ^= scenes->keys[net->processes.items[p].first_location + (uint32_t)locations[p]];
  return hash;
}

static const Frame *find_frame(Scenes *scenes, const int32_t *state) {
  if (scenes->is_global)
    return &scenes->fixed;
  clockbounds_of_state(scenes->bounds, scenes->net, state, scenes->lower, scenes->upper);
  uint32_t k = 1;
  for (uint32_t x = 1; x < scenes->n; x++)
    k += scenes->lower[x] != CLOCK_NO_BOUND || scenes->upper[x] != CLOCK_NO_BOUND;
  Frame *frame = ARENA_NEW(&scenes->scenes, Frame);
  frame_init_sized(frame, &scenes->scenes, scenes->n, k);
  frame_set(frame, scenes->n, scenes->lower, scenes->upper, scenes->is_m);
  return frame;
}

// The constant clock tests of the invariants, over the frame.
static void add_invariants(Scenes *scenes, Scene *scene, const int32_t *state) {
  const Net *net = scenes->net;
  uint32_t most = 0;
  for (ProcessId p = 0; p < net->processes.size; p++)
    most += net_location(net, p, state[net->location_slot + p])->invariant.clock_test_count;
  Constraint *list = ARENA_ARRAY(&scenes->scenes, Constraint, most);
  scene->invariant = list;
  scene->is_upper = true;
  for (ProcessId p = 0; p < net->processes.size; p++) {
    const Guard *guard = &net_location(net, p, state[net->location_slot + p])->invariant;
    scene->is_dynamic |= guard->test_count || guard->code;
    for (uint32_t t = 0; t < guard->clock_test_count; t++) {
      const Constraint c = frame_constraint(scene->frame, &guard->clock_tests[t]);
      scene->is_upper &= c.i && !c.j;
      list[scene->invariant_count++] = c;
    }
  }
}

const Scene *scene_make(Scenes *scenes, const int32_t *state, uint64_t hash) {
  const size_t bytes = scenes->net->processes.size * sizeof(int32_t);
  Scene *scene = arena_alloc(&scenes->scenes, sizeof *scene + bytes);
  scene->hash = hash;
  scene->frame = find_frame(scenes, state);
  scene->can_delay = state_can_delay(scenes->net, state);
  memcpy(scene->locations, state + scenes->net->location_slot, bytes);
  add_invariants(scenes, scene, state);
  Scene **bucket = &scenes->buckets[hash & scenes->mask];
  scene->next = *bucket;
  *bucket = scene;
  scenes->count++;
  return scene;
}
