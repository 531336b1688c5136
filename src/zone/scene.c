#include "zone/scene.h"

#include "dbm/extra.h"
#include "zone/scene_inside.h"

#include <string.h>

_Static_assert(CLOCK_NO_BOUND == CLOCK_UNBOUNDED, "one value for a missing bound");

// Scenes may take a share of the memory in use, and always LEAST_BYTES. Builds with assertions
// forget them in small models, too, to have it tested.
#ifdef NDEBUG
enum { LEAST_BYTES = 8 << 20, LEAST_SLOTS = 1 << 10 };
#else
enum { LEAST_BYTES = 1 << 18, LEAST_SLOTS = 1 << 10 };
#endif

void scene_release(Scenes *scenes) {
  Mem *mem = scenes->mem;
  if (!mem)
    return;
  joint_release(&scenes->joint);
  pool_release(&scenes->list);
  vec_release(mem, &scenes->transitions);
  vec_release(mem, &scenes->settings);
  vec_release(mem, &scenes->moves);
  vec_release(mem, &scenes->invariant);
  vec_release(mem, &scenes->words);
  intern_release(&scenes->joints);
  pairs_release(&scenes->couples);
  pairs_release(&scenes->effects);
  intern_release(&scenes->parts);
  intern_release(&scenes->contents);
  intern_release(&scenes->clocks);
  vec_release(mem, &scenes->maps);
  vec_release(mem, &scenes->own_maps);
  vec_release(mem, &scenes->own_joints);
  vec_release(mem, &scenes->common_joints);
  pairs_release(&scenes->passages);
  if (scenes->owns_boards) {
    board_release(scenes->map_board, mem);
    board_release(scenes->joint_board, mem);
  }
  mem_free(mem, scenes->slots);
  arena_release(&scenes->scenes);
  arena_release(&scenes->arena);
}

bool scene_keep_small(Scenes *scenes, uint32_t share, size_t more) {
  const size_t bytes =
      scenes->scenes_bytes + scenes->joints.bytes + pairs_bytes(&scenes->couples) + more;
  if (bytes < LEAST_BYTES || bytes < mem_in_use(scenes->mem) / share)
    return false;
  arena_clear(&scenes->scenes);
  scenes->scenes_bytes = 0;
  scenes->list.size = 0;
  memset(scenes->slots, 0, sizeof *scenes->slots * (scenes->mask + 1));
  intern_clear(&scenes->joints);
  pairs_clear(&scenes->couples);
  joint_forget_numbers(&scenes->joint);
  intern_clear(&scenes->contents);
  intern_clear(&scenes->clocks);
  vec_clear(&scenes->maps);
  vec_clear(&scenes->own_maps);
  vec_clear(&scenes->own_joints);
  vec_clear(&scenes->common_joints);
  pairs_clear(&scenes->passages);
  scenes->passages_asked = 0;
  scenes->transitions.size = scenes->net->edges.size;
  vec_clear(&scenes->settings);
  if (pairs_bytes(&scenes->effects) + scenes->parts.bytes < LEAST_BYTES / 4)
    return false;
  pairs_clear(&scenes->effects);
  intern_clear(&scenes->parts);
  return true;
}

static void number_setting(Scenes *scenes, Setting *setting, uint32_t k) {
  const uint32_t invariant = 3 * setting->invariant_count;
  if (setting->is_dynamic || scenes->only_bounds)
    return;
  scene_begin_words(scenes, 2 * k + invariant, SCENE_ENTRY, k,
                    setting->can_delay + setting->is_delay);
  if (scenes->extrapolates) {
    scene_add_words(scenes, setting->bounds->lower, k);
    scene_add_words(scenes, setting->bounds->upper, k);
  }
  scene_add_words(scenes, setting->invariant, invariant);
  setting->entry = scene_end_words(scenes, &scenes->parts);
  if (!scenes->wants_stay || (!setting->invariant_count && !setting->can_delay))
    return;
  scene_begin_words(scenes, invariant, SCENE_STAY, 0, setting->can_delay);
  scene_add_words(scenes, setting->invariant, invariant);
  setting->stay = scene_number_effect(scenes, 0, scene_end_words(scenes, &scenes->parts));
}

