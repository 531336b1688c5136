#include "zone/firing.h"

#include "base/planted.h"
#include "dbm/delay.h"
#include "dbm/kernel/longstep.h"
#include "dbm/remap.h"
#include "dbm/stored/compact.h"
#include "zone/effect.h"

#include <string.h>

static void outgrow(Zones *zones) {
  const char *reason =
      global_of(zones)->is_extrapolated || zones->is_smoothed
          ? "a clock difference outgrows the largest representable bound; scale the constants of "
            "the model down"
          : "a clock difference outgrows the largest representable bound; scale the constants of "
            "the model down, or use an extrapolation such as --abstraction extra-lu+";
  engine_fail(zones, reason, (Place){0});
}

bool firing_in_range(Zones *zones, const Bound *zone, uint32_t k) {
  if (dbm_in_range(zone, k))
    return true;
  outgrow(zones);
  return false;
}

void firing_convert_tests(Zones *zones, const Frame *frame) {
  vec_reserve(zones->mem, &global_of(zones)->constraints, zones->tests.size);
  global_of(zones)->constraints.size = zones->tests.size;
  for (uint32_t i = 0; i < zones->tests.size; i++)
    global_of(zones)->constraints.items[i] = frame_constraint(frame, &zones->tests.items[i]);
}

bool firing_constrain(Zones *zones, Bound *zone, uint32_t k, const Constraint *list,
                      uint32_t count) {
  if (!global_of(zones)->is_large)
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
    const ClockId from = u.y ? global_of(zones)->origin[u.y] : 0;
    const int32_t offset = (u.y ? global_of(zones)->offset[u.y] : 0) + u.constant;
    if (offset > BOUND_MOST) {
      outgrow(zones);
      return false;
    }
    if (bound_shift(zone[from], -offset) > BOUND_LE_ZERO) {
      engine_fail(zones, "a clock is set to a negative value", (Place){0});
      return false;
    }
    if (zones->space.needs && offset < 0 && from)
      needs_forbid(&global_of(zones)->needs, (Constraint){from, 0, bound_lt(-offset)});
    global_of(zones)->origin[u.x] = from;
    global_of(zones)->offset[u.x] = offset;
    global_of(zones)->is_large |= offset > TRANSITION_LARGE;
  }
  return true;
}

// The zone over the clocks of the target's frame, after updates that depend on variables.
static bool update_clocks(Zones *zones, const Bound *zone) {
  const Frame *from = &zones->opened.scene->frame, *frame = &zones->scene->frame;
  memcpy(global_of(zones)->origin, from->position, global_of(zones)->n * sizeof(ClockId));
  memset(global_of(zones)->offset, 0, global_of(zones)->n * sizeof(int32_t));
  if (!follow_updates(zones, zone))
    return false;
  Origins *origins = &zones->scenes.origins;
  for (uint32_t i = 1; i < frame->k; i++) {
    origins->origin[i] = global_of(zones)->origin[frame->clocks[i]];
    origins->offset[i] = global_of(zones)->offset[frame->clocks[i]];
  }
  for (uint32_t i = frame->k; i < dbm_stride(frame->k); i++)
    origins->origin[i] = 0;
  origins->has_offset = true;
  dbm_remap(global_of(zones)->matrix, frame->k, zone, from->k, origins->origin, origins->offset);
  return !global_of(zones)->is_large ||
         firing_in_range(zones, global_of(zones)->matrix, frame->k);
}

static void swap_zones(Zones *zones) {
  Bound *zone = global_of(zones)->matrix;
  global_of(zones)->matrix = global_of(zones)->scratch;
  global_of(zones)->scratch = zone;
}

// The zone over the clocks of the target's frame, after the move's updates. `zone` is the
// source zone, or `scratch`.
static bool move_clocks(Zones *zones, const Transition *t, const Bound *zone) {
  const Origins *origins = &zones->scenes.origins;
  const uint32_t k = zones->scene->frame.k;
  if (t->needs_clocks)
    return update_clocks(zones, zone);
  if (!origins->is_identity)
    dbm_remap(global_of(zones)->matrix, k, zone, zones->opened.scene->frame.k, origins->origin,
              origins->has_offset ? origins->offset : NULL);
  else if (zone == global_of(zones)->scratch)
    swap_zones(zones);
  else
    dbm_copy(global_of(zones)->matrix, zone, k);
  return true;
}

const Constraint *firing_invariant(const Zones *zones, const Scene *scene, uint32_t *count) {
  *count = scene->setting->is_dynamic ? global_of(zones)->constraints.size
                                      : scene->setting->invariant_count;
  return scene->setting->is_dynamic ? global_of(zones)->constraints.items
                                    : scene->setting->invariant;
}

