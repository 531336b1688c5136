#include "engine/zones.h"

#include "base/random.h"
#include "dbm/delay.h"
#include "dbm/packed.h"
#include "dbm/remap.h"
#include "dbm/simulation.h"
#include "dbm/step.h"
#include "engine/needs.h"
#include "engine/scene.h"
#include "model/joint.h"
#include "model/state.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef struct Zones {
  Space space; // first: a Space * is a Zones *
  Mem *mem;
  Arena arena;
  const Net *net;
  const Goal *goal;
  Vm vm;
  StateLayout layout;
  ClockBounds bounds;
  Abstraction abstraction;
  Scenes scenes;
  ProbeKind kind;
  uint32_t n;           // clocks, clock 0 included
  bool is_extrapolated; // stored zones are not exact
  bool has_steps;       // moves may be done by dbm/step.h
  bool is_large;        // constants so large that every step must be checked for overflow
  bool is_before;       // zones are those on entry: time passes when a node is opened
  Needs needs;          // with bounds that are found during the search

  // The opened node, and the next of its moves to be tried.
  int32_t *source;
  Scene *source_scene;
  Bound *source_zone;
  uint64_t *source_key;
  uint32_t move;
  uint32_t *initial_choice;
  bool initial_started;
  uint32_t initial_count;

  // The current node.
  int32_t *state;
  const Scene *scene;
  Bound *zone;
  uint64_t *key;
  Probe probe;
  bool has_image, image_fits; // the probe's image is made

  Bound *scratch;
  Bound *elapsed; // the current zone after delay, if that is not what is stored
  ClockTests tests;
  VEC(Constraint) constraints;
  ClockUpdates updates;
  // Where clocks come from when updates depend on variables: per clock of the net, then per
  // clock of the frame (dbm/remap.h).
  ClockId *origin, *frame_origin;
  int32_t *offset, *frame_offset;
  Random random; // with a seed: the moves in the order of `shuffled`
  bool is_random;
  VEC(uint32_t) shuffled;
} Zones;

static Zones *zones_of(Space *space) { return (Zones *)space; }

static void fail(Zones *zones, const char *reason, Place place) {
  zones->space.failure = reason;
  zones->space.failure_place = place;
}

// A VM result as "go on"; errors of the model are recorded.
static bool holds(Zones *zones, VmResult result) {
  if (result == VM_TRUE)
    return true;
  if (result == VM_ERROR || (result == VM_INVALID && zones->net->invalid_is_error))
    fail(zones, zones->vm.error, zones->vm.error_place);
  return false;
}

static void outgrow(Zones *zones) {
  fail(zones,
       "a clock difference outgrows the largest representable bound; scale the constants of "
       "the model down, or use an extrapolation such as --abstraction extra-lu+",
       (Place){0});
}

static bool in_range(Zones *zones, const Bound *zone, uint32_t k) {
  if (dbm_in_range(zone, k))
    return true;
  outgrow(zones);
  return false;
}

// The tests collected by the VM, as constraints over the clocks of a frame.
static void convert_tests(Zones *zones, const Frame *frame) {
  vec_reserve(zones->mem, &zones->constraints, zones->tests.size);
  zones->constraints.size = zones->tests.size;
  for (uint32_t i = 0; i < zones->tests.size; i++)
    zones->constraints.items[i] = frame_constraint(frame, &zones->tests.items[i]);
}

// Intersects with constraints; false if empty. With large constants one by one, each checked.
static bool constrain(Zones *zones, Bound *zone, uint32_t k, const Constraint *list,
                      uint32_t count) {
  if (!zones->is_large)
    return dbm_constrain_all(zone, k, list, count);
  for (uint32_t i = 0; i < count; i++)
    if (!dbm_constrain(zone, k, list[i]) || !in_range(zones, zone, k))
      return false;
  return true;
}

static bool meets_all(const Bound *zone, uint32_t k, const Constraint *list, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (!dbm_meets(zone, k, list[i]))
      return false;
  return true;
}

// Whether a bound is stronger than another. In builds with MODE=planted it is not: a bug for the
// random tester to find (test/fuzz.sh).
#ifdef TARN_PLANTED
static bool is_stronger(Bound a, Bound b) { return a > b; }
#else
static bool is_stronger(Bound a, Bound b) { return a < b; }
#endif

static bool is_cut(const Bound *zone, uint32_t k, const Constraint *list, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (is_stronger(list[i].bound, zone[list[i].i * dbm_stride(k) + list[i].j]))
      return true;
  return false;
}