static const Setting *make_setting(Scenes *scenes, const Frame *frame, bool can_delay,
                                   bool is_dynamic, const ClockTestList *after) {
  Setting *setting = scene_alloc(scenes, sizeof *setting);
  const uint32_t count = scenes->invariant.size;
  Constraint *invariant = scene_alloc(scenes, sizeof *invariant * count);
  *setting = (Setting){.bounds = frame->bounds,
                       .invariant = invariant,
                       .invariant_count = count,
                       .is_dynamic = is_dynamic,
                       .is_upper = true,
                       .can_delay = can_delay,
                       .is_delay = after != NULL};
  if (after) {
    Constraint *list = scene_alloc(scenes, sizeof *list * after->count);
    for (uint32_t i = 0; i < after->count; i++)
      list[i] = frame_constraint(frame, &after->items[i]);
    setting->after = list;
    setting->after_count = after->count;
  }
  for (uint32_t i = 0; i < count; i++) {
    invariant[i] = scenes->invariant.items[i];
    setting->is_upper &= invariant[i].i && !invariant[i].j;
  }
  if (!scenes->is_global) {
    setting->bounds = frame_new_bounds(&scenes->scenes, frame->k, scenes->wants_flat);
    scenes->scenes_bytes += frame_bounds_bytes(frame->k, scenes->wants_flat);
    memcpy(setting->bounds->lower, frame->bounds->lower, sizeof(int32_t) * frame->k);
    memcpy(setting->bounds->upper, frame->bounds->upper, sizeof(int32_t) * frame->k);
    packed_bounds(&setting->bounds->packed, frame->k);
  }
  scene_begin_words(scenes, 2 * frame->k, SCENE_BOUNDS, frame->k, 0);
  scene_add_words(scenes, setting->bounds->lower, frame->k);
  scene_add_words(scenes, setting->bounds->upper, frame->k);
  setting->bounds->packed.number = scene_end_words(scenes, &scenes->parts);
  number_setting(scenes, setting, frame->k);
  return setting;
}

// The constant clock tests of the invariants, over the frame; true if there are others.
static bool find_invariant(Scenes *scenes, const Frame *frame, const int32_t *state) {
  const Net *net = scenes->net;
  bool is_dynamic = false;
  vec_clear(&scenes->invariant);
  for (ProcessId p = 0; p < net->processes.size; p++) {
    const Guard *guard = &net_location(net, p, state[net->location_slot + p])->invariant;
    is_dynamic |= guard->test_count || guard->code;
    for (uint32_t t = 0; t < guard->clock_test_count; t++)
      vec_push(scenes->mem, &scenes->invariant, frame_constraint(frame, &guard->clock_tests[t]));
  }
  return is_dynamic;
}

// With `after`: the setting of a delay by a transition, after which these tests hold.
static const Setting *find_setting(Scenes *scenes, const Frame *frame, const int32_t *state,
                                   const ClockTestList *after) {
  const bool is_dynamic = !scenes->only_bounds && find_invariant(scenes, frame, state);
  const bool can_delay =
      !scenes->only_bounds && (after || joint_can_delay(&scenes->joint, state));
  for (uint32_t i = 0; after && i < after->count; i++)
    vec_push(scenes->mem, &scenes->invariant, frame_constraint(frame, &after->items[i]));
  if (is_dynamic && after)
    return make_setting(scenes, frame, can_delay, is_dynamic, after);
  const uint32_t k = frame->k, invariant = 3 * scenes->invariant.size;
  scene_begin_words(scenes, 2 * k + invariant, k, can_delay + (after != NULL), is_dynamic);
  scene_add_words(scenes, frame->bounds->lower, k);
  scene_add_words(scenes, frame->bounds->upper, k);
  scene_add_words(scenes, scenes->invariant.items, invariant);
  const uint32_t number = scene_end_words(scenes, &scenes->contents);
  if (number > scenes->settings.size)
    vec_push(scenes->mem, &scenes->settings,
             make_setting(scenes, frame, can_delay, is_dynamic, after));
  return scenes->settings.items[number - 1];
}

