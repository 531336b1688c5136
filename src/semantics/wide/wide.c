#include "semantics/wide/wide.h"

#include "analysis/clockbounds.h"
#include "base/intern.h"
#include "model/state.h"
#include "model/stepper.h"
#include "search/space/shuffle.h"
#include "semantics/wide/widezone.h"
#include "semantics/zone/abstraction.h"

#include <string.h>

typedef struct Wide {
  Space space; // first: a Space * is a Wide *
  Mem *mem;
  Arena arena;
  const Net *net;
  const Goal *goal;
  Options options;
  Abstraction abstraction;
  bool is_m;               // both bounds of a clock are the larger one
  bool covers_by_alu;      // else by inclusion
  bool extrapolates, plus; // Extra_LU+, or Extra_LU
  Stepper stepper;
  Shuffle shuffle;
  StateLayout layout;
  ClockBounds bounds;
  uint32_t n; // clocks, clock 0 included
  Intern zones;

  int32_t *source, *state;            // of the opened and of the current node
  WideBound *opened, *zone, *scratch; // their zones
  uint64_t *key;
  int64_t *lower, *upper; // of the current state, if has_bounds
  bool has_bounds;
  ClockTests invariant;
} Wide;

static Wide *wide_of(Space *space) { return (Wide *)space; }

static bool holds(Wide *wide, VmResult result) {
  return space_holds(&wide->space, &wide->stepper.vm, result);
}

static bool in_range(Wide *wide, const WideBound *zone) {
  return widezone_in_range(zone, wide->n) ||
         space_fail(&wide->space,
                    "a clock difference outgrows 2^58; scale the constants of the model down",
                    (Place){0});
}

static bool constrain(Wide *wide, WideBound *zone, const ClockTest *tests, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (!widezone_constrain(zone, wide->n, &tests[i]) || !in_range(wide, zone))
      return false;
  return true;
}

// The bounds of the goal, and of the locations of all processes.
static void find_local_bounds(Wide *wide) {
  const ClockBounds *bounds = &wide->bounds;
  memcpy(wide->lower, bounds->goal_lower, sizeof *wide->lower * wide->n);
  memcpy(wide->upper, bounds->goal_upper, sizeof *wide->upper * wide->n);
  for (ProcessId p = 0; p < wide->net->processes.size; p++) {
    const ClockBoundList *list = clockbounds_at(bounds, wide->net, wide->state, p);
    for (uint32_t i = 0; i < list->size; i++) {
      const ClockBound b = list->items[i];
      wide->lower[b.clock] = clockflow_larger(wide->lower[b.clock], b.lower);
      wide->upper[b.clock] = clockflow_larger(wide->upper[b.clock], b.upper);
    }
  }
}

// Bounds of the current state. A clock without any does not matter there.
static void find_bounds(Wide *wide) {
  const ClockBounds *bounds = &wide->bounds;
  if (wide->has_bounds)
    return;
  wide->has_bounds = true;
  if (wide->options.bounds == BOUNDS_GLOBAL) {
    memcpy(wide->lower, bounds->global_lower, wide->n * sizeof(int64_t));
    memcpy(wide->upper, bounds->global_upper, wide->n * sizeof(int64_t));
  } else {
    find_local_bounds(wide);
  }
  for (ClockIndex x = 0; wide->is_m && x < wide->n; x++)
    wide->lower[x] = wide->upper[x] = clockflow_larger(wide->lower[x], wide->upper[x]);
}

static void abstract(Wide *wide) {
  if (wide->abstraction == ABSTRACTION_NONE)
    return;
  find_bounds(wide);
  for (ClockIndex x = 1; x < wide->n; x++)
    if (wide->lower[x] < 0 && wide->upper[x] < 0)
      widezone_free(wide->zone, wide->n, x);
  if (wide->extrapolates)
    widezone_extrapolate(wide->zone, wide->n, wide->lower, wide->upper, wide->plus);
}

// State and zone become those of the current node: target invariant, delay, target invariant,
// abstraction. A transition that is a delay has tests that hold after it.
static bool enter(Wide *wide, bool is_delay, ClockTestList after) {
  const uint32_t n = wide->n;
  vec_clear(&wide->invariant);
  if (!holds(wide,
             joint_invariant(wide->net, &wide->stepper.vm, wide->state, &wide->invariant)) ||
      !constrain(wide, wide->zone, wide->invariant.items, wide->invariant.size))
    return false;
  if (is_delay || joint_can_delay(&wide->stepper.joint, wide->state)) {
    widezone_up(wide->zone, n);
    if (!constrain(wide, wide->zone, wide->invariant.items, wide->invariant.size) ||
        !constrain(wide, wide->zone, after.items, after.count))
      return false;
  }
  wide->has_bounds = false;
  abstract(wide);
  state_pack(&wide->layout, wide->key, wide->state);
  wide->space.zone = 0;
  return true;
}