// Follows updates that depend on variables: origin and offset of every updated clock. A
// clock that is not in the source's frame and is copied anyway does not matter after it either.
static bool follow_updates(Zones *zones, const Bound *zone) {
  for (uint32_t i = 0; i < zones->updates.size; i++) {
    const ClockUpdate u = zones->updates.items[i];
    const ClockId from = u.y ? zones->origin[u.y] : 0;
    const int32_t offset = (u.y ? zones->offset[u.y] : 0) + u.constant;
    if (offset > BOUND_MOST) {
      outgrow(zones);
      return false;
    }
    if (bound_shift(zone[from], -offset) > BOUND_LE_ZERO) {
      fail(zones, "a clock is set to a negative value", (Place){0});
      return false;
    }
    if (zones->space.needs && offset < 0 && from)
      needs_forbid(&zones->needs, (Constraint){from, 0, bound_lt(-offset)});
    zones->origin[u.x] = from;
    zones->offset[u.x] = offset;
    zones->is_large |= offset > SCENE_LARGE;
  }
  return true;
}

// The zone over the clocks of the target's frame, after updates that depend on variables.
static bool update_clocks(Zones *zones, const Bound *zone) {
  const Frame *from = zones->source_scene->frame, *frame = zones->scene->frame;
  memcpy(zones->origin, from->position, zones->n * sizeof(ClockId));
  memset(zones->offset, 0, zones->n * sizeof(int32_t));
  if (!follow_updates(zones, zone))
    return false;
  for (uint32_t i = 1; i < frame->k; i++) {
    zones->frame_origin[i] = zones->origin[frame->clocks[i]];
    zones->frame_offset[i] = zones->offset[frame->clocks[i]];
  }
  for (uint32_t i = frame->k; i < dbm_stride(frame->k); i++)
    zones->frame_origin[i] = 0;
  dbm_remap(zones->zone, frame->k, zone, from->k, zones->frame_origin, zones->frame_offset);
  return !zones->is_large || in_range(zones, zones->zone, frame->k);
}

static void swap_zones(Zones *zones) {
  Bound *zone = zones->zone;
  zones->zone = zones->scratch;
  zones->scratch = zone;
}

// The zone over the clocks of the target's frame, after the move's updates. `zone` is the
// source zone, or `scratch`.
static bool move_clocks(Zones *zones, const Move *move, const Bound *zone) {
  const uint32_t k = zones->scene->frame->k;
  if (move->needs_clocks)
    return update_clocks(zones, zone);
  if (!move->is_identity)
    dbm_remap(zones->zone, k, zone, zones->source_scene->frame->k, move->origin, move->offset);
  else if (zone == zones->scratch)
    swap_zones(zones);
  else
    dbm_copy(zones->zone, zone, k);
  return true;
}

// The invariant of a scene as constraints; if it is dynamic, after find_invariant.
static const Constraint *invariant_of(const Zones *zones, const Scene *scene, uint32_t *count) {
  *count = scene->is_dynamic ? zones->constraints.size : scene->invariant_count;
  return scene->is_dynamic ? zones->constraints.items : scene->invariant;
}

// Time passes in a zone inside the invariant, as long as it holds.
static bool elapse(Zones *zones, const Scene *scene, Bound *zone) {
  const uint32_t k = scene->frame->k;
  uint32_t count;
  const Constraint *list = invariant_of(zones, scene, &count);
  if (!scene->can_delay)
    return true;
  if (scene->is_upper && !scene->is_dynamic && !zones->is_large) {
    dbm_delay(zone, k, list, count);
    return true;
  }
  dbm_up(zone, k);
  return constrain(zones, zone, k, list, count);
}

static bool enter(Zones *zones, const Scene *scene, Bound *zone) {
  uint32_t count;
  const Constraint *list = invariant_of(zones, scene, &count);
  return !is_cut(zone, scene->frame->k, list, count) ||
         constrain(zones, zone, scene->frame->k, list, count);
}

// Target invariant, delay, target invariant.
static bool settle(Zones *zones) {
  return enter(zones, zones->scene, zones->zone) &&
         (zones->is_before || elapse(zones, zones->scene, zones->zone));
}

