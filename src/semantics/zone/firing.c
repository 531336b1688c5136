#include "semantics/zone/firing.h"

#include "base/testbuild.h"
#include "dbm/delay.h"
#include "dbm/kernel/longstep.h"
#include "dbm/remap.h"
#include "dbm/stored/compact.h"
#include "model/stopwatches.h"
#include "semantics/zone/covering.h"
#include "semantics/zone/hulls.h"
#include "semantics/zone/reduce.h"
#include "semantics/zone/transformer.h"

#include <string.h>

// The tests collected by the Vm, as constraints over the active clocks.
static ConstraintList convert_tests(Zones *zones, const ActiveClocks *active, Constraints *list) {
  vec_clear(list);
  activeclocks_add(active, zones->mem, list, zones->tests.items, zones->tests.size);
  return (ConstraintList){list->items, list->size};
}

// Intersects with constraints; false if empty. With large constants one by one, each checked.
static bool constrain(Zones *zones, Bound *zone, uint32_t k, ConstraintList list) {
  if (!global_of(zones)->is_large)
    return dbm_constrain_all(zones->mem, zone, k, list.items, list.count);
  for (uint32_t i = 0; i < list.count; i++) {
    mem_tick(zones->mem);
    if (!dbm_constrain(zones->mem, zone, k, list.items[i]) ||
        !globalzone_in_range(zones, zone, k))
      return false;
  }
  return true;
}

// Whether a bound is stronger than another; see base/testbuild.h.
static bool is_stronger(Bound a, Bound b) { return PLANTED("bounds") ? a > b : a < b; }

static bool is_cut(const Bound *zone, uint32_t k, ConstraintList list) {
  for (uint32_t i = 0; i < list.count; i++) {
    const Constraint c = list.items[i];
    if (is_stronger(c.bound, zone[c.i * dbm_stride(k) + c.j]))
      return true;
  }
  return false;
}

// Checks updates that depend on variables, each after those before it: no clock becomes negative
// or too large. There may be many of them: each is looked at once. A clock that is not active in
// the source and is copied anyway does not matter after it either.
static bool check_updates(Global *global, const Bound *zone) {
  Zones *zones = &global->zones;
  const ActiveClocks *active = &zones->opened.vector->active;
  memcpy(global->origin, active->position, zones->vectors.n * sizeof(ClockId));
  memset(global->offset, 0, zones->vectors.n * sizeof(int32_t));
  for (uint32_t i = 0; i < zones->updates.size; i++) {
    const ClockUpdate u = zones->updates.items[i];
    const ClockId from = u.y ? global->origin[u.y] : 0;
    const int32_t offset = (u.y ? global->offset[u.y] : 0) + code_narrow(u.constant);
    if (offset > BOUND_MAX)
      return globalzone_outgrow(zones);
    if (bound_shift(zone[from], -offset) > BOUND_LE_ZERO)
      return space_fail(&zones->space, "a clock is set to a negative value", (Place){0});
    if (zones->space.needs && offset < 0 && from)
      needs_forbid(&global->needs, (Constraint){from, 0, bound_lt(-offset)});
    global->origin[u.x] = from;
    global->offset[u.x] = offset;
    global->is_large |= offset > TRANSITION_LARGE;
  }
  return true;
}

// The zone over the active clocks of the target, after the transition's updates. `zone`
// is the source zone, or `scratch`.
static bool move_clocks(Global *global, const Transition *t, const Bound *zone) {
  Zones *zones = &global->zones;
  const ActiveClocks *from = &zones->opened.vector->active, *to = &zones->vector->active;
  Origins *origins = &zones->vectors.origins;
  if (t->needs_clocks) {
    Transition made = {
        .clocks = zones->updates.items, .clock_count = zones->updates.size, .has_copies = true};
    if (!check_updates(global, zone))
      return false;
    transformer_origins(from, &made, to, origins);
  }
  if (origins->is_identity)
    dbm_copy(global->matrix, zone, to->k);
  else
    dbm_remap(global->matrix, to->k, zone, from->k, origins->origin,
              origins->has_offset ? origins->offset : NULL);
  return !t->needs_clocks || !global->is_large ||
         globalzone_in_range(zones, global->matrix, to->k);
}

