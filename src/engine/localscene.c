#include "engine/localscene.h"

#include "base/random.h"

#include <assert.h>
#include <string.h>

enum { SHARE = 8, LEAST_BYTES = 8 << 20, BUCKETS = 1 << 14 };

void localscene_init(LocalScenes *scenes, Mem *mem, const Net *net, const Components *components,
                     const ClockBounds *bounds, bool is_global, bool is_m, unsigned rules) {
  *scenes = (LocalScenes){.mem = mem,
                          .net = net,
                          .components = components,
                          .bounds = bounds,
                          .rules = rules,
                          .is_global = is_global,
                          .is_m = is_m,
                          .n = net->clock_count + 1,
                          .arena = {.mem = mem},
                          .scenes = {.mem = mem}};
  Arena *arena = &scenes->arena;
  uint64_t *keys = ARENA_ARRAY(arena, uint64_t, net->locations.size);
  Random random;
  random_seed(&random, 1);
  for (uint32_t i = 0; i < net->locations.size; i++)
    keys[i] = random_next(&random);
  scenes->keys = keys;
  scenes->lower = ARENA_ARRAY(arena, int32_t, scenes->n);
  scenes->upper = ARENA_ARRAY(arena, int32_t, scenes->n);
  scenes->buckets = ARENA_ARRAY(arena, LocalScene *, BUCKETS);
  joint_init(&scenes->joint, net, arena);
}

void localscene_release(LocalScenes *scenes) {
  Mem *mem = scenes->mem;
  if (!mem)
    return;
  vec_release(mem, &scenes->moves);
  vec_release(mem, &scenes->ids);
  vec_release(mem, &scenes->in);
  vec_release(mem, &scenes->out);
  vec_release(mem, &scenes->between);
  vec_release(mem, &scenes->origin);
  vec_release(mem, &scenes->kept);
  vec_release(mem, &scenes->shift);
  vec_release(mem, &scenes->guard);
  vec_release(mem, &scenes->invariant);
  vec_release(mem, &scenes->updates);
  arena_release(&scenes->scenes);
  arena_release(&scenes->arena);
}

static void *allocate(LocalScenes *scenes, size_t bytes) {
  scenes->scenes_bytes += bytes;
  return arena_alloc(&scenes->scenes, bytes);
}

static void *copy(LocalScenes *scenes, const void *from, size_t bytes) {
  void *to = allocate(scenes, bytes);
  if (bytes)
    memcpy(to, from, bytes);
  return to;
}

void localscene_keep_small(LocalScenes *scenes) {
  if (scenes->scenes_bytes < LEAST_BYTES || scenes->scenes_bytes < scenes->mem->bytes / SHARE)
    return;
  arena_clear(&scenes->scenes);
  scenes->scenes_bytes = 0;
  memset(scenes->buckets, 0, sizeof *scenes->buckets * BUCKETS);
}

uint64_t localscene_hash(const LocalScenes *scenes, const int32_t *state) {
  const Net *net = scenes->net;
  const int32_t *locations = state + net->location_slot;
  uint64_t hash = 0;
  for (ProcessId p = 0; p < net->processes.size; p++)
    hash ^= scenes->keys[net->processes.items[p].first_location + (uint32_t)locations[p]];
  return hash;
}

static LocationId location_of(const LocalScenes *scenes, const LocalScene *scene, ProcessId p) {
  return scenes->net->processes.items[p].first_location + (uint32_t)scene->locations[p];
}

static void find_bounds(LocalScenes *scenes, const int32_t *state) {
  const size_t bytes = scenes->n * sizeof(int32_t);
  if (!scenes->bounds) {
    for (uint32_t x = 0; x < scenes->n; x++)
      scenes->lower[x] = scenes->upper[x] = 0;
  } else if (scenes->is_global) {
    memcpy(scenes->lower, scenes->bounds->global_lower, bytes);
    memcpy(scenes->upper, scenes->bounds->global_upper, bytes);
  } else {
    clockbounds_of_state(scenes->bounds, scenes->net, state, scenes->lower, scenes->upper);
  }
  for (uint32_t x = 0; scenes->is_m && x < scenes->n; x++) {
    const int32_t l = scenes->lower[x], u = scenes->upper[x];
    scenes->lower[x] = scenes->upper[x] = l > u ? l : u;
  }
}

