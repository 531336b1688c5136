#include "zone/firing.h"

#include "base/planted.h"
#include "dbm/delay.h"
#include "dbm/kernel/longstep.h"
#include "dbm/remap.h"
#include "dbm/stored/compact.h"
#include "space/partition.h"

#include <string.h>

static void fail(Zones *zones, const char *reason, Place place) {
  zones->space.failure = reason;
  zones->space.failure_place = place;
}

bool firing_holds(Zones *zones, VmResult result) {
  if (result == VM_TRUE)
    return true;
  if (result == VM_ERROR || (result == VM_INVALID && zones->net->invalid_is_error))
    fail(zones, zones->vm.error, zones->vm.error_place);
  return false;
}

static void outgrow(Zones *zones) {
  const char *reason =
      zones->is_extrapolated || zones->is_smoothed
          ? "a clock difference outgrows the largest representable bound; scale the constants of "
            "the model down"
          : "a clock difference outgrows the largest representable bound; scale the constants of "
            "the model down, or use an extrapolation such as --abstraction extra-lu+";
  fail(zones, reason, (Place){0});
}

bool firing_in_range(Zones *zones, const Bound *zone, uint32_t k) {
  if (dbm_in_range(zone, k))
    return true;
  outgrow(zones);
  return false;
}

void firing_convert_tests(Zones *zones, const Frame *frame) {
  vec_reserve(zones->mem, &zones->constraints, zones->tests.size);
  zones->constraints.size = zones->tests.size;
  for (uint32_t i = 0; i < zones->tests.size; i++)
    zones->constraints.items[i] = frame_constraint(frame, &zones->tests.items[i]);
}

bool firing_constrain(Zones *zones, Bound *zone, uint32_t k, const Constraint *list,
                      uint32_t count) {
  if (!zones->is_large)
    return dbm_constrain_all(zone, k, list, count);
  for (uint32_t i = 0; i < count; i++)
    if (!dbm_constrain(zone, k, list[i]) || !firing_in_range(zones, zone, k))
      return false;
  return true;
}

bool firing_meets_all(const Bound *zone, uint32_t k, const Constraint *list, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (!dbm_meets(zone, k, list[i]))
      return false;
  return true;
}

// Whether a bound is stronger than another; see base/planted.h.
static bool is_stronger(Bound a, Bound b) { return PLANTED("bounds") ? a > b : a < b; }

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
    zones->is_large |= offset > TRANSITION_LARGE;
  }
  return true;
}

// The zone over the clocks of the target's frame, after updates that depend on variables.
static bool update_clocks(Zones *zones, const Bound *zone) {
  const Frame *from = &zones->source_scene->frame, *frame = &zones->scene->frame;
  memcpy(zones->origin, from->position, zones->n * sizeof(ClockId));
  memset(zones->offset, 0, zones->n * sizeof(int32_t));
  if (!follow_updates(zones, zone))
    return false;
  Origins *origins = &zones->scenes.origins;
  for (uint32_t i = 1; i < frame->k; i++) {
    origins->origin[i] = zones->origin[frame->clocks[i]];
    origins->offset[i] = zones->offset[frame->clocks[i]];
  }
  for (uint32_t i = frame->k; i < dbm_stride(frame->k); i++)
    origins->origin[i] = 0;
  origins->has_offset = true;
  dbm_remap(zones->zone, frame->k, zone, from->k, origins->origin, origins->offset);
  return !zones->is_large || firing_in_range(zones, zones->zone, frame->k);
}

static void swap_zones(Zones *zones) {
  Bound *zone = zones->zone;
  zones->zone = zones->scratch;
  zones->scratch = zone;
}

