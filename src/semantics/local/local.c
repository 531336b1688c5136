#include "semantics/local/local.h"

#include "base/testbuild.h"
#include "dbm/simulation.h"
#include "semantics/local/localfiring.h"
#include "semantics/local/localrename.h"
#include "semantics/local/localrun.h"
#include "semantics/local/localsweep.h"
#include "semantics/local/localtransition.h"
#include "semantics/local/syncedzone.h"
#include "semantics/zone/covering.h"
#include "semantics/zone/setup.h"

enum { SCANNED = 32 }; // zones that are tested together

static bool keep_small(Zones *zones) { return localvector_keep_small(&local_of(zones)->vectors); }

static void forget(Zones *zones) { memo_clear(&local_of(zones)->synced.known); }

static void link(Zones *zones, uint32_t ordinal) {
  Local *local = local_of(zones);
  localtransition_link(&local->vectors, local->source_vector, ordinal, zones->states.key);
}

static bool meets(Zones *zones) {
  Local *local = local_of(zones);
  const ActiveClocks *active = &zones->vector->active;
  syncedzone_whole(local);
  for (uint32_t t = 0; t < zones->tests.size; t++)
    if (!dbm_constrain(zones->mem, local->global, active->k,
                       activeclocks_constraint(active, &zones->tests.items[t])))
      return false;
  return true;
}

// Whether a ceiling keeps a clock below a bound from which tests see more.
static bool is_ceiled(const Local *local) {
  const ActiveClocks *active = &local->zones.vector->active;
  for (uint32_t i = 0; i < local->setting->ceiling_count; i++) {
    const Constraint ceiling = local->setting->ceilings[i];
    const int32_t lower = active->bounds->lower[active->position[ceiling.j + 1]];
    if (lower != CLOCK_NO_BOUND && ceiling.bound <= bound_le(lower))
      return true;
  }
  return false;
}

// As for global zones, of the synchronised zone. A look at the minima decides most cases: a clock
// that is tested from above must be able to be 0.
static bool local_is_true(Space *space) {
  Local *local = (Local *)space;
  const ActiveClocks *active = &local->zones.vector->active;
  const OffsetPack *pack = &local->pack;
  if (local->zones.covering.kind == PROBE_ALU) {
    for (uint32_t i = 1; i < active->k; i++)
      if (active->bounds->upper[i] >= 0 &&
          packed_entry(pack->entries, pack->format, active->clocks[i] - 1) < BOUND_LE_ZERO)
        return false;
    if (is_ceiled(local))
      return false;
    return simulation_alu_is_true(syncedzone_whole(local), active->k, active->bounds->lower,
                                  active->bounds->upper);
  }
  const StoredZone *stored = zonetable_at(&local->synced.table, syncedzone_current(local));
  packed_read(local->global, stored->k, stored->entries, (PackedFormat)stored->format);
  return dbm_is_universal(local->global, active->k);
}

static ZoneRef compared(Zones *zones, ZoneRef zone) {
  return zone ? syncedzone_of(local_of(zones), zone) : syncedzone_current(local_of(zones));
}

// The first of some local zones that covers the current one, or, with `covers`, is covered by it.
// Those that are so entry by entry need not be synchronised, if a larger zone has a larger
// abstraction. Extra_LU+ and Extra_M+ look at the least values of the clocks, and may let go of
// more where a zone is smaller.
static uint32_t scan(Local *local, const ZoneRef *refs, uint32_t from, uint32_t count,
                     bool covers) {
  const OffsetPack *pack = &local->pack;
  const bool is_monotone = local->zones.abstraction != ABSTRACTION_EXTRA_LU_PLUS &&
                           local->zones.abstraction != ABSTRACTION_EXTRA_M_PLUS;
  const uint32_t found =
      is_monotone ? offsetpack_find(&local->zones.table, local->vector->shape, pack->entries,
                                    pack->format, refs, from, count, covers)
                  : count;
  if (found < count && (!covers || found == from))
    return found;
  const ZoneRef own = syncedzone_current(local);
  ZoneRef syncs[SCANNED + SPACE_SLACK / sizeof(ZoneRef)];
  while (from < count) {
    const uint32_t size = count - from < SCANNED ? count - from : SCANNED;
    for (uint32_t i = 0; i < size; i++) {
      syncs[i] = syncedzone_of(local, refs[from + i]);
      if (syncs[i] == own)
        return from + i;
    }
    const uint32_t at = covering_scan(&local->zones, own, syncs, 0, size, covers);
    if (at < size)
      return from + at;
    from += size;
  }
  return count;
}

