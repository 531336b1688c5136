#include "engine/local.h"

#include "base/random.h"
#include "dbm/simulation.h"
#include "engine/localrun.h"
#include "engine/localscene.h"
#include "engine/partition.h"

#include <assert.h>
#include <string.h>

typedef struct Local {
  Space space; // first: a Space * is a Local *
  Mem *mem;
  Arena arena;
  const Net *net;
  const Goal *goal;
  Vm vm;
  StateLayout layout;
  Components components;
  ClockBounds bounds;
  Abstraction abstraction;
  ProbeKind kind;
  unsigned rules;
  Options options; // for siblings
  LocalScenes scenes;

  // The opened node, and the next of its moves to be tried.
  int32_t *source;
  LocalScene *source_scene;
  Bound *source_zone;
  uint64_t *source_key;
  uint32_t move;
  uint32_t *initial_choice;
  bool initial_started;
  uint32_t initial_count;

  // The current node. The minima are in the probe.
  int32_t *state;
  const LocalScene *scene;
  Bound *zone;
  uint64_t *key;
  SyncedProbe probe;

  Bound *instant, *spare, *scratch;
  ClockTests guard, invariant;
  ClockUpdates updates;
  VEC(Constraint) ceilings; // of a state whose invariants depend on variables
  Random random;            // with a seed: the moves in the order of `shuffled`
  bool is_random;
  VEC(uint32_t) shuffled;
} Local;

static Local *local_of(Space *space) { return (Local *)space; }

static void fail(Local *local, const char *reason, Place place) {
  local->space.failure = reason;
  local->space.failure_place = place;
}

// Whether a VM result is an error of the model; then it is not yet recorded.
static bool is_error(const Local *local, VmResult result) {
  return result == VM_ERROR || (result == VM_INVALID && local->net->invalid_is_error);
}

static bool holds(Local *local, VmResult result) {
  if (is_error(local, result))
    fail(local, local->vm.error, local->vm.error_place);
  return result == VM_TRUE;
}

static bool is_constant_true(const ClockTest *test) { // if all clocks are 0
  return test->strict ? test->constant > 0 : test->constant >= 0;
}

// The invariants of a state, if they depend on variables: ceilings of all processes, and the
// tests of the processes in `domain` (NULL: all).
static VmResult find_invariants(Local *local, const LocalScene *scene, const int32_t *state,
                                const ProcessId *domain, uint32_t count) {
  const Net *net = local->net;
  vec_clear(&local->ceilings);
  vec_clear(&local->invariant);
  for (ProcessId p = 0; p < net->processes.size; p++) {
    const LocationId location =
        net->processes.items[p].first_location + (uint32_t)scene->locations[p];
    const Guard *guard = net->invariants[location];
    if (!guard)
      continue;
    const uint32_t size = local->invariant.size;
    const VmResult result = vm_guard(&local->vm, guard, state, &local->invariant);
    if (result != VM_TRUE)
      return result;
    bool is_inside = !domain;
    for (uint32_t i = 0; i < count; i++)
      is_inside |= domain[i] == p;
    for (uint32_t t = size; t < local->invariant.size; t++) {
      Constraint ceiling;
      if (localscene_ceiling(scene, p, &local->invariant.items[t], &ceiling))
        vec_push(local->mem, &local->ceilings, ceiling);
    }
    if (!is_inside)
      local->invariant.size = size;
  }
  return VM_TRUE;
}

static void elapse(Local *local, Bound *zone, const LocalScene *scene) {
  if (scene->is_dynamic)
    offset_elapse(zone, &scene->shape, local->ceilings.items, local->ceilings.size);
  else
    offset_elapse(zone, &scene->shape, scene->ceilings, scene->ceiling_count);
}

// Lets local times pass in the current zone. False if nothing of it can be synchronised.
static bool settle(Local *local) {
  elapse(local, local->zone, local->scene);
  return offset_minima(local->zone, &local->scene->shape, local->probe.low, local->probe.high) ||
         !(local->rules & LOCAL_SYNCHRONISABLE);
}