// Collects the invariant of a scene if it depends on variables; false if its integer part
// fails.
static bool find_invariant(Zones *zones, const Scene *scene, const int32_t *state) {
  if (!scene->is_dynamic)
    return true;
  vec_clear(&zones->tests);
  if (!holds(zones, joint_invariant(zones->net, &zones->vm, state, &zones->tests)))
    return false;
  convert_tests(zones, scene->frame);
  return true;
}

// Delay in a zone stored before it.
static bool pass_time(Zones *zones, const Scene *scene, const int32_t *state, Bound *zone) {
  return find_invariant(zones, scene, state) && enter(zones, scene, zone) &&
         elapse(zones, scene, zone);
}

static void abstract(Zones *zones) {
  const Frame *frame = zones->scene->frame;
  switch (zones->abstraction) {
  case ABSTRACTION_EXTRA_LU_PLUS:
    extra_lu_plus(zones->zone, frame->k, frame->lower, frame->upper);
    break;
  case ABSTRACTION_EXTRA_LU:
    extra_lu(zones->zone, frame->k, frame->lower, frame->upper);
    break;
  case ABSTRACTION_EXTRA_M_PLUS:
    extra_m_plus(zones->zone, frame->k, frame->upper);
    break;
  case ABSTRACTION_EXTRA_M:
    extra_m(zones->zone, frame->k, frame->upper);
    break;
  case ABSTRACTION_ALU:
  case ABSTRACTION_AM:
  case ABSTRACTION_CLOSURE:
  case ABSTRACTION_CLOSURE_LU_PLUS:
  case ABSTRACTION_NONE:
    break;
  }
}

static bool zones_initial(Space *space) {
  Zones *zones = zones_of(space);
  while (
      state_initial(zones->net, zones->state, zones->initial_choice, &zones->initial_started)) {
    space->ordinal = zones->initial_count++;
    zones->scene =
        scene_find(&zones->scenes, zones->state, scene_hash(&zones->scenes, zones->state));
    dbm_zero(zones->zone, zones->scene->frame->k);
    zones->has_image = false;
    if (find_invariant(zones, zones->scene, zones->state) && settle(zones)) {
      abstract(zones);
      state_pack(&zones->layout, zones->key, zones->state);
      return true;
    }
    if (space->failure)
      return false;
  }
  return false;
}

static void shuffle(Zones *zones) {
  const uint32_t count = zones->source_scene->move_count;
  vec_clear(&zones->shuffled);
  for (uint32_t i = 0; i < count; i++)
    vec_push(zones->mem, &zones->shuffled, i);
  for (uint32_t i = count; i > 1; i--) {
    const uint32_t j = random_below(&zones->random, i);
    const uint32_t swapped = zones->shuffled.items[i - 1];
    zones->shuffled.items[i - 1] = zones->shuffled.items[j];
    zones->shuffled.items[j] = swapped;
  }
}

// Extrapolation may have lost upper bounds of the invariant that held when the node was made.
// Taking them back is sound and makes fewer nodes; TChecker's counts rest on it too.
static void restore_invariant(Zones *zones) {
  const Scene *scene = zones->source_scene;
  if (find_invariant(zones, scene, zones->source))
    enter(zones, scene, zones->source_zone);
}

// What the opened node needs whatever its transitions: that no clause of the goal is met.
static void begin_needs(Zones *zones) {
  const Scene *scene = zones->source_scene;
  const Frame *frame = scene->frame;
  uint32_t count;
  if (!find_invariant(zones, scene, zones->source))
    return;
  const Constraint *list = invariant_of(zones, scene, &count);
  needs_open(&zones->needs, frame->k, zones->source_zone, list, count, scene->can_delay);
  zones->needs.own_number = &frame->numbers[1];
  for (uint32_t clause = 0; zones->goal; clause++) {
    vec_clear(&zones->tests);
    if (goal_clause(zones->goal, &zones->vm, zones->source, &clause, &zones->tests) != VM_TRUE)
      return;
    convert_tests(zones, frame);
    needs_avoid(&zones->needs, zones->constraints.items, zones->constraints.size);
  }
}

static void zones_open(Space *space, const uint64_t *key, const void *body, uint32_t format) {
  Zones *zones = zones_of(space);
  state_unpack(&zones->layout, zones->source, key);
  memcpy(zones->source_key, key, zones->layout.words * sizeof *key);
  scene_keep_small(&zones->scenes);
  zones->source_scene =
      scene_find(&zones->scenes, zones->source, scene_hash(&zones->scenes, zones->source));
  scene_find_moves(&zones->scenes, zones->source_scene, zones->source);
  packed_read(zones->source_zone, zones->source_scene->frame->k, body, (PackedFormat)format);
  if (zones->is_extrapolated)
    restore_invariant(zones);
  zones->move = 0;
  if (zones->is_random)
    shuffle(zones);
  if (zones->is_before &&
      !pass_time(zones, zones->source_scene, zones->source, zones->source_zone))
    zones->move = zones->source_scene->move_count; // a failure
  else if (space->needs)
    begin_needs(zones);
}