// Time passes in a state where some clocks may stand still.
static bool pass_with_rates(Global *global, const LocVector *vector, const int32_t *state,
                            Bound *zone) {
  Zones *zones = &global->zones;
  const ActiveClocks *active = &vector->active;
  bool *stopped = global->stopped, *still = global->still;
  if (!space_holds(&zones->space, &zones->vm,
                   stopwatches_find(zones->net, &zones->vm, state, &zones->tests, stopped)))
    return false;
  for (uint32_t i = 0; i < active->k; i++)
    still[i] = !i || (stopped[active->clocks[i]] && !PLANTED("stopwatches"));
  dbm_up_some(zone, active->k, still);
  return true;
}

// Enters the invariant, and, with `delays`, lets time pass as long as it holds in the state.
static bool stay(Global *global, const LocVector *vector, const int32_t *state, Bound *zone,
                 ConstraintList list, bool delays) {
  const uint32_t k = vector->active.k;
  const Setting *setting = vector->setting;
  if (is_cut(zone, k, list) && !constrain(&global->zones, zone, k, list))
    return false;
  if (!delays || !setting->can_delay)
    return true;
  if (setting->is_upper && !setting->is_dynamic && !global->is_large) {
    dbm_delay(zone, k, list.items, list.count);
    return true;
  }
  if (!setting->has_rates)
    dbm_up(zone, k);
  else if (!pass_with_rates(global, vector, state, zone))
    return false;
  return constrain(&global->zones, zone, k, list);
}

// Whether zones of a location vector are those on entry; not after a transition that is a delay.
static bool is_entry(const Zones *zones, const LocVector *vector) {
  return global_of(zones)->is_before && !vector->setting->is_delay;
}

bool firing_invariant(Zones *zones, const LocVector *vector, const int32_t *state,
                      ConstraintList *list) {
  const Setting *setting = vector->setting;
  Constraints *constraints = &global_of(zones)->constraints;
  *list = setting->invariant;
  if (!setting->is_dynamic)
    return true;
  vec_clear(&zones->tests);
  if (!space_holds(&zones->space, &zones->vm,
                   joint_invariant(zones->net, &zones->vm, state, &zones->tests)))
    return false;
  convert_tests(zones, &vector->active, constraints);
  for (uint32_t i = setting->after_count; i > 0; i--)
    vec_push(zones->mem, constraints, setting->invariant.items[setting->invariant.count - i]);
  *list = (ConstraintList){constraints->items, constraints->size};
  return true;
}

// The current zone, in `matrix`: target invariant, delay, target invariant, extrapolation.
static bool settle(Global *global, ConstraintList list) {
  Zones *zones = &global->zones;
  if (!stay(global, zones->vector, states_state(&zones->states), global->matrix, list,
            !is_entry(zones, zones->vector)))
    return false;
  abstraction_apply(zones->extrapolation, zones->mem, global->matrix, &zones->vector->active);
  return true;
}

// The constant clock tests of a guard over the clocks of the opened zone, into `guard`.
static void translate_guard(Zones *zones, const Transition *t) {
  const ActiveClocks *active = &zones->opened.vector->active;
  Constraints *guard = &global_of(zones)->guard;
  vec_reserve(zones->mem, guard, t->guard_count);
  guard->size = t->guard_count;
  for (uint32_t i = 0; i < t->guard_count; i++)
    guard->items[i] = activeclocks_translate(active, t->guard[i]);
}

// Whether origins of clocks and the target's invariant do not depend on variables.
static bool is_known(const Zones *zones, const Transition *t) {
  return !t->needs_clocks && !zones->vector->setting->is_dynamic;
}

// Whether the source's invariant, and the updates, imply a constraint of the target's.
static bool is_implied(const Setting *setting, const Origins *origins, Constraint c) {
  const ClockId x = c.i ? c.i : c.j, origin = origins->origin[x];
  const int32_t offset = origins->has_offset ? origins->offset[x] : 0;
  const Bound bound = bound_shift(c.bound, c.i ? -offset : offset);
  if (!origin)
    return bound >= BOUND_LE_ZERO;
  for (uint32_t i = 0; i < setting->invariant.count; i++) {
    const Constraint known = setting->invariant.items[i];
    if (known.i == (c.i ? origin : 0) && known.j == (c.i ? 0 : origin) && known.bound <= bound)
      return true;
  }
  return false;
}

