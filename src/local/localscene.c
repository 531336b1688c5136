#include "local/localscene.h"

#include "dbm/stored/offsetpack.h"

#include <assert.h>
#include <string.h>

// What a location means for the time of its process.
enum LocationKind { KIND_FREE, KIND_FROZEN, KIND_DYNAMIC };

static void *keep(LocalScenes *scenes, size_t bytes) {
  scenes->scenes->scenes_bytes += bytes;
  return arena_alloc(&scenes->scenes->scenes, bytes);
}

static void *copy(LocalScenes *scenes, const void *from, size_t bytes) {
  void *to = keep(scenes, bytes);
  if (bytes)
    memcpy(to, from, bytes);
  return to;
}

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

// Sets of clocks have this many words; there is always one.
static uint32_t set_words(const LocalScenes *scenes) { return scenes->all.clocks / 64 + 1; }

static void add_clock(uint64_t *set, uint32_t clock) {
  set[clock / 64] |= (uint64_t)1 << clock % 64;
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

static LocationId location_of(const LocalScenes *scenes, ProcessId p) { // in Scenes.state
  return scenes->firsts[p] + (uint32_t)scenes->scenes->state[scenes->net->location_slot + p];
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
  uint64_t *clocks = ARENA_ARRAY(arena, uint64_t, set_words(scenes));
  *shape = *all;
  for (uint32_t i = all->clocks; i < all->n; i++)
    columns[i] = -1;
  for (uint32_t r = 0; r < count; r++) {
    own[r] = rows[r];
    place[rows[r]] = r;
    columns[rows[r]] = -1;
    if (rows[r] < all->clocks)
      add_clock(clocks, rows[r]);
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

static void add_word(LocalScenes *scenes, uint32_t word) {
  vec_push(scenes->mem, &scenes->words, word);
}

static uint32_t number_words(LocalScenes *scenes, Intern *intern) {
  return intern_number(intern, scenes->words.items, scenes->words.size * sizeof(uint32_t));
}

// The clocks of the frame, the events, the frozen times.
static const LocalShape *find_shape(LocalScenes *scenes, const Frame *frame) {
  vec_clear(&scenes->words);
  for (uint32_t i = 1; i < frame->k; i++)
    add_word(scenes, frame->clocks[i] - 1);
  for (uint32_t i = scenes->all.clocks; i < scenes->all.first_time; i++)
    add_word(scenes, i);
  for (ProcessId p = 0; scenes->has_frozen && p < scenes->all.times; p++)
    if (scenes->kinds[location_of(scenes, p)] & KIND_FROZEN)
      add_word(scenes, localaction_time(&scenes->all, p));
  const uint32_t number = number_words(scenes, &scenes->shapes);
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
  LocalSetting *setting = keep(scenes, sizeof *setting + offsetpack_padded(clocks));
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
  Constraint *ceilings = keep(scenes, bytes);
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
    const LocationId location = location_of(scenes, p);
    const uint32_t list = scenes->ceilings[location];
    kinds |= scenes->kinds[location];
    words[size] = list;
    size += list != 0;
  }
  *is_dynamic = kinds & KIND_DYNAMIC;
  scenes->words.size = *is_dynamic ? BEFORE : size;
  const uint32_t number = number_words(scenes, &scenes->settings);
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
  add_word(scenes, bare->shape->number);
  add_word(scenes, bare->bounds);
  add_word(scenes, NO_LIST);
  vec_reserve(scenes->mem, &scenes->words, scenes->words.size + size);
  memcpy(scenes->words.items + scenes->words.size, ceilings, count * sizeof *ceilings);
  scenes->words.size += size;
  const uint32_t number = number_words(scenes, &scenes->settings);
  if (number <= scenes->setting_list.size)
    return scenes->setting_list.items[number - 1];
  return add_setting(scenes, bare->shape, bare->bounds,
                     copy(scenes, ceilings, count * sizeof *ceilings), count);
}

// Of the scene that was made last.
static LocalScene *make_scene(LocalScenes *scenes, Scene *of) {
  LocalScene *scene = keep(scenes, sizeof *scene);
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
  scene->steps = keep(scenes, 2 * scene->scene->move_count * sizeof *scene->steps);
}

static void add_id(LocalScenes *scenes, uint32_t id) {
  for (uint32_t i = 0; i < scenes->ids.size; i++)
    if (scenes->ids.items[i] == id)
      return;
  vec_push(scenes->mem, &scenes->ids, id);
}

static void add_ids(LocalScenes *scenes, ResourceList list, ResourceList except) {
  for (uint32_t i = 0; i < list.size; i++)
    if (!components_has(except, list.items[i]))
      add_id(scenes, list.items[i]);
}

static ResourceList take_ids(LocalScenes *scenes) {
  const uint32_t size = scenes->ids.size;
  const ResourceId *items = copy(scenes, scenes->ids.items, size * sizeof *items);
  vec_clear(&scenes->ids);
  return (ResourceList){items, size};
}

static EdgeId edge_id(const Net *net, const Edge *edge) {
  return (EdgeId)(edge - net->edges.items);
}

static bool reads_any(const Components *c, LocationId location, ResourceList writes) {
  for (uint32_t i = 0; i < writes.size; i++)
    if (components_has(c->invariant_reads[location], writes.items[i]))
      return true;
  return false;
}

static const uint64_t *find_sets(LocalScenes *scenes, const Transition *t) {
  uint64_t *sets = keep(scenes, set_words(scenes) * sizeof *sets);
  for (uint32_t u = 0; u < t->clock_count; u++)
    add_clock(sets, t->clocks[u].x - 1);
  return sets;
}

// What the action writes, and what it reads besides: by its guards and updates, and by the
// invariants that its participants leave and enter.
static void find_accesses(LocalScenes *scenes, const Transition *t, LocalAccess *access) {
  const Components *c = scenes->components;
  const ResourceList none = {0};
  access->is_known = true;
  access->sets = find_sets(scenes, t);
  vec_clear(&scenes->ids);
  if (!c->count)
    return;
  for (uint32_t i = 0; i < t->edge_count; i++)
    add_ids(scenes, c->edge_writes[edge_id(scenes->net, t->edges[i])], none);
  access->writes = take_ids(scenes);
  for (uint32_t i = 0; i < t->edge_count; i++) {
    const Edge *edge = t->edges[i];
    add_ids(scenes, c->edge_reads[edge_id(scenes->net, edge)], access->writes);
    if (scenes->rules & LOCAL_EXIT)
      add_ids(scenes, c->invariant_reads[edge->source], access->writes);
    if (scenes->rules & LOCAL_ENTRY)
      add_ids(scenes, c->invariant_reads[edge->target], access->writes);
  }
  access->reads = take_ids(scenes);
  for (LocationId l = 0; (scenes->rules & LOCAL_PRESENT) && l < scenes->net->locations.size; l++)
    access->may_involve |= reads_any(c, l, access->writes);
}

static LocalAccess *access_of(LocalScenes *scenes, uint32_t transition) {
  if (transition < scenes->accesses.size && scenes->accesses.items[transition].is_known)
    return &scenes->accesses.items[transition];
  while (scenes->accesses.size <= transition)
    vec_push(scenes->mem, &scenes->accesses, (LocalAccess){0});
  LocalAccess *access = &scenes->accesses.items[transition];
  if (!access->is_known)
    find_accesses(scenes, scenes->scenes->transitions.items[transition], access);
  return access;
}

// The participants, in `ids`; the weak ones that do not take part, and the processes that rely
// on what is written.
static void find_domain(LocalScenes *scenes, const LocalScene *scene, uint32_t ordinal,
                        const Transition *t, const LocalAccess *access) {
  const Net *net = scenes->net;
  vec_clear(&scenes->ids);
  for (uint32_t i = 0; i < t->edge_count; i++)
    add_id(scenes, t->edges[i]->process);
  if (!scenes->has_weak && !access->may_involve)
    return;
  state_unpack(scenes->scenes->layout, scenes->scenes->state, scene->scene->words);
  Joint *joint = &scenes->scenes->joint;
  if (scenes->has_weak && joint_seek(joint, scenes->scenes->state, ordinal) &&
      joint->sync != NET_NONE)
    for (uint32_t k = 0; k < net->syncs.items[joint->sync].parts.size; k++)
      add_id(scenes, net->syncs.items[joint->sync].parts.items[k].process);
  for (ProcessId p = 0; access->may_involve && p < net->processes.size; p++)
    if (reads_any(scenes->components, location_of(scenes, p), access->writes))
      add_id(scenes, p);
}

static void keep_action(LocalScenes *scenes, OffsetAction *action) {
  const size_t bytes = scenes->all.stride * sizeof(uint32_t);
  action->in = copy(scenes, action->in, action->in_count * sizeof *action->in);
  action->out = copy(scenes, action->out, action->out_count * sizeof *action->out);
  action->between =
      copy(scenes, action->between, action->between_count * sizeof *action->between);
  action->becomes = copy(scenes, action->becomes, bytes);
  if (action->origin)
    action->origin = copy(scenes, action->origin, bytes);
  if (action->shift)
    action->shift = copy(scenes, action->shift, bytes);
  action->kept = copy(scenes, action->kept, action->kept_count * sizeof *action->kept);
}

static void add_words(LocalScenes *scenes, const void *words, uint32_t count) {
  add_word(scenes, count);
  for (uint32_t i = 0; i < count; i++)
    add_word(scenes, ((const uint32_t *)words)[i]);
}

static uint32_t number_action(LocalScenes *scenes, const OffsetAction *action) {
  const uint32_t n = scenes->all.n;
  vec_clear(&scenes->words);
  add_words(scenes, action->in, 2 * action->in_count);
  add_words(scenes, action->out, 2 * action->out_count);
  add_words(scenes, action->between, 3 * action->between_count);
  add_words(scenes, action->becomes, n);
  add_words(scenes, action->origin, action->origin ? n : 0);
  add_words(scenes, action->shift, action->shift ? n : 0);
  add_words(scenes, action->kept, action->kept_count);
  return number_words(scenes, &scenes->actions);
}

static void make_masks(LocalScenes *scenes, LocalStep *step) {
  const size_t bytes = offset8_stride(scenes->all.n) * sizeof(int16_t);
  const OffsetAction *action = &step->action;
  int16_t *becomes = keep(scenes, bytes);
  for (uint32_t i = 0; i < scenes->all.n; i++)
    becomes[i] = (int16_t)action->becomes[i];
  step->masks.becomes = becomes;
  if (!action->kept_count)
    return;
  int16_t *kept = keep(scenes, bytes);
  for (uint32_t i = 0; i < action->kept_count; i++)
    kept[action->kept[i]] = -1;
  step->masks.kept = kept;
}

static void add_tests(LocalScenes *scenes, ClockTests *to, const Guard *guard) {
  for (uint32_t t = 0; guard && t < guard->clock_test_count; t++)
    vec_push(scenes->mem, to, guard->clock_tests[t]);
}

// The location in which a process of the domain is after the transition.
static LocationId target_of(const LocalScenes *scenes, const Transition *t, ProcessId p) {
  for (uint32_t i = 0; i < t->edge_count; i++)
    if (t->edges[i]->process == p)
      return t->edges[i]->target;
  return location_of(scenes, p);
}

// The action of a step of which nothing depends on variables, for good.
static void make_action(LocalScenes *scenes, const LocalScene *scene, const Transition *t,
                        const LocalScene *target, LocalStep *step) {
  step->has_action =
      !t->needs_guard && !t->needs_clocks && !scene->is_dynamic && !target->is_dynamic;
  if (!step->has_action)
    return;
  vec_clear(&scenes->guard);
  vec_clear(&scenes->invariant);
  for (uint32_t i = 0; i < t->edge_count; i++)
    add_tests(scenes, &scenes->guard, &t->edges[i]->guard);
  const LocalSetting *from = scene->setting;
  for (uint32_t i = 0; i < step->use.domain_count; i++)
    add_tests(scenes, &scenes->invariant,
              scenes->net->invariants[target_of(scenes, t, step->use.domain[i])]);
  const LocalParts parts = {.guard = scenes->guard.items,
                            .guard_count = scenes->guard.size,
                            .invariant = scenes->invariant.items,
                            .invariant_count = scenes->invariant.size,
                            .updates = t->clocks,
                            .update_count = t->clock_count,
                            .ceilings = from->ceilings,
                            .ceiling_count = from->ceiling_count};
  step->is_impossible = !localaction_make(&scenes->maker, scene->shape, target->shape, &step->use,
                                          &parts, &step->action);
  keep_action(scenes, &step->action);
  step->number = number_action(scenes, &step->action);
  step->is_tiny = offset8_can(&step->action, PACKED_8);
  step->is_small = offset8_can(&step->action, PACKED_16);
  if (step->is_tiny)
    make_masks(scenes, step);
}

// Whether a step depends on the clocks that matter before and after it: if some are copied, or
// one matters only after it.
static bool depends_on_shapes(const LocalScenes *scenes, const LocalShape *from,
                              uint32_t transition, const LocalShape *to) {
  const Transition *t = scenes->scenes->transitions.items[transition];
  const uint64_t *sets = scenes->accesses.items[transition].sets;
  uint64_t found = t->has_copies || t->needs_clocks;
  for (uint32_t i = 0; i < set_words(scenes); i++)
    found |= to->clocks[i] & ~from->clocks[i] & ~sets[i];
  return found;
}

// The number of a step whose domain is in `ids`, made if it is new.
static uint32_t find_step(LocalScenes *scenes, const LocalScene *scene, uint32_t transition,
                          const LocalScene *target, bool has_shapes) {
  const Transition *t = scenes->scenes->transitions.items[transition];
  const bool is_dynamic = scene->is_dynamic || target->is_dynamic;
  vec_clear(&scenes->words);
  add_word(scenes, transition << 1 | is_dynamic);
  add_word(scenes, has_shapes ? scene->setting->shape->number : 0);
  add_word(scenes, has_shapes ? target->setting->shape->number : 0);
  for (uint32_t i = t->edge_count; i < scenes->ids.size; i++)
    add_word(scenes, location_of(scenes, scenes->ids.items[i]));
  const uint32_t number = number_words(scenes, &scenes->contents);
  if (number <= scenes->steps.size)
    return number;
  const LocalAccess *access = &scenes->accesses.items[transition];
  LocalStep *step = keep(scenes, sizeof *step);
  const ResourceList domain = take_ids(scenes);
  step->use = (LocalUse){domain.items, domain.size, access->reads, access->writes};
  make_action(scenes, scene, t, target, step);
  vec_push(scenes->mem, &scenes->steps, step);
  return number;
}

LocalUse localscene_use(LocalScenes *scenes, const LocalScene *scene, uint32_t ordinal) {
  const uint32_t transition = scene->scene->moves[ordinal].transition;
  const LocalAccess *access = access_of(scenes, transition);
  find_domain(scenes, scene, ordinal, scenes->scenes->transitions.items[transition], access);
  return (LocalUse){scenes->ids.items, scenes->ids.size, access->reads, access->writes};
}

// What a plain step touches.
static uint64_t find_touches(const LocalScenes *scenes, const LocalUse *use) {
  const uint32_t resources = scenes->net->processes.size;
  uint64_t touches = 0;
  for (uint32_t i = 0; i < use->domain_count; i++)
    touches |= (uint64_t)1 << use->domain[i] % 64;
  for (uint32_t i = 0; i < use->reads.size; i++)
    touches |= (uint64_t)1 << (resources + use->reads.items[i]) % 64;
  for (uint32_t i = 0; i < use->writes.size; i++)
    touches |= (uint64_t)1 << (resources + use->writes.items[i]) % 64;
  return touches;
}

// The number of the step that a move is, which may depend on the target.
static uint32_t link_step(LocalScenes *scenes, LocalScene *scene, uint32_t ordinal,
                          const LocalScene *target) {
  const uint32_t transition = scene->scene->moves[ordinal].transition;
  const Transition *t = scenes->scenes->transitions.items[transition];
  LocalAccess *access = access_of(scenes, transition);
  const bool has_shapes =
      depends_on_shapes(scenes, scene->setting->shape, transition, target->setting->shape);
  const bool is_plain = !has_shapes && !scenes->has_weak && !access->may_involve &&
                        !scene->is_dynamic && !target->is_dynamic;
  if (is_plain && access->step)
    return access->step;
  find_domain(scenes, scene, ordinal, t, access);
  const uint32_t number = find_step(scenes, scene, transition, target, has_shapes);
  if (is_plain) {
    access->step = number;
    access->touches = find_touches(scenes, &scenes->steps.items[number - 1]->use);
  }
  return number;
}

// Actions and shapes are few: their numbers together are that of the effect. If they are not, it
// has none.
static void set_link(LocalScenes *scenes, LocalScene *scene, uint32_t ordinal,
                     const LocalScene *target, uint32_t number) {
  Move *move = &scene->scene->moves[ordinal];
  const LocalStep *step = scenes->steps.items[number - 1];
  const uint32_t shape = target->setting->shape->number;
  scene->steps[ordinal] = number;
  move->target = target->scene->number;
  if (step->has_action && !step->is_impossible && step->number <= UINT16_MAX &&
      shape <= UINT16_MAX)
    move->effect = step->number << 16 | shape;
}

void localscene_link(LocalScenes *scenes, LocalScene *scene, uint32_t ordinal,
                     const uint64_t *packed) {
  const LocalScene *target = localscene_find(scenes, packed);
  set_link(scenes, scene, ordinal, target, link_step(scenes, scene, ordinal, target));
}

bool localscene_link_step(LocalScenes *scenes, LocalScene *scene, uint32_t ordinal,
                          const LocalScene *target, uint32_t step) {
  if (depends_on_shapes(scenes, scene->setting->shape, scene->scene->moves[ordinal].transition,
                        target->setting->shape))
    return false;
  set_link(scenes, scene, ordinal, target, step);
  return true;
}
