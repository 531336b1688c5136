#include "local/localfiring.h"

#include "dbm/kernel/step.h"

#include <assert.h>
#include <string.h>

void localfiring_fail(Local *local, const char *reason, Place place) {
  local->space.failure = reason;
  local->space.failure_place = place;
}

void localfiring_outgrow(Local *local) {
  localfiring_fail(
      local,
      "a difference of moments in local time outgrows the largest representable bound; scale "
      "the constants of the model down, or use --engine zones",
      (Place){0});
}

// Whether a VM result is an error of the model; then it is not yet recorded.
static bool is_error(const Local *local, VmResult result) {
  return result == VM_ERROR || (result == VM_INVALID && local->net->invalid_is_error);
}

bool localfiring_holds(Local *local, VmResult result) {
  if (is_error(local, result))
    localfiring_fail(local, local->vm.error, local->vm.error_place);
  return result == VM_TRUE;
}

// The invariants of a state: ceilings of all processes, and the tests of the processes in
// `domain` (NULL: all).
static VmResult find_invariants(Local *local, const int32_t *state, const ProcessId *domain,
                                uint32_t count) {
  const Net *net = local->net;
  vec_clear(&local->ceilings);
  vec_clear(&local->invariant);
  for (ProcessId p = 0; p < net->processes.size; p++) {
    const LocationId location =
        net->processes.items[p].first_location + (uint32_t)state[net->location_slot + p];
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
      if (localscene_ceiling(&local->scenes, p, location, &local->invariant.items[t], &ceiling))
        vec_push(local->mem, &local->ceilings, ceiling);
    }
    if (!is_inside)
      local->invariant.size = size;
  }
  return VM_TRUE;
}

// The setting of a scene whose ceilings have been found, if they depend on variables.
static const LocalSetting *setting_of(Local *local, const LocalScene *scene) {
  return scene->is_dynamic ? localscene_setting(&local->scenes, scene, local->ceilings.items,
                                                local->ceilings.size)
                           : scene->setting;
}

void localfiring_find_setting(Local *local) {
  if (local->scene->is_dynamic)
    find_invariants(local, keys_state(&local->keys), NULL, 0);
  local->setting = setting_of(local, local->scene);
}

static const Bound *read_source(Local *local) {
  if (!local->has_source) {
    const KeptZone *kept = zonetable_at(&local->table, local->source_ref);
    offsetpack_read(local->source_zone, local->source_scene->shape, kept->body,
                    (PackedFormat)kept->format);
  }
  local->has_source = true;
  return local->source_zone;
}

// The synchronised zone of a packed zone in the setting of the current node.
static const Bound *synchronise(Local *local, const void *body, PackedFormat format) {
  const LocalSetting *setting = local->setting;
  offsetpack_synchronise(local->global, local->scene->shape, body, format, setting->ceilings,
                         setting->ceiling_count, local->spare,
                         (local->rules & LOCAL_WHOLE_TEST) != 0);
  return local->global;
}

const Bound *localfiring_synchronise(Local *local) {
  return synchronise(local, local->pack.body, local->pack.format);
}

// How many zones are made before one asks whether it helps to remember them.
enum { MOST_UNKNOWN = 2048 };

