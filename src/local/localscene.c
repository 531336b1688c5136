#include "local/localscene.h"

#include "dbm/stored/offsetpack.h"
#include "local/localscene_inside.h"

#include <assert.h>
#include <string.h>

// What a location means for the time of its process.
enum LocationKind { KIND_FREE, KIND_FROZEN, KIND_DYNAMIC };

static void find_kinds(LocalScenes *scenes) {
  const Net *net = scenes->net;
  uint8_t *kinds = ARENA_ARRAY(&scenes->arena, uint8_t, net->locations.size);
  for (LocationId l = 0; l < net->locations.size; l++) {
    const Guard *invariant = net->invariants[l];
    const bool is_frozen = (scenes->rules & LOCAL_URGENT) && net->urgent[l];
    kinds[l] = is_frozen ? KIND_FROZEN : KIND_FREE;
    if (invariant && (invariant->test_count || invariant->code))
      kinds[l] |= KIND_DYNAMIC;
    scenes->has_frozen |= is_frozen;
  }
  scenes->kinds = kinds;
}

bool localscene_ceiling(const LocalScenes *scenes, ProcessId p, LocationId location,
                        const ClockTest *test, Constraint *ceiling) {
  if (!test->i || test->j || (scenes->kinds[location] & KIND_FROZEN) ||
      !(scenes->rules & LOCAL_CEILINGS))
    return false;
  *ceiling = (Constraint){localaction_time(&scenes->all, p), test->i - 1,
                          bound_make(test->constant, test->strict)};
  return true;
}

// After the variables and kinds.
static void find_lists(LocalScenes *scenes) {
  const Net *net = scenes->net;
  uint32_t *lists = ARENA_ARRAY(&scenes->arena, uint32_t, net->locations.size);
  LocationId *firsts = ARENA_ARRAY(&scenes->arena, LocationId, net->processes.size);
  intern_init(&scenes->lists, scenes->mem);
  VEC(Constraint) list = {0};
  for (ProcessId p = 0; p < net->processes.size; p++) {
    const Process *process = &net->processes.items[p];
    firsts[p] = process->first_location;
    for (uint32_t i = 0; i < process->location_count; i++) {
      const LocationId location = firsts[p] + i;
      const Guard *guard = net->invariants[location];
      vec_clear(&list);
      for (uint32_t t = 0; guard && t < guard->clock_test_count; t++) {
        Constraint ceiling;
        if (localscene_ceiling(scenes, p, location, &guard->clock_tests[t], &ceiling))
          vec_push(scenes->mem, &list, ceiling);
      }
      if (list.size)
        lists[location] =
            intern_number(&scenes->lists, list.items, list.size * sizeof *list.items);
    }
  }
  vec_release(scenes->mem, &list);
  scenes->ceilings = lists;
  scenes->firsts = firsts;
}

static int16_t *new_mask(LocalScenes *scenes) {
  return ARENA_ARRAY(&scenes->arena, int16_t, offset8_stride(scenes->all.n));
}

static void find_variables(LocalScenes *scenes) {
  const Net *net = scenes->net;
  const Components *c = scenes->components;
  OffsetShape *all = &scenes->all;
  all->clocks = net->clock_count;
  all->first_time = all->clocks + c->written_count;
  all->times = net->processes.size;
  all->n = all->first_time + all->times + c->count;
  all->stride = dbm_stride(all->n);
  scenes->times = new_mask(scenes);
  for (uint32_t p = 0; p < all->times; p++)
    scenes->times[all->first_time + p] = -1;
}

void localscene_init(LocalScenes *scenes, Mem *mem, const Net *net, Scenes *of,
                     const Components *components, unsigned rules) {
  *scenes = (LocalScenes){.mem = mem,
                          .net = net,
                          .scenes = of,
                          .components = components,
                          .rules = rules,
                          .arena = {.mem = mem}};
  of->only_bounds = true; // invariants are those of each process, see LocalSetting
  intern_init(&scenes->shapes, mem);
  intern_init(&scenes->contents, mem);
  intern_init(&scenes->settings, mem);
  intern_init(&scenes->actions, mem);
  for (uint32_t s = 0; s < net->syncs.size; s++)
    for (uint32_t k = 0; k < net->syncs.items[s].parts.size; k++)
      scenes->has_weak |= net->syncs.items[s].parts.items[k].weak;
  scenes->has_weak &= (rules & LOCAL_WEAK) != 0;
  find_kinds(scenes);
  find_variables(scenes);
  find_lists(scenes);
  vec_reserve(mem, &scenes->words, 1); // even no words have an address
  Arena *arena = &scenes->arena;
  localaction_init(&scenes->maker, mem, arena, components, &scenes->all, rules);
}