// The zone over the clocks of the target's frame, after the move's updates. `zone` is the
// source zone, or `scratch`.
static bool move_clocks(Zones *zones, const Transition *t, const Bound *zone) {
  const Origins *origins = &zones->scenes.origins;
  const uint32_t k = zones->scene->frame.k;
  if (t->needs_clocks)
    return update_clocks(zones, zone);
  if (!origins->is_identity)
    dbm_remap(zones->zone, k, zone, zones->source_scene->frame.k, origins->origin,
              origins->has_offset ? origins->offset : NULL);
  else if (zone == zones->scratch)
    swap_zones(zones);
  else
    dbm_copy(zones->zone, zone, k);
  return true;
}

const Constraint *firing_invariant(const Zones *zones, const Scene *scene, uint32_t *count) {
  *count = scene->setting->is_dynamic ? zones->constraints.size : scene->setting->invariant_count;
  return scene->setting->is_dynamic ? zones->constraints.items : scene->setting->invariant;
}

// Time passes in a zone inside the invariant, as long as it holds.
static bool elapse(Zones *zones, const Scene *scene, Bound *zone) {
  const uint32_t k = scene->frame.k;
  uint32_t count;
  const Constraint *list = firing_invariant(zones, scene, &count);
  if (!scene->setting->can_delay)
    return true;
  if (scene->setting->is_upper && !scene->setting->is_dynamic && !zones->is_large) {
    dbm_delay(zone, k, list, count);
    return true;
  }
  dbm_up(zone, k);
  return firing_constrain(zones, zone, k, list, count);
}

static bool enter(Zones *zones, const Scene *scene, Bound *zone) {
  uint32_t count;
  const Constraint *list = firing_invariant(zones, scene, &count);
  return !is_cut(zone, scene->frame.k, list, count) ||
         firing_constrain(zones, zone, scene->frame.k, list, count);
}

// Whether zones of a scene are those on entry; not after a transition that is a delay.
static bool is_entry(const Zones *zones, const Scene *scene) {
  return zones->is_before && !scene->setting->is_delay;
}

// Target invariant, delay, target invariant.
static bool settle(Zones *zones) {
  return enter(zones, zones->scene, zones->zone) &&
         (is_entry(zones, zones->scene) || elapse(zones, zones->scene, zones->zone));
}

bool firing_find_invariant(Zones *zones, const Scene *scene, const int32_t *state) {
  if (!scene->setting->is_dynamic)
    return true;
  vec_clear(&zones->tests);
  if (!firing_holds(zones, joint_invariant(zones->net, &zones->vm, state, &zones->tests)))
    return false;
  firing_convert_tests(zones, &scene->frame);
  for (uint32_t i = 0; i < scene->setting->after_count; i++)
    vec_push(zones->mem, &zones->constraints, scene->setting->after[i]);
  return true;
}

bool firing_pass_time(Zones *zones, const Scene *scene, const int32_t *state, Bound *zone) {
  return firing_find_invariant(zones, scene, state) && enter(zones, scene, zone) &&
         elapse(zones, scene, zone);
}

static void abstract(Zones *zones) {
  abstraction_apply(zones->abstraction, zones->is_smoothed, zones->zone, &zones->scene->frame);
}

// The guard of a move over the source's frame, in `guard`: the constant part, or all of it; false
// if its integer part fails.
static void translate_guard(Zones *zones, const Transition *t) {
  const Frame *frame = &zones->source_scene->frame;
  vec_reserve(zones->mem, &zones->guard, t->guard_count);
  zones->guard.size = t->guard_count;
  for (uint32_t i = 0; i < t->guard_count; i++)
    zones->guard.items[i] = frame_translate(frame, t->guard[i]);
}

static bool find_guard(Zones *zones, const Transition *t) {
  const Frame *frame = &zones->source_scene->frame;
  vec_clear(&zones->tests);
  vec_clear(&zones->guard);
  for (uint32_t i = 0; i < t->edge_count; i++)
    if (!firing_holds(zones, vm_guard(&zones->vm, &t->edges[i]->guard, keys_source(&zones->keys),
                                      &zones->tests)))
      return false;
  for (uint32_t i = 0; i < t->extra.count; i++)
    vec_push(zones->mem, &zones->tests, t->extra.items[i]);
  for (uint32_t i = 0; i < zones->tests.size; i++)
    vec_push(zones->mem, &zones->guard, frame_constraint(frame, &zones->tests.items[i]));
  return true;
}

