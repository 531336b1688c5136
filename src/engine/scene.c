#include "engine/scene.h"

#include "base/random.h"
#include "dbm/extra.h"

#include <string.h>

_Static_assert(CLOCK_NO_BOUND == CLOCK_UNBOUNDED, "one value for a missing bound");

// Scenes may take this share of the memory in use, and never less than LEAST_BYTES.
enum { SHARE = 16, LEAST_BYTES = 8 << 20, BUCKETS = 1 << 14 };
enum { TAG_PLACE, TAG_STAY, TAG_MOVE };

static const uint64_t *make_keys(Arena *arena, uint32_t count) {
  uint64_t *keys = ARENA_ARRAY(arena, uint64_t, count);
  Random random;
  random_seed(&random, 1);
  for (uint32_t i = 0; i < count; i++)
    keys[i] = random_next(&random);
  return keys;
}

void scene_release(Scenes *scenes) {
  if (!scenes->mem)
    return;
  vec_release(scenes->mem, &scenes->moves);
  vec_release(scenes->mem, &scenes->words);
  intern_release(&scenes->effects);
  arena_release(&scenes->scenes);
  arena_release(&scenes->arena);
}

static void *allocate(Scenes *scenes, size_t bytes) {
  scenes->scenes_bytes += bytes;
  return arena_alloc(&scenes->scenes, bytes);
}

bool scene_keep_small(Scenes *scenes) {
  if (scenes->scenes_bytes < LEAST_BYTES || scenes->scenes_bytes < scenes->mem->bytes / SHARE)
    return false;
  arena_release(&scenes->scenes);
  scenes->scenes_bytes = 0;
  memset(scenes->buckets, 0, sizeof *scenes->buckets * BUCKETS);
  if (scenes->effects.bytes < LEAST_BYTES / 4)
    return false;
  intern_clear(&scenes->effects);
  return true;
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
  scenes->scenes_bytes += sizeof *frame + 4 * (scenes->n + 3 * dbm_stride(k));
  return frame;
}