void localscene_release(LocalScenes *scenes) {
  Mem *mem = scenes->mem;
  if (!mem)
    return;
  vec_release(mem, &scenes->shape_list);
  vec_release(mem, &scenes->map_shapes);
  vec_release(mem, &scenes->list);
  vec_release(mem, &scenes->accesses);
  vec_release(mem, &scenes->steps);
  vec_release(mem, &scenes->setting_list);
  vec_release(mem, &scenes->ids);
  vec_release(mem, &scenes->words);
  vec_release(mem, &scenes->guard);
  vec_release(mem, &scenes->invariant);
  localaction_release(&scenes->maker);
  intern_release(&scenes->lists);
  intern_release(&scenes->shapes);
  intern_release(&scenes->contents);
  intern_release(&scenes->settings);
  intern_release(&scenes->actions);
  arena_release(&scenes->arena);
}

// In local time most location vectors have one zone: their scenes are not asked for often, and a
// larger share was no faster.
enum { SHARE = 12 };

bool localscene_keep_small(LocalScenes *scenes) {
  const size_t more = scenes->settings.bytes + scenes->contents.bytes;
  scene_keep_small(scenes->scenes, SHARE, more);
  if (scenes->scenes->list.size || !scenes->list.size)
    return false;
  vec_clear(&scenes->list);
  vec_clear(&scenes->map_shapes);
  vec_clear(&scenes->accesses);
  vec_clear(&scenes->steps);
  vec_clear(&scenes->setting_list);
  intern_clear(&scenes->contents);
  intern_clear(&scenes->settings);
  intern_clear(&scenes->actions);
  return true;
}

static LocalShape *make_shape(LocalScenes *scenes, const uint32_t *rows, uint32_t count) {
  Arena *arena = &scenes->arena;
  const OffsetShape *all = &scenes->all;
  LocalShape *result = ARENA_NEW(arena, LocalShape);
  OffsetShape *shape = &result->shape;
  uint32_t *own = ARENA_ARRAY(arena, uint32_t, count);
  uint32_t *place = ARENA_ARRAY(arena, uint32_t, all->n);
  int32_t *columns = ARENA_ARRAY(arena, int32_t, all->stride);
  int16_t *narrow = new_mask(scenes);
  uint64_t *clocks = ARENA_ARRAY(arena, uint64_t, localscene_set_words(scenes));
  *shape = *all;
  for (uint32_t i = all->clocks; i < all->n; i++)
    columns[i] = -1;
  for (uint32_t r = 0; r < count; r++) {
    own[r] = rows[r];
    place[rows[r]] = r;
    columns[rows[r]] = -1;
    if (rows[r] < all->clocks)
      localscene_add_clock(clocks, rows[r]);
    shape->clock_rows += rows[r] < all->clocks;
    shape->frozen_from += rows[r] < all->first_time;
  }
  for (uint32_t i = 0; i < all->n; i++)
    narrow[i] = (int16_t)columns[i];
  shape->rows = own;
  shape->row_count = count;
  shape->place = place;
  shape->columns = columns;
  result->masks = (Offset8Shape){.columns = narrow, .times = scenes->times};
  result->clocks = clocks;
  return result;
}

// The clocks of the frame, the events, the frozen times.
static const LocalShape *find_shape(LocalScenes *scenes, const Frame *frame) {
  vec_clear(&scenes->words);
  for (uint32_t i = 1; i < frame->k; i++)
    localscene_add_word(scenes, frame->clocks[i] - 1);
  for (uint32_t i = scenes->all.clocks; i < scenes->all.first_time; i++)
    localscene_add_word(scenes, i);
  for (ProcessId p = 0; scenes->has_frozen && p < scenes->all.times; p++)
    if (scenes->kinds[localscene_location(scenes, p)] & KIND_FROZEN)
      localscene_add_word(scenes, localaction_time(&scenes->all, p));
  const uint32_t number = localscene_number_words(scenes, &scenes->shapes);
  if (number > scenes->shape_list.size) {
    LocalShape *shape = make_shape(scenes, scenes->words.items, scenes->words.size);
    shape->number = number;
    vec_push(scenes->mem, &scenes->shape_list, shape);
  }
  return scenes->shape_list.items[number - 1];
}

// The same, found again by the clocks alone if there are no frozen times.
static const LocalShape *recall_shape(LocalScenes *scenes, const Scene *scene) {
  if (!scene->map || scenes->has_frozen)
    return find_shape(scenes, &scene->frame);
  while (scenes->map_shapes.size <= scene->map)
    vec_push(scenes->mem, &scenes->map_shapes, NULL);
  const LocalShape **known = &scenes->map_shapes.items[scene->map];
  if (!*known)
    *known = find_shape(scenes, &scene->frame);
  return *known;
}