static bool wide_initial(Space *space) {
  Wide *wide = wide_of(space);
  const int32_t *initial = wide->net->clock_initial;
  while (state_initial(wide->net, wide->state, space->next_initial)) {
    mem_tick(wide->mem);
    space->ordinal = space->next_initial++;
    widezone_zero(wide->zone, wide->n);
    for (ClockIndex x = 1; initial && x < wide->n; x++)
      widezone_update(wide->zone, wide->n, &(ClockUpdate){x, 0, initial[x]});
    if (enter(wide, false, (ClockTestList){0}))
      return true;
    if (space->failure)
      return false;
  }
  return false;
}

static const WideBound *zone_at(const Wide *wide, uint32_t number) {
  return wide->zones.items.items[number - 1].bytes;
}

// Extrapolation may have lost bounds of the invariant: they are taken back, as
// semantics/zone/firing.c does.
static void wide_open(Space *space, const uint64_t *key, uint32_t zone) {
  Wide *wide = wide_of(space);
  state_unpack(&wide->layout, wide->source, key);
  memcpy(wide->opened, zone_at(wide, zone), widezone_bytes(wide->n));
  shuffle_begin(&wide->shuffle, wide->source);
  if (!wide->extrapolates || wide->covers_by_alu)
    return;
  vec_clear(&wide->invariant);
  if (holds(wide, joint_invariant(wide->net, &wide->stepper.vm, wide->source, &wide->invariant)))
    constrain(wide, wide->opened, wide->invariant.items, wide->invariant.size);
}

static bool update(Wide *wide) {
  for (uint32_t i = 0; i < wide->stepper.updates.size; i++) {
    if (!widezone_update(wide->zone, wide->n, &wide->stepper.updates.items[i]))
      return space_fail(&wide->space, "a clock is set to a negative value", (Place){0});
    if (!in_range(wide, wide->zone))
      return false;
  }
  return true;
}

// The transition that the shuffle is on. An error in its guard or its updates counts only where
// the clock tests hold.
static bool fire(Wide *wide) {
  const Joint *joint = &wide->stepper.joint;
  const bool is_delay = !joint->edge_count;
  const VmResult guard = stepper_guard(&wide->stepper, wide->source);
  memcpy(wide->zone, wide->opened, widezone_bytes(wide->n));
  if (guard == VM_FALSE ||
      !constrain(wide, wide->zone, wide->stepper.tests.items, wide->stepper.tests.size) ||
      !holds(wide, guard))
    return false;
  memcpy(wide->state, wide->source, wide->net->slots.count * sizeof(int32_t));
  return holds(wide, stepper_fire(&wide->stepper, wide->state)) && update(wide) &&
         enter(wide, is_delay, is_delay ? joint->after : (ClockTestList){0});
}

static bool wide_next(Space *space) {
  Wide *wide = wide_of(space);
  while (!space->failure && shuffle_next(&wide->shuffle)) {
    space->ordinal = wide->stepper.joint.ordinal;
    if (fire(wide))
      return true;
    mem_tick(wide->mem);
  }
  return false;
}

static bool wide_is_goal(Space *space) {
  Wide *wide = wide_of(space);
  for (uint32_t clause = 0;; clause++) {
    if (!holds(wide, stepper_goal(&wide->stepper, wide->goal, wide->state, &clause)))
      return false;
    memcpy(wide->scratch, wide->zone, widezone_bytes(wide->n));
    if (constrain(wide, wide->scratch, wide->stepper.tests.items, wide->stepper.tests.size))
      return true;
  }
}

static bool covers(Wide *wide, const WideBound *big, const WideBound *small) {
  if (!wide->covers_by_alu)
    return widezone_includes(big, small, wide->n);
  find_bounds(wide);
  return widezone_simulates(big, small, wide->n, wide->lower, wide->upper);
}

// What the universal zone of the state would be is covered.
static bool wide_is_true(Space *space) {
  Wide *wide = wide_of(space);
  widezone_universal(wide->scratch, wide->n);
  return covers(wide, wide->zone, wide->scratch);
}

static uint32_t wide_find_subsumer(Space *space, const uint32_t *zones, uint32_t count) {
  Wide *wide = wide_of(space);
  uint32_t i = 0;
  while (i < count && !covers(wide, zone_at(wide, zones[i]), wide->zone))
    i++;
  return i;
}

static uint32_t wide_find_subsumed(Space *space, const uint32_t *zones, uint32_t from,
                                   uint32_t count) {
  Wide *wide = wide_of(space);
  while (from < count && !covers(wide, wide->zone, zone_at(wide, zones[from])))
    from++;
  return from;
}

void wide_node(Space *space, WideNode *node) {
  Wide *wide = wide_of(space);
  if (wide->abstraction != ABSTRACTION_NONE)
    find_bounds(wide);
  *node = (WideNode){wide->state, wide->zone, wide->lower, wide->upper, wide->covers_by_alu};
}

static uint32_t wide_keep(Space *space) {
  Wide *wide = wide_of(space);
  if (!space->zone)
    space->zone = intern_number(&wide->zones, wide->zone, widezone_bytes(wide->n));
  return space->zone;
}