// Makes the probe for the synchronised zone of a packed one, modulo the abstraction, in 16 bits;
// false if that cannot be.
static bool probe_small(Local *local, const void *body, PackedFormat format) {
  const Frame *frame = &local->scene->scene->frame;
  const LocalSetting *setting = local->setting;
  const PackedBounds *bounds = &frame->bounds->packed;
  Probe *probe = &local->probe;
  const bool changes = abstraction_changes(local->abstraction, local->is_smoothed);
  const bool steps = local->kind == PROBE_ALU && frame->k <= local->step_most;
  if (format == PACKED_32 || (changes && !steps) ||
      !offsetpack_synchronise16(probe->buffer16, local->scene->shape, body, format,
                                setting->ceilings, setting->ceiling_count, local->instant16,
                                (local->rules & LOCAL_WHOLE_TEST) != 0))
    return false;
  if (!changes) {
    probe_shrink(probe, local->kind, frame->k, bounds);
    return true;
  }
  const Step step = {.from = probe->buffer16, // read before anything is written
                     .format = PACKED_16,
                     .n = frame->k,
                     .k = frame->k,
                     .bounds = bounds,
                     .image = probe->buffer16,
                     .image8 = probe->allows_8 ? probe->outer_buffer8 : NULL};
  const StepResult result = step_run(&step);
  if (result == STEP_REFUSED)
    return false;
  probe_accept(probe, local->kind, frame->k, result == STEP_8 ? PACKED_8 : PACKED_16, bounds);
  return true;
}

// The same in any case.
static void probe_sync(Local *local, const void *body, PackedFormat format) {
  const Frame *frame = &local->scene->scene->frame;
  if (probe_small(local, body, format))
    return;
  synchronise(local, body, format);
  abstraction_apply(local->abstraction, local->is_smoothed, local->global, frame);
  probe_make(&local->probe, local->kind, local->global, frame->k, &frame->bounds->packed);
}

// Puts that zone into the table.
static ZoneRef add_sync(Local *local, const void *body, PackedFormat format) {
  local->probed = ZONE_NONE;
  probe_sync(local, body, format);
  const uint32_t count = local->synced.count;
  const ZoneRef sync = zonetable_add(&local->synced, &local->probe);
  local->different += local->synced.count - count;
  return sync;
}

// Many searches never synchronise a zone.
static void prepare_syncs(Local *local) {
  local->is_prepared = true;
  memo_init(&local->syncs, local->mem);
  local->alike = alike_new(local->mem);
  if (local->kind == PROBE_ALU)
    local->covers = zonetable_new_covers(local->mem);
}

// The same, unless that of a zone which is like this one is known.
static ZoneRef keep_sync(Local *local, const void *body, PackedFormat format) {
  if (!local->is_prepared)
    prepare_syncs(local);
  if (++local->synchronised == MOST_UNKNOWN && local->different > MOST_UNKNOWN / 8 * 7)
    local->is_smoothed = false;
  AlikeEntry *entry =
      local->alike && format == PACKED_8
          ? alike_find(local->alike, local->scene->shape, local->setting->number, body)
          : NULL;
  if (!entry)
    return add_sync(local, body, format);
  if (!entry->sync)
    entry->sync = add_sync(local, body, format);
  return entry->sync;
}

ZoneRef localfiring_sync_of(Local *local, ZoneRef ref) {
  const ZoneRef known =
      local->syncs.entries ? memo_find(&local->syncs, ref, local->setting->number) : ZONE_NONE;
  if (known)
    return known;
  const KeptZone *kept = zonetable_at(&local->table, ref);
  const ZoneRef sync = keep_sync(local, kept->body, (PackedFormat)kept->format);
  if (local->syncs.entries)
    memo_add(&local->syncs, ref, local->setting->number, sync);
  return sync;
}

ZoneRef localfiring_sync(Local *local) {
  if (!local->sync && local->space.zone)
    local->sync = localfiring_sync_of(local, local->space.zone);
  else if (!local->sync)
    local->sync = keep_sync(local, local->pack.body, local->pack.format);
  return local->sync;
}

static ZoneString packed_zone(const Local *local) {
  return (ZoneString){.kind = local->setting->shape->number,
                      .format = local->pack.format,
                      .body = local->pack.body,
                      .bytes = offsetpack_bytes(local->scene->shape, local->pack.format)};
}

static uint32_t find_hash(Local *local, const ZoneString *zone) {
  if (!local->hash)
    local->hash = zonetable_hash(zone);
  return local->hash;
}

// How many zones may be in the table that no node has had yet, as for global time.
enum { SPARE_ZONES = 4096 };

