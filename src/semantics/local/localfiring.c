#include "semantics/local/localfiring.h"

#include "base/testbuild.h"
#include "semantics/local/localtransition.h"

#include <assert.h>
#include <string.h>

static bool outgrow(Local *local) {
  return space_fail(
      &local->zones.space,
      "a difference of moments in local time outgrows the largest representable bound; scale "
      "the constants of the model down, or use --engine zones",
      (Place){0});
}

// The invariants of a state: ceilings of all processes, and the tests of the processes in
// `domain` (NULL: all).
static VmResult find_invariants(Local *local, const int32_t *state, const ProcessId *domain,
                                uint32_t count) {
  const Net *net = local->zones.net;
  localvector_clear_ceilings(&local->vectors);
  vec_clear(&local->invariant);
  for (ProcessId p = 0; p < net->processes.size; p++) {
    const LocationId location = net_location_at(net, p, state);
    const Guard *guard = net->by_location.invariants[location];
    if (!guard)
      continue;
    const uint32_t size = local->invariant.size;
    const VmResult result = vm_guard(&local->zones.vm, guard, state, &local->invariant);
    if (result != VM_TRUE)
      return result;
    bool is_inside = !domain;
    for (uint32_t i = 0; i < count; i++)
      is_inside |= domain[i] == p;
    for (uint32_t t = size; t < local->invariant.size; t++)
      localvector_add_ceiling(&local->vectors, p, location, &local->invariant.items[t]);
    if (!is_inside)
      local->invariant.size = size;
  }
  return VM_TRUE;
}

// The setting of a location vector whose ceilings have been found, if they depend on variables.
static const LocalSetting *setting_of(Local *local, const LocalVector *vector) {
  const LocalSetting *bare = vector->setting;
  return vector->is_dynamic ? localvector_setting(&local->vectors, bare->shape, bare->bounds)
                            : bare;
}

static const Bound *read_source(Local *local) {
  if (!local->zones.opened.has_matrix) {
    const StoredZone *stored = zonetable_at(&local->zones.table, local->zones.opened.zone);
    offsetpack_read(local->zones.opened.matrix, local->source_vector->shape, stored->entries,
                    (PackedFormat)stored->format);
  }
  local->zones.opened.has_matrix = true;
  return local->zones.opened.matrix;
}

ZoneString localfiring_form(Zones *zones, PackedFormat format) {
  const Local *local = local_of(zones);
  return (ZoneString){.kind = local->setting->shape->number,
                      .format = format,
                      .bytes = offsetpack_bytes(local->vector->shape, format)};
}

ZoneString localfiring_packed(Zones *zones) {
  ZoneString zone = localfiring_form(zones, local_of(zones)->pack.format);
  zone.entries = local_of(zones)->pack.entries;
  return zone;
}

// How many zones may be in the table that no node has had yet, as for global time.
enum { SPARE_ZONES = LOWERED(4096, 4096, 4) };

// Puts the current zone into the table, unless that would fill up with zones that no node has.
static void keep_zone(Local *local) {
  Zones *zones = &local->zones;
  const uint32_t spare = zones->results.is_on ? SPARE_ZONES : 0;
  zones->space.zone = zones->table.count < zones->written + spare
                          ? zonetable_add_string(&zones->table, localfiring_packed(zones))
                          : zonetable_find_string(&zones->table, localfiring_packed(zones));
}

ZoneRef localfiring_number(Zones *zones) {
  Local *local = local_of(zones);
  if (!zones->space.zone) {
    zones->space.zone = zonetable_add_string(&zones->table, localfiring_packed(zones));
    if (local->sync && local->synced.known.entries)
      memo_add(&local->synced.known, zones->space.zone, local->setting->number, local->sync);
  }
  return zones->space.zone;
}

uint32_t localfiring_store(Space *space) {
  Local *local = (Local *)space;
  const OffsetShape *shape = local->vector->shape;
  const ZoneRef zone = localfiring_number(&local->zones);
  if (local->pack.format == PACKED_32) {
    offsetpack_read(local->matrix, shape, local->pack.entries, PACKED_32);
    if (!offset_in_range(local->matrix, shape))
      outgrow(local);
  }
  local->zones.written++;
  if (local->result) {
    *local->result = commute_result(zone);
    local->vector->origins[0] = (LocalOrigin){local->source_vector, space->ordinal};
  }
  return zone;
}

// The current zone is a new one, in `pack`.
static void set_zone(Local *local) {
  local->zones.space.zone = local->sync = ZONE_NONE;
  local->result = NULL;
}