static bool start(Local *local) {
  local->scene = localscene_find(&local->scenes, local->state,
                                 localscene_hash(&local->scenes, local->state));
  if (!holds(local, find_invariants(local, local->scene, local->state, NULL, 0)))
    return false;
  for (uint32_t t = 0; t < local->invariant.size; t++)
    if (!is_constant_true(&local->invariant.items[t]))
      return false;
  offset_zero(local->zone, &local->scene->shape);
  return settle(local);
}

static bool local_initial(Space *space) {
  Local *local = local_of(space);
  while (
      state_initial(local->net, local->state, local->initial_choice, &local->initial_started)) {
    space->ordinal = local->initial_count++;
    if (start(local)) {
      state_pack(&local->layout, local->key, local->state);
      return true;
    }
    if (space->failure)
      return false;
  }
  return false;
}

static void shuffle(Local *local) {
  const uint32_t count = local->source_scene->move_count;
  vec_clear(&local->shuffled);
  for (uint32_t i = 0; i < count; i++)
    vec_push(local->mem, &local->shuffled, i);
  for (uint32_t i = count; i > 1; i--) {
    const uint32_t j = random_below(&local->random, i);
    const uint32_t swapped = local->shuffled.items[i - 1];
    local->shuffled.items[i - 1] = local->shuffled.items[j];
    local->shuffled.items[j] = swapped;
  }
}

static void local_open(Space *space, const uint64_t *key, const void *body, uint32_t format) {
  Local *local = local_of(space);
  state_unpack(&local->layout, local->source, key);
  memcpy(local->source_key, key, local->layout.words * sizeof *key);
  localscene_keep_small(&local->scenes);
  LocalScene *scene = localscene_find(&local->scenes, local->source,
                                      localscene_hash(&local->scenes, local->source));
  local->source_scene = scene;
  localscene_find_moves(&local->scenes, scene, local->source);
  synced_read(local->source_zone, local->kind, &scene->shape, scene->has_high, body,
              (PackedFormat)format);
  if (scene->is_dynamic) // they held when the node was made
    find_invariants(local, scene, local->source, NULL, 0);
  elapse(local, local->source_zone, scene);
  local->move = 0;
  if (local->is_random)
    shuffle(local);
}

// An action with all processes in its domain: what happens at a moment of global time.
static bool meet_all(Local *local, const LocalMove *move, OffsetAction *action) {
  const LocalScene *scene = local->source_scene;
  ProcessId *all = ARENA_ARRAY(&local->scenes.scenes, ProcessId, local->net->processes.size);
  for (ProcessId p = 0; p < local->net->processes.size; p++)
    all[p] = p;
  LocalMove joint = *move;
  joint.domain = all;
  joint.domain_count = local->net->processes.size;
  if (!joint.target)
    joint.target = local->source_scene; // not looked at
  localscene_action(&local->scenes, scene, &joint, local->guard.items, local->guard.size, NULL, 0,
                    NULL, 0, action);
  return offset_instant(local->source_zone, &scene->shape, action, local->instant);
}

// An error in what follows the guard counts only if the action can happen in global time.
static bool allows(Local *local, const LocalMove *move, VmResult result) {
  OffsetAction unused;
  if (is_error(local, result) && meet_all(local, move, &unused))
    fail(local, local->vm.error, local->vm.error_place);
  return result == VM_TRUE;
}

// An error in a guard counts only if its constant clock tests can hold.
static bool fail_guard(Local *local, const LocalMove *move, VmResult result) {
  vec_clear(&local->guard);
  for (uint32_t i = 0; i < move->edge_count; i++)
    for (uint32_t t = 0; t < move->edges[i]->guard.clock_test_count; t++)
      vec_push(local->mem, &local->guard, move->edges[i]->guard.clock_tests[t]);
  return allows(local, move, result);
}

static bool find_guard(Local *local, const LocalMove *move) {
  vec_clear(&local->guard);
  for (uint32_t i = 0; i < move->edge_count; i++) {
    const VmResult result =
        vm_guard(&local->vm, &move->edges[i]->guard, local->source, &local->guard);
    if (result != VM_TRUE)
      return is_error(local, result) && fail_guard(local, move, result);
  }
  return true;
}