// The constraints of the target's invariant that the source's does not imply.
static ConstraintList find_news(Global *global, ConstraintList list) {
  const Zones *zones = &global->zones;
  Constraints *news = &global->constraints;
  vec_clear(news);
  for (uint32_t i = 0; i < list.count; i++)
    if (!is_implied(zones->opened.vector->setting, &zones->vectors.origins, list.items[i]))
      vec_push(zones->mem, news, list.items[i]);
  return (ConstraintList){news->items, news->size};
}

// Tells what the transition means for clock bounds, once all this is known: before any matrix
// work if it can be. With the target's invariant.
static void follow(Global *global, uint32_t ordinal, const Transition *t, ConstraintList list) {
  Needs *needs = &global->needs;
  const Zones *zones = &global->zones;
  const LocVector *from = zones->opened.vector;
  const Origins *origins = &zones->vectors.origins;
  const ConstraintList news =
      from->setting->is_dynamic || !is_known(zones, t) ? list : find_news(global, list);
  needs->way = t->needs_clocks ? NULL : &from->outgoing[ordinal].transformer;
  needs_follow(needs, zones->vector->active.k, origins->origin,
               origins->has_offset ? origins->offset : NULL, news.items, news.count);
  if (zones->vector->setting->is_delay)
    needs_delay(needs, list.items, list.count);
}

// The matrix work of a transition, operation by operation: for any size and any constraint.
static bool move_zone(Global *global, const Transition *t, uint32_t ordinal) {
  Zones *zones = &global->zones;
  const ConstraintList guard = {global->guard.items, global->guard.size};
  const uint32_t k = zones->opened.vector->active.k;
  const Bound *zone = globalzone_source(zones);
  ConstraintList list;
  if (is_cut(zone, k, guard)) {
    dbm_copy(global->scratch, zone, k);
    if (!constrain(zones, global->scratch, k, guard))
      return false;
    zone = global->scratch;
  }
  if (!move_clocks(global, t, zone) ||
      !firing_invariant(zones, zones->vector, states_state(&zones->states), &list))
    return false;
  if (zones->space.needs && !is_known(zones, t))
    follow(global, ordinal, t, list);
  return settle(global, list);
}

static void try(Zones *zones, const Transition *t) {
  Global *global = global_of(zones);
  translate_guard(zones, t);
  needs_try(&global->needs, global->guard.items, global->guard.size);
}

static bool may_hold(Zones *zones) {
  const ActiveClocks *active = &zones->opened.vector->active;
  const ConstraintList guard = convert_tests(zones, active, &global_of(zones)->guard);
  if (zones->space.needs)
    needs_try(&global_of(zones)->needs, guard.items, guard.count);
  const Bound *zone = globalzone_source(zones);
  for (uint32_t i = 0; i < guard.count; i++)
    if (!dbm_meets(zone, active->k, guard.items[i]))
      return engine_refuse(zones);
  return true;
}

static bool can_happen(Zones *zones) {
  const ActiveClocks *active = &zones->opened.vector->active;
  Bound *zone = global_of(zones)->scratch;
  const ConstraintList guard = convert_tests(zones, active, &global_of(zones)->guard);
  dbm_copy(zone, globalzone_source(zones), active->k);
  return dbm_constrain_all(zones->mem, zone, active->k, guard.items, guard.count) ||
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
  const bool extrapolates = zones->extrapolation == ABSTRACTION_EXTRA_LU_PLUS;
  const PackedBounds *bounds = &to->active.bounds->packed;
  Probe *probe = &zones->covering.probe;
  const bool is_long = from->k > zones->step_max || to->active.k > zones->step_max;
  const Step step = {.from = from->entries,
                     .format = (PackedFormat)from->format,
                     .n = from->k,
                     .guard = global_of(zones)->guard.items,
                     .guard_count = global_of(zones)->guard.size,
                     .origin = zones->vectors.origins.is_identity ? NULL
                                                                  : zones->vectors.origins.origin,
                     .k = to->active.k,
                     .invariant = to->setting->invariant.items,
                     .invariant_count = to->setting->invariant.count,
                     .can_delay = to->setting->can_delay && !is_entry(zones, to),
                     .bounds = extrapolates ? bounds : NULL,
                     .image = probe->buffer16};
  const StepResult result = is_long ? longstep_run(&step) : step_run(&step);
  if (result == STEP_DONE) {
    probe_accept(probe, zones->covering.kind, step.k, bounds);
    zones->covering.probed = ZONE_CURRENT;
    global_of(zones)->matrix_of = ZONE_NONE;
  }
  return result;
}