static void pack_zone(Local *local) {
  const OffsetShape *shape = local->vector->shape;
  offset_low(local->matrix, shape, local->low);
  offsetpack_make(&local->pack, shape, local->matrix, local->low);
  set_zone(local);
}

void localfiring_keep(Local *local) {
  pack_zone(local);
  keep_zone(local);
}

static inline void take_zone(Local *local, ZoneRef ref) {
  const StoredZone *stored = zonetable_at(&local->zones.table, ref);
  set_zone(local);
  local->zones.space.zone = ref;
  local->pack.entries = stored->entries;
  local->pack.format = (PackedFormat)stored->format;
}

void localfiring_load(Zones *zones, ZoneRef zone) {
  Local *local = local_of(zones);
  local->vector = zones->vector->more;
  if (local->vector->is_dynamic)
    find_invariants(local, states_state(&zones->states), NULL, 0);
  local->setting = setting_of(local, local->vector);
  set_zone(local);
  if (zone)
    take_zone(local, zone);
}

void localfiring_accept(Zones *zones, const ZoneString *zone) {
  Local *local = local_of(zones);
  local->pack.entries = zone->entries;
  local->pack.format = zone->format;
  set_zone(local);
  take_zone(local, localfiring_number(zones));
}

// Whether something of the current zone can be synchronised, if frozen times allow it.
static inline bool meets_ceilings(const Local *local) {
  const LocalSetting *setting = local->setting;
  const OffsetPack *pack = &local->pack;
  if (PLANTED("local-synchronisable"))
    return true;
  return pack->format == PACKED_8
             ? offsetpack_is_least(pack->entries, setting->least, local->vectors.all.clocks)
             : offsetpack_can_meet(pack->entries, pack->format, setting->ceilings,
                                   setting->ceiling_count);
}

bool localfiring_open(Zones *zones, ZoneRef ref) {
  Local *local = local_of(zones);
  LocalVector *source = local->source_vector = zones->opened.vector->more;
  if (!source->steps)
    source->steps = arena_alloc(&zones->vectors.cache,
                                2 * source->vector->outgoing_count * sizeof *source->steps);
  zones->opened.zone = ref;
  if (local->source_vector->is_dynamic) // they held when the node was made
    find_invariants(local, states_source(&zones->states), NULL, 0);
  local->source_setting = setting_of(local, local->source_vector);
  if (local->can_commute)
    commute_open(local->origins, &local->vectors, local->source_vector, ref);
  zones->opened.results = local->can_commute ? localvector_results(local->source_vector) : NULL;
  return true;
}

bool localfiring_begin(Zones *zones) {
  Local *local = local_of(zones);
  local->vector = zones->vector->more;
  if (!space_holds(&local->zones.space, &zones->vm,
                   find_invariants(local, states_state(&local->zones.states), NULL, 0)))
    return false;
  local->setting = setting_of(local, local->vector);
  for (uint32_t t = 0; t < local->invariant.size; t++) {
    const ClockTest *test = &local->invariant.items[t]; // of clocks that are all 0
    if (test->constant < test->strict)
      return false;
  }
  offset_zero(local->matrix, local->vector->shape);
  pack_zone(local);
  if (!meets_ceilings(local))
    return false;
  keep_zone(local);
  return true;
}

// Begins an action of the opened node whose guard is in `tests`.
static LocalActions *begin_action(Local *local, const LocalUse *use) {
  const LocalSetting *setting = local->source_setting;
  LocalActions *maker = &local->vectors.maker;
  localaction_begin(maker, local->source_vector->shape, use, setting->ceilings,
                    setting->ceiling_count);
  localaction_guard(maker, local->zones.tests.items, local->zones.tests.size);
  return maker;
}

// An action with all processes in its domain: what happens at a moment of global time.
static bool meet_all(Local *local, OffsetAction *action) {
  const OffsetShape *shape = local->source_vector->shape;
  const LocalUse joint = {.domain_count = local->zones.net->processes.size};
  localaction_end(begin_action(local, &joint), action);
  return offset_instant(read_source(local), shape, action, local->instant);
}

bool localfiring_can_happen(Zones *zones) {
  OffsetAction unused;
  return meet_all(local_of(zones), &unused);
}