static bool update_state(Local *local, const LocalMove *move) {
  memcpy(local->state, local->source, local->layout.slots * sizeof(int32_t));
  if (!move->is_constant) {
    vec_clear(&local->updates);
    for (uint32_t i = 0; i < move->edge_count; i++)
      if (!allows(local, move,
                  vm_update(&local->vm, &move->edges[i]->update, local->state, &local->updates)))
        return false;
  } else {
    for (uint32_t i = 0; i < move->slot_count; i++)
      local->state[move->slots[i].slot] = move->slots[i].value;
  }
  int32_t *locations = local->state + local->net->location_slot;
  for (uint32_t i = 0; i < move->edge_count; i++)
    locations[move->edges[i]->process] = net_index(local->net, move->edges[i]->target);
  return true;
}

// Clocks must not become negative; in global time, that is (see `allows`).
static bool check_updates(Local *local, const LocalMove *move) {
  OffsetAction action;
  bool has_negative = false;
  for (uint32_t u = 0; u < local->updates.size; u++)
    has_negative |= local->updates.items[u].constant < 0;
  if (!has_negative)
    return true;
  if (!meet_all(local, move, &action))
    return false;
  const OffsetShape *shape = &local->source_scene->shape;
  for (uint32_t last = 0; last < local->updates.size; last++) {
    ClockIndex clock = local->updates.items[last].x;
    int32_t shift = 0;
    for (uint32_t u = last + 1; u-- > 0 && clock;)
      if (local->updates.items[u].x == clock) {
        shift += local->updates.items[u].constant;
        clock = local->updates.items[u].y;
      }
    const uint32_t x = clock ? local->source_scene->position[clock] : LOCAL_NOWHERE;
    const Bound low =
        x == LOCAL_NOWHERE ? BOUND_LE_ZERO : offset_since(local->source_zone, shape, &action, x);
    if (low > bound_le(shift)) {
      fail(local, "a clock is set to a negative value", (Place){0});
      return false;
    }
  }
  return true;
}

// Finds the action of a move of which something depends on variables, after its target.
static bool find_action(Local *local, const LocalMove *move, OffsetAction *action) {
  const VmResult result =
      find_invariants(local, move->target, local->state, move->domain, move->domain_count);
  if (!allows(local, move, result) || !check_updates(local, move))
    return false;
  return localscene_action(&local->scenes, local->source_scene, move, local->guard.items,
                           local->guard.size, local->updates.items, local->updates.size,
                           local->invariant.items, local->invariant.size, action);
}

// Constraints on differences of clocks cut a copy of the source.
static Bound *apply_between(Local *local, const OffsetAction *action) {
  const OffsetShape *shape = &local->source_scene->shape;
  memcpy(local->scratch, local->source_zone,
         sizeof(Bound) * shape->stride * (shape->first_time + shape->times));
  for (uint32_t i = 0; i < action->between_count; i++)
    if (!offset_constrain(local->scratch, shape, action->between[i]))
      return NULL;
  return local->scratch;
}

static bool move_zone(Local *local, const OffsetAction *action) {
  const OffsetShape *shape = &local->source_scene->shape;
  Bound *zone = action->between_count ? apply_between(local, action) : local->source_zone;
  if (!zone || !offset_instant(zone, shape, action, local->instant))
    return false;
  offset_fire(local->zone, &local->scene->shape, zone, shape, action, local->instant,
              local->spare);
  return settle(local);
}

// The key of the current node: that of the source but for what the move changed.
static void find_key(Local *local, const LocalMove *move) {
  const StateLayout *layout = &local->layout;
  if (move->needs_update) {
    state_pack(layout, local->key, local->state);
    return;
  }
  for (uint32_t i = 0; i < layout->words; i++)
    local->key[i] = local->source_key[i];
  for (uint32_t i = 0; i < move->slot_count; i++)
    state_repack(layout, local->key, move->slots[i].slot, local->state);
  for (uint32_t i = 0; i < move->edge_count; i++)
    state_repack(layout, local->key, local->net->location_slot + move->edges[i]->process,
                 local->state);
}