// The clocks that matter, in `draft`.
static const Frame *draft_frame(Scenes *scenes, const int32_t *state) {
  Frame *frame = &scenes->draft;
  if (scenes->is_global)
    return &scenes->fixed;
  int32_t *lower = scenes->lower, *upper = scenes->upper;
  clockbounds_of_state(scenes->bounds, scenes->net, state, lower, upper);
  uint32_t k = 1;
  for (uint32_t x = 1; x < scenes->n; x++) {
    const int32_t most = lower[x] > upper[x] ? lower[x] : upper[x];
    frame->position[x] = most == CLOCK_NO_BOUND ? FRAME_NONE : k;
    frame->clocks[k] = x;
    frame->bounds->lower[k] = scenes->is_m ? most : lower[x];
    frame->bounds->upper[k] = scenes->is_m ? most : upper[x];
    k += most != CLOCK_NO_BOUND;
  }
  frame->k = k;
  return frame;
}

static FrameMap make_map(Scenes *scenes, const Frame *frame) {
  const uint32_t stride = dbm_stride(frame->k), n = scenes->n;
  FrameMap map = {.clocks = scene_alloc(scenes, (stride + n) * sizeof(uint32_t)), .k = frame->k};
  map.position = map.clocks + stride;
  memcpy(map.clocks, frame->clocks, frame->k * sizeof *frame->clocks);
  memcpy(map.position, frame->position, n * sizeof *frame->position);
  if (scenes->map_board)
    map.common = board_number(scenes->map_board, map.clocks, map.k * sizeof *map.clocks);
  return map;
}

// The number of the scene's map, which its frame then has.
uint32_t scene_share_map(Scenes *scenes, Frame *frame) {
  if (scenes->is_global)
    return 0;
  const uint32_t number =
      intern_number(&scenes->clocks, frame->clocks, frame->k * sizeof *frame->clocks);
  if (number > scenes->maps.size)
    vec_push(scenes->mem, &scenes->maps, make_map(scenes, frame));
  frame->clocks = scenes->maps.items[number - 1].clocks;
  frame->position = scenes->maps.items[number - 1].position;
  return number;
}

Scene *scene_make(Scenes *scenes, const uint64_t *packed, const ClockTestList *after) {
  state_unpack(scenes->layout, scenes->state, packed);
  const Frame *frame = draft_frame(scenes, scenes->state);
  Scene *scene = pool_at(&scenes->list, pool_add(&scenes->list));
  scenes->scenes_bytes += scenes->list.item_bytes;
  *scene = (Scene){.frame = *frame, .number = scenes->list.size};
  scene->setting = find_setting(scenes, frame, scenes->state, after);
  scene->entry = scene->setting->entry;
  scene->map = scene_share_map(scenes, &scene->frame);
  scene->frame.bounds = scene->setting->bounds;
  for (uint32_t i = 0; i < scenes->layout->words; i++)
    scene->words[i] = packed[i] & scenes->masks[i];
  scenes->made++;
  return scene;
}

static void fill_slot(uint64_t *slots, uint32_t mask, uint64_t hash, uint32_t number) {
  uint32_t at = (uint32_t)hash & mask;
  while (slots[at])
    at = (at + 1) & mask;
  slots[at] = (hash >> 32) << 32 | number;
}

static void grow_slots(Scenes *scenes) {
  const uint32_t mask = scenes->mask * 2 + 1;
  uint64_t *slots = mem_alloc_table(scenes->mem, sizeof *slots * ((size_t)mask + 1));
  for (uint32_t i = 0; i < scenes->list.size; i++) {
    const Scene *scene = pool_at(&scenes->list, i);
    if (!scene->setting->is_delay)
      fill_slot(slots, mask, scene_hash(scenes, scene->words), i + 1);
  }
  mem_free(scenes->mem, scenes->slots);
  scenes->slots = slots;
  scenes->mask = mask;
}

Scene *scene_find(Scenes *scenes, const uint64_t *packed) {
  const uint64_t hash = scene_hash(scenes, packed);
  uint32_t at = (uint32_t)hash & scenes->mask;
  for (uint64_t slot; (slot = scenes->slots[at]); at = (at + 1) & scenes->mask) {
    if (slot >> 32 != hash >> 32)
      continue;
    Scene *scene = pool_at(&scenes->list, (uint32_t)slot - 1);
    if (scene_is_of(scenes, scene, packed))
      return scene;
  }
  if (scenes->list.size > scenes->mask / 2)
    grow_slots(scenes);
  Scene *scene = scene_make(scenes, packed, NULL);
  fill_slot(scenes->slots, scenes->mask, hash, scene->number);
  return scene;
}