// Time passes in a zone inside the invariant, as long as it holds.
static bool elapse(Zones *zones, const Scene *scene, Bound *zone) {
  const uint32_t k = scene->frame.k;
  uint32_t count;
  const Constraint *list = firing_invariant(zones, scene, &count);
  if (!scene->setting->can_delay)
    return true;
  if (scene->setting->is_upper && !scene->setting->is_dynamic && !global_of(zones)->is_large) {
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
  return global_of(zones)->is_before && !scene->setting->is_delay;
}

// Target invariant, delay, target invariant.
static bool settle(Zones *zones) {
  return enter(zones, zones->scene, global_of(zones)->matrix) &&
         (is_entry(zones, zones->scene) || elapse(zones, zones->scene, global_of(zones)->matrix));
}

bool firing_find_invariant(Zones *zones, const Scene *scene, const int32_t *state) {
  if (!scene->setting->is_dynamic)
    return true;
  vec_clear(&zones->tests);
  if (!engine_holds(zones, joint_invariant(zones->net, &zones->vm, state, &zones->tests)))
    return false;
  firing_convert_tests(zones, &scene->frame);
  for (uint32_t i = 0; i < scene->setting->after_count; i++)
    vec_push(zones->mem, &global_of(zones)->constraints, scene->setting->after[i]);
  return true;
}

bool firing_pass_time(Zones *zones, const Scene *scene, const int32_t *state, Bound *zone) {
  return firing_find_invariant(zones, scene, state) && enter(zones, scene, zone) &&
         elapse(zones, scene, zone);
}

static void abstract(Zones *zones) {
  abstraction_apply(zones->abstraction, zones->is_smoothed, global_of(zones)->matrix,
                    &zones->scene->frame);
}

// The constant clock tests of a guard over the clocks of the opened zone, into `guard`.
static void translate_guard(Zones *zones, const Transition *t) {
  const Frame *frame = &zones->opened.scene->frame;
  vec_reserve(zones->mem, &global_of(zones)->guard, t->guard_count);
  global_of(zones)->guard.size = t->guard_count;
  for (uint32_t i = 0; i < t->guard_count; i++)
    global_of(zones)->guard.items[i] = frame_translate(frame, t->guard[i]);
}

// Whether origins of clocks and the target's invariant do not depend on variables.
static bool is_known(const Zones *zones, const Transition *t) {
  return !t->needs_clocks && !zones->scene->setting->is_dynamic;
}

// Tells what the move means for clock bounds, once all this is known: before any matrix work
// if it can be.
static void follow(Zones *zones, const Move *move) {
  Needs *needs = &global_of(zones)->needs;
  MoveNews *news = &zones->opened.scene->news[move - zones->opened.scene->moves];
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
  const Constraint *guard = global_of(zones)->guard.items;
  const uint32_t count = global_of(zones)->guard.size;
  const uint32_t k = zones->opened.scene->frame.k;
  const Bound *zone = firing_source(zones);
  if (is_cut(zone, k, guard, count)) {
    dbm_copy(global_of(zones)->scratch, zone, k);
    if (!firing_constrain(zones, global_of(zones)->scratch, k, guard, count))
      return false;
    zone = global_of(zones)->scratch;
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

void firing_try(Zones *zones, const Transition *t) {
  Global *global = global_of(zones);
  translate_guard(zones, t);
  needs_try(&global->needs, global->guard.items, global->guard.size, true);
}

// The tests of a guard over the clocks of the opened zone.
static void take_guard(Zones *zones) {
  Global *global = global_of(zones);
  vec_reserve(zones->mem, &global->guard, zones->tests.size);
  global->guard.size = zones->tests.size;
  for (uint32_t i = 0; i < zones->tests.size; i++)
    global->guard.items[i] =
        frame_constraint(&zones->opened.scene->frame, &zones->tests.items[i]);
}

bool firing_may_hold(Zones *zones) {
  Global *global = global_of(zones);
  take_guard(zones);
  if (zones->space.needs)
    needs_try(&global->needs, global->guard.items, global->guard.size, true);
  return firing_meets_all(firing_source(zones), zones->opened.scene->frame.k, global->guard.items,
                          global->guard.size) ||
         engine_refuse(zones);
}

bool firing_can_happen(Zones *zones) {
  Global *global = global_of(zones);
  const uint32_t k = zones->opened.scene->frame.k;
  take_guard(zones);
  dbm_copy(global->scratch, firing_source(zones), k);
  return dbm_constrain_all(global->scratch, k, global->guard.items, global->guard.size) ||
         engine_refuse(zones);
}

// Whether dbm/kernel/step.h can do the matrix work of a move between these scenes.
static bool is_step(const Zones *zones, const Transition *t) {
  const Scene *from = zones->opened.scene, *to = zones->scene;
  return from->frame.k <= global_of(zones)->step_long &&
         to->frame.k <= global_of(zones)->step_long && to->setting->is_upper &&
         !to->setting->is_dynamic && !t->needs_clocks && !zones->scenes.origins.has_offset;
}

// The result is in the probe.
static StepResult step_zone(Zones *zones) {
  const Scene *to = zones->scene;
  const KeptZone *from = zones->opened.bounds;
  const bool extrapolates = zones->abstraction == ABSTRACTION_EXTRA_LU_PLUS || zones->is_smoothed;
  const PackedBounds *bounds = &to->frame.bounds->packed;
  Probe *probe = &zones->covering.probe;
  const bool is_long = from->k > zones->step_most || to->frame.k > zones->step_most;
  const Step step = {.from = from->body,
                     .format = (PackedFormat)from->format,
                     .n = from->k,
                     .guard = global_of(zones)->guard.items,
                     .guard_count = global_of(zones)->guard.size,
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
  if (result == STEP_8 || result == STEP_16) {
    probe_accept(probe, zones->covering.kind, step.k, result == STEP_8 ? PACKED_8 : PACKED_16,
                 bounds);
    zones->covering.probed = ZONE_CURRENT;
    global_of(zones)->matrix_of = ZONE_NONE;
  }
  return result;
}

static bool make_zone(Zones *zones, const Move *move) {
  const StepResult result =
      is_step(zones, scene_transition(&zones->scenes, move)) ? step_zone(zones) : STEP_REFUSED;
  return result == STEP_REFUSED ? move_zone(zones, move) : result != STEP_EMPTY;
}

// The current zone will be in the matrix.
static void begin_zone(Zones *zones) {
  global_of(zones)->matrix_of = ZONE_CURRENT;
  zones->covering.probed = zones->space.zone = ZONE_NONE;
}

// The matrix work of a move; false if the result is empty.
static bool find_zone(Zones *zones, const Move *move) {
  const Transition *t = scene_transition(&zones->scenes, move);
  if (!t->needs_guard)
    translate_guard(zones, t);
  begin_zone(zones);
  if (!make_zone(zones, move)) {
    engine_remember(zones, zones->opened.zone, move->effect, MEMO_EMPTY);
    return engine_refuse(zones);
  }
  firing_keep(zones);
  engine_remember(zones, zones->opened.zone, move->effect, zones->space.zone);
  return true;
}

// A zone of the table, in `room` if it has to be unfolded.
static const KeptZone *kept_at(Zones *zones, ZoneRef ref, void *room) {
  return zones->covering.probe.compact
             ? compact_hold(zones->covering.probe.compact, &zones->table, ref, room)
             : zonetable_at(&zones->table, ref);
}

void firing_set_opened(Zones *zones, ZoneRef ref) {
  zones->opened.zone = ref;
  zones->opened.bounds = kept_at(zones, ref, global_of(zones)->source_room);
}

bool firing_make(Zones *zones, const Move *move, uint32_t ordinal) {
  const Transition *t = scene_transition(&zones->scenes, move);
  (void)ordinal;
  if (!t->needs_clocks)
    effect_origins(&zones->opened.scene->frame, t, &zones->scene->frame, &zones->scenes.origins);
  if (zones->space.needs && is_known(zones, t))
    follow(zones, move);
  return find_zone(zones, move);
}

const Bound *firing_source(Zones *zones) {
  const KeptZone *kept = zones->opened.bounds;
  if (!zones->opened.has_matrix)
    packed_read(zones->opened.matrix, kept->k, kept->body, (PackedFormat)kept->format);
  zones->opened.has_matrix = true;
  return zones->opened.matrix;
}

Bound *firing_zone(Zones *zones) {
  Global *global = global_of(zones);
  const Probe *probe = &zones->covering.probe;
  const ZoneRef own = zones->space.zone ? zones->space.zone : ZONE_CURRENT;
  if (global->matrix_of != own && zones->covering.probed == own) {
    packed_read(global->matrix, probe->k, probe->body, probe->format);
  } else if (global->matrix_of != own) {
    const KeptZone *kept = kept_at(zones, own, zones->covering.room);
    if (probe->compact && zones->covering.probed != ZONE_CURRENT)
      zones->covering.probed = ZONE_NONE; // that zone may have been in the room
    packed_read(global->matrix, kept->k, kept->body, (PackedFormat)kept->format);
    if (probe->compact) // its zone was in the same room
      zones->covering.probed = ZONE_NONE;
  }
  global->matrix_of = own;
  return global->matrix;
}

// The current zone, which has no number yet, in packed form.
static Probe *pack_zone(Zones *zones) {
  const Frame *frame = &zones->scene->frame;
  Probe *probe = &zones->covering.probe;
  if (zones->covering.probed == ZONE_CURRENT)
    return probe;
  probe_make(probe, zones->covering.kind, global_of(zones)->matrix, frame->k,
             &frame->bounds->packed);
  zones->covering.probed = ZONE_CURRENT;
  if (probe->format == PACKED_32)
    firing_in_range(zones, global_of(zones)->matrix, frame->k);
  return probe;
}

// The current zone gets a number.
static void set_number(Zones *zones, ZoneRef number) {
  zones->space.zone = number;
  if (number && global_of(zones)->matrix_of == ZONE_CURRENT)
    global_of(zones)->matrix_of = number;
  if (number)
    zones->covering.probed = number;
}

// How many zones may be in the table that no node has had yet. Where zones are met again and
// again there are far more nodes than zones; where they are not, nothing is gained by keeping
// those that are covered at once.
enum { SPARE_ZONES = 4096, SPARE_BYTES = 1 << 18 };

static bool has_room(const Zones *zones) {
  const Probe *probe = &zones->covering.probe;
  const uint32_t spare = SPARE_BYTES / (uint32_t)packed_bytes(probe->k, probe->format);
  return zones->table.count < zones->written + (spare < SPARE_ZONES ? spare : SPARE_ZONES);
}

void firing_keep(Zones *zones) {
  const Probe *probe = pack_zone(zones);
  set_number(zones, has_room(zones) ? zonetable_add(&zones->table, probe)
                                    : zonetable_find(&zones->table, probe));
}

ZoneRef firing_number(Zones *zones) {
  if (!zones->space.zone)
    set_number(zones, zonetable_add(&zones->table, pack_zone(zones)));
  return zones->space.zone;
}

// The zone of an opened node where it is not the stored one. Extrapolation may have lost upper
// bounds of the invariant that held when the node was made: taking them back is sound and makes
// fewer nodes; TChecker's counts rest on it too. And time passes now if zones are stored before
// delay.
static bool change_source(Zones *zones, ZoneRef stored) {
  const Scene *scene = zones->opened.scene;
  const uint32_t k = scene->frame.k;
  Probe *probe = &zones->covering.probe;
  firing_source(zones);
  if (!firing_find_invariant(zones, scene, keys_source(&zones->keys)))
    return false;
  enter(zones, scene, zones->opened.matrix);
  if (global_of(zones)->is_before && !elapse(zones, scene, zones->opened.matrix))
    return false;
  zones->covering.probed = ZONE_NONE; // the current node is given up
  probe_make(probe, zones->covering.kind, zones->opened.matrix, k, &scene->frame.bounds->packed);
  firing_set_opened(zones, zonetable_add(&zones->table, probe));
  engine_remember(zones, stored, scene->setting->stay, zones->opened.zone);
  return true;
}

bool firing_open(Zones *zones, ZoneRef ref) {
  const Scene *scene = zones->opened.scene;
  zones->opened.has_matrix = false;
  firing_set_opened(zones, ref);
  if ((!global_of(zones)->is_extrapolated && !global_of(zones)->is_before) ||
      (!scene->setting->stay && !scene->setting->is_dynamic))
    return true;
  const ZoneRef known = engine_recall(zones, ref, scene->setting->stay);
  if (!known)
    return change_source(zones, ref);
  firing_set_opened(zones, known);
  return true;
}

static void set_initial(Zones *zones, uint32_t k) {
  const int32_t *initial = zones->net->clock_initial;
  dbm_zero(global_of(zones)->matrix, k);
  if (!initial)
    return;
  Origins *origins = &zones->scenes.origins;
  memset(origins->origin, 0, dbm_stride(k) * sizeof *origins->origin);
  for (uint32_t i = 1; i < k; i++)
    origins->offset[i] = initial[zones->scene->frame.clocks[i]];
  dbm_zero(global_of(zones)->scratch, 1);
  dbm_remap(global_of(zones)->matrix, k, global_of(zones)->scratch, 1, origins->origin,
            origins->offset);
}

bool firing_begin(Zones *zones) {
  const uint32_t k = zones->scene->frame.k;
  begin_zone(zones);
  set_initial(zones, k);
  if (!firing_find_invariant(zones, zones->scene, keys_state(&zones->keys)) || !settle(zones))
    return false;
  abstract(zones);
  firing_keep(zones);
  return true;
}