// Fires a move from the source to the current node; false if it is not enabled.
static bool fire(Local *local, LocalMove *move) {
  for (uint32_t i = 0; i < move->test_count; i++)
    if (!vm_test(&move->tests[i], local->source))
      return false;
  if (!move->is_constant && !find_guard(local, move))
    return false;
  if (!update_state(local, move))
    return false;
  if (!move->is_linked)
    localscene_link(&local->scenes, local->source_scene, move, local->state);
  OffsetAction made;
  const OffsetAction *action = NULL;
  if (move->is_constant)
    action = localscene_constant(&local->scenes, local->source_scene, move, &made);
  else if (find_action(local, move, &made))
    action = &made;
  if (!action)
    return false;
  local->scene = move->target;
  if (!move_zone(local, action))
    return false;
  find_key(local, move);
  return true;
}

static bool local_next(Space *space) {
  Local *local = local_of(space);
  LocalScene *scene = local->source_scene;
  while (local->move < scene->move_count && !space->failure) {
    const uint32_t next = local->move++;
    space->ordinal = local->is_random ? local->shuffled.items[next] : next;
    if (fire(local, &scene->moves[space->ordinal]))
      return true;
  }
  return false;
}

// The synchronised zone of the current node, in the probe.
static void synchronise(Local *local) {
  offset_synchronise(local->probe.zone, local->zone, &local->scene->shape, local->probe.low,
                     local->probe.high);
}

static bool meets_tests(Local *local) {
  const uint32_t k = local->scene->shape.clocks + 1;
  synchronise(local);
  for (uint32_t t = 0; t < local->guard.size; t++) {
    const ClockTest *test = &local->guard.items[t];
    const Constraint c = {test->i ? local->scene->position[test->i] + 1 : 0,
                          test->j ? local->scene->position[test->j] + 1 : 0,
                          bound_make(test->constant, test->strict)};
    if (!dbm_constrain(local->probe.zone, k, c))
      return false;
  }
  return true;
}

static bool local_is_goal(Space *space) {
  Local *local = local_of(space);
  for (uint32_t clause = 0;; clause++) {
    vec_clear(&local->guard);
    if (!holds(local, goal_clause(local->goal, &local->vm, local->state, &clause, &local->guard)))
      return false;
    if (!local->guard.size || meets_tests(local))
      return true;
  }
}

// The bounds of the current scene, clock 0 first.
static void find_bounds(Local *local) {
  const uint32_t k = local->scene->shape.clocks + 1;
  int32_t *lower = local->scenes.lower, *upper = local->scenes.upper;
  lower[0] = upper[0] = 0;
  memcpy(lower + 1, local->scene->bounds.lower, (k - 1) * sizeof *lower);
  memcpy(upper + 1, local->scene->bounds.upper, (k - 1) * sizeof *upper);
}

static void abstract(Local *local) {
  const uint32_t k = local->scene->shape.clocks + 1;
  find_bounds(local);
  const int32_t *lower = local->scenes.lower, *upper = local->scenes.upper;
  Bound *zone = local->probe.zone;
  switch (local->abstraction) {
  case ABSTRACTION_EXTRA_LU_PLUS:
    extra_lu_plus(zone, k, lower, upper);
    break;
  case ABSTRACTION_EXTRA_LU:
    extra_lu(zone, k, lower, upper);
    break;
  case ABSTRACTION_EXTRA_M_PLUS:
    extra_m_plus(zone, k, upper);
    break;
  case ABSTRACTION_EXTRA_M:
    extra_m(zone, k, upper);
    break;
  case ABSTRACTION_ALU:
  case ABSTRACTION_AM:
  case ABSTRACTION_CLOSURE:
  case ABSTRACTION_CLOSURE_LU_PLUS:
  case ABSTRACTION_NONE:
    break;
  }
}

// As for global zones, of the synchronised zone; called after local_prepare.
static bool local_is_true(Space *space) {
  Local *local = local_of(space);
  const uint32_t k = local->scene->shape.clocks + 1;
  if (local->kind == PROBE_INCLUSION)
    return dbm_is_universal(local->probe.zone, k);
  synchronise(local);
  find_bounds(local);
  return simulation_alu_is_true(local->probe.zone, k, local->scenes.lower, local->scenes.upper);
}

static void local_prepare(Space *space) {
  Local *local = local_of(space);
  const LocalScene *scene = local->scene;
  if (local->kind == PROBE_INCLUSION) {
    synchronise(local);
    abstract(local);
  }
  local->probe.shape = &scene->shape;
  local->probe.bounds = &scene->bounds;
  local->probe.has_high = scene->has_high;
  synced_make(&local->probe, local->zone);
}