// The transitions of single edges, made once.
static void make_singles(Scenes *scenes) {
  const Net *net = scenes->net;
  const Edge **edges = ARENA_ARRAY(&scenes->arena, const Edge *, net->edges.size);
  for (EdgeId e = 0; e < net->edges.size; e++) {
    edges[e] = &net->edges.items[e];
    Transition *single = ARENA_NEW(&scenes->arena, Transition);
    *single = transition_make(&scenes->arena, net, scenes->layout, &edges[e], 1);
    vec_push(scenes->mem, &scenes->transitions, single);
  }
}

static void make_masks(Scenes *scenes) {
  const StateLayout *layout = scenes->layout;
  scenes->masks = ARENA_ARRAY(&scenes->arena, uint64_t, layout->words);
  for (uint32_t slot = 0; slot < layout->slots; slot++) {
    const StateField *field = &layout->fields[slot];
    if (slot >= scenes->net->location_slot ||
        (scenes->net->control && scenes->net->control[slot]))
      scenes->masks[field->word] |= field->mask << field->shift;
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
                     .mask = LEAST_SLOTS - 1,
                     .arena = {.mem = mem},
                     .scenes = {.mem = mem}};
  Arena *arena = &scenes->arena;
  intern_init(&scenes->joints, mem);
  pairs_init(&scenes->couples, mem);
  pairs_init(&scenes->effects, mem);
  intern_init(&scenes->parts, mem);
  intern_init(&scenes->contents, mem);
  intern_init(&scenes->clocks, mem);
  pairs_init(&scenes->passages, mem);
  scenes->lower = ARENA_ARRAY(arena, int32_t, n);
  scenes->upper = ARENA_ARRAY(arena, int32_t, n);
  scenes->state = ARENA_ARRAY(arena, int32_t, layout->slots);
  scenes->origins.origin = ARENA_ARRAY(arena, ClockId, dbm_stride(n));
  scenes->origins.offset = ARENA_ARRAY(arena, int32_t, dbm_stride(n));
  scenes->slots = mem_alloc(mem, sizeof *scenes->slots * LEAST_SLOTS);
  pool_init(&scenes->list, mem, sizeof(Scene) + layout->words * sizeof(uint64_t));
  joint_init(&scenes->joint, net, arena);
  make_singles(scenes);
  make_masks(scenes);
  scenes->abroad = ARENA_NEW(arena, Scene);
  frame_init(&scenes->draft, arena, n + 1, false); // one more is written behind the last clock
  frame_init(&scenes->fixed, arena, n, true);
  if (!bounds)
    frame_set_all(&scenes->fixed, n);
  else if (is_global)
    frame_set(&scenes->fixed, n, bounds->global_lower, bounds->global_upper, is_m);
}

static uint32_t number_joint(Scenes *scenes, const Edge *const *joint, uint32_t count) {
  if (count != 2)
    return intern_number(&scenes->joints, joint, sizeof *joint * count);
  const Edge *edges = scenes->net->edges.items;
  const uint64_t first = (uint64_t)(joint[0] - edges);
  const uint32_t second = (uint32_t)(joint[1] - edges);
  uint32_t number = pairs_get(&scenes->couples, first, second);
  if (!number) {
    number = intern_number(&scenes->joints, joint, sizeof *joint * count);
    pairs_set(&scenes->couples, first, second, number);
  }
  return number;
}

static ClockTestList keep_tests(Scenes *scenes, ClockTestList list) {
  ClockTest *tests = scene_alloc(scenes, sizeof *tests * list.count);
  for (uint32_t i = 0; i < list.count; i++)
    tests[i] = list.items[i];
  return (ClockTestList){tests, list.count};
}

static void add_tests(Scenes *scenes, ClockTestList list) {
  for (uint32_t i = 0; i < list.count; i++) {
    const ClockTest test = list.items[i];
    const uint32_t words[4] = {test.i, test.j, (uint32_t)test.constant, test.strict};
    scene_add_words(scenes, words, 4);
  }
}