// Whether updates leave every clock in the range of bounds and not negative; in global time, that
// is. After each of them, so that none of their sums in localaction_update
// overflows.
static bool check_updates(Local *local) {
  OffsetAction action;
  const ClockUpdate *updates = local->zones.updates.items;
  const uint32_t count = local->zones.updates.size;
  const OffsetShape *shape = local->source_vector->shape;
  int64_t max = 0;
  for (uint32_t u = 0; u < count; u++)
    max += updates[u].constant < 0 ? BOUND_MAX + 1 : updates[u].constant;
  if (max <= BOUND_MAX) // all are small, and none is negative
    return true;
  if (!meet_all(local, &action))
    return false;
  LocalActions *maker = &local->vectors.maker; // where clocks come from, at first themselves
  for (uint32_t u = 0; u < count; u++) {
    const uint32_t x = updates[u].x - 1, y = updates[u].y;
    const uint32_t from = y ? maker->origin[y - 1] : shape->n;
    const int64_t shift = (y ? maker->shift[y - 1] : 0) + updates[u].constant;
    const Bound low = from < shape->clocks && shape->columns[from]
                          ? offset_since(local->zones.opened.matrix, shape, &action, from)
                          : BOUND_LE_ZERO;
    if (shift > BOUND_MAX)
      return outgrow(local);
    if (shift < -BOUND_MAX || low > bound_le((int32_t)shift))
      return space_fail(&local->zones.space, "a clock is set to a negative value", (Place){0});
    maker->origin[x] = from;
    maker->shift[x] = (int32_t)shift;
  }
  return true;
}

// Makes the action of a step that depends on variables, after the target's state.
static bool find_action(Local *local, const Transition *t, const LocalUse *use,
                        OffsetAction *action) {
  if (!t->needs_guard)
    engine_constant_guard(&local->zones, t);
  if (t->needs_clocks && !check_updates(local))
    return false;
  const VmResult result =
      find_invariants(local, states_state(&local->zones.states), use->domain, use->domain_count);
  if (result != VM_TRUE)
    return engine_give_up(&local->zones, result);
  LocalActions *maker = begin_action(local, use);
  localaction_update(maker, local->vector->shape,
                     t->needs_clocks ? local->zones.updates.items : t->clocks,
                     t->needs_clocks ? local->zones.updates.size : t->clock_count);
  localaction_invariant(maker, local->invariant.items, local->invariant.size);
  return localaction_end(maker, action);
}

// Constraints on differences of clocks cut a copy of the source.
static const Bound *apply_between(Local *local, const OffsetAction *action) {
  const OffsetShape *shape = local->source_vector->shape;
  memcpy(local->scratch, read_source(local),
         sizeof(Bound) * shape->stride * (shape->first_time + shape->times));
  for (uint32_t i = 0; i < action->between_count; i++)
    if (!offset_constrain(local->scratch, shape, action->between[i]))
      return NULL;
  return local->scratch;
}

// The matrix work of a transition; false if nothing is left that frozen times allow to
// synchronise.
static bool make_zone(Local *local, const OffsetAction *action) {
  const OffsetShape *shape = local->source_vector->shape;
  const Bound *zone = action->between_count ? apply_between(local, action) : read_source(local);
  if (!zone || !offset_instant(zone, shape, action, local->instant))
    return false;
  offset_fire(local->matrix, local->vector->shape, zone, action, local->instant, local->spare);
  pack_zone(local);
  return PLANTED("local-synchronisable") ||
         offset_can_meet(local->matrix, local->vector->shape, local->low, NULL, 0);
}

// The same, without any matrix if that is possible.
static bool make_packed(Local *local, const LocalTransition *step) {
  const StoredZone *stored = zonetable_at(&local->zones.table, local->zones.opened.zone);
  const PackedFormat format = (PackedFormat)stored->format;
  const LocalShape *shape = local->setting->shape;
  OffsetPack *pack = &local->pack;
  if (format == PACKED_8 ? !step->is_tiny : format == PACKED_32 || !step->is_small)
    return make_zone(local, &step->action);
  void *image = format == PACKED_8 ? (void *)pack->image8 : (void *)pack->image16;
  pack->entries = image;
  pack->format = format;
  const OffsetStepResult result = offsetstep_fire(
      image, (OffsetStepZone){&shape->shape, &shape->masks}, stored->entries,
      local->source_vector->shape, &step->action, &step->masks, local->instant16, format);
  if (result == OFFSETSTEP_LARGE)
    return make_zone(local, &step->action);
  if (result & OFFSETSTEP_FITS)
    offsetpack_narrow(pack, &shape->shape);
  set_zone(local);
  const OffsetStepResult rest = result & ~OFFSETSTEP_FITS;
  return rest == OFFSETSTEP_DONE ||
         (rest == OFFSETSTEP_BEHIND && PLANTED("local-synchronisable"));
}