// Guards that depend on variables, collected as constraints.
static bool find_guard(Zones *zones, const Move *move) {
  vec_clear(&zones->tests);
  for (uint32_t i = 0; i < move->edge_count; i++)
    if (!holds(zones, vm_guard(&zones->vm, &move->edges[i]->guard, zones->source, &zones->tests)))
      return false;
  convert_tests(zones, zones->source_scene->frame);
  return true;
}

// The state after the move, and its key. Clock updates are collected on the way if they depend
// on variables.
static bool update_state(Zones *zones, const Move *move) {
  const StateLayout *layout = &zones->layout;
  memcpy(zones->state, zones->source, layout->slots * sizeof(int32_t));
  if (move->needs_update || move->needs_clocks) {
    vec_clear(&zones->updates);
    for (uint32_t i = 0; i < move->edge_count; i++)
      if (!holds(zones,
                 vm_update(&zones->vm, &move->edges[i]->update, zones->state, &zones->updates)))
        return false;
  }
  for (uint32_t i = 0; i < move->patch_count; i++)
    zones->state[move->patches[i].slot] = move->patches[i].value;
  return true;
}

static void find_key(Zones *zones, const Move *move) {
  if (move->needs_update) {
    state_pack(&zones->layout, zones->key, zones->state);
    return;
  }
  for (uint32_t i = 0; i < zones->layout.words; i++)
    zones->key[i] = zones->source_key[i];
  for (uint32_t i = 0; i < move->patch_count; i++) {
    const Patch *patch = &move->patches[i];
    zones->key[patch->word] = (zones->key[patch->word] & patch->keep) | patch->set;
  }
}

// The zone forbids the move that is tried.
static bool refuse(Zones *zones) {
  if (zones->space.needs && !zones->space.failure)
    needs_refuse(&zones->needs);
  return false;
}

// Whether origins of clocks and the target's invariant do not depend on variables.
static bool is_known(const Move *move) {
  return !move->needs_clocks && !move->target->is_dynamic;
}

// Tells what the move means for clock bounds, once all this is known: before any matrix work
// if it can be.
static void follow(Zones *zones, Move *move) {
  Needs *needs = &zones->needs;
  const uint32_t k = zones->scene->frame->k;
  uint32_t count = move->news_count;
  const Constraint *list =
      move->has_news ? move->news : invariant_of(zones, zones->scene, &count);
  needs->way = move->needs_clocks ? NULL : &move->way;
  if (move->needs_clocks)
    needs_follow(needs, k, zones->frame_origin, zones->frame_offset, list, count);
  else
    needs_follow(needs, k, move->origin, move->offset, list, count);
}

// The matrix work of a move, operation by operation: for any size and any constraint.
static bool move_zone(Zones *zones, Move *move, const Constraint *guard, uint32_t count) {
  const uint32_t k = zones->source_scene->frame->k;
  const Bound *zone = zones->source_zone;
  if (is_cut(zone, k, guard, count)) {
    dbm_copy(zones->scratch, zone, k);
    if (!constrain(zones, zones->scratch, k, guard, count))
      return false;
    zone = zones->scratch;
  }
  if (!find_invariant(zones, zones->scene, zones->state) || !move_clocks(zones, move, zone))
    return false;
  if (zones->space.needs && !is_known(move))
    follow(zones, move);
  if (!settle(zones))
    return false;
  abstract(zones);
  return true;
}

// Whether dbm/step.h can do the matrix work of a move between these scenes.
static bool is_step(const Zones *zones, const Move *move) {
  const Scene *from = zones->source_scene, *to = zones->scene;
  return zones->has_steps && !zones->is_large && from->frame->k <= STEP_MOST &&
         to->frame->k <= STEP_MOST && to->is_upper && !to->is_dynamic && !move->needs_clocks &&
         !move->offset;
}