// The clocks that matter, with their bounds.
static void add_clocks(LocalScenes *scenes, LocalScene *scene) {
  uint32_t k = 0;
  for (ClockIndex x = 1; x < scenes->n; x++)
    k += scenes->lower[x] != CLOCK_UNBOUNDED || scenes->upper[x] != CLOCK_UNBOUNDED;
  const uint32_t padded = dbm_stride(k);
  ClockIndex *clocks = allocate(scenes, k * sizeof *clocks);
  uint32_t *position = allocate(scenes, scenes->n * sizeof *position);
  int32_t *lower = allocate(scenes, padded * sizeof *lower);
  int32_t *upper = allocate(scenes, padded * sizeof *upper);
  uint32_t at = 0;
  position[0] = LOCAL_NOWHERE;
  for (ClockIndex x = 1; x < scenes->n; x++) {
    position[x] = LOCAL_NOWHERE;
    if (scenes->lower[x] == CLOCK_UNBOUNDED && scenes->upper[x] == CLOCK_UNBOUNDED)
      continue;
    clocks[at] = x;
    lower[at] = scenes->lower[x];
    upper[at] = scenes->upper[x];
    position[x] = at++;
  }
  scene->clocks = clocks;
  scene->position = position;
  scene->shape.clocks = k;
  scene->bounds = (SyncedBounds){.twice_lower = allocate(scenes, padded * sizeof(int16_t)),
                                 .has_lower = allocate(scenes, padded * sizeof(int16_t)),
                                 .use = allocate(scenes, padded * sizeof(int16_t)),
                                 .lower = lower,
                                 .upper = upper};
  synced_bounds(&scene->bounds, k);
}

static bool is_frozen(const LocalScenes *scenes, LocationId location) {
  return (scenes->rules & LOCAL_URGENT) && scenes->net->urgent[location];
}

static bool is_dynamic(const Guard *invariant) {
  return invariant && (invariant->test_count || invariant->code);
}

static void add_rows(LocalScenes *scenes, LocalScene *scene) {
  const Net *net = scenes->net;
  OffsetShape *shape = &scene->shape;
  const uint32_t processes = net->processes.size;
  shape->first_time = shape->clocks + scenes->components->written_count;
  shape->times = processes;
  shape->n = shape->first_time + processes + scenes->components->count;
  shape->stride = offset_stride(shape->n);
  uint32_t *rows = allocate(scenes, (shape->first_time + processes) * sizeof *rows);
  uint32_t *elapsed = allocate(scenes, processes * sizeof *elapsed);
  for (uint32_t i = 0; i < shape->first_time; i++)
    rows[shape->row_count++] = i;
  for (ProcessId p = 0; p < processes; p++) {
    const LocationId location = location_of(scenes, scene, p);
    const Guard *invariant = net->invariants[location];
    scene->is_dynamic |= is_dynamic(invariant);
    if (is_frozen(scenes, location))
      rows[shape->row_count++] = shape->first_time + p;
    else if (invariant && (scenes->rules & LOCAL_CEILINGS) &&
             (invariant->clock_test_count || invariant->code))
      elapsed[shape->elapsed_count++] = shape->first_time + p;
    scene->has_high |= is_frozen(scenes, location);
  }
  shape->rows = rows;
  shape->elapsed = elapsed;
  scene->has_high |= shape->elapsed_count != 0;
}

bool localscene_ceiling(const LocalScene *scene, ProcessId p, const ClockTest *test,
                        Constraint *ceiling) {
  if (!test->i || test->j || scene->position[test->i] == LOCAL_NOWHERE)
    return false;
  *ceiling = (Constraint){localscene_time(scene, p), scene->position[test->i],
                          bound_make(test->constant, test->strict)};
  return true;
}

static void add_ceilings(LocalScenes *scenes, LocalScene *scene) {
  const Net *net = scenes->net;
  uint32_t most = 0;
  for (ProcessId p = 0; p < net->processes.size; p++)
    most += net->locations.items[location_of(scenes, scene, p)].invariant.clock_test_count;
  Constraint *list = allocate(scenes, most * sizeof *list);
  scene->ceilings = list;
  for (ProcessId p = 0; p < net->processes.size; p++) {
    const LocationId location = location_of(scenes, scene, p);
    const Guard *guard = net->invariants[location];
    if (!guard || is_frozen(scenes, location))
      continue;
    for (uint32_t t = 0; t < guard->clock_test_count; t++)
      scene->ceiling_count +=
          localscene_ceiling(scene, p, &guard->clock_tests[t], &list[scene->ceiling_count]);
  }
}