bool localfiring_agrees(Local *local, uint32_t ordinal, ZoneRef result) {
  LocalVector *source = local->source_vector;
  const OutgoingTransition *out = &source->vector->outgoing[ordinal];
  if (!out->target)
    localtransition_link(&local->vectors, source, ordinal, local->zones.states.key);
  const LocalTransition *step = localvector_step(&local->vectors, source->steps[ordinal]);
  local->vector = localvector_target(&local->vectors, out);
  local->setting = local->vector->setting;
  const bool is_there = !step->is_impossible && make_packed(local, step) && meets_ceilings(local);
  if (!is_there || !memo_is_zone(result))
    return is_there == memo_is_zone(result);
  return zonetable_find_string(&local->zones.table, localfiring_packed(&local->zones)) == result;
}

// A process whose ceiling the current zone has passed. Not inlined: most zones pass none.
__attribute__((noinline)) static ZoneRef find_passed(const Local *local) {
  const LocalSetting *setting = local->setting;
  for (uint32_t i = 0; i < setting->ceiling_count; i++)
    if (!offsetpack_can_meet(local->pack.entries, local->pack.format, &setting->ceilings[i], 1))
      return commute_passed(setting->ceilings[i].i - local->vectors.all.first_time);
  return MEMO_EMPTY;
}

// Keeps what the transition that was fired has led to: a node, or this.
static inline bool note_result(Local *local, uint32_t ordinal, bool is_there, ZoneRef nothing) {
  if (local->can_commute) {
    local->result = &local->zones.opened.results[ordinal];
    *local->result = is_there ? commute_result(local->zones.space.zone) : nothing;
    if (is_there && *local->result && local->vector->opened != *local->result)
      local->vector->origins[1] = (LocalOrigin){local->source_vector, ordinal};
  }
  return is_there;
}

// The same for a zone that is known to be there, but for the ceilings.
static inline bool note_zone(Local *local, uint32_t ordinal, bool meets) {
  return note_result(local, ordinal, meets,
                     meets || !local->can_commute ? MEMO_EMPTY : find_passed(local));
}

bool localfiring_take(Zones *zones, const OutgoingTransition *out, uint32_t ordinal,
                      ZoneRef known, bool is_sure) {
  Local *local = local_of(zones);
  if (!memo_is_zone(known))
    return note_result(local, ordinal, false, known);
  local->vector = localvector_target(&local->vectors, out);
  local->setting = local->vector->setting; // unless it is dynamic
  zones->vector = local->vector->vector;
  take_zone(local, known);
  return note_zone(local, ordinal, is_sure || meets_ceilings(local));
}

// The zone of a step that does not depend on variables. Its remembered result holds for all
// ceilings.
static bool find_zone(Local *local, const LocalTransition *step, uint32_t ordinal,
                      uint32_t transformer) {
  Zones *zones = &local->zones;
  const bool is_there = !step->is_impossible && make_packed(local, step);
  const bool meets = is_there && meets_ceilings(local);
  if (meets || (is_there && zones->results.is_on))
    keep_zone(local);
  engine_remember(zones, zones->opened.zone, transformer,
                  is_there ? zones->space.zone : MEMO_EMPTY);
  return is_there ? note_zone(local, ordinal, meets)
                  : note_result(local, ordinal, false, MEMO_EMPTY);
}

// The zone of a step that depends on variables.
static bool make_node(Local *local, const Transition *t, const LocalTransition *step) {
  OffsetAction made;
  if (!find_action(local, t, &step->use, &made))
    return false;
  local->setting = setting_of(local, local->vector);
  if (!make_zone(local, &made) || !meets_ceilings(local))
    return false;
  keep_zone(local);
  return true;
}

bool localfiring_make(Zones *zones, const OutgoingTransition *out, uint32_t ordinal) {
  Local *local = local_of(zones);
  const LocalTransition *step =
      localvector_step(&local->vectors, local->source_vector->steps[ordinal]);
  local->vector = zones->vector->more;
  local->setting = local->vector->setting; // unless it is dynamic
  return step->has_action ? find_zone(local, step, ordinal, out->transformer)
                          : make_node(local, locvector_transition(&zones->vectors, out), step);
}

// How often other orders are looked for before one asks whether it helps.
enum { MAX_TRIED = LOWERED(2048, 2048, 16) };

// By another order of the same actions, unless to look for one does not help.
ZoneRef localfiring_infer(Zones *zones, uint32_t ordinal) {
  Local *local = local_of(zones);
  if (!local->can_commute)
    return ZONE_NONE;
  const ZoneRef found =
      commute_find(local->origins, &local->vectors, local->source_vector, ordinal);
  assert(!found || localfiring_agrees(local, ordinal, found));
  local->commuted += found != 0;
  if (!found && ++local->not_commuted > MAX_TRIED && local->commuted < local->not_commuted / 4) {
    local->can_commute = false;
    zones->opened.results = NULL;
  }
  return found;
}
