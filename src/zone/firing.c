#include "zone/firing.h"

#include "base/testbuild.h"
#include "dbm/delay.h"
#include "dbm/kernel/longstep.h"
#include "dbm/remap.h"
#include "zone/transformer.h"

#include <string.h>

void firing_convert_tests(Zones *zones, const ActiveClocks *active) {
  Constraints *list = &global_of(zones)->constraints;
  vec_clear(list);
  activeclocks_add(active, zones->mem, list, zones->tests.items, zones->tests.size);
}

bool firing_constrain(Zones *zones, Bound *zone, uint32_t k, const Constraint *list,
                      uint32_t count) {
  if (!global_of(zones)->is_large)
    return dbm_constrain_all(zone, k, list, count);
  for (uint32_t i = 0; i < count; i++)
    if (!dbm_constrain(zone, k, list[i]) || !globalzone_in_range(zones, zone, k))
      return false;
  return true;
}

bool firing_meets_all(const Bound *zone, uint32_t k, const Constraint *list, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (!dbm_meets(zone, k, list[i]))
      return false;
  return true;
}

// Whether a bound is stronger than another; see base/testbuild.h.
static bool is_stronger(Bound a, Bound b) { return PLANTED("bounds") ? a > b : a < b; }

static bool is_cut(const Bound *zone, uint32_t k, const Constraint *list, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (is_stronger(list[i].bound, zone[list[i].i * dbm_stride(k) + list[i].j]))
      return true;
  return false;
}