static bool make(Zones *zones, const OutgoingTransition *out, uint32_t ordinal) {
  const Transition *t = locvector_transition(&zones->vectors, out);
  if (!t->needs_clocks)
    transformer_origins(&zones->opened.vector->active, t, &zones->vector->active,
                        &zones->vectors.origins);
  if (zones->space.needs && is_known(zones, t))
    follow(global_of(zones), ordinal, t, zones->vector->setting->invariant);
  if (!t->needs_guard)
    translate_guard(zones, t);
  globalzone_begin(zones);
  const StepResult result = is_step(zones, t) ? step_zone(zones) : STEP_REFUSED;
  if (result == STEP_EMPTY ||
      (result == STEP_REFUSED && !move_zone(global_of(zones), t, ordinal))) {
    engine_remember(zones, zones->opened.zone, out->transformer, MEMO_EMPTY);
    return engine_refuse(zones);
  }
  globalzone_keep(zones);
  engine_remember(zones, zones->opened.zone, out->transformer, zones->space.zone);
  return true;
}

// The zone of an opened node where it is not the stored one. Extrapolation may have lost upper
// bounds of the invariant that held when the node was made: taking them back is sound and makes
// fewer nodes; TChecker's counts rest on it too. And time passes now if zones are stored before
// delay. Not inlined: mostly zones are opened as they are.
__attribute__((noinline)) static bool change_source(Zones *zones, ZoneRef stored) {
  const LocVector *vector = zones->opened.vector;
  const uint32_t k = vector->active.k;
  Probe *probe = &zones->covering.probe;
  ConstraintList list;
  globalzone_source(zones);
  if (!firing_invariant(zones, vector, states_source(&zones->states), &list) ||
      !stay(global_of(zones), vector, states_source(&zones->states), zones->opened.matrix, list,
            global_of(zones)->is_before))
    return false;
  zones->covering.probed = ZONE_NONE; // the current node is given up
  probe_make(probe, zones->covering.kind, zones->opened.matrix, k,
             &vector->active.bounds->packed);
  globalzone_open(zones, zonetable_add(&zones->table, probe));
  engine_remember(zones, stored, vector->setting->stay, zones->opened.zone);
  return true;
}

// What the opened node needs whatever its transitions: that no clause of the goal is met.
static void begin_needs(Zones *zones) {
  const LocVector *vector = zones->opened.vector;
  const ActiveClocks *active = &vector->active;
  Needs *needs = &global_of(zones)->needs;
  ConstraintList list;
  if (!firing_invariant(zones, vector, states_source(&zones->states), &list))
    return;
  needs_open(needs, active->k, globalzone_source(zones), list.items, list.count,
             vector->setting->can_delay);
  for (uint32_t clause = 0; zones->goal; clause++) {
    vec_clear(&zones->tests);
    if (goal_clause(zones->goal, &zones->vm, states_source(&zones->states), &clause,
                    &zones->tests) != VM_TRUE)
      break;
    list = convert_tests(zones, active, &global_of(zones)->constraints);
    needs_try(needs, list.items, list.count);
    needs_refuse(needs);
  }
}

bool firing_open(Zones *zones, ZoneRef ref) {
  const Setting *setting = zones->opened.vector->setting;
  const bool is_changed = zones->vectors.wants.stay && (setting->stay || setting->is_dynamic);
  const ZoneRef known = is_changed ? engine_recall(zones, ref, setting->stay) : ref;
  globalzone_open(zones, known ? known : ref);
  if (!known && !change_source(zones, ref))
    return false;
  if (zones->space.needs)
    begin_needs(zones);
  return true;
}