// The zone forbids the move that is tried.
static bool refuse(Zones *zones) {
  if (zones->space.needs && !zones->space.failure)
    needs_refuse(&zones->needs);
  return false;
}

// Whether origins of clocks and the target's invariant do not depend on variables.
static bool is_known(const Zones *zones, const Transition *t) {
  return !t->needs_clocks && !zones->scene->setting->is_dynamic;
}

// Tells what the move means for clock bounds, once all this is known: before any matrix work
// if it can be.
static void follow(Zones *zones, const Move *move) {
  Needs *needs = &zones->needs;
  MoveNews *news = &zones->source_scene->news[move - zones->source_scene->moves];
  const Origins *origins = &zones->scenes.origins;
  uint32_t count = news->news_count;
  const Constraint *list =
      news->has_news ? news->news : firing_invariant(zones, zones->scene, &count);
  needs->way = scene_transition(&zones->scenes, move)->needs_clocks ? NULL : &news->way;
  needs_follow(needs, zones->scene->frame.k, origins->origin,
               origins->has_offset ? origins->offset : NULL, list, count);
  if (!zones->scene->setting->is_delay)
    return;
  list = firing_invariant(zones, zones->scene, &count);
  needs_delay(needs, list, count);
}

// The matrix work of a move, operation by operation: for any size and any constraint.
static bool move_zone(Zones *zones, const Move *move) {
  const Transition *t = scene_transition(&zones->scenes, move);
  const Constraint *guard = zones->guard.items;
  const uint32_t count = zones->guard.size;
  const uint32_t k = zones->source_scene->frame.k;
  const Bound *zone = firing_source(zones);
  if (is_cut(zone, k, guard, count)) {
    dbm_copy(zones->scratch, zone, k);
    if (!firing_constrain(zones, zones->scratch, k, guard, count))
      return false;
    zone = zones->scratch;
  }
  if (!move_clocks(zones, t, zone) ||
      !firing_find_invariant(zones, zones->scene, keys_state(&zones->keys)))
    return false;
  if (zones->space.needs && !is_known(zones, t))
    follow(zones, move);
  if (!settle(zones))
    return false;
  abstract(zones);
  return true;
}

void firing_announce(Zones *zones) {
  Needs *needs = &zones->needs;
  const Frame *frame = &zones->scene->frame;
  needs->current_k = frame->k;
  needs->limits = &frame->bounds->packed;
  needs->limits_number = &frame->bounds->numbers[0];
  needs->bounds = NULL;
}

// Whether dbm/kernel/step.h can do the matrix work of a move between these scenes.
static bool is_step(const Zones *zones, const Transition *t) {
  const Scene *from = zones->source_scene, *to = zones->scene;
  return from->frame.k <= zones->step_long && to->frame.k <= zones->step_long &&
         to->setting->is_upper && !to->setting->is_dynamic && !t->needs_clocks &&
         !zones->scenes.origins.has_offset;
}

// The result is in the probe.
static StepResult step_zone(Zones *zones) {
  const Scene *to = zones->scene;
  const KeptZone *from = zones->source_kept;
  const bool extrapolates = zones->abstraction == ABSTRACTION_EXTRA_LU_PLUS || zones->is_smoothed;
  const PackedBounds *bounds = &to->frame.bounds->packed;
  Probe *probe = &zones->probe;
  const bool is_long = from->k > zones->step_most || to->frame.k > zones->step_most;
  const Step step = {.from = from->body,
                     .format = (PackedFormat)from->format,
                     .n = from->k,
                     .guard = zones->guard.items,
                     .guard_count = zones->guard.size,
                     .origin =
                         zones->scenes.origins.is_identity ? NULL : zones->scenes.origins.origin,
                     .k = to->frame.k,
                     .invariant = to->setting->invariant,
                     .invariant_count = to->setting->invariant_count,
                     .can_delay = to->setting->can_delay && !is_entry(zones, to),
                     .bounds = extrapolates ? bounds : NULL,
                     .image = probe->buffer16,
                     .image8 = probe->allows_8 ? probe->outer_buffer8 : NULL};
  const StepResult result = is_long ? longstep_run(&step) : step_run(&step);
  zones->has_probe = result == STEP_8 || result == STEP_16;
  zones->has_zone = !zones->has_probe;
  if (zones->has_probe)
    probe_accept(probe, zones->kind, step.k, result == STEP_8 ? PACKED_8 : PACKED_16, bounds);
  return result;
}