// Puts the current zone into the table, unless that would fill up with zones that no node has.
static void keep_zone(Local *local) {
  ZoneString zone = packed_zone(local);
  LocalScene *scene = local->scene;
  const KeptZone *last = scene->last ? zonetable_at(&local->table, scene->last) : NULL;
  if (last && last->format == zone.format && !memcmp(last->body, zone.body, zone.bytes)) {
    local->space.zone = scene->last;
    return;
  }
  zone.hash = find_hash(local, &zone);
  const uint32_t spare = local->has_memo ? SPARE_ZONES : 0;
  local->space.zone = local->table.count < local->written + spare
                          ? zonetable_add_string(&local->table, &zone)
                          : zonetable_find_string(&local->table, &zone);
  scene->last = local->space.zone;
}

ZoneRef localfiring_ref(Local *local) {
  if (!local->space.zone) {
    ZoneString zone = packed_zone(local);
    zone.hash = find_hash(local, &zone);
    local->space.zone = zonetable_add_string(&local->table, &zone);
    if (local->sync && local->syncs.entries)
      memo_add(&local->syncs, local->space.zone, local->setting->number, local->sync);
  }
  return local->space.zone;
}

void localfiring_stored(Local *local) {
  if (!local->result)
    return;
  *local->result = commute_result(local->space.zone);
  local->scene->origins[0] =
      (LocalOrigin){local->source_scene->scene->number, local->space.ordinal};
}

bool localfiring_in_range(Local *local) {
  const OffsetShape *shape = local->scene->shape;
  if (local->pack.format != PACKED_32)
    return true;
  offsetpack_read(local->zone, shape, local->pack.body, PACKED_32);
  return offset_in_range(local->zone, shape);
}

// The current zone is a new one, in `pack`.
static void set_zone(Local *local) {
  local->space.zone = local->sync = ZONE_NONE;
  local->hash = 0;
  local->result = NULL;
}

static void pack_zone(Local *local) {
  const OffsetShape *shape = local->scene->shape;
  offset_low(local->zone, shape, local->low);
  offsetpack_make(&local->pack, shape, local->zone, local->low);
  set_zone(local);
}

void localfiring_take(Local *local, ZoneRef ref) {
  const KeptZone *kept = zonetable_at(&local->table, ref);
  set_zone(local);
  local->space.zone = ref;
  local->pack.body = kept->body;
  local->pack.format = (PackedFormat)kept->format;
}

// Whether something of the current zone can be synchronised, if frozen times allow it.
static bool meets_ceilings(const Local *local) {
  const LocalSetting *setting = local->setting;
  const OffsetPack *pack = &local->pack;
  if (!(local->rules & LOCAL_SYNCHRONISABLE))
    return true;
  return pack->format == PACKED_8
             ? offsetpack_is_least(pack->body, setting->least, local->scenes.all.clocks)
             : offsetpack_can_meet(pack->body, pack->format, setting->ceilings,
                                   setting->ceiling_count);
}

void localfiring_open(Local *local, ZoneRef ref) {
  local->source_ref = ref;
  local->has_source = false;
  if (local->source_scene->is_dynamic) // they held when the node was made
    find_invariants(local, keys_source(&local->keys), NULL, 0);
  local->source_setting = setting_of(local, local->source_scene);
  if (local->can_commute)
    commute_open(&local->commute, &local->scenes, local->source_scene, ref);
}

static bool is_constant_true(const ClockTest *test) { // if all clocks are 0
  return test->strict ? test->constant > 0 : test->constant >= 0;
}

bool localfiring_begin(Local *local) {
  if (!localfiring_holds(local, find_invariants(local, keys_state(&local->keys), NULL, 0)))
    return false;
  local->setting = setting_of(local, local->scene);
  for (uint32_t t = 0; t < local->invariant.size; t++)
    if (!is_constant_true(&local->invariant.items[t]))
      return false;
  offset_zero(local->zone, local->scene->shape);
  pack_zone(local);
  if (!meets_ceilings(local))
    return false;
  keep_zone(local);
  return true;
}