// A setting that is new: with ceilings from some lists, or these.
static const LocalSetting *add_setting(LocalScenes *scenes, const LocalShape *shape,
                                       uint32_t bounds, Constraint *ceilings, uint32_t count) {
  const uint32_t clocks = scenes->all.clocks;
  LocalSetting *setting = localscene_keep(scenes, sizeof *setting + offsetpack_padded(clocks));
  int8_t *least = (int8_t *)(setting + 1);
  offsetpack_least(least, clocks, ceilings, count);
  *setting = (LocalSetting){.number = scenes->setting_list.size + 1,
                            .shape = shape,
                            .bounds = bounds,
                            .ceilings = ceilings,
                            .ceiling_count = count,
                            .least = least};
  vec_push(scenes->mem, &scenes->setting_list, setting);
  return setting;
}

static const LocalSetting *add_listed(LocalScenes *scenes, const LocalShape *shape,
                                      uint32_t bounds, const uint32_t *lists, uint32_t size) {
  const InternItem *items = scenes->lists.items.items;
  size_t bytes = 0;
  for (uint32_t i = 0; i < size; i++)
    bytes += items[lists[i] - 1].size;
  Constraint *ceilings = localscene_keep(scenes, bytes);
  char *to = (char *)ceilings;
  for (uint32_t i = 0; i < size; to += items[lists[i++] - 1].size)
    memcpy(to, items[lists[i] - 1].bytes, items[lists[i] - 1].size);
  return add_setting(scenes, shape, bounds, ceilings, (uint32_t)(bytes / sizeof *ceilings));
}

enum { BEFORE = 2 }; // words of a setting before its ceilings: shape and bounds

// Lists, or ceilings after NO_LIST.
#define NO_LIST UINT32_MAX

// The setting of Scenes.state; without ceilings, and is_dynamic is set, if some depend on
// variables.
static const LocalSetting *find_setting(LocalScenes *scenes, const LocalShape *shape,
                                        uint32_t bounds, bool *is_dynamic) {
  const uint32_t processes = scenes->net->processes.size;
  vec_clear(&scenes->words);
  vec_reserve(scenes->mem, &scenes->words, BEFORE + processes);
  uint32_t *words = scenes->words.items, size = BEFORE;
  words[0] = shape->number;
  words[1] = bounds;
  uint8_t kinds = 0;
  for (ProcessId p = 0; p < processes; p++) {
    const LocationId location = localscene_location(scenes, p);
    const uint32_t list = scenes->ceilings[location];
    kinds |= scenes->kinds[location];
    words[size] = list;
    size += list != 0;
  }
  *is_dynamic = kinds & KIND_DYNAMIC;
  scenes->words.size = *is_dynamic ? BEFORE : size;
  const uint32_t number = localscene_number_words(scenes, &scenes->settings);
  if (number <= scenes->setting_list.size)
    return scenes->setting_list.items[number - 1];
  return add_listed(scenes, shape, bounds, words + BEFORE, scenes->words.size - BEFORE);
}

const LocalSetting *localscene_setting(LocalScenes *scenes, const LocalScene *scene,
                                       const Constraint *ceilings, uint32_t count) {
  const LocalSetting *bare = scene->setting;
  const uint32_t size = count * (sizeof *ceilings / sizeof(uint32_t));
  if (!count)
    return bare;
  vec_clear(&scenes->words);
  localscene_add_word(scenes, bare->shape->number);
  localscene_add_word(scenes, bare->bounds);
  localscene_add_word(scenes, NO_LIST);
  vec_reserve(scenes->mem, &scenes->words, scenes->words.size + size);
  memcpy(scenes->words.items + scenes->words.size, ceilings, count * sizeof *ceilings);
  scenes->words.size += size;
  const uint32_t number = localscene_number_words(scenes, &scenes->settings);
  if (number <= scenes->setting_list.size)
    return scenes->setting_list.items[number - 1];
  return add_setting(scenes, bare->shape, bare->bounds,
                     localscene_copy(scenes, ceilings, count * sizeof *ceilings), count);
}

// Of the scene that was made last.
static LocalScene *make_scene(LocalScenes *scenes, Scene *of) {
  LocalScene *scene = localscene_keep(scenes, sizeof *scene);
  scene->scene = of;
  const LocalShape *shape = recall_shape(scenes, of);
  scene->shape = &shape->shape;
  scene->setting =
      find_setting(scenes, shape, of->frame.bounds->packed.number, &scene->is_dynamic);
  return scene;
}

// Each scene of zone/scene.h gets its local one when it is met.
LocalScene *localscene_find(LocalScenes *scenes, const uint64_t *packed) {
  Scene *scene = scene_find(scenes->scenes, packed);
  if (scene->number > scenes->list.size) {
    assert(scene->number == scenes->list.size + 1);
    vec_push(scenes->mem, &scenes->list, make_scene(scenes, scene));
  }
  return scenes->list.items[scene->number - 1];
}

void localscene_find_moves(LocalScenes *scenes, LocalScene *scene) {
  if (scene->steps)
    return;
  scene_find_moves(scenes->scenes, scene->scene);
  scene->steps = localscene_keep(scenes, 2 * scene->scene->move_count * sizeof *scene->steps);
}