// Cheap tests first: whether integers and single bounds of the source zone allow the move. Guards
// that depend on variables are left to `fire`.
static inline bool is_possible(Zones *zones, const Transition *t) {
  if (!keys_meet(&zones->keys, t))
    return false;
  if (zones->space.needs) {
    translate_guard(zones, t);
    needs_try(&zones->needs, zones->guard.items, zones->guard.size, true);
  }
  const KeptZone *kept = zones->source_kept;
  const uint32_t *position = zones->source_scene->frame.position;
  for (uint32_t i = 0; i < t->guard_count; i++) {
    const Constraint c = t->guard[i];
    const uint32_t at = position[c.j] * kept->k + position[c.i];
    const Bound back = packed_entry(kept->body, (PackedFormat)kept->format, at);
    if (bound_sum(back, c.bound) < BOUND_LE_ZERO)
      return refuse(zones);
  }
  return true;
}

// Whether the source zone meets the guard as a whole.
static bool has_guard(Zones *zones, const Transition *t) {
  const uint32_t k = zones->source_scene->frame.k;
  if (!t->needs_guard)
    translate_guard(zones, t);
  dbm_copy(zones->scratch, firing_source(zones), k);
  return dbm_constrain_all(zones->scratch, k, zones->guard.items, zones->guard.size);
}

// What is known of the move's result: a zone, MEMO_EMPTY or ZONE_NONE.
static inline ZoneRef recall(const Zones *zones, const Move *move) {
  return zones->has_memo && move->effect
             ? memo_find(&zones->memo, zones->source_ref, move->effect)
             : ZONE_NONE;
}

static void remember(Zones *zones, uint32_t effect, ZoneRef from, ZoneRef result) {
  if (zones->has_memo && effect && result && !zones->space.failure)
    memo_add(&zones->memo, from, effect, result);
}

static bool make_zone(Zones *zones, const Move *move) {
  const StepResult result =
      is_step(zones, scene_transition(&zones->scenes, move)) ? step_zone(zones) : STEP_REFUSED;
  return result == STEP_REFUSED ? move_zone(zones, move) : result != STEP_EMPTY;
}

// The matrix work of a move; false if the result is empty.
static bool find_zone(Zones *zones, const Move *move) {
  const Transition *t = scene_transition(&zones->scenes, move);
  if (!t->needs_guard)
    translate_guard(zones, t);
  zones->has_zone = true;
  zones->has_probe = false;
  zones->space.zone = ZONE_NONE;
  if (!make_zone(zones, move)) {
    remember(zones, move->effect, zones->source_ref, MEMO_EMPTY);
    return refuse(zones);
  }
  firing_keep(zones);
  remember(zones, move->effect, zones->source_ref, zones->space.zone);
  return true;
}

// A zone of the table, in `room` if it has to be unfolded.
static const KeptZone *kept_at(Zones *zones, ZoneRef ref, void *room) {
  return zones->probe.compact ? compact_hold(zones->probe.compact, &zones->table, ref, room)
                              : zonetable_at(&zones->table, ref);
}

static void set_source(Zones *zones, ZoneRef ref) {
  zones->source_ref = ref;
  zones->source_kept = kept_at(zones, ref, zones->source_room);
}