static LocalParts parts_of(const Local *local) {
  const LocalSetting *setting = local->source_setting;
  return (LocalParts){.guard = local->guard.items,
                      .guard_count = local->guard.size,
                      .ceilings = setting->ceilings,
                      .ceiling_count = setting->ceiling_count};
}

// An action with all processes in its domain: what happens at a moment of global time.
static bool meet_all(Local *local, OffsetAction *action) {
  const OffsetShape *shape = local->source_scene->shape;
  const LocalUse joint = {.domain = local->everybody, .domain_count = local->net->processes.size};
  const LocalParts parts = parts_of(local);
  localaction_make(&local->scenes.maker, shape, shape, &joint, &parts, action);
  return offset_instant(read_source(local), shape, action, local->instant);
}

// An error in what follows the guard counts only if the action can happen in global time.
static bool allows(Local *local, VmResult result) {
  OffsetAction unused;
  if (is_error(local, result) && meet_all(local, &unused))
    localfiring_fail(local, local->vm.error, local->vm.error_place);
  return result == VM_TRUE;
}

// The constant clock tests of a guard.
static void collect_guard(Local *local, const Transition *t) {
  vec_clear(&local->guard);
  for (uint32_t i = 0; i < t->edge_count; i++)
    for (uint32_t k = 0; k < t->edges[i]->guard.clock_test_count; k++)
      vec_push(local->mem, &local->guard, t->edges[i]->guard.clock_tests[k]);
}

// An error in a guard counts only if its constant clock tests can hold.
static bool find_guard(Local *local, const Transition *t) {
  vec_clear(&local->guard);
  for (uint32_t i = 0; i < t->edge_count; i++) {
    const VmResult result =
        vm_guard(&local->vm, &t->edges[i]->guard, keys_source(&local->keys), &local->guard);
    if (result == VM_TRUE)
      continue;
    if (is_error(local, result)) {
      collect_guard(local, t);
      allows(local, result);
    }
    return false;
  }
  return true;
}

// Whether updates leave every clock in the range of bounds and not negative; in global time, that
// is (see `allows`). After each of them, so that none of their sums in localaction_make
// overflows.
static bool check_updates(Local *local) {
  OffsetAction action;
  bool has_negative = false;
  int64_t sum = 0;
  for (uint32_t u = 0; u < local->updates.size; u++) {
    has_negative |= local->updates.items[u].constant < 0;
    sum += local->updates.items[u].constant;
  }
  if (!has_negative && sum <= BOUND_MOST)
    return true;
  if (!meet_all(local, &action))
    return false;
  const OffsetShape *shape = local->source_scene->shape;
  for (uint32_t last = 0; last < local->updates.size; last++) {
    ClockIndex clock = local->updates.items[last].x;
    int64_t shift = 0;
    for (uint32_t u = last + 1; u-- > 0 && clock;)
      if (local->updates.items[u].x == clock) {
        shift += local->updates.items[u].constant;
        clock = local->updates.items[u].y;
      }
    const Bound low = clock && shape->columns[clock - 1]
                          ? offset_since(local->source_zone, shape, &action, clock - 1)
                          : BOUND_LE_ZERO;
    if (shift > BOUND_MOST) {
      localfiring_outgrow(local);
      return false;
    }
    if (shift < -BOUND_MOST || low > bound_le((int32_t)shift)) {
      localfiring_fail(local, "a clock is set to a negative value", (Place){0});
      return false;
    }
  }
  return true;
}