static LocalScene *make_scene(LocalScenes *scenes, const int32_t *state, uint64_t hash) {
  const size_t bytes = scenes->net->processes.size * sizeof(int32_t);
  LocalScene *scene = allocate(scenes, sizeof *scene + bytes);
  scene->hash = hash;
  memcpy(scene->locations, state + scenes->net->location_slot, bytes);
  find_bounds(scenes, state);
  add_clocks(scenes, scene);
  add_rows(scenes, scene);
  add_ceilings(scenes, scene);
  LocalScene **bucket = &scenes->buckets[hash & (BUCKETS - 1)];
  scene->next = *bucket;
  *bucket = scene;
  return scene;
}

LocalScene *localscene_find(LocalScenes *scenes, const int32_t *state, uint64_t hash) {
  const size_t bytes = scenes->net->processes.size * sizeof(int32_t);
  const int32_t *locations = state + scenes->net->location_slot;
  for (LocalScene *scene = scenes->buckets[hash & (BUCKETS - 1)]; scene; scene = scene->next)
    if (scene->hash == hash && !memcmp(scene->locations, locations, bytes))
      return scene;
  return make_scene(scenes, state, hash);
}

static void add_id(LocalScenes *scenes, uint32_t id, uint32_t from) {
  for (uint32_t i = from; i < scenes->ids.size; i++)
    if (scenes->ids.items[i] == id)
      return;
  vec_push(scenes->mem, &scenes->ids, id);
}