static void take_zone(Zones *zones, ZoneRef ref) {
  zones->space.zone = ref;
  zones->has_zone = zones->has_probe = false;
}

// An error in a guard counts only where its comparisons of clocks with constants hold.
static bool excuse(Zones *zones, const Transition *t) {
  const uint32_t k = zones->source_scene->frame.k;
  if (!zones->space.failure)
    return false;
  translate_guard(zones, t);
  dbm_copy(zones->scratch, firing_source(zones), k);
  if (dbm_constrain_all(zones->scratch, k, zones->guard.items, zones->guard.size))
    return false;
  zones->space.failure = NULL;
  return refuse(zones);
}

// Whether the guard of a move that depends on variables may hold in the source zone.
static bool may_hold(Zones *zones, const Transition *t) {
  if (!find_guard(zones, t))
    return excuse(zones, t);
  if (zones->space.needs)
    needs_try(&zones->needs, zones->guard.items, zones->guard.size, true);
  return firing_meets_all(firing_source(zones), zones->source_scene->frame.k, zones->guard.items,
                          zones->guard.size) ||
         refuse(zones);
}

// The zone of the current node; false if it is empty.
static bool take_result(Zones *zones, const Move *move, ZoneRef known) {
  const Transition *t = scene_transition(&zones->scenes, move);
  if (known == MEMO_EMPTY)
    return false;
  if (known) {
    take_zone(zones, known);
    return true;
  }
  if (!t->needs_clocks)
    scene_origins(&zones->source_scene->frame, t, &zones->scene->frame, &zones->scenes.origins);
  if (zones->space.needs && is_known(zones, t))
    follow(zones, move);
  return find_zone(zones, move);
}

// Whether it is seen at once that a node with this key is this worker's.
static inline bool is_own(const Zones *zones, const uint64_t *key) {
  return zones->is_source_own &&
         partition_same(zones->space.exchange.partition, zones->keys.source_key, key);
}

// Whether a node with this key, by this transition, may be left to the worker that it belongs to:
// its scene is one of those that this worker need not know.
static bool is_others(const Zones *zones, const Transition *t, const uint64_t *key) {
  const Space *space = &zones->space;
  return space->exchange.leaves_others && !t->needs_guard && !t->needs_clocks &&
         partition_owner(space->exchange.partition, key) != space->exchange.number;
}

static bool leave(Zones *zones, const Move *move) {
  Space *space = &zones->space;
  zones->left_map = scene_common_map(&zones->scenes, zones->source_scene);
  zones->left_transition =
      zones->left_map ? scene_common_transition(&zones->scenes, move->transition) : 0;
  space->exchange.is_unfinished = zones->left_transition;
  space->zone = ZONE_NONE;
  return space->exchange.is_unfinished;
}

bool firing_finish(Zones *zones, ZoneRef from, uint32_t map, uint32_t transition) {
  Scenes *scenes = &zones->scenes;
  Move move = {.transition = scene_own_transition(scenes, transition)};
  const Scene *source = scene_abroad(scenes, map);
  move.effect = scene_effect(scenes, source, move.transition, zones->scene);
  zones->source_scene = source;
  zones->has_source = false;
  set_source(zones, from);
  return take_result(zones, &move, recall(zones, &move));
}

// Not inlined: most moves that are tried fail the cheap tests.
__attribute__((noinline)) static bool fire(Zones *zones, Move *move) {
  const Transition *t = scene_transition(&zones->scenes, move);
  ZoneRef known = recall(zones, move);
  // Errors in updates are errors wherever the guard holds: they are looked for first.
  if (known == MEMO_EMPTY && !t->needs_update && !t->shift_count)
    return false;
  if (t->needs_guard && !may_hold(zones, t))
    return false;
  if (!firing_holds(zones, keys_move(&zones->keys, t, &zones->updates))) {
    if (!zones->space.failure || has_guard(zones, t))
      return false;
    zones->space.failure = NULL; // it cannot happen
    return refuse(zones);
  }
  zones->space.exchange.is_own = is_own(zones, zones->keys.key);
  if (!zones->space.exchange.is_own && is_others(zones, t, zones->keys.key) && leave(zones, move))
    return true;
  if (!move->target || (t->may_stray && scene_is_astray(&zones->scenes, move, zones->keys.key))) {
    scene_link(&zones->scenes, zones->source_scene, move, zones->keys.key);
    known = recall(zones, move);
  }
  zones->scene = scene_target(&zones->scenes, move);
  return take_result(zones, move, known);
}