// Makes the action of a step of which something depends on variables, after the target's state.
static bool find_action(Local *local, const Transition *t, const LocalUse *use,
                        OffsetAction *action) {
  if (!t->needs_guard)
    collect_guard(local, t);
  if (t->needs_clocks && !check_updates(local))
    return false;
  const VmResult result =
      find_invariants(local, keys_state(&local->keys), use->domain, use->domain_count);
  if (!allows(local, result))
    return false;
  LocalParts parts = parts_of(local);
  parts.updates = t->needs_clocks ? local->updates.items : t->clocks;
  parts.update_count = t->needs_clocks ? local->updates.size : t->clock_count;
  parts.invariant = local->invariant.items;
  parts.invariant_count = local->invariant.size;
  return localaction_make(&local->scenes.maker, local->source_scene->shape, local->scene->shape,
                          use, &parts, action);
}

// Constraints on differences of clocks cut a copy of the source.
static const Bound *apply_between(Local *local, const OffsetAction *action) {
  const OffsetShape *shape = local->source_scene->shape;
  memcpy(local->scratch, read_source(local),
         sizeof(Bound) * shape->stride * (shape->first_time + shape->times));
  for (uint32_t i = 0; i < action->between_count; i++)
    if (!offset_constrain(local->scratch, shape, action->between[i]))
      return NULL;
  return local->scratch;
}

// The matrix work of a move; false if nothing is left that frozen times allow to synchronise.
static bool make_zone(Local *local, const OffsetAction *action) {
  const OffsetShape *shape = local->source_scene->shape;
  const Bound *zone = action->between_count ? apply_between(local, action) : read_source(local);
  if (!zone || !offset_instant(zone, shape, action, local->instant))
    return false;
  offset_fire(local->zone, local->scene->shape, zone, action, local->instant, local->spare);
  pack_zone(local);
  return !(local->rules & LOCAL_SYNCHRONISABLE) ||
         offset_can_meet(local->zone, local->scene->shape, local->low, NULL, 0);
}

// Nothing is remembered any more if that does not help.
static void remember(Local *local, uint32_t effect, ZoneRef result) {
  if (!local->has_memo || !effect)
    return;
  if (result)
    memo_add(&local->memo, local->source_ref, effect, result);
  if (++local->unknown > MOST_UNKNOWN && local->known < local->unknown / 8) {
    local->has_memo = false;
    memo_release(&local->memo);
    local->memo = (Memo){0};
  }
}

// The same, without any matrix if that is possible.
static bool make_packed(Local *local, const LocalStep *step) {
  const KeptZone *kept = zonetable_at(&local->table, local->source_ref);
  const PackedFormat format = (PackedFormat)kept->format;
  const LocalShape *shape = local->setting->shape;
  OffsetPack *pack = &local->pack;
  if (format == PACKED_8 ? !step->is_tiny : format == PACKED_32 || !step->is_small)
    return make_zone(local, &step->action);
  pack->body = format == PACKED_8 ? (void *)pack->image8 : (void *)pack->image16;
  pack->format = format;
  const Offset8Result result = offset8_fire(
      format == PACKED_8 ? (void *)pack->image8 : (void *)pack->image16,
      (Offset8Zone){&shape->shape, &shape->masks}, kept->body, local->source_scene->shape,
      &step->action, &step->masks, local->instant16, format);
  if (result == OFFSET8_LARGE)
    return make_zone(local, &step->action);
  if (result & OFFSET8_FITS)
    offsetpack_narrow(pack, &shape->shape);
  set_zone(local);
  const Offset8Result rest = result & ~OFFSET8_FITS;
  return rest == OFFSET8_DONE ||
         (rest == OFFSET8_BEHIND && !(local->rules & LOCAL_SYNCHRONISABLE));
}

static inline ZoneRef recall(const Local *local, const Move *move) {
  return local->has_memo && move->effect
             ? memo_find(&local->memo, local->source_ref, move->effect)
             : ZONE_NONE;
}