// The constant clock tests of the invariants, over the frame.
static void add_invariants(Scenes *scenes, Scene *scene, const int32_t *state) {
  const Net *net = scenes->net;
  uint32_t most = 0;
  for (ProcessId p = 0; p < net->processes.size; p++)
    most += net_location(net, p, state[net->location_slot + p])->invariant.clock_test_count;
  Constraint *list = allocate(scenes, sizeof *list * most);
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

// Effects are interned as the words that they depend on.
static void begin_words(Scenes *scenes, uint32_t tag, uint32_t a, uint32_t b) {
  vec_clear(&scenes->words);
  vec_push(scenes->mem, &scenes->words, tag);
  vec_push(scenes->mem, &scenes->words, a);
  vec_push(scenes->mem, &scenes->words, b);
}

static void add_words(Scenes *scenes, const void *words, size_t bytes) {
  const uint32_t count = (uint32_t)(bytes / sizeof(uint32_t)), at = scenes->words.size;
  if (!count)
    return;
  vec_reserve(scenes->mem, &scenes->words, at + count);
  memcpy(scenes->words.items + at, words, bytes);
  scenes->words.size = at + count;
}

static uint32_t end_words(Scenes *scenes) {
  return intern_number(&scenes->effects, scenes->words.items,
                       scenes->words.size * sizeof(uint32_t));
}

static void number_place(Scenes *scenes, Scene *scene) {
  const Frame *frame = scene->frame;
  if (scene->is_dynamic)
    return;
  begin_words(scenes, TAG_PLACE, frame->k, scene->can_delay);
  if (scenes->extrapolates) {
    add_words(scenes, frame->lower, frame->k * sizeof *frame->lower);
    add_words(scenes, frame->upper, frame->k * sizeof *frame->upper);
  }
  add_words(scenes, scene->invariant, scene->invariant_count * sizeof(Constraint));
  scene->place = end_words(scenes);
  if (!scene->invariant_count && !scene->can_delay)
    return;
  begin_words(scenes, TAG_STAY, 0, scene->can_delay);
  add_words(scenes, scene->invariant, scene->invariant_count * sizeof(Constraint));
  scene->stay = end_words(scenes);
}

static Scene *make_scene(Scenes *scenes, const int32_t *state, uint64_t hash) {
  const size_t bytes = scenes->net->processes.size * sizeof(int32_t);
  Scene *scene = allocate(scenes, sizeof *scene + bytes);
  scene->hash = hash;
  scene->frame = find_frame(scenes, state);
  scene->can_delay = state_can_delay(scenes->net, state);
  memcpy(scene->locations, state + scenes->net->location_slot, bytes);
  add_invariants(scenes, scene, state);
  number_place(scenes, scene);
  Scene **bucket = &scenes->buckets[hash & scenes->mask];
  scene->next = *bucket;
  *bucket = scene;
  return scene;
}

Scene *scene_find(Scenes *scenes, const int32_t *state, uint64_t hash) {
  const size_t bytes = scenes->net->processes.size * sizeof(int32_t);
  const int32_t *locations = state + scenes->net->location_slot;
  for (Scene *scene = scenes->buckets[hash & scenes->mask]; scene; scene = scene->next)
    if (scene->hash == hash && !memcmp(scene->locations, locations, bytes))
      return scene;
  return make_scene(scenes, state, hash);
}

// Subtracting can make a clock negative, and adding much can leave the range of bounds: both
// depend on the zone.
static bool needs_care(const Move *move) {
  int64_t sum = 0;
  for (uint32_t i = 0; i < move->clock_count; i++) {
    if (move->clocks[i].constant < 0)
      return true;
    sum += move->clocks[i].constant;
  }
  return sum > SCENE_LARGE;
}

static void add_patch(const StateLayout *layout, Move *move, Patch *patches, uint32_t slot,
                      int32_t value) {
  const StateField *field = &layout->fields[slot];
  patches[move->patch_count++] =
      (Patch){.slot = slot,
              .word = field->word,
              .value = value,
              .keep = ~(field->mask << field->shift),
              .set = (uint64_t)((uint32_t)value - (uint32_t)field->low) << field->shift};
}

static void add_patches(const Scenes *scenes, Arena *arena, Move *move) {
  const Net *net = scenes->net;
  uint32_t count = move->edge_count;
  for (uint32_t i = 0; i < move->edge_count; i++)
    count += move->edges[i]->update.slot_update_count;
  Patch *patches = ARENA_ARRAY(arena, Patch, count);
  move->patches = patches;
  for (uint32_t i = 0; i < move->edge_count && !move->needs_update; i++) {
    const Update *update = &move->edges[i]->update;
    for (uint32_t u = 0; u < update->slot_update_count; u++)
      add_patch(scenes->layout, move, patches, update->slot_updates[u].slot,
                update->slot_updates[u].value);
  }
  for (uint32_t i = 0; i < move->edge_count; i++) {
    const Edge *edge = move->edges[i];
    add_patch(scenes->layout, move, patches, net->location_slot + edge->process,
              net_index(net, edge->target));
  }
}

// The integer tests and clock updates of all edges, one after the other.
static void add_lists(Arena *arena, Move *move) {
  Test *tests = ARENA_ARRAY(arena, Test, move->test_count);
  ClockUpdate *clocks = ARENA_ARRAY(arena, ClockUpdate, move->clock_count);
  move->tests = tests;
  move->clocks = clocks;
  for (uint32_t i = 0; i < move->edge_count; i++) {
    const Guard *guard = &move->edges[i]->guard;
    const Update *update = &move->edges[i]->update;
    for (uint32_t t = 0; t < guard->test_count; t++)
      *tests++ = guard->tests[t];
    for (uint32_t u = 0; u < update->clock_update_count; u++)
      *clocks++ = update->clock_updates[u];
  }
}

// A move as far as it does not depend on the scene.
static Move make_move(const Scenes *scenes, Arena *arena, const Edge *const *edges,
                      uint32_t count) {
  Move move = {.edges = edges, .edge_count = count};
  for (uint32_t i = 0; i < count; i++) {
    const Edge *edge = edges[i];
    move.test_count += edge->guard.test_count;
    move.guard_count += edge->guard.clock_test_count;
    move.clock_count += edge->update.clock_update_count;
    move.needs_guard |= edge->guard.code != NULL;
    move.needs_update |= edge->update.code != NULL;
    move.needs_clocks |= edge->update.has_dynamic_clocks;
  }
  add_lists(arena, &move);
  add_patches(scenes, arena, &move);
  move.needs_clocks |= needs_care(&move);
  return move;
}

// The moves of single edges, made once.
static void make_singles(Scenes *scenes) {
  const Net *net = scenes->net;
  const Edge **edges = ARENA_ARRAY(&scenes->arena, const Edge *, net->edges.size);
  scenes->singles = ARENA_ARRAY(&scenes->arena, Move, net->edges.size);
  for (EdgeId e = 0; e < net->edges.size; e++) {
    edges[e] = &net->edges.items[e];
    scenes->singles[e] = make_move(scenes, &scenes->arena, &edges[e], 1);
  }
}

void scene_init(Scenes *scenes, Mem *mem, const Net *net, const StateLayout *layout,
                const ClockBounds *bounds, bool is_global, bool is_m) {
  const uint32_t n = net->clock_count + 1;
  *scenes = (Scenes){.mem = mem,
                     .net = net,
                     .layout = layout,
                     .bounds = bounds,
                     .is_global = is_global || !bounds,
                     .is_m = is_m,
                     .n = n,
                     .mask = BUCKETS - 1,
                     .arena = {.mem = mem},
                     .scenes = {.mem = mem}};
  intern_init(&scenes->effects, mem);
  Arena *arena = &scenes->arena;
  scenes->keys = make_keys(arena, net->locations.size);
  scenes->lower = ARENA_ARRAY(arena, int32_t, n);
  scenes->upper = ARENA_ARRAY(arena, int32_t, n);
  scenes->buckets = ARENA_ARRAY(arena, Scene *, BUCKETS);
  joint_init(&scenes->joint, net, arena);
  make_singles(scenes);
  frame_init(&scenes->fixed, arena, n);
  if (!bounds)
    frame_set_all(&scenes->fixed, n);
  else if (is_global)
    frame_set(&scenes->fixed, n, bounds->global_lower, bounds->global_upper, is_m);
}

static void add_guard(Scenes *scenes, const Scene *scene, Move *move) {
  if (!move->guard_count)
    return;
  Constraint *guard = allocate(scenes, sizeof *guard * move->guard_count);
  move->guard = guard;
  for (uint32_t i = 0; i < move->edge_count; i++) {
    const Guard *from = &move->edges[i]->guard;
    for (uint32_t t = 0; t < from->clock_test_count; t++)
      *guard++ = frame_constraint(scene->frame, &from->clock_tests[t]);
  }
}

// The present joint transition as a move.
static Move find_move(Scenes *scenes, const Joint *joint) {
  if (joint->edge_count == 1)
    return scenes->singles[joint->edges[0] - scenes->net->edges.items];
  const Edge **edges = allocate(scenes, sizeof *edges * joint->edge_count);
  memcpy(edges, joint->edges, sizeof *edges * joint->edge_count);
  const Move move = make_move(scenes, &scenes->scenes, edges, joint->edge_count);
  scenes->scenes_bytes += sizeof(Test) * move.test_count + sizeof(Patch) * move.patch_count +
                          sizeof(ClockUpdate) * move.clock_count;
  return move;
}

void scene_find_moves(Scenes *scenes, Scene *scene, const int32_t *state) {
  if (scene->has_moves)
    return;
  Joint *joint = &scenes->joint;
  vec_clear(&scenes->moves);
  for (joint_begin(joint, state); joint_next(joint);) {
    vec_push(scenes->mem, &scenes->moves, find_move(scenes, joint));
    add_guard(scenes, scene, &vec_last(&scenes->moves));
  }
  scene->move_count = scenes->moves.size;
  scene->moves = allocate(scenes, sizeof(Move) * scene->move_count);
  if (scene->move_count)
    memcpy(scene->moves, scenes->moves.items, sizeof(Move) * scene->move_count);
  scene->has_moves = true;
}

// Where the clocks of the target come from if the updates do not depend on variables.
static void link_clocks(Scenes *scenes, const Scene *scene, Move *move) {
  const Frame *frame = move->target->frame;
  const uint32_t padded = dbm_stride(frame->k);
  ClockId *origin = allocate(scenes, padded * (sizeof *origin + sizeof(int32_t)));
  int32_t *offset = (int32_t *)(origin + padded);
  bool is_identity = frame->k == scene->frame->k, has_offset = false;
  for (uint32_t i = 1; i < frame->k; i++) {
    ClockIndex clock = frame->clocks[i];
    for (uint32_t u = move->clock_count; u-- > 0 && clock;)
      if (move->clocks[u].x == clock) {
        clock = move->clocks[u].y;
        offset[i] += move->clocks[u].constant;
        is_identity = false;
      }
    origin[i] = clock ? scene->frame->position[clock] : 0;
    is_identity &= origin[i] == i;
    has_offset |= offset[i] != 0;
  }
  move->origin = origin;
  move->offset = has_offset ? offset : NULL;
  move->is_identity = is_identity;
}

// Whether the source's invariant, and the updates, imply a constraint of the target's.
static bool is_implied(const Scene *scene, const Move *move, Constraint c) {
  const ClockId x = c.i ? c.i : c.j, origin = move->origin[x];
  const int32_t offset = move->offset ? move->offset[x] : 0;
  const Bound bound = bound_shift(c.bound, c.i ? -offset : offset);
  if (!origin)
    return bound >= BOUND_LE_ZERO;
  for (uint32_t i = 0; i < scene->invariant_count; i++) {
    const Constraint known = scene->invariant[i];
    if (known.i == (c.i ? origin : 0) && known.j == (c.i ? 0 : origin) && known.bound <= bound)
      return true;
  }
  return false;
}

static void link_news(Scenes *scenes, const Scene *scene, Move *move) {
  const Scene *target = move->target;
  if (scene->is_dynamic || target->is_dynamic)
    return;
  Constraint *news = allocate(scenes, target->invariant_count * sizeof *news);
  for (uint32_t i = 0; i < target->invariant_count; i++)
    if (!is_implied(scene, move, target->invariant[i]))
      news[move->news_count++] = target->invariant[i];
  move->news = news;
  move->has_news = true;
}

static void number_effect(Scenes *scenes, Move *move) {
  const uint32_t k = move->target->frame->k;
  if (move->needs_guard || move->needs_clocks || move->target->is_dynamic)
    return;
  begin_words(scenes, TAG_MOVE, move->target->place,
              move->guard_count << 2 | (uint32_t)move->is_identity << 1 | !move->offset);
  add_words(scenes, move->guard, move->guard_count * sizeof(Constraint));
  if (!move->is_identity)
    add_words(scenes, move->origin, k * sizeof *move->origin);
  if (move->offset)
    add_words(scenes, move->offset, k * sizeof *move->offset);
  move->effect = end_words(scenes);
}

void scene_link(Scenes *scenes, const Scene *scene, Move *move, const int32_t *target_state) {
  uint64_t hash = scene->hash;
  for (uint32_t i = 0; i < move->edge_count; i++)
    hash ^= scenes->keys[move->edges[i]->source] ^ scenes->keys[move->edges[i]->target];
  move->target = scene_find(scenes, target_state, hash);
  if (!move->needs_clocks)
    link_clocks(scenes, scene, move);
  if (!move->needs_clocks && scenes->wants_news)
    link_news(scenes, scene, move);
  number_effect(scenes, move);
  move->is_linked = true;
}