static uint32_t local_find_subsumer(Space *space, const uint32_t *refs, uint32_t count) {
  const uint32_t same = space->zone ? zonetable_same(space->zone, refs, count) : count;
  return same < count ? same : scan((Local *)space, refs, 0, count, false);
}

static uint32_t local_find_subsumed(Space *space, const uint32_t *refs, uint32_t from,
                                    uint32_t count) {
  return scan((Local *)space, refs, from, count, true);
}

static bool local_order_run(Space *space, const Goal *goal, uint32_t *ordinals, uint32_t count) {
  return localrun_order(&((Local *)space)->vectors, goal, ordinals, count);
}

static const Time local_time = {.keep_small = keep_small,
                                .forget = forget,
                                .begin = localfiring_begin,
                                .open = localfiring_open,
                                // No test of a guard excludes a transition as long as other
                                // processes may still let time pass.
                                .may_hold = NULL,
                                .can_happen = localfiring_can_happen,
                                .link = link,
                                .infer = localfiring_infer,
                                .take = localfiring_take,
                                .make = localfiring_make,
                                .meets = meets,
                                .load = localfiring_load,
                                .number = localfiring_number,
                                .compared = compared,
                                .rename = localrename_current,
                                .opened_zone = localrename_opened,
                                .packed = localfiring_packed,
                                .accept = localfiring_accept,
                                .form = localfiring_form};

static void *aligned(Local *local, size_t bytes) {
  return arena_align(&local->zones.arena, bytes, OFFSET_SLACK);
}

static void allocate(Local *local) {
  Zones *zones = &local->zones;
  const OffsetShape *all = &local->vectors.all;
  const uint32_t rows = all->first_time + all->times;
  const size_t bytes = sizeof(Bound) * rows * all->stride;
  const size_t max = offsetpack_max(all->n, rows, all->clocks);
  const uint32_t k = all->clocks + 1;
  uint32_t side = 1;
  while ((size_t)side * side < max)
    side++;
  zones->opened.matrix = aligned(local, bytes);
  local->matrix = aligned(local, bytes);
  local->scratch = aligned(local, bytes);
  local->global = aligned(local, dbm_bytes(k));
  local->instant = aligned(local, sizeof(Bound) * all->stride);
  local->spare = aligned(local, sizeof(Bound) * 2 * all->stride);
  local->instant16 = aligned(local, sizeof(int16_t) * offsetstep_stride(all->n));
  local->low = aligned(local, sizeof(Bound) * dbm_stride(all->clocks));
  local->origin = ARENA_ARRAY(&zones->arena, uint32_t, all->stride);
  offsetpack_init(&local->pack, aligned(local, offsetpack_room(max)), max);
  zonetable_init(&zones->table, zones->mem, side);
  zonetable_init(&local->synced.table, zones->mem, k);
  zones->covering.table = &local->synced.table;
  setup_prepare(zones, max * sizeof(Bound));
  zones->results.may_give_up = true;
  local->can_commute = !IS_PLAIN;
  local->pack.only_32 = IS_PLAIN;
}

Space *local_new(Mem *owner, const Net *net, const Goal *goal, const Options *options,
                 Report *report) {
  Mem *mem = mem_part(owner);
  Local *local = mem_alloc(mem, sizeof *local);
  Zones *zones = &local->zones;
  Space *space = &zones->space;
  if (!setup_init(zones, &local_time, mem, net, goal, options, report) ||
      !resources_find(&local->resources, &zones->arena, net, report)) {
    mem_release_part(mem);
    return NULL;
  }
  zones->make = local_new;
  space->is_true = local_is_true;
  space->find_subsumer = local_find_subsumer;
  space->find_subsumed = local_find_subsumed;
  space->keep = localfiring_store;
  space->order_run = local_order_run;
  space->speed.wants_sweep = localsweep_is_due;
  space->speed.mark = localsweep_mark;
  space->speed.sweep = localsweep_run;
  localvector_init(&local->vectors, mem, net, &zones->vectors, &local->resources);
  allocate(local);
  return space;
}

const Bound *local_zone(Space *space) { return syncedzone_whole(local_of((Zones *)space)); }

// What an extrapolation covers is covered modulo the bounds, too.
bool local_uses_bounds(const Space *space) {
  return ((const Zones *)space)->abstraction != ABSTRACTION_NONE;
}