static bool step_zone(Zones *zones, const Move *move, const Constraint *guard, uint32_t count) {
  const Scene *from = zones->source_scene, *to = zones->scene;
  const bool extrapolates = zones->abstraction == ABSTRACTION_EXTRA_LU_PLUS;
  const Step step = {.from = zones->source_zone,
                     .n = from->frame->k,
                     .guard = guard,
                     .guard_count = count,
                     .origin = move->is_identity ? NULL : move->origin,
                     .k = to->frame->k,
                     .invariant = to->invariant,
                     .invariant_count = to->invariant_count,
                     .can_delay = to->can_delay && !zones->is_before,
                     .lower = extrapolates ? to->frame->lower : NULL,
                     .upper = to->frame->upper};
  zones->has_image = true;
  return step_run(&step, zones->zone, zones->scratch, zones->probe.image, &zones->image_fits);
}

// Cheap tests first: whether integers and single bounds of the source zone allow the move. Guards
// that depend on variables are left to fire.
static inline bool is_possible(Zones *zones, const Move *move) {
  for (uint32_t i = 0; i < move->test_count; i++)
    if (!vm_test(&move->tests[i], zones->source))
      return false;
  if (zones->space.needs)
    needs_try(&zones->needs, move->guard, move->guard_count, false);
  return meets_all(zones->source_zone, zones->source_scene->frame->k, move->guard,
                   move->guard_count) ||
         refuse(zones);
}

// Whether the source zone meets the guard as a whole.
static bool has_guard(Zones *zones, const Constraint *guard, uint32_t count) {
  const uint32_t k = zones->source_scene->frame->k;
  dbm_copy(zones->scratch, zones->source_zone, k);
  return dbm_constrain_all(zones->scratch, k, guard, count);
}

// Fires a possible move from the source to the current node; false if it is not enabled.
static bool fire(Zones *zones, Move *move) {
  const Constraint *guard = move->guard;
  uint32_t count = move->guard_count;
  if (move->needs_guard) {
    if (!find_guard(zones, move))
      return false;
    guard = zones->constraints.items;
    count = zones->constraints.size;
    if (zones->space.needs)
      needs_try(&zones->needs, guard, count, true);
    if (!meets_all(zones->source_zone, zones->source_scene->frame->k, guard, count))
      return refuse(zones);
  }
  if (!update_state(zones, move)) {
    if (!zones->space.failure || has_guard(zones, guard, count))
      return false;
    zones->space.failure = NULL; // it cannot happen
    return refuse(zones);
  }
  if (!move->is_linked)
    scene_link(&zones->scenes, zones->source_scene, move, zones->state);
  zones->scene = move->target;
  zones->has_image = false;
  if (zones->space.needs && is_known(move))
    follow(zones, move);
  if (!(is_step(zones, move) ? step_zone(zones, move, guard, count)
                             : move_zone(zones, move, guard, count)))
    return refuse(zones);
  find_key(zones, move);
  return true;
}

static bool zones_next(Space *space) {
  Zones *zones = zones_of(space);
  Scene *scene = zones->source_scene;
  while (zones->move < scene->move_count) {
    const uint32_t next = zones->move++;
    space->ordinal = zones->is_random ? zones->shuffled.items[next] : next;
    Move *move = &scene->moves[space->ordinal];
    if (is_possible(zones, move) && fire(zones, move))
      return true;
    if (space->failure)
      return false;
  }
  return false;
}

// Whether the zone meets a clause of the goal; `scratch` is lost.
static bool meets_goal(Zones *zones, const Bound *zone) {
  for (uint32_t clause = 0;; clause++) {
    vec_clear(&zones->tests);
    if (!holds(zones, goal_clause(zones->goal, &zones->vm, zones->state, &clause, &zones->tests)))
      return false;
    const uint32_t k = zones->scene->frame->k;
    convert_tests(zones, zones->scene->frame);
    if (!meets_all(zone, k, zones->constraints.items, zones->constraints.size))
      continue;
    if (zones->tests.size < 2)
      return true;
    dbm_copy(zones->scratch, zone, k);
    if (constrain(zones, zones->scratch, k, zones->constraints.items, zones->constraints.size))
      return true;
  }
}

static bool zones_is_goal(Space *space) {
  Zones *zones = zones_of(space);
  if (!zones->is_before)
    return meets_goal(zones, zones->zone);
  dbm_copy(zones->elapsed, zones->zone, zones->scene->frame->k);
  return pass_time(zones, zones->scene, zones->state, zones->elapsed) &&
         meets_goal(zones, zones->elapsed);
}