// The number of a joint transition that has tests beyond its guards, or no edges.
static uint32_t find_tested(Scenes *scenes, const Joint *joint) {
  const Net *net = scenes->net;
  const uint32_t count = joint->edge_count;
  scene_begin_words(scenes, count + 4 * (joint->extra.count + joint->after.count), UINT32_MAX,
                    count, joint->extra.count);
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t edge = (uint32_t)(joint->edges[i] - net->edges.items);
    scene_add_words(scenes, &edge, 1);
  }
  add_tests(scenes, joint->extra);
  add_tests(scenes, joint->after);
  if (scenes->words.size % 2 == 0) // no list of pointers has an odd number of words
    vec_push(scenes->mem, &scenes->words, 0);
  const uint32_t number = scene_end_words(scenes, &scenes->joints) - 1 + net->edges.size;
  if (number < scenes->transitions.size)
    return number;
  const Edge **edges = scene_alloc(scenes, sizeof *edges * count);
  for (uint32_t i = 0; i < count; i++)
    edges[i] = joint->edges[i];
  const ClockTestList extra = keep_tests(scenes, joint->extra);
  const ClockTestList after = keep_tests(scenes, joint->after);
  Transition *t = scene_alloc(scenes, sizeof *t);
  *t = transition_make_with(&scenes->scenes, net, scenes->layout, edges, count, extra, after);
  scenes->scenes_bytes += transition_bytes(t);
  vec_push(scenes->mem, &scenes->transitions, t);
  return number;
}

// The number of a joint transition.
uint32_t scene_find_transition(Scenes *scenes, const Edge *const *joint, uint32_t count) {
  const Net *net = scenes->net;
  if (count == 1)
    return (uint32_t)(joint[0] - net->edges.items);
  const uint32_t number = number_joint(scenes, joint, count) - 1 + net->edges.size;
  if (number < scenes->transitions.size)
    return number;
  const Edge **edges = scene_alloc(scenes, sizeof *edges * count);
  memcpy(edges, joint, sizeof *edges * count);
  Transition *t = scene_alloc(scenes, sizeof *t);
  *t = transition_make(&scenes->scenes, net, scenes->layout, edges, count);
  scenes->scenes_bytes += transition_bytes(t);
  vec_push(scenes->mem, &scenes->transitions, t);
  return number;
}

// The moves of one process alone.
static void add_singles(Scenes *scenes, ProcessId process) {
  uint32_t count;
  const Edge *const *edges = joint_async(&scenes->joint, process, &count);
  vec_reserve(scenes->mem, &scenes->moves, scenes->moves.size + count);
  Move *moves = scenes->moves.items + scenes->moves.size;
  for (uint32_t i = 0; i < count; i++)
    moves[i] = (Move){.transition = (uint32_t)(edges[i] - scenes->net->edges.items)};
  scenes->moves.size += count;
}

void scene_make_moves(Scenes *scenes, Scene *scene) {
  Joint *joint = &scenes->joint;
  vec_clear(&scenes->moves);
  state_unpack(scenes->layout, scenes->state, scene->words);
  if (scenes->before_moves)
    scenes->before_moves(scenes->before_context, scene);
  for (joint_begin(joint, scenes->state); joint_next_number(joint);) {
    if (!joint->number && (joint->extra.count || !joint->edge_count))
      joint->number = find_tested(scenes, joint) + 1;
    if (!joint->number)
      joint_give_number(joint,
                        scene_find_transition(scenes, joint->edges, joint->edge_count) + 1);
    vec_push(scenes->mem, &scenes->moves, (Move){.transition = joint->number - 1});
  }
  for (ProcessId p = 0; joint_has_async(joint) && p < scenes->net->processes.size; p++)
    add_singles(scenes, p);
  const uint32_t count = scenes->moves.size;
  if (scenes->wants_news)
    scene->news = scene_alloc(scenes, sizeof *scene->news * count);
  scene->moves = scene_alloc(scenes, sizeof(Move) * count);
  scene->move_count = count;
  if (count)
    memcpy(scene->moves, scenes->moves.items, sizeof(Move) * count);
}