bool localfiring_agrees(Local *local, uint32_t ordinal, ZoneRef result) {
  LocalScene *source = local->source_scene;
  const Move *move = &source->scene->moves[ordinal];
  if (!move->target)
    localscene_link(&local->scenes, source, ordinal, local->keys.key);
  const LocalStep *step = local->scenes.steps.items[source->steps[ordinal] - 1];
  local->scene = localscene_target(&local->scenes, move);
  local->setting = local->scene->setting;
  const bool is_there = !step->is_impossible && make_packed(local, step) && meets_ceilings(local);
  if (!is_there || !commute_is_node(result))
    return is_there == commute_is_node(result);
  const KeptZone *kept = zonetable_at(&local->table, result);
  const OffsetPack *pack = &local->pack;
  return kept->format == (uint32_t)pack->format &&
         !memcmp(kept->body, pack->body, offsetpack_bytes(local->scene->shape, pack->format));
}

// A process whose ceiling the current zone has passed.
static ZoneRef find_passed(const Local *local) {
  const LocalSetting *setting = local->setting;
  for (uint32_t i = 0; i < setting->ceiling_count; i++)
    if (!offsetpack_can_meet(local->pack.body, local->pack.format, &setting->ceilings[i], 1))
      return commute_passed(setting->ceilings[i].i - local->scenes.all.first_time);
  return COMMUTE_NOTHING;
}

// Keeps what the move that was fired has led to: a node, or this.
static bool note_result(Local *local, uint32_t ordinal, bool is_there, ZoneRef nothing) {
  if (local->can_commute) {
    local->result = &localscene_results(local->source_scene)[ordinal];
    *local->result = is_there ? commute_result(local->space.zone) : nothing;
    if (is_there && *local->result && local->scene->opened != *local->result)
      local->scene->origins[1] = (LocalOrigin){local->source_scene->scene->number, ordinal};
  }
  return is_there;
}

// The same for a zone that is known to be there, but for the ceilings.
static bool note_zone(Local *local, uint32_t ordinal, bool meets) {
  return note_result(local, ordinal, meets,
                     meets || !local->can_commute ? COMMUTE_NOTHING : find_passed(local));
}

// A move to `scene` whose result is known: in any case, or, with `sure`, under its ceilings.
static inline bool take_known(Local *local, uint32_t ordinal, ZoneRef known, bool sure) {
  if (known == MEMO_EMPTY)
    return note_result(local, ordinal, false, COMMUTE_NOTHING);
  localfiring_take(local, known);
  if (!local->can_commute)
    return meets_ceilings(local);
  return note_zone(local, ordinal, sure || meets_ceilings(local));
}

// The zone of a step of which nothing depends on variables. What is remembered of it holds for
// all ceilings.
static bool find_zone(Local *local, const LocalStep *step, uint32_t ordinal, uint32_t effect) {
  if (step->is_impossible)
    return note_result(local, ordinal, false, COMMUTE_NOTHING);
  if (!make_packed(local, step)) {
    remember(local, effect, MEMO_EMPTY);
    return note_result(local, ordinal, false, COMMUTE_NOTHING);
  }
  const bool meets = meets_ceilings(local);
  if (meets || local->has_memo) {
    keep_zone(local);
    remember(local, effect, local->space.zone);
  }
  return note_zone(local, ordinal, meets);
}

// Another one, of which something depends on variables.
static bool make_node(Local *local, const Transition *t, const LocalStep *step) {
  OffsetAction made;
  if (!find_action(local, t, &step->use, &made))
    return false;
  local->setting = setting_of(local, local->scene);
  if (!make_zone(local, &made) || !meets_ceilings(local))
    return false;
  keep_zone(local);
  return true;
}

// Looks for other orders of the same actions, unless that does not help.
static ZoneRef commute(Local *local, uint32_t ordinal) {
  if (!local->can_commute)
    return ZONE_NONE;
  const ZoneRef found =
      commute_find(&local->commute, &local->scenes, local->source_scene, ordinal);
  assert(!found || localfiring_agrees(local, ordinal, found));
  local->commuted += found != 0;
  if (!found && ++local->not_commuted > MOST_UNKNOWN && local->commuted < local->not_commuted / 4)
    local->can_commute = false;
  return found;
}