static void add_ids(LocalScenes *scenes, ResourceList list, ResourceList except) {
  for (uint32_t i = 0; i < list.size; i++)
    if (!components_has(except, list.items[i]))
      add_id(scenes, list.items[i], 0);
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

// What the action writes, and what it reads besides: by its guards and updates, and by the
// invariants that its participants leave and enter.
static void find_accesses(LocalScenes *scenes, LocalMove *move) {
  const Components *c = scenes->components;
  if (!c->count)
    return;
  const ResourceList none = {0};
  for (uint32_t i = 0; i < move->edge_count; i++)
    add_ids(scenes, c->edge_writes[edge_id(scenes->net, move->edges[i])], none);
  move->writes = take_ids(scenes);
  for (uint32_t i = 0; i < move->edge_count; i++) {
    const Edge *edge = move->edges[i];
    add_ids(scenes, c->edge_reads[edge_id(scenes->net, edge)], move->writes);
    if (scenes->rules & LOCAL_EXIT)
      add_ids(scenes, c->invariant_reads[edge->source], move->writes);
    if (scenes->rules & LOCAL_ENTRY)
      add_ids(scenes, c->invariant_reads[edge->target], move->writes);
  }
  move->reads = take_ids(scenes);
}

static bool reads_any(const Components *c, LocationId location, ResourceList writes) {
  for (uint32_t i = 0; i < writes.size; i++)
    if (components_has(c->invariant_reads[location], writes.items[i]))
      return true;
  return false;
}

// The participants, the weak ones that do not take part, and the processes that rely on what
// is written.
static void find_domain(LocalScenes *scenes, const LocalScene *scene, LocalMove *move,
                        uint32_t sync) {
  const Net *net = scenes->net;
  for (uint32_t i = 0; i < move->edge_count; i++)
    add_id(scenes, move->edges[i]->process, 0);
  if (sync != NET_NONE && (scenes->rules & LOCAL_WEAK))
    for (uint32_t k = 0; k < net->syncs.items[sync].parts.size; k++)
      add_id(scenes, net->syncs.items[sync].parts.items[k].process, 0);
  if (move->writes.size && (scenes->rules & LOCAL_PRESENT))
    for (ProcessId p = 0; p < net->processes.size; p++)
      if (reads_any(scenes->components, location_of(scenes, scene, p), move->writes))
        add_id(scenes, p, 0);
  const ResourceList domain = take_ids(scenes);
  move->domain = domain.items;
  move->domain_count = domain.size;
}

static void add_parts(LocalScenes *scenes, LocalMove *move) {
  for (uint32_t i = 0; i < move->edge_count; i++) {
    const Edge *edge = move->edges[i];
    move->test_count += edge->guard.test_count;
    move->slot_count += edge->update.slot_update_count;
    move->needs_guard |= edge->guard.code != NULL;
    move->needs_update |= edge->update.code != NULL;
    for (uint32_t u = 0; u < edge->update.clock_update_count; u++)
      move->needs_update |= edge->update.clock_updates[u].constant < 0;
  }
  Test *tests = allocate(scenes, move->test_count * sizeof *tests);
  SlotUpdate *slots = allocate(scenes, move->slot_count * sizeof *slots);
  move->tests = tests;
  move->slots = slots;
  for (uint32_t i = 0; i < move->edge_count; i++) {
    const Edge *edge = move->edges[i];
    for (uint32_t t = 0; t < edge->guard.test_count; t++)
      *tests++ = edge->guard.tests[t];
    for (uint32_t u = 0; u < edge->update.slot_update_count; u++)
      *slots++ = edge->update.slot_updates[u];
  }
}

void localscene_find_moves(LocalScenes *scenes, LocalScene *scene, const int32_t *state) {
  if (scene->has_moves)
    return;
  Joint *joint = &scenes->joint;
  vec_clear(&scenes->moves);
  for (joint_begin(joint, state); joint_next(joint);) {
    LocalMove move = {.edges = copy(scenes, joint->edges, joint->edge_count * sizeof(Edge *)),
                      .edge_count = joint->edge_count};
    find_accesses(scenes, &move);
    find_domain(scenes, scene, &move, joint->sync);
    add_parts(scenes, &move);
    vec_push(scenes->mem, &scenes->moves, move);
  }
  scene->move_count = scenes->moves.size;
  scene->moves = copy(scenes, scenes->moves.items, sizeof(LocalMove) * scene->move_count);
  scene->has_moves = true;
}

// Links of an action. The bound may also be between two old variables, or a constant.
static bool add_bound(LocalScenes *scenes, uint32_t instant, uint32_t i, uint32_t j,
                      Bound bound) {
  if (i == j)
    return bound >= BOUND_LE_ZERO;
  if (j == instant)
    vec_push(scenes->mem, &scenes->in, ((OffsetLink){i, bound}));
  else if (i == instant)
    vec_push(scenes->mem, &scenes->out, ((OffsetLink){j, bound}));
  else
    vec_push(scenes->mem, &scenes->between, ((Constraint){i, j, bound}));
  return true;
}

static void add_guard(LocalScenes *scenes, const LocalScene *scene, const ClockTest *test) {
  const uint32_t instant = scene->shape.n;
  // x - y is offset of y less offset of x.
  const uint32_t i = test->j ? scene->position[test->j] : instant;
  const uint32_t j = test->i ? scene->position[test->i] : instant;
  assert(i != LOCAL_NOWHERE && j != LOCAL_NOWHERE); // a tested clock matters
  add_bound(scenes, instant, i, j, bound_make(test->constant, test->strict));
}

static void add_equal(LocalScenes *scenes, const LocalScene *scene, uint32_t variable,
                      bool has_row) {
  add_bound(scenes, scene->shape.n, variable, scene->shape.n, BOUND_LE_ZERO);
  if (has_row)
    add_bound(scenes, scene->shape.n, scene->shape.n, variable, BOUND_LE_ZERO);
}

static bool has_row(const OffsetShape *shape, uint32_t variable) {
  for (uint32_t e = 0; e < shape->elapsed_count; e++)
    if (shape->elapsed[e] == variable)
      return true;
  for (uint32_t r = shape->row_count; r-- > 0 && shape->rows[r] >= shape->first_time;)
    if (shape->rows[r] == variable)
      return true;
  return false;
}

// The variable that holds when a resource was last written; LOCAL_NOWHERE if that does not
// matter.
static uint32_t written_variable(const LocalScenes *scenes, const LocalScene *scene,
                                 ResourceId id) {
  const Resource *resource = &scenes->components->resources[id];
  if (resource->is_own)
    return scene->shape.clocks + resource->written;
  return resource->clock && resource->is_read ? scene->position[resource->clock] : LOCAL_NOWHERE;
}

static void add_synchronisation(LocalScenes *scenes, const LocalScene *scene,
                                const LocalMove *move) {
  for (uint32_t i = 0; i < move->domain_count; i++) {
    const uint32_t time = localscene_time(scene, move->domain[i]);
    add_equal(scenes, scene, time, has_row(&scene->shape, time));
  }
  if (scenes->rules & LOCAL_WRITES)
    for (uint32_t i = 0; i < move->writes.size; i++)
      add_equal(scenes, scene, localscene_known(scene, move->writes.items[i]), false);
  if (scenes->rules & LOCAL_READ_AFTER)
    for (uint32_t i = 0; i < move->reads.size; i++) {
      const uint32_t written = written_variable(scenes, scene, move->reads.items[i]);
      if (written != LOCAL_NOWHERE)
        add_bound(scenes, scene->shape.n, written, scene->shape.n, BOUND_LE_ZERO);
    }
}

// Where the variables of the target come from.
static void follow_updates(LocalScenes *scenes, const LocalScene *scene, const LocalScene *target,
                           const ClockUpdate *updates, uint32_t count) {
  for (uint32_t i = 0; i < target->shape.clocks; i++) {
    ClockIndex clock = target->clocks[i];
    int32_t shift = 0;
    for (uint32_t u = count; u-- > 0 && clock;)
      if (updates[u].x == clock) {
        clock = updates[u].y;
        shift += updates[u].constant;
      }
    const uint32_t position = clock ? scene->position[clock] : LOCAL_NOWHERE;
    scenes->origin.items[i] = position == LOCAL_NOWHERE ? scene->shape.n : position;
    scenes->shift.items[i] = shift;
  }
}

static void name_times(LocalScenes *scenes, const LocalScene *scene, const LocalScene *target,
                       const LocalMove *move) {
  const Components *c = scenes->components;
  const uint32_t instant = scene->shape.n;
  uint32_t *origin = scenes->origin.items;
  for (uint32_t i = 0; i < c->written_count; i++)
    origin[target->shape.clocks + i] = scene->shape.clocks + i;
  for (uint32_t i = 0; i < scene->shape.times + c->count; i++)
    origin[target->shape.first_time + i] = scene->shape.first_time + i;
  for (uint32_t i = 0; i < move->domain_count; i++)
    origin[localscene_time(target, move->domain[i])] = instant;
  for (uint32_t i = 0; i < move->writes.size; i++) {
    const ResourceId id = move->writes.items[i];
    origin[localscene_known(target, id)] = instant;
    if (c->resources[id].is_own)
      origin[target->shape.clocks + c->resources[id].written] = instant;
  }
  if (scenes->rules & LOCAL_READ_BEFORE)
    for (uint32_t i = 0; i < move->reads.size; i++)
      vec_push(scenes->mem, &scenes->kept, localscene_known(target, move->reads.items[i]));
}

// A test of the target's invariant, as it is at the instant, in terms of the source.
static bool add_invariant(LocalScenes *scenes, const LocalScene *scene, const LocalScene *target,
                          const ClockTest *test) {
  const uint32_t instant = scene->shape.n;
  const uint32_t x = test->i ? target->position[test->i] : LOCAL_NOWHERE;
  const uint32_t y = test->j ? target->position[test->j] : LOCAL_NOWHERE;
  const uint32_t i = y == LOCAL_NOWHERE ? instant : scenes->origin.items[y];
  const uint32_t j = x == LOCAL_NOWHERE ? instant : scenes->origin.items[x];
  int32_t constant = test->constant;
  constant += y == LOCAL_NOWHERE ? 0 : scenes->shift.items[y];
  constant -= x == LOCAL_NOWHERE ? 0 : scenes->shift.items[x];
  return add_bound(scenes, instant, i, j, bound_make(constant, test->strict));
}

static void begin_action(LocalScenes *scenes, const LocalScene *scene, const LocalScene *target) {
  const uint32_t padded = target->shape.stride;
  vec_clear(&scenes->in);
  vec_clear(&scenes->out);
  vec_clear(&scenes->between);
  vec_clear(&scenes->kept);
  vec_reserve(scenes->mem, &scenes->origin, padded);
  vec_reserve(scenes->mem, &scenes->shift, padded);
  for (uint32_t i = 0; i < padded; i++)
    scenes->origin.items[i] = i < scene->shape.stride ? i : 0;
  memset(scenes->shift.items, 0, padded * sizeof(int32_t));
}

// Whether every variable stays where it is, moves by one step, or becomes the instant.
static void find_step(OffsetAction *action, uint32_t n, uint32_t padded) {
  int32_t most = INT32_MIN, least = INT32_MAX; // of the steps that are none of the other two
  for (uint32_t i = 0; i < padded; i++) {
    const int32_t origin = (int32_t)action->origin[i], step = origin - (int32_t)i;
    const bool counts = (step != 0) & (origin != (int32_t)n);
    const int32_t high = counts ? step : INT32_MIN, low = counts ? step : INT32_MAX;
    most = high > most ? high : most;
    least = low < least ? low : least;
  }
  action->is_near = most <= least && (most == INT32_MIN || (most >= -8 && most <= 8));
  action->step = most == INT32_MIN ? 0 : most;
}

bool localscene_action(LocalScenes *scenes, const LocalScene *scene, const LocalMove *move,
                       const ClockTest *guard, uint32_t guard_count, const ClockUpdate *updates,
                       uint32_t update_count, const ClockTest *invariant,
                       uint32_t invariant_count, OffsetAction *action) {
  const LocalScene *target = move->target;
  begin_action(scenes, scene, target);
  add_synchronisation(scenes, scene, move);
  for (uint32_t t = 0; t < guard_count; t++)
    add_guard(scenes, scene, &guard[t]);
  follow_updates(scenes, scene, target, updates, update_count);
  name_times(scenes, scene, target, move);
  bool possible = true;
  for (uint32_t t = 0; t < invariant_count; t++)
    possible &= add_invariant(scenes, scene, target, &invariant[t]);
  bool is_shifted = false;
  for (uint32_t u = 0; u < update_count; u++)
    is_shifted |= updates[u].constant != 0;
  *action = (OffsetAction){.in = scenes->in.items,
                           .out = scenes->out.items,
                           .in_count = scenes->in.size,
                           .out_count = scenes->out.size,
                           .between = scenes->between.items,
                           .between_count = scenes->between.size,
                           .origin = scenes->origin.items,
                           .shift = is_shifted ? scenes->shift.items : NULL,
                           .kept = scenes->kept.items,
                           .kept_count = scenes->kept.size};
  find_step(action, scene->shape.n, target->shape.stride);
  return possible;
}

static void keep_action(LocalScenes *scenes, LocalMove *move, const OffsetAction *from) {
  const uint32_t padded = move->target->shape.stride;
  OffsetAction *to = &move->action;
  *to = *from;
  to->in = copy(scenes, from->in, from->in_count * sizeof *to->in);
  to->out = copy(scenes, from->out, from->out_count * sizeof *to->out);
  to->between = copy(scenes, from->between, from->between_count * sizeof *to->between);
  to->origin = copy(scenes, from->origin, padded * sizeof *to->origin);
  if (from->shift)
    to->shift = copy(scenes, from->shift, padded * sizeof *to->shift);
  to->kept = copy(scenes, from->kept, from->kept_count * sizeof *to->kept);
}

// Collects what localscene_action wants, for a move in which nothing depends on variables.
static void collect(LocalScenes *scenes, const LocalMove *move) {
  Mem *mem = scenes->mem;
  vec_clear(&scenes->guard);
  vec_clear(&scenes->updates);
  vec_clear(&scenes->invariant);
  for (uint32_t i = 0; i < move->edge_count; i++) {
    const Edge *edge = move->edges[i];
    for (uint32_t t = 0; t < edge->guard.clock_test_count; t++)
      vec_push(mem, &scenes->guard, edge->guard.clock_tests[t]);
    for (uint32_t u = 0; u < edge->update.clock_update_count; u++)
      vec_push(mem, &scenes->updates, edge->update.clock_updates[u]);
  }
  for (uint32_t i = 0; i < move->domain_count; i++) {
    const Guard *from =
        scenes->net->invariants[location_of(scenes, move->target, move->domain[i])];
    for (uint32_t t = 0; from && t < from->clock_test_count; t++)
      vec_push(mem, &scenes->invariant, from->clock_tests[t]);
  }
}

const OffsetAction *localscene_constant(LocalScenes *scenes, const LocalScene *scene,
                                        LocalMove *move, OffsetAction *made) {
  if (move->is_kept)
    return move->is_impossible ? NULL : &move->action;
  collect(scenes, move);
  const bool possible = localscene_action(
      scenes, scene, move, scenes->guard.items, scenes->guard.size, scenes->updates.items,
      scenes->updates.size, scenes->invariant.items, scenes->invariant.size, made);
  if (move->is_used) {
    keep_action(scenes, move, made);
    move->is_kept = true;
    move->is_impossible = !possible;
  }
  move->is_used = true;
  return possible ? made : NULL;
}

void localscene_link(LocalScenes *scenes, const LocalScene *scene, LocalMove *move,
                     const int32_t *target) {
  uint64_t hash = scene->hash;
  for (uint32_t i = 0; i < move->edge_count; i++)
    hash ^= scenes->keys[move->edges[i]->source] ^ scenes->keys[move->edges[i]->target];
  move->target = localscene_find(scenes, target, hash);
  move->is_constant = !move->needs_guard && !move->needs_update && !move->target->is_dynamic;
  move->is_linked = true;
}