static uint32_t local_format(Space *space) {
  Local *local = local_of(space);
  const PackedFormat format = synced_format(&local->probe);
  if (format == PACKED_32 && !offset_in_range(local->zone, &local->scene->shape))
    fail(local,
         "a difference of moments in local time outgrows the largest representable bound; scale "
         "the constants of the model down, or use --engine zones",
         (Place){0});
  return format;
}

static uint32_t local_find_coverer(Space *space, const void *bodies, uint32_t count,
                                   uint32_t format) {
  return synced_covered(&local_of(space)->probe, bodies, count, (PackedFormat)format);
}

static uint32_t local_find_covered(Space *space, const void *bodies, uint32_t from,
                                   uint32_t count, uint32_t format) {
  return synced_covers(&local_of(space)->probe, bodies, from, count, (PackedFormat)format);
}

static size_t local_body_bytes(Space *space, uint32_t format) {
  const Local *local = local_of(space);
  return synced_body_bytes(local->kind, &local->scene->shape, local->scene->has_high,
                           (PackedFormat)format);
}

static void local_write(Space *space, void *body, uint32_t format) {
  synced_write(&local_of(space)->probe, body, (PackedFormat)format);
}

// As local_open, for the current node.
static void local_load(Space *space, const uint64_t *key, const void *body, uint32_t format) {
  Local *local = local_of(space);
  state_unpack(&local->layout, local->state, key);
  memcpy(local->key, key, local->layout.words * sizeof *key);
  const LocalScene *scene = localscene_find(&local->scenes, local->state,
                                            localscene_hash(&local->scenes, local->state));
  local->scene = scene;
  synced_read(local->zone, local->kind, &scene->shape, scene->has_high, body,
              (PackedFormat)format);
  if (scene->is_dynamic)
    find_invariants(local, scene, local->state, NULL, 0);
  settle(local);
}

static bool local_order_run(Space *space, const Goal *goal, uint32_t *ordinals, uint32_t count) {
  Local *local = local_of(space);
  return localrun_order(&local->scenes, &local->vm, goal, ordinals, count);
}

static void local_release(Space *space) {
  Local *local = local_of(space);
  Mem *mem = local->mem;
  vm_release(&local->vm);
  vec_release(mem, &local->guard);
  vec_release(mem, &local->invariant);
  vec_release(mem, &local->updates);
  vec_release(mem, &local->ceilings);
  vec_release(mem, &local->shuffled);
  localscene_release(&local->scenes);
  arena_release(&local->arena);
  mem_free(mem, local);
}

// As for global zones: bounds of single clocks cannot abstract constraints on differences.
static bool check_diagonals(Local *local, const Options *options, Report *report) {
  const bool in_goal = local->goal && local->goal->has_diagonals;
  if ((!local->net->has_diagonals && !in_goal) || local->abstraction == ABSTRACTION_NONE)
    return true;
  const Place place =
      local->net->has_diagonals ? local->net->diagonal_place : local->goal->diagonal_place;
  if (options->abstraction_chosen) {
    report_error(report, place,
                 "a constraint on the difference of two clocks makes every abstraction by clock "
                 "bounds unsound; use --abstraction none");
    return false;
  }
  report_warning(report, place,
                 "a constraint on the difference of two clocks: searching without abstraction, "
                 "which may not end");
  local->abstraction = ABSTRACTION_NONE;
  return true;
}

static bool compute_bounds(Local *local, BoundsScope scope, Report *report) {
  const Abstraction abstraction = local->abstraction;
  const bool is_am = abstraction == ABSTRACTION_AM || abstraction == ABSTRACTION_CLOSURE;
  local->kind = abstraction == ABSTRACTION_ALU || is_am ? PROBE_ALU : PROBE_INCLUSION;
  const bool is_m =
      is_am || abstraction == ABSTRACTION_EXTRA_M || abstraction == ABSTRACTION_EXTRA_M_PLUS;
  const ClockBounds *bounds = NULL;
  if (abstraction != ABSTRACTION_NONE) {
    if (!clockbounds_compute(&local->bounds, &local->arena, local->net, local->goal, report))
      return false;
    bounds = &local->bounds;
  }
  localscene_init(&local->scenes, local->mem, local->net, &local->components, bounds,
                  scope == BOUNDS_GLOBAL, is_m, local->rules);
  return true;
}