static void take(Wide *wide, const uint64_t *key, const void *zone) {
  memcpy(wide->key, key, wide->layout.words * sizeof *key);
  state_unpack(&wide->layout, wide->state, key);
  memcpy(wide->zone, zone, widezone_bytes(wide->n));
  wide->has_bounds = false;
}

static void wide_load(Space *space, const uint64_t *key, uint32_t zone) {
  take(wide_of(space), key, zone_at(wide_of(space), zone));
  space->zone = zone;
}

static size_t wide_send(Space *space, void *message) {
  const Wide *wide = wide_of(space);
  const size_t bytes = space->key_words * sizeof *space->key;
  memcpy(message, wide->key, bytes);
  memcpy((char *)message + bytes, wide->zone, widezone_bytes(wide->n));
  return space->exchange.message_bytes;
}

static void wide_receive(Space *space, const void *message) {
  take(wide_of(space), message, (const uint64_t *)message + space->key_words);
  space->zone = 0;
}

static Space *wide_sibling(Space *space, Mem *mem) {
  const Wide *wide = wide_of(space);
  return wide_new(mem, wide->net, wide->goal, &wide->options, &(Report){0});
}

static size_t wide_shared_bytes(const Space *space) { return ((const Wide *)space)->zones.bytes; }

// Zones are extrapolated under alu and am, too, which makes equivalent ones equal; not with
// bounds for the whole model, which need not be a simulation (net_has_copies).
static bool prepare_abstraction(Wide *wide, Report *report) {
  const Abstraction abstraction = wide->abstraction = (Abstraction)wide->options.abstraction;
  if (!abstraction_admits(&wide->options, wide->net, wide->goal, false, report))
    return false;
  if (abstraction == ABSTRACTION_NONE)
    return true;
  wide->is_m = abstraction_is_maximal(abstraction);
  wide->covers_by_alu = abstraction_covering(abstraction) == PROBE_ALU;
  wide->extrapolates = !wide->covers_by_alu || wide->options.bounds == BOUNDS_LOCAL;
  wide->plus = wide->covers_by_alu || abstraction == ABSTRACTION_EXTRA_LU_PLUS ||
               abstraction == ABSTRACTION_EXTRA_M_PLUS;
  return clockbounds_compute_up_to(&wide->bounds, &wide->arena, wide->net, wide->goal, NULL,
                                   NET_MAX_WIDE, report);
}

static void allocate(Wide *wide) {
  Arena *arena = &wide->arena;
  const uint32_t n = wide->n, slots = wide->net->slots.count;
  state_layout(&wide->layout, arena, wide->net);
  wide->source = ARENA_ARRAY(arena, int32_t, slots);
  wide->state = ARENA_ARRAY(arena, int32_t, slots);
  wide->opened = arena_alloc(arena, widezone_bytes(n));
  wide->zone = arena_alloc(arena, widezone_bytes(n));
  wide->scratch = arena_alloc(arena, widezone_bytes(n));
  wide->lower = ARENA_ARRAY(arena, int64_t, n);
  wide->upper = ARENA_ARRAY(arena, int64_t, n);
  wide->key = ARENA_ARRAY(arena, uint64_t, wide->layout.words);
  wide->space.key = wide->key;
  wide->space.key_words = wide->layout.words;
  wide->space.exchange.message_bytes = wide->layout.words * sizeof(uint64_t) + widezone_bytes(n);
}

Space *wide_new(Mem *owner, const Net *net, const Goal *goal, const Options *options,
                Report *report) {
  if (net->traits.has_stopwatches) { // all its clocks run
    report_error(report, net->traits.stopwatch_place, "the engine wide does not stop clocks");
    return NULL;
  }
  Mem *mem = mem_part(owner);
  Wide *wide = mem_alloc(mem, sizeof *wide);
  *wide = (Wide){.space = {.net = net,
                           .initial = wide_initial,
                           .open = wide_open,
                           .next = wide_next,
                           .is_goal = goal ? wide_is_goal : NULL,
                           .is_true = wide_is_true,
                           .find_subsumer = wide_find_subsumer,
                           .find_subsumed = wide_find_subsumed,
                           .keep = wide_keep,
                           .load = wide_load,
                           .shared_bytes = wide_shared_bytes,
                           .mem = mem,
                           .exchange = {.sibling = wide_sibling,
                                        .send = wide_send,
                                        .receive = wide_receive}},
                 .mem = mem,
                 .arena = {.mem = mem},
                 .net = net,
                 .goal = goal,
                 .options = *options,
                 .n = net->clock_count + 1};
  stepper_init(&wide->stepper, net, &wide->arena);
  wide->stepper.vm.max_constant = NET_MAX_WIDE;
  wide->stepper.vm.invalid = &wide->space.invalid;
  shuffle_init(&wide->shuffle, mem, &wide->stepper.joint, options->seed);
  intern_init(&wide->zones, mem);
  allocate(wide);
  if (prepare_abstraction(wide, report))
    return &wide->space;
  mem_release_part(mem);
  return NULL;
}