// "True" is what the universal zone would be stored as: itself where covering is inclusion
// (its extrapolation, too, is itself), whatever includes it modulo simulation under alu and
// am. Either way over the clocks that matter in the state.
static bool zones_is_true(Space *space) {
  Zones *zones = zones_of(space);
  const Frame *frame = zones->scene->frame;
  if (zones->kind == PROBE_CLOSURE_LU) {
    dbm_universal(zones->scratch, frame->k);
    return simulation_closure_lu(zones->zone, zones->scratch, frame->k, frame->lower,
                                 frame->upper);
  }
  if (zones->kind == PROBE_ALU)
    return simulation_alu_is_true(zones->zone, frame->k, frame->lower, frame->upper);
  return dbm_is_universal(zones->zone, frame->k);
}

static void zones_prepare(Space *space) {
  Zones *zones = zones_of(space);
  const Frame *frame = zones->scene->frame;
  if (zones->has_image)
    probe_accept(&zones->probe, zones->kind, zones->zone, frame->k, &frame->packed,
                 zones->image_fits);
  else
    probe_make(&zones->probe, zones->kind, zones->zone, frame->k, &frame->packed);
  if (zones->probe.format == PACKED_32)
    in_range(zones, zones->zone, frame->k);
  zones->needs.current_k = frame->k;
  zones->needs.limits = &frame->packed;
  zones->needs.limits_number = &frame->numbers[0];
  zones->needs.bounds = NULL;
}

static void choose_bounds(Zones *zones) {
  const Needs *needs = &zones->needs;
  const PackedBounds *bounds = needs->bounds ? needs->bounds : needs->limits;
  if (zones->probe.bounds != bounds)
    probe_bounds(&zones->probe, bounds);
}

static uint32_t zones_find_coverer(Space *space, const void *bodies, uint32_t count,
                                   uint32_t format) {
  Zones *zones = zones_of(space);
  if (space->needs)
    choose_bounds(zones);
  return probe_covered(&zones->probe, bodies, count, (PackedFormat)format);
}

static uint32_t zones_find_covered(Space *space, const void *bodies, uint32_t from,
                                   uint32_t count, uint32_t format) {
  Zones *zones = zones_of(space);
  if (space->needs)
    choose_bounds(zones);
  return probe_covers(&zones->probe, bodies, from, count, (PackedFormat)format);
}

static uint32_t zones_format(Space *space) { return zones_of(space)->probe.format; }

static size_t zones_body_bytes(Space *space, uint32_t format) {
  return packed_bytes(zones_of(space)->scene->frame->k, (PackedFormat)format);
}

static void zones_write(Space *space, void *body, uint32_t format) {
  probe_write(&zones_of(space)->probe, body, (PackedFormat)format);
}

static void zones_release(Space *space) {
  Zones *zones = zones_of(space);
  Mem *mem = zones->mem;
  vm_release(&zones->vm);
  vec_release(mem, &zones->tests);
  vec_release(mem, &zones->constraints);
  vec_release(mem, &zones->updates);
  vec_release(mem, &zones->shuffled);
  needs_release(&zones->needs);
  scene_release(&zones->scenes);
  arena_release(&zones->arena);
  mem_free(mem, zones);
}

// Every extrapolation and simulation by clock bounds is unsound with diagonal constraints
// (Bouyer 2004): such a model is searched on plain zones or not at all.
static bool check_diagonals(Zones *zones, const Options *options, Report *report) {
  const bool in_goal = zones->goal && zones->goal->has_diagonals;
  if (!zones->net->has_diagonals && !in_goal)
    return true;
  const Place place =
      zones->net->has_diagonals ? zones->net->diagonal_place : zones->goal->diagonal_place;
  if (zones->abstraction == ABSTRACTION_NONE)
    return true;
  if (options->abstraction_chosen) {
    report_error(report, place,
                 "a constraint on the difference of two clocks makes every abstraction by clock "
                 "bounds unsound; use --abstraction none");
    return false;
  }
  report_warning(report, place,
                 "a constraint on the difference of two clocks: searching without abstraction, "
                 "which may not end");
  zones->abstraction = ABSTRACTION_NONE;
  return true;
}

static ProbeKind kind_of(Abstraction abstraction) {
  switch (abstraction) {
  case ABSTRACTION_ALU:
  case ABSTRACTION_AM:
  case ABSTRACTION_CLOSURE:
    return PROBE_ALU;
  case ABSTRACTION_CLOSURE_LU_PLUS:
    return PROBE_CLOSURE_LU;
  default:
    return PROBE_INCLUSION;
  }
}