static Space *local_sibling(Space *space, Mem *mem) {
  Local *local = local_of(space);
  Report unused;
  report_init(&unused, mem);
  Space *sibling =
      local_new_with(mem, local->net, local->goal, &local->options, &unused, local->rules);
  sibling->owner_mask = space->owner_mask =
      partition_mask(&local->arena, local->net, &local->layout);
  return sibling;
}

static void *aligned(Local *local, size_t bytes) {
  const size_t align = 64;
  char *memory =
      (char *)arena_alloc(&local->arena, bytes + 2 * OFFSET_SLACK + align) + OFFSET_SLACK;
  return memory + (align - (uintptr_t)memory % align) % align;
}

static void allocate(Local *local) {
  Arena *arena = &local->arena;
  const Net *net = local->net;
  const Components *c = &local->components;
  const uint32_t clocks = net->clock_count;
  const uint32_t rows = clocks + c->written_count + net->processes.size;
  const uint32_t n = rows + c->count;
  const size_t bytes = sizeof(Bound) * rows * offset_stride(n);
  local->source = ARENA_ARRAY(arena, int32_t, net->slot_count);
  local->state = ARENA_ARRAY(arena, int32_t, net->slot_count);
  local->source_zone = aligned(local, bytes);
  local->zone = aligned(local, bytes);
  local->scratch = aligned(local, bytes);
  local->instant = aligned(local, sizeof(Bound) * offset_stride(n));
  local->spare = aligned(local, 2 * sizeof(Bound) * offset_stride(n));
  local->initial_choice = ARENA_ARRAY(arena, uint32_t, net->processes.size);
  local->key = ARENA_ARRAY(arena, uint64_t, local->layout.words);
  local->source_key = ARENA_ARRAY(arena, uint64_t, local->layout.words);
  synced_init(&local->probe, aligned(local, synced_bytes(n, rows, clocks)), n, rows, clocks);
  local->probe.kind = local->kind;
  local->probe.is_short = !(local->rules & LOCAL_WHOLE_TEST);
  local->space.net = net;
  local->space.state = local->state;
  local->space.source = local->source;
  local->space.key = local->key;
  local->space.key_words = local->layout.words;
  local->space.most_body_bytes =
      sizeof(Bound) * ((size_t)rows * n + (size_t)(clocks + 1) * (clocks + 2));
}

Space *local_new_with(Mem *mem, const Net *net, const Goal *goal, const Options *options,
                      Report *report, unsigned rules) {
  Local *local = mem_alloc(mem, sizeof *local);
  *local = (Local){
      .space = {.initial = local_initial,
                .open = local_open,
                .next = local_next,
                .is_goal = goal ? local_is_goal : NULL,
                .is_true = local_is_true,
                .prepare = local_prepare,
                .find_coverer = local_find_coverer,
                .find_covered = local_find_covered,
                .format = local_format,
                .body_bytes = local_body_bytes,
                .write = local_write,
                .order_run = local_order_run,
                .load = local_load,
                .sibling = local_sibling,
                .release = local_release},
      .mem = mem,
      .arena = {.mem = mem},
      .net = net,
      .goal = goal,
      .abstraction = (Abstraction)options->abstraction,
      .rules = rules,
      .options = *options,
      .is_random = options->seed != 0,
  };
  random_seed(&local->random, (uint64_t)options->seed);
  net_vm(net, &local->vm, mem);
  state_layout(&local->layout, &local->arena, net);
  if (!check_diagonals(local, options, report) ||
      !components_find(&local->components, &local->arena, net, report) ||
      !compute_bounds(local, (BoundsScope)options->bounds, report)) {
    local_release(&local->space);
    return NULL;
  }
  allocate(local);
  return &local->space;
}

Space *local_new(Mem *mem, const Net *net, const Goal *goal, const Options *options,
                 Report *report) {
  return local_new_with(mem, net, goal, options, report, LOCAL_ALL);
}

const int32_t *local_state(const Space *space) { return ((const Local *)space)->state; }