static bool begin(Zones *zones) {
  Global *global = global_of(zones);
  const ActiveClocks *active = &zones->vector->active;
  const int32_t *initial = zones->net->clock_initial;
  ConstraintList list;
  globalzone_begin(zones);
  dbm_zero(global->matrix, active->k);
  for (ClockId i = 1; initial && i < active->k; i++)
    dbm_assign(global->matrix, active->k, i, initial[active->clocks[i]]);
  if (!firing_invariant(zones, zones->vector, states_state(&zones->states), &list) ||
      !settle(global, list))
    return false;
  globalzone_keep(zones);
  return true;
}

// Of the memory in use: half of it; a quarter where nodes are representatives, because most of
// these have locations of their own.
enum { VECTORS_SHARE = 2, RENAMED_SHARE = 4 };

static bool keep_small(Zones *zones) {
  return locvector_keep_small(&zones->vectors, zones->rename ? RENAMED_SHARE : VECTORS_SHARE, 0);
}

static void link(Zones *zones, uint32_t ordinal) {
  LocVector *vector = zones->opened.vector;
  transformer_link(&zones->vectors, vector, &vector->outgoing[ordinal], zones->states.key);
}

// Whether a zone of the current node meets the tests; `scratch` is lost.
static bool meets(Zones *zones) {
  Global *global = global_of(zones);
  const LocVector *vector = zones->vector;
  const ConstraintList tests = convert_tests(zones, &vector->active, &global->guard);
  ConstraintList list;
  dbm_copy(global->scratch, globalzone_matrix(zones), vector->active.k);
  if (global->is_before &&
      !(firing_invariant(zones, vector, states_state(&zones->states), &list) &&
        stay(global, vector, states_state(&zones->states), global->scratch, list, true)))
    return false;
  return constrain(zones, global->scratch, vector->active.k, tests);
}

// As dbm_delay, within the upper bounds of the invariant. A zone may exceed them, as far as the
// extrapolation let it: that part stays. The result is tight: first[i] <= [i][j] + first[j] holds
// of the sums, as it does of the old bounds, so also of the larger ones.
static void pass_time(Bound *zone, uint32_t k, ConstraintList invariant) {
  for (uint32_t i = 1; i < k; i++) {
    Bound *row = zone + i * dbm_stride(k), first = BOUND_INF;
    for (uint32_t c = 0; c < invariant.count; c++) {
      const Constraint upper = invariant.items[c];
      const Bound sum = upper.i && !upper.j ? bound_sum(row[upper.i], upper.bound) : BOUND_INF;
      first = sum < first ? sum : first;
    }
    row[0] = first > row[0] ? first : row[0];
  }
}

static void join(Zones *zones, ZoneRef ref) {
  const LocVector *vector = zones->vector;
  const Setting *setting = vector->setting;
  const uint32_t k = vector->active.k;
  Bound *zone = globalzone_matrix(zones), *scratch = global_of(zones)->scratch;
  ConstraintList list;
  globalzone_read(zones, ref, scratch);
  dbm_join(zone, scratch, k);
  globalzone_begin(zones);
  if (setting->can_delay && !setting->is_delay && !global_of(zones)->is_before &&
      firing_invariant(zones, vector, states_state(&zones->states), &list))
    pass_time(zone, k, list);
}

// No zone of global time is in 8 bits, so no message is as long.
static ZoneString form(Zones *zones, PackedFormat format) {
  const uint32_t k = zones->vector->active.k;
  const size_t bytes = format == PACKED_8 ? SIZE_MAX : packed_bytes(k, format);
  return (ZoneString){.kind = k, .format = format, .bytes = bytes};
}

static ZoneString packed(Zones *zones) {
  const Probe *probe = covering_probe(zones);
  ZoneString zone = form(zones, probe->format);
  zone.entries = probe->entries;
  return zone;
}

static void accept(Zones *zones, const ZoneString *zone) {
  globalzone_begin(zones);
  packed_read(global_of(zones)->matrix, zones->vector->active.k, zone->entries, zone->format);
  globalzone_keep(zones);
}

const Time firing_time = {.knows_diagonals = true,
                          .keep_small = keep_small,
                          .begin = begin,
                          .open = firing_open,
                          .try = try,
                          .may_hold = may_hold,
                          .can_happen = can_happen,
                          .link = link,
                          .make = make,
                          .meets = meets,
                          .number = globalzone_number,
                          .rename = reduce_rename,
                          .join = join,
                          .packed = packed,
                          .accept = accept,
                          .form = form};