static bool is_maximal(Abstraction abstraction) {
  return abstraction == ABSTRACTION_AM || abstraction == ABSTRACTION_CLOSURE ||
         abstraction == ABSTRACTION_EXTRA_M || abstraction == ABSTRACTION_EXTRA_M_PLUS;
}

static bool compute_bounds(Zones *zones, BoundsScope scope, Report *report) {
  zones->kind = kind_of(zones->abstraction);
  zones->is_extrapolated =
      zones->kind == PROBE_INCLUSION && zones->abstraction != ABSTRACTION_NONE;
  if (zones->abstraction == ABSTRACTION_NONE) {
    scene_init(&zones->scenes, zones->mem, zones->net, &zones->layout, NULL, true, false);
    zones->is_large = true; // nothing keeps the bounds small
    return true;
  }
  ClockBounds *bounds = &zones->bounds;
  if (!clockbounds_compute(bounds, &zones->arena, zones->net, zones->goal, report))
    return false;
  int32_t most = 0;
  for (uint32_t x = 0; x < zones->n; x++) {
    most = bounds->global_lower[x] > most ? bounds->global_lower[x] : most;
    most = bounds->global_upper[x] > most ? bounds->global_upper[x] : most;
  }
  zones->is_large = most > SCENE_LARGE;
  zones->probe.allows_8 = most <= PACKED_TINY_BOUND;
  zones->has_steps =
      !zones->is_large && !zones->net->has_diagonals &&
      (zones->kind != PROBE_INCLUSION || zones->abstraction == ABSTRACTION_EXTRA_LU_PLUS);
  scene_init(&zones->scenes, zones->mem, zones->net, &zones->layout, bounds,
             scope == BOUNDS_GLOBAL, is_maximal(zones->abstraction));
  return true;
}

// Bounds found during the search are smaller than the static local ones, which therefore say
// which clocks matter at all. Extrapolated zones would be made for bounds that then grow.
static bool begin_search_bounds(Zones *zones, const Options *options, Report *report) {
  const bool is_lazy = options->bounds == BOUNDS_LAZY;
  if (options->bounds != BOUNDS_FLY && !is_lazy)
    return true;
  if (zones->abstraction == ABSTRACTION_NONE)
    return true;
  if (zones->kind == PROBE_INCLUSION) {
    report_error(report, (Place){0},
                 "--bounds %s needs an abstraction that stores plain zones; use --abstraction "
                 "alu, am, closure or closure-lu+",
                 is_lazy ? "lazy" : "fly");
    return false;
  }
  needs_init(&zones->needs, zones->mem, &zones->arena, zones->n, is_lazy,
             is_maximal(zones->abstraction));
  zones->space.needs = &zones->needs;
  zones->scenes.wants_news = true;
  return true;
}

static void *matrix(Zones *zones, size_t bytes) {
  const size_t align = 64;
  char *memory = arena_alloc(&zones->arena, bytes + align);
  return memory + (align - (uintptr_t)memory % align) % align;
}

static void allocate(Zones *zones) {
  Arena *arena = &zones->arena;
  const uint32_t n = zones->n, slots = zones->net->slot_count;
  zones->source = ARENA_ARRAY(arena, int32_t, slots);
  zones->state = ARENA_ARRAY(arena, int32_t, slots);
  zones->source_zone = matrix(zones, dbm_bytes(n));
  zones->zone = matrix(zones, dbm_bytes(n));
  zones->scratch = matrix(zones, dbm_bytes(n));
  zones->elapsed = matrix(zones, dbm_bytes(n));
  zones->origin = ARENA_ARRAY(arena, ClockId, n);
  zones->offset = ARENA_ARRAY(arena, int32_t, n);
  zones->frame_origin = ARENA_ARRAY(arena, ClockId, dbm_stride(n));
  zones->frame_offset = ARENA_ARRAY(arena, int32_t, n);
  zones->initial_choice = ARENA_ARRAY(arena, uint32_t, zones->net->processes.size);
  probe_init(&zones->probe, matrix(zones, probe_bytes(n)), n);
  dbm_zero(zones->source_zone, n);
  dbm_zero(zones->zone, n);
  dbm_zero(zones->scratch, n);
  dbm_zero(zones->elapsed, n);
}