// Follows updates that depend on variables: origin and offset of every updated clock. A
// clock that is not active in the source and is copied anyway does not matter after it either.
static bool follow_updates(Zones *zones, const Bound *zone) {
  for (uint32_t i = 0; i < zones->updates.size; i++) {
    const ClockUpdate u = zones->updates.items[i];
    const ClockId from = u.y ? global_of(zones)->origin[u.y] : 0;
    const int32_t offset = (u.y ? global_of(zones)->offset[u.y] : 0) + code_narrow(u.constant);
    if (offset > BOUND_MOST) {
      globalzone_outgrow(zones);
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

// The zone over the active clocks of the target, after updates that depend on variables.
static bool update_clocks(Zones *zones, const Bound *zone) {
  const ActiveClocks *from = &zones->opened.vector->active, *active = &zones->vector->active;
  memcpy(global_of(zones)->origin, from->position, global_of(zones)->n * sizeof(ClockId));
  memset(global_of(zones)->offset, 0, global_of(zones)->n * sizeof(int32_t));
  if (!follow_updates(zones, zone))
    return false;
  Origins *origins = &zones->vectors.origins;
  for (uint32_t i = 1; i < active->k; i++) {
    origins->origin[i] = global_of(zones)->origin[active->clocks[i]];
    origins->offset[i] = global_of(zones)->offset[active->clocks[i]];
  }
  for (uint32_t i = active->k; i < dbm_stride(active->k); i++)
    origins->origin[i] = 0;
  origins->has_offset = true;
  dbm_remap(global_of(zones)->matrix, active->k, zone, from->k, origins->origin, origins->offset);
  return !global_of(zones)->is_large ||
         globalzone_in_range(zones, global_of(zones)->matrix, active->k);
}

static void swap_zones(Zones *zones) {
  Bound *zone = global_of(zones)->matrix;
  global_of(zones)->matrix = global_of(zones)->scratch;
  global_of(zones)->scratch = zone;
}

// The zone over the active clocks of the target, after the transition's updates. `zone`
// is the source zone, or `scratch`.
static bool move_clocks(Zones *zones, const Transition *t, const Bound *zone) {
  const Origins *origins = &zones->vectors.origins;
  const uint32_t k = zones->vector->active.k;
  if (t->needs_clocks)
    return update_clocks(zones, zone);
  if (!origins->is_identity)
    dbm_remap(global_of(zones)->matrix, k, zone, zones->opened.vector->active.k, origins->origin,
              origins->has_offset ? origins->offset : NULL);
  else if (zone == global_of(zones)->scratch)
    swap_zones(zones);
  else
    dbm_copy(global_of(zones)->matrix, zone, k);
  return true;
}

const Constraint *firing_invariant(const Zones *zones, const LocVector *vector, uint32_t *count) {
  *count = vector->setting->is_dynamic ? global_of(zones)->constraints.size
                                       : vector->setting->invariant_count;
  return vector->setting->is_dynamic ? global_of(zones)->constraints.items
                                     : vector->setting->invariant;
}

// Time passes in a zone inside the invariant, as long as it holds.
static bool elapse(Zones *zones, const LocVector *vector, Bound *zone) {
  const uint32_t k = vector->active.k;
  uint32_t count;
  const Constraint *list = firing_invariant(zones, vector, &count);
  if (!vector->setting->can_delay)
    return true;
  if (vector->setting->is_upper && !vector->setting->is_dynamic && !global_of(zones)->is_large) {
    dbm_delay(zone, k, list, count);
    return true;
  }
  dbm_up(zone, k);
  return firing_constrain(zones, zone, k, list, count);
}

static bool enter(Zones *zones, const LocVector *vector, Bound *zone) {
  uint32_t count;
  const Constraint *list = firing_invariant(zones, vector, &count);
  return !is_cut(zone, vector->active.k, list, count) ||
         firing_constrain(zones, zone, vector->active.k, list, count);
}

// Whether zones of a location vector are those on entry; not after a transition that is a delay.
static bool is_entry(const Zones *zones, const LocVector *vector) {
  return global_of(zones)->is_before && !vector->setting->is_delay;
}

// Target invariant, delay, target invariant.
static bool settle(Zones *zones) {
  return enter(zones, zones->vector, global_of(zones)->matrix) &&
         (is_entry(zones, zones->vector) ||
          elapse(zones, zones->vector, global_of(zones)->matrix));
}

bool firing_find_invariant(Zones *zones, const LocVector *vector, const int32_t *state) {
  if (!vector->setting->is_dynamic)
    return true;
  vec_clear(&zones->tests);
  if (!engine_holds(zones, joint_invariant(zones->net, &zones->vm, state, &zones->tests)))
    return false;
  firing_convert_tests(zones, &vector->active);
  const Setting *setting = vector->setting;
  for (uint32_t i = setting->after_count; i > 0; i--)
    vec_push(zones->mem, &global_of(zones)->constraints,
             setting->invariant[setting->invariant_count - i]);
  return true;
}

bool firing_pass_time(Zones *zones, const LocVector *vector, const int32_t *state, Bound *zone) {
  return firing_find_invariant(zones, vector, state) && enter(zones, vector, zone) &&
         elapse(zones, vector, zone);
}

static void abstract(Zones *zones) {
  abstraction_apply(zones->abstraction, zones->also_extrapolates, global_of(zones)->matrix,
                    &zones->vector->active);
}

// The constant clock tests of a guard over the clocks of the opened zone, into `guard`.
static void translate_guard(Zones *zones, const Transition *t) {
  const ActiveClocks *active = &zones->opened.vector->active;
  vec_reserve(zones->mem, &global_of(zones)->guard, t->guard_count);
  global_of(zones)->guard.size = t->guard_count;
  for (uint32_t i = 0; i < t->guard_count; i++)
    global_of(zones)->guard.items[i] = activeclocks_translate(active, t->guard[i]);
}

// Whether origins of clocks and the target's invariant do not depend on variables.
static bool is_known(const Zones *zones, const Transition *t) {
  return !t->needs_clocks && !zones->vector->setting->is_dynamic;
}

// Tells what the transition means for clock bounds, once all this is known: before any matrix
// work if it can be.
static void follow(Zones *zones, const Outgoing *out) {
  Needs *needs = &global_of(zones)->needs;
  OutgoingNews *news = &zones->opened.vector->news[out - zones->opened.vector->outgoing];
  const Origins *origins = &zones->vectors.origins;
  uint32_t count = news->news_count;
  const Constraint *list =
      news->has_news ? news->news : firing_invariant(zones, zones->vector, &count);
  needs->way = locvector_transition(&zones->vectors, out)->needs_clocks ? NULL : &news->way;
  needs_follow(needs, zones->vector->active.k, origins->origin,
               origins->has_offset ? origins->offset : NULL, list, count);
  if (!zones->vector->setting->is_delay)
    return;
  list = firing_invariant(zones, zones->vector, &count);
  needs_delay(needs, list, count);
}

// The matrix work of a transition, operation by operation: for any size and any constraint.
static bool move_zone(Zones *zones, const Outgoing *out) {
  const Transition *t = locvector_transition(&zones->vectors, out);
  const Constraint *guard = global_of(zones)->guard.items;
  const uint32_t count = global_of(zones)->guard.size;
  const uint32_t k = zones->opened.vector->active.k;
  const Bound *zone = globalzone_source(zones);
  if (is_cut(zone, k, guard, count)) {
    dbm_copy(global_of(zones)->scratch, zone, k);
    if (!firing_constrain(zones, global_of(zones)->scratch, k, guard, count))
      return false;
    zone = global_of(zones)->scratch;
  }
  if (!move_clocks(zones, t, zone) ||
      !firing_find_invariant(zones, zones->vector, states_state(&zones->states)))
    return false;
  if (zones->space.needs && !is_known(zones, t))
    follow(zones, out);
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
  Constraints *guard = &global_of(zones)->guard;
  vec_clear(guard);
  activeclocks_add(&zones->opened.vector->active, zones->mem, guard, zones->tests.items,
                   zones->tests.size);
}

bool firing_may_hold(Zones *zones) {
  Global *global = global_of(zones);
  take_guard(zones);
  if (zones->space.needs)
    needs_try(&global->needs, global->guard.items, global->guard.size, true);
  return firing_meets_all(globalzone_source(zones), zones->opened.vector->active.k,
                          global->guard.items, global->guard.size) ||
         engine_refuse(zones);
}

bool firing_can_happen(Zones *zones) {
  Global *global = global_of(zones);
  const uint32_t k = zones->opened.vector->active.k;
  take_guard(zones);
  dbm_copy(global->scratch, globalzone_source(zones), k);
  return dbm_constrain_all(global->scratch, k, global->guard.items, global->guard.size) ||
         engine_refuse(zones);
}

// Whether dbm/kernel/step.h can do the matrix work of a transition between these location
// vectors.
static bool is_step(const Zones *zones, const Transition *t) {
  const LocVector *from = zones->opened.vector, *to = zones->vector;
  return from->active.k <= global_of(zones)->step_long &&
         to->active.k <= global_of(zones)->step_long && to->setting->is_upper &&
         !to->setting->is_dynamic && !t->needs_clocks && !zones->vectors.origins.has_offset;
}

// The result is in the probe.
static StepResult step_zone(Zones *zones) {
  const LocVector *to = zones->vector;
  const StoredZone *from = zones->opened.bounds;
  const bool extrapolates =
      zones->abstraction == ABSTRACTION_EXTRA_LU_PLUS || zones->also_extrapolates;
  const PackedBounds *bounds = &to->active.bounds->packed;
  Probe *probe = &zones->covering.probe;
  const bool is_long = from->k > zones->step_most || to->active.k > zones->step_most;
  const Step step = {.from = from->entries,
                     .format = (PackedFormat)from->format,
                     .n = from->k,
                     .guard = global_of(zones)->guard.items,
                     .guard_count = global_of(zones)->guard.size,
                     .origin = zones->vectors.origins.is_identity ? NULL
                                                                  : zones->vectors.origins.origin,
                     .k = to->active.k,
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

static bool make_zone(Zones *zones, const Outgoing *out) {
  const StepResult result = is_step(zones, locvector_transition(&zones->vectors, out))
                                ? step_zone(zones)
                                : STEP_REFUSED;
  return result == STEP_REFUSED ? move_zone(zones, out) : result != STEP_EMPTY;
}

// The matrix work of a transition; false if the result is empty.
static bool find_zone(Zones *zones, const Outgoing *out) {
  const Transition *t = locvector_transition(&zones->vectors, out);
  if (!t->needs_guard)
    translate_guard(zones, t);
  globalzone_begin(zones);
  if (!make_zone(zones, out)) {
    engine_remember(zones, zones->opened.zone, out->transformer, MEMO_EMPTY);
    return engine_refuse(zones);
  }
  globalzone_keep(zones);
  engine_remember(zones, zones->opened.zone, out->transformer, zones->space.zone);
  return true;
}

bool firing_make(Zones *zones, const Outgoing *out, uint32_t ordinal) {
  const Transition *t = locvector_transition(&zones->vectors, out);
  (void)ordinal;
  if (!t->needs_clocks)
    transformer_origins(&zones->opened.vector->active, t, &zones->vector->active,
                        &zones->vectors.origins);
  if (zones->space.needs && is_known(zones, t))
    follow(zones, out);
  return find_zone(zones, out);
}

// The zone of an opened node where it is not the stored one. Extrapolation may have lost upper
// bounds of the invariant that held when the node was made: taking them back is sound and makes
// fewer nodes; TChecker's counts rest on it too. And time passes now if zones are stored before
// delay.
static bool change_source(Zones *zones, ZoneRef stored) {
  const LocVector *vector = zones->opened.vector;
  const uint32_t k = vector->active.k;
  Probe *probe = &zones->covering.probe;
  globalzone_source(zones);
  if (!firing_find_invariant(zones, vector, states_source(&zones->states)))
    return false;
  enter(zones, vector, zones->opened.matrix);
  if (global_of(zones)->is_before && !elapse(zones, vector, zones->opened.matrix))
    return false;
  zones->covering.probed = ZONE_NONE; // the current node is given up
  probe_make(probe, zones->covering.kind, zones->opened.matrix, k,
             &vector->active.bounds->packed);
  globalzone_open(zones, zonetable_add(&zones->table, probe));
  engine_remember(zones, stored, vector->setting->stay, zones->opened.zone);
  return true;
}

bool firing_open(Zones *zones, ZoneRef ref) {
  const LocVector *vector = zones->opened.vector;
  zones->opened.has_matrix = false;
  globalzone_open(zones, ref);
  if ((!global_of(zones)->is_extrapolated && !global_of(zones)->is_before) ||
      (!vector->setting->stay && !vector->setting->is_dynamic))
    return true;
  const ZoneRef known = engine_recall(zones, ref, vector->setting->stay);
  if (!known)
    return change_source(zones, ref);
  globalzone_open(zones, known);
  return true;
}

static void set_initial(Zones *zones, uint32_t k) {
  const int32_t *initial = zones->net->clock_initial;
  dbm_zero(global_of(zones)->matrix, k);
  if (!initial)
    return;
  Origins *origins = &zones->vectors.origins;
  memset(origins->origin, 0, dbm_stride(k) * sizeof *origins->origin);
  for (uint32_t i = 1; i < k; i++)
    origins->offset[i] = initial[zones->vector->active.clocks[i]];
  dbm_zero(global_of(zones)->scratch, 1);
  dbm_remap(global_of(zones)->matrix, k, global_of(zones)->scratch, 1, origins->origin,
            origins->offset);
}

bool firing_begin(Zones *zones) {
  const uint32_t k = zones->vector->active.k;
  globalzone_begin(zones);
  set_initial(zones, k);
  if (!firing_find_invariant(zones, zones->vector, states_state(&zones->states)) ||
      !settle(zones))
    return false;
  abstract(zones);
  globalzone_keep(zones);
  return true;
}
