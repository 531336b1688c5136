#include "engine/scene.h"

#include "base/random.h"
#include "dbm/extra.h"

#include <string.h>

_Static_assert(CLOCK_NO_BOUND == CLOCK_UNBOUNDED, "one value for a missing bound");

// Scenes may take this share of the memory in use, and never less than LEAST_BYTES.
enum { SHARE = 8, LEAST_BYTES = 8 << 20, BUCKETS = 1 << 14 };
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
  vec_release(scenes->mem, &scenes->by_joint);
  intern_release(&scenes->effects);
  intern_release(&scenes->joints);
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
  intern_clear(&scenes->joints);
  vec_clear(&scenes->by_joint);
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
  Frame *frame = allocate(scenes, sizeof *frame);
  frame_init(frame, &scenes->scenes, scenes->n, k);
  frame_set(frame, scenes->n, scenes->lower, scenes->upper, scenes->is_m);
  scenes->scenes_bytes += frame_bytes(scenes->n, k);
  return frame;
}

// The constant clock tests of the invariants, over the frame.
static void add_invariants(Scenes *scenes, Scene *scene, const int32_t *state) {
  const Net *net = scenes->net;
  uint32_t most = 0;
  for (ProcessId p = 0; p < net->processes.size; p++)
    most += net_location(net, p, state[net->location_slot + p])->invariant.clock_test_count;
  Constraint *list = most ? allocate(scenes, sizeof *list * most) : NULL;
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

// Effects are interned as the words that they depend on: up to three, and `most` others.
static void begin_words(Scenes *scenes, uint32_t most, uint32_t tag, uint32_t a, uint32_t b) {
  vec_reserve(scenes->mem, &scenes->words, most + 3);
  scenes->words.items[0] = tag;
  scenes->words.items[1] = a;
  scenes->words.items[2] = b;
  scenes->words.size = 3;
}

static void add_words(Scenes *scenes, const void *words, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    scenes->words.items[scenes->words.size++] = ((const uint32_t *)words)[i];
}

static uint32_t end_words(Scenes *scenes) {
  return intern_number(&scenes->effects, scenes->words.items,
                       scenes->words.size * sizeof(uint32_t));
}

static void number_place(Scenes *scenes, Scene *scene) {
  const Frame *frame = scene->frame;
  const uint32_t invariant = 3 * scene->invariant_count;
  if (scene->is_dynamic)
    return;
  begin_words(scenes, 2 * frame->k + invariant, TAG_PLACE, frame->k, scene->can_delay);
  if (scenes->extrapolates) {
    add_words(scenes, frame->lower, frame->k);
    add_words(scenes, frame->upper, frame->k);
  }
  add_words(scenes, scene->invariant, invariant);
  scene->place = end_words(scenes);
  if (!scenes->wants_stay || (!scene->invariant_count && !scene->can_delay))
    return;
  begin_words(scenes, invariant, TAG_STAY, 0, scene->can_delay);
  add_words(scenes, scene->invariant, invariant);
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
static bool needs_care(const Transition *t) {
  int64_t sum = 0;
  for (uint32_t i = 0; i < t->clock_count; i++) {
    if (t->clocks[i].constant < 0)
      return true;
    sum += t->clocks[i].constant;
  }
  return sum > SCENE_LARGE;
}

static void add_patch(const StateLayout *layout, Transition *t, Patch *patches, uint32_t slot,
                      int32_t value) {
  const StateField *field = &layout->fields[slot];
  patches[t->patch_count++] =
      (Patch){.slot = slot,
              .word = field->word,
              .value = value,
              .keep = ~(field->mask << field->shift),
              .set = (uint64_t)((uint32_t)value - (uint32_t)field->low) << field->shift};
}

static void add_patches(const Scenes *scenes, Arena *arena, Transition *t) {
  const Net *net = scenes->net;
  uint32_t count = t->edge_count;
  for (uint32_t i = 0; i < t->edge_count; i++)
    count += t->edges[i]->update.slot_update_count;
  Patch *patches = ARENA_ARRAY(arena, Patch, count);
  t->patches = patches;
  for (uint32_t i = 0; i < t->edge_count && !t->needs_update; i++) {
    const Update *update = &t->edges[i]->update;
    for (uint32_t u = 0; u < update->slot_update_count; u++)
      add_patch(scenes->layout, t, patches, update->slot_updates[u].slot,
                update->slot_updates[u].value);
  }
  for (uint32_t i = 0; i < t->edge_count; i++) {
    const Edge *edge = t->edges[i];
    add_patch(scenes->layout, t, patches, net->location_slot + edge->process,
              net_index(net, edge->target));
  }
}

// The tests and clock updates of all edges, one after the other.
static void add_lists(Arena *arena, Transition *t) {
  Test *tests = ARENA_ARRAY(arena, Test, t->test_count);
  Constraint *clock_tests = ARENA_ARRAY(arena, Constraint, t->guard_count);
  ClockUpdate *clocks = ARENA_ARRAY(arena, ClockUpdate, t->clock_count);
  t->tests = tests;
  t->guard = clock_tests;
  t->clocks = clocks;
  for (uint32_t i = 0; i < t->edge_count; i++) {
    const Guard *guard = &t->edges[i]->guard;
    const Update *update = &t->edges[i]->update;
    for (uint32_t n = 0; n < guard->test_count; n++)
      *tests++ = guard->tests[n];
    for (uint32_t n = 0; n < guard->clock_test_count; n++) {
      const ClockTest *test = &guard->clock_tests[n];
      *clock_tests++ = (Constraint){test->i, test->j, bound_make(test->constant, test->strict)};
    }
    for (uint32_t u = 0; u < update->clock_update_count; u++)
      *clocks++ = update->clock_updates[u];
  }
}

static Transition make_transition(const Scenes *scenes, Arena *arena, const Edge *const *edges,
                                  uint32_t count) {
  Transition t = {.edges = edges, .edge_count = count};
  for (uint32_t i = 0; i < count; i++) {
    const Edge *edge = edges[i];
    t.test_count += edge->guard.test_count;
    t.guard_count += edge->guard.clock_test_count;
    t.clock_count += edge->update.clock_update_count;
    t.needs_guard |= edge->guard.code != NULL;
    t.needs_update |= edge->update.code != NULL;
    t.needs_clocks |= edge->update.has_dynamic_clocks;
  }
  add_lists(arena, &t);
  add_patches(scenes, arena, &t);
  t.needs_clocks |= needs_care(&t);
  for (uint32_t i = 0; i < t.clock_count; i++)
    t.has_copies |= t.clocks[i].y != 0 || t.clocks[i].constant != 0;
  return t;
}

// The transitions of single edges, made once.
static void make_singles(Scenes *scenes) {
  const Net *net = scenes->net;
  const Edge **edges = ARENA_ARRAY(&scenes->arena, const Edge *, net->edges.size);
  scenes->singles = ARENA_ARRAY(&scenes->arena, Transition, net->edges.size);
  for (EdgeId e = 0; e < net->edges.size; e++) {
    edges[e] = &net->edges.items[e];
    scenes->singles[e] = make_transition(scenes, &scenes->arena, &edges[e], 1);
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
  intern_init(&scenes->joints, mem);
  Arena *arena = &scenes->arena;
  scenes->keys = make_keys(arena, net->locations.size);
  scenes->lower = ARENA_ARRAY(arena, int32_t, n);
  scenes->upper = ARENA_ARRAY(arena, int32_t, n);
  scenes->buckets = ARENA_ARRAY(arena, Scene *, BUCKETS);
  joint_init(&scenes->joint, net, arena);
  make_singles(scenes);
  scenes->origins.origin = ARENA_ARRAY(arena, ClockId, dbm_stride(n));
  scenes->origins.offset = ARENA_ARRAY(arena, int32_t, dbm_stride(n));
  frame_init(&scenes->fixed, arena, n, n);
  if (!bounds)
    frame_set_all(&scenes->fixed, n);
  else if (is_global)
    frame_set(&scenes->fixed, n, bounds->global_lower, bounds->global_upper, is_m);
}

// The present joint transition.
static const Transition *find_transition(Scenes *scenes, const Joint *joint) {
  if (joint->edge_count == 1)
    return &scenes->singles[joint->edges[0] - scenes->net->edges.items];
  const uint32_t number =
      intern_number(&scenes->joints, joint->edges, sizeof *joint->edges * joint->edge_count);
  if (number <= scenes->by_joint.size)
    return scenes->by_joint.items[number - 1];
  const Edge **edges = allocate(scenes, sizeof *edges * joint->edge_count);
  memcpy(edges, joint->edges, sizeof *edges * joint->edge_count);
  Transition *t = allocate(scenes, sizeof *t);
  *t = make_transition(scenes, &scenes->scenes, edges, joint->edge_count);
  scenes->scenes_bytes += sizeof(Test) * t->test_count + sizeof(Patch) * t->patch_count +
                          sizeof(Constraint) * t->guard_count +
                          sizeof(ClockUpdate) * t->clock_count;
  vec_push(scenes->mem, &scenes->by_joint, t);
  return t;
}

void scene_find_moves(Scenes *scenes, Scene *scene, const int32_t *state) {
  if (scene->has_moves)
    return;
  Joint *joint = &scenes->joint;
  vec_clear(&scenes->moves);
  for (joint_begin(joint, state); joint_next(joint);)
    vec_push(scenes->mem, &scenes->moves, (Move){.transition = find_transition(scenes, joint)});
  scene->move_count = scenes->moves.size;
  scene->moves = allocate(scenes, sizeof(Move) * scene->move_count);
  if (scene->move_count)
    memcpy(scene->moves, scenes->moves.items, sizeof(Move) * scene->move_count);
  scene->has_moves = true;
}

static void set_origin(Origins *origins, uint32_t i, ClockId origin, int32_t offset) {
  origins->origin[i] = origin;
  origins->offset[i] = offset;
  origins->has_offset |= offset != 0;
}

// Updates other than resets: each clock is followed from the last update back to the first.
static void follow_copies(const Frame *from, const Transition *t, const Frame *to,
                          Origins *origins) {
  for (uint32_t i = 1; i < to->k; i++) {
    ClockIndex clock = to->clocks[i];
    int32_t offset = 0;
    for (uint32_t u = t->clock_count; u-- > 0 && clock;)
      if (t->clocks[u].x == clock) {
        clock = t->clocks[u].y;
        offset += t->clocks[u].constant;
      }
    set_origin(origins, i, clock ? from->position[clock] : 0, offset);
  }
}

void scene_origins(const Frame *from, const Transition *t, const Frame *to, Origins *origins) {
  const uint32_t k = to->k, padded = dbm_stride(k);
  const uint32_t *position = from->position;
  bool is_identity = k == from->k && !t->clock_count;
  origins->has_offset = false;
  origins->origin[0] = 0;
  for (uint32_t i = 1; i < k; i++) {
    origins->origin[i] = position[to->clocks[i]];
    origins->offset[i] = 0;
    is_identity &= origins->origin[i] == i;
  }
  for (uint32_t i = k; i < padded; i++)
    origins->origin[i] = 0;
  origins->is_identity = is_identity;
  if (t->has_copies)
    follow_copies(from, t, to, origins);
  else
    for (uint32_t u = 0; u < t->clock_count; u++) // at position 0 if it is not in the frame
      origins->origin[to->position[t->clocks[u].x]] = 0;
}

// Whether the source's invariant, and the updates, imply a constraint of the target's.
static bool is_implied(const Scene *scene, const Origins *origins, Constraint c) {
  const ClockId x = c.i ? c.i : c.j, origin = origins->origin[x];
  const int32_t offset = origins->has_offset ? origins->offset[x] : 0;
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
  move->news = allocate(scenes, sizeof *move->news);
  if (move->transition->needs_clocks || scene->is_dynamic || target->is_dynamic)
    return;
  Constraint *news = allocate(scenes, target->invariant_count * sizeof *news);
  for (uint32_t i = 0; i < target->invariant_count; i++)
    if (!is_implied(scene, &scenes->origins, target->invariant[i]))
      news[move->news->news_count++] = target->invariant[i];
  move->news->news = news;
  move->news->has_news = true;
}

// Needs the origins to be there.
static void number_effect(Scenes *scenes, const Scene *scene, Move *move) {
  const Transition *t = move->transition;
  const Origins *origins = &scenes->origins;
  const uint32_t k = move->target->frame->k;
  begin_words(scenes, 3 * t->guard_count + 2 * k, TAG_MOVE, move->target->place,
              t->guard_count << 2 | (uint32_t)origins->is_identity << 1 | origins->has_offset);
  for (uint32_t i = 0; i < t->guard_count; i++) {
    const Constraint c = frame_translate(scene->frame, t->guard[i]);
    add_words(scenes, &c, 3);
  }
  if (!origins->is_identity)
    add_words(scenes, origins->origin, k);
  if (origins->has_offset)
    add_words(scenes, origins->offset, k);
  move->effect = end_words(scenes);
}

void scene_link(Scenes *scenes, const Scene *scene, Move *move, const int32_t *target_state) {
  const Transition *t = move->transition;
  uint64_t hash = scene->hash;
  for (uint32_t i = 0; i < t->edge_count; i++)
    hash ^= scenes->keys[t->edges[i]->source] ^ scenes->keys[t->edges[i]->target];
  move->target = scene_find(scenes, target_state, hash);
  if (!t->needs_clocks)
    scene_origins(scene->frame, t, move->target->frame, &scenes->origins);
  if (scenes->wants_news)
    link_news(scenes, scene, move);
  else if (!t->needs_guard && !t->needs_clocks && !move->target->is_dynamic)
    number_effect(scenes, scene, move);
}