Space *zones_new(Mem *mem, const Net *net, const Goal *goal, const Options *options,
                 Report *report) {
  Zones *zones = mem_alloc(mem, sizeof *zones);
  *zones = (Zones){
      .space = {.initial = zones_initial,
                .open = zones_open,
                .next = zones_next,
                .is_goal = goal ? zones_is_goal : NULL,
                .is_true = zones_is_true,
                .prepare = zones_prepare,
                .find_coverer = zones_find_coverer,
                .find_covered = zones_find_covered,
                .format = zones_format,
                .body_bytes = zones_body_bytes,
                .write = zones_write,
                .load = zones_load,
                .release = zones_release},
      .mem = mem,
      .arena = {.mem = mem},
      .net = net,
      .goal = goal,
      .abstraction = (Abstraction)options->abstraction,
      .n = net->clock_count + 1,
      .is_random = options->seed != 0,
      .is_before = options->delay == DELAY_BEFORE,
  };
  random_seed(&zones->random, (uint64_t)options->seed);
  net_vm(net, &zones->vm, mem);
  state_layout(&zones->layout, &zones->arena, net);
  allocate(zones);
  zones->key = ARENA_ARRAY(&zones->arena, uint64_t, zones->layout.words);
  zones->source_key = ARENA_ARRAY(&zones->arena, uint64_t, zones->layout.words);
  zones->space.net = net;
  zones->space.state = zones->state;
  zones->space.source = zones->source;
  zones->space.key = zones->key;
  zones->space.key_words = zones->layout.words;
  zones->space.most_body_bytes = packed_bytes(zones->n, PACKED_32);
  if (!check_diagonals(zones, options, report) ||
      !compute_bounds(zones, (BoundsScope)options->bounds, report) ||
      !begin_search_bounds(zones, options, report)) {
    zones_release(&zones->space);
    return NULL;
  }
  return &zones->space;
}

const int32_t *zones_state(const Space *space) { return ((const Zones *)space)->state; }

const Bound *zones_zone(const Space *space) { return ((const Zones *)space)->zone; }

const Frame *zones_frame(const Space *space) { return ((const Zones *)space)->scene->frame; }

bool zones_uses_bounds(const Space *space) {
  return ((const Zones *)space)->kind != PROBE_INCLUSION;
}

bool zones_local_bounds(const Space *space, int32_t *lower, int32_t *upper) {
  const Zones *zones = (const Zones *)space;
  if (zones->abstraction == ABSTRACTION_NONE)
    return false;
  clockbounds_of_state(&zones->bounds, zones->net, zones->state, lower, upper);
  return true;
}

void zones_load(Space *space, const uint64_t *key, const void *body, uint32_t format) {
  Zones *zones = zones_of(space);
  state_unpack(&zones->layout, zones->state, key);
  memcpy(zones->key, key, zones->layout.words * sizeof *key);
  // No scene is forgotten here: the opened node's is still needed.
  zones->scene =
      scene_find(&zones->scenes, zones->state, scene_hash(&zones->scenes, zones->state));
  packed_read(zones->zone, zones->scene->frame->k, body, (PackedFormat)format);
  zones->has_image = false;
}

void zones_rewind(Space *space) {
  Zones *zones = zones_of(space);
  zones->initial_started = false;
  zones->initial_count = 0;
  memset(zones->initial_choice, 0, zones->net->processes.size * sizeof(uint32_t));
}

bool zones_replay_initial(Space *space, uint32_t ordinal) {
  zones_rewind(space);
  while (space->initial(space))
    if (space->ordinal == ordinal)
      return true;
  return false;
}

// The abstraction is `none` here, so that the frames are all clocks.
bool zones_replay(Space *space, uint32_t ordinal) {
  Zones *zones = zones_of(space);
  memcpy(zones->source, zones->state, zones->layout.slots * sizeof(int32_t));
  memcpy(zones->source_key, zones->key, zones->layout.words * sizeof *zones->key);
  dbm_copy(zones->source_zone, zones->zone, zones->n);
  zones->source_scene =
      scene_find(&zones->scenes, zones->source, scene_hash(&zones->scenes, zones->source));
  scene_find_moves(&zones->scenes, zones->source_scene, zones->source);
  space->ordinal = ordinal;
  if (ordinal >= zones->source_scene->move_count)
    return false;
  Move *move = &zones->source_scene->moves[ordinal];
  return is_possible(zones, move) && fire(zones, move);
}