static void enter(Local *local, const Move *move) {
  local->scene = localscene_target(&local->scenes, move);
  local->setting = local->scene->setting; // unless it is dynamic
}

// A move whose result is not known yet. Not inlined: most are known.
__attribute__((noinline)) static bool find_node(Local *local, uint32_t ordinal) {
  LocalScenes *scenes = &local->scenes;
  LocalScene *source = local->source_scene;
  const Move *move = &source->scene->moves[ordinal];
  const ZoneRef found = commute(local, ordinal);
  ZoneRef known = found;
  if (!commute_is_node(found))
    return note_result(local, ordinal, false, found);
  if (!move->target) {
    localscene_link(scenes, source, ordinal, local->keys.key);
    known = recall(local, move);
    local->known += known != 0;
  }
  enter(local, move);
  const LocalStep *step = scenes->steps.items[source->steps[ordinal] - 1];
  if (known)
    return take_known(local, ordinal, known, found);
  if (!step->has_action)
    return make_node(local, scene_transition(&scenes->scenes, move), step);
  return find_zone(local, step, ordinal, move->effect);
}

static inline bool fire(Local *local, uint32_t ordinal) {
  const LocalScene *source = local->source_scene;
  const Move *move = &source->scene->moves[ordinal];
  const Transition *t = scene_transition(&local->scenes.scenes, move);
  const ZoneRef sure = local->can_commute ? localscene_results(source)[ordinal] : ZONE_NONE;
  const ZoneRef known = sure ? sure : recall(local, move);
  const bool is_nothing = !commute_is_node(known) && (sure || known == MEMO_EMPTY);
  // Errors in updates are errors wherever the guard holds: they are looked for first.
  if (is_nothing && !t->needs_update && !t->shift_count)
    return false;
  if (t->needs_guard && !find_guard(local, t))
    return false;
  const VmResult result = keys_move(&local->keys, t, &local->updates);
  if (result != VM_TRUE) {
    if (!t->needs_guard)
      collect_guard(local, t);
    return allows(local, result);
  }
  if (!known)
    return find_node(local, ordinal);
  local->known++;
  if (is_nothing) // then there may be no link
    return false;
  enter(local, move);
  return take_known(local, ordinal, known, sure);
}

uint32_t localfiring_foresee(Local *local) {
  const Scenes *scenes = &local->scenes.scenes;
  const Scene *scene = local->source_scene->scene;
  const uint32_t words = local->layout.words;
  uint32_t count = 0;
  local->expected.count = 0;
  for (uint32_t i = 0; i < scene->move_count && count < SPACE_AHEAD; i++) {
    const Move *move = &scene->moves[i];
    const Transition *t = scene_transition(scenes, move);
    if (t->needs_update || t->needs_clocks || !keys_meet(&local->keys, t))
      continue;
    uint64_t *key = local->ahead_keys + words * count++;
    keys_guess(&local->keys, t, key);
    if (!move->target)
      scene_expect(scenes, &local->expected, move->transition, key);
    else if (local->has_memo && move->effect)
      memo_fetch(&local->memo, local->source_ref, move->effect);
  }
  return count;
}

bool localfiring_next(Local *local) {
  Space *space = &local->space;
  const Scene *scene = local->source_scene->scene;
  while (local->move < scene->move_count && !space->failure) {
    const uint32_t next = local->move++;
    space->ordinal = local->is_random ? local->shuffled.items[next] : next;
    const Move *move = &scene->moves[space->ordinal];
    if (!keys_meet(&local->keys, scene_transition(&local->scenes.scenes, move)))
      continue;
    if (fire(local, space->ordinal))
      return true;
    mem_tick(local->mem);
  }
  return false;
}