bool firing_try(Zones *zones, Move *move) {
  return is_possible(zones, scene_transition(&zones->scenes, move)) && fire(zones, move);
}

uint32_t firing_foresee(Zones *zones) {
  const Scene *scene = zones->source_scene;
  const uint32_t words = zones->layout.words;
  uint32_t count = 0;
  zones->expected.count = 0;
  if (zones->space.needs || zones->is_random || zones->move)
    return 0;
  vec_clear(&zones->ahead);
  for (uint32_t i = 0; i < scene->move_count; i++) {
    const Move *move = &scene->moves[i];
    const Transition *t = scene_transition(&zones->scenes, move);
    if (!is_possible(zones, t))
      continue;
    vec_push(zones->mem, &zones->ahead, i);
    if (t->needs_update || t->needs_clocks || count == SPACE_AHEAD)
      continue;
    uint64_t *key = zones->ahead_keys + words * count;
    keys_guess(&zones->keys, t, key);
    if (!is_own(zones, key) && is_others(zones, t, key))
      continue;
    count++;
    if (!move->target)
      scene_expect(&zones->scenes, &zones->expected, move->transition, key);
    else if (zones->has_memo && move->effect)
      memo_fetch(&zones->memo, zones->source_ref, move->effect);
  }
  zones->has_ahead = true;
  return count;
}

// The next move that was foreseen.
static bool next_ahead(Zones *zones) {
  Space *space = &zones->space;
  while (zones->move < zones->ahead.size) {
    space->ordinal = zones->ahead.items[zones->move++];
    if (fire(zones, &zones->source_scene->moves[space->ordinal]))
      return true;
    mem_tick(zones->mem);
    if (space->failure)
      return false;
  }
  return false;
}

bool firing_next(Zones *zones) {
  const Scene *scene = zones->source_scene;
  Space *space = &zones->space;
  if (zones->has_ahead)
    return next_ahead(zones);
  while (zones->move < scene->move_count) {
    const uint32_t next = zones->move++;
    space->ordinal = zones->is_random ? zones->shuffled.items[next] : next;
    Move *move = &scene->moves[space->ordinal];
    if (!is_possible(zones, scene_transition(&zones->scenes, move)))
      continue;
    if (fire(zones, move))
      return true;
    mem_tick(zones->mem);
    if (space->failure)
      return false;
  }
  return false;
}

const KeptZone *firing_kept(Zones *zones) {
  return kept_at(zones, zones->space.zone, zones->room);
}

const Bound *firing_source(Zones *zones) {
  const KeptZone *kept = zones->source_kept;
  if (!zones->has_source)
    packed_read(zones->source_zone, kept->k, kept->body, (PackedFormat)kept->format);
  zones->has_source = true;
  return zones->source_zone;
}

Bound *firing_zone(Zones *zones) {
  const Probe *probe = &zones->probe;
  if (!zones->has_zone && zones->has_probe) {
    packed_read(zones->zone, probe->k, probe->body, probe->format);
  } else if (!zones->has_zone) {
    const KeptZone *kept = firing_kept(zones);
    packed_read(zones->zone, kept->k, kept->body, (PackedFormat)kept->format);
  }
  zones->has_zone = true;
  return zones->zone;
}

static void make_probe(Zones *zones) {
  const Frame *frame = &zones->scene->frame;
  if (zones->has_probe)
    return;
  probe_make(&zones->probe, zones->kind, zones->zone, frame->k, &frame->bounds->packed);
  zones->has_probe = true;
  if (zones->probe.format == PACKED_32)
    firing_in_range(zones, zones->zone, frame->k);
}

// How many zones may be in the table that no node has had yet. Where zones are met again and
// again there are far more nodes than zones; where they are not, nothing is gained by keeping
// those that are covered at once.
enum { SPARE_ZONES = 4096, SPARE_BYTES = 1 << 18 };

static bool has_room(const Zones *zones) {
  const uint32_t spare =
      SPARE_BYTES / (uint32_t)packed_bytes(zones->probe.k, zones->probe.format);
  return zones->table.count < zones->written + (spare < SPARE_ZONES ? spare : SPARE_ZONES);
}

void firing_keep(Zones *zones) {
  Probe *probe = &zones->probe;
  make_probe(zones);
  if (has_room(zones))
    zones->space.zone = zonetable_add(&zones->table, probe);
  else
    zones->space.zone = zonetable_find(&zones->table, probe);
}

ZoneRef firing_ref(Zones *zones) {
  if (zones->space.zone)
    return zones->space.zone;
  make_probe(zones);
  const Probe *probe = &zones->probe;
  return zones->space.zone = zonetable_add(&zones->table, probe);
}

// The zone of an opened node where it is not the stored one. Extrapolation may have lost upper
// bounds of the invariant that held when the node was made: taking them back is sound and makes
// fewer nodes; TChecker's counts rest on it too. And time passes now if zones are stored before
// delay.
static bool change_source(Zones *zones, ZoneRef stored) {
  const Scene *scene = zones->source_scene;
  const uint32_t k = scene->frame.k;
  Probe *probe = &zones->probe;
  firing_source(zones);
  if (!firing_find_invariant(zones, scene, keys_source(&zones->keys)))
    return false;
  enter(zones, scene, zones->source_zone);
  if (zones->is_before && !elapse(zones, scene, zones->source_zone))
    return false;
  zones->has_probe = false; // the current node is given up
  probe_make(probe, zones->kind, zones->source_zone, k, &scene->frame.bounds->packed);
  set_source(zones, zonetable_add(&zones->table, probe));
  remember(zones, scene->setting->stay, stored, zones->source_ref);
  return true;
}

bool firing_open(Zones *zones, ZoneRef ref) {
  const Scene *scene = zones->source_scene;
  zones->has_source = false;
  set_source(zones, ref);
  if ((!zones->is_extrapolated && !zones->is_before) ||
      (!scene->setting->stay && !scene->setting->is_dynamic))
    return true;
  const ZoneRef known = zones->has_memo && scene->setting->stay
                            ? memo_find(&zones->memo, ref, scene->setting->stay)
                            : ZONE_NONE;
  if (!known)
    return change_source(zones, ref);
  set_source(zones, known);
  return true;
}

static void set_initial(Zones *zones, uint32_t k) {
  const int32_t *initial = zones->net->clock_initial;
  dbm_zero(zones->zone, k);
  if (!initial)
    return;
  Origins *origins = &zones->scenes.origins;
  memset(origins->origin, 0, dbm_stride(k) * sizeof *origins->origin);
  for (uint32_t i = 1; i < k; i++)
    origins->offset[i] = initial[zones->scene->frame.clocks[i]];
  dbm_zero(zones->scratch, 1);
  dbm_remap(zones->zone, k, zones->scratch, 1, origins->origin, origins->offset);
}

bool firing_begin(Zones *zones) {
  const uint32_t k = zones->scene->frame.k;
  zones->has_zone = true;
  zones->has_probe = false;
  zones->space.zone = ZONE_NONE;
  set_initial(zones, k);
  if (!firing_find_invariant(zones, zones->scene, keys_state(&zones->keys)) || !settle(zones))
    return false;
  abstract(zones);
  firing_keep(zones);
  return true;
}
