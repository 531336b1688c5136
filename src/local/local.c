#include "local/local.h"

#include "dbm/kernel/step.h"
#include "dbm/simulation.h"
#include "dbm/stored/sketch.h"
#include "local/localfiring.h"
#include "local/localrun.h"
#include "local/localsweep.h"
#include "space/partition.h"

#include <string.h>

enum { MEMO_BYTES = 2 << 20 };
enum { SCANNED = 32 }; // zones that are tested together

static Local *local_of(Space *space) { return (Local *)space; }

static bool local_initial(Space *space) {
  Local *local = local_of(space);
  while (keys_initial(&local->keys, &space->ordinal)) {
    mem_tick(local->mem);
    local->scene = localscene_find(&local->scenes, local->keys.key);
    if (localfiring_begin(local))
      return true;
    if (space->failure)
      return false;
  }
  return false;
}

static void forget(Local *local) {
  if (local->memo.entries)
    memo_clear(&local->memo);
  if (local->syncs.entries)
    memo_clear(&local->syncs);
  if (local->alike)
    alike_clear(local->alike);
  if (local->covers)
    zonetable_clear_covers(local->covers);
  local->probed = ZONE_NONE; // its bounds are gone
}

static void local_open(Space *space, const uint64_t *key, uint32_t zone) {
  Local *local = local_of(space);
  keys_open(&local->keys, key);
  if (localscene_keep_small(&local->scenes))
    forget(local);
  local->source_scene = localscene_find(&local->scenes, local->keys.source_key);
  localscene_find_moves(&local->scenes, local->source_scene);
  localfiring_open(local, zone);
  local->move = 0;
  if (local->is_random)
    shuffle_numbers(&local->shuffled, local->mem, &local->random,
                    local->source_scene->scene->move_count);
}

static uint32_t local_foresee(Space *space, const uint64_t **keys) {
  Local *local = local_of(space);
  *keys = local->ahead_keys;
  return localfiring_foresee(local);
}

static void local_fetch_ahead(Space *space, FetchStage stage) {
  Local *local = local_of(space);
  scene_fetch_ahead(&local->scenes.scenes, &local->expected, local->source_scene->scene, false,
                    stage);
}

static void local_fetch(const Space *space, const uint64_t *key, FetchStage stage) {
  scene_fetch(&((const Local *)space)->scenes.scenes, key, stage);
}

static bool local_next(Space *space) { return localfiring_next(local_of(space)); }

static bool meets_tests(Local *local) {
  const Frame *frame = &local->scene->scene->frame;
  localfiring_synchronise(local);
  for (uint32_t t = 0; t < local->guard.size; t++)
    if (!dbm_constrain(local->global, frame->k, frame_constraint(frame, &local->guard.items[t])))
      return false;
  return true;
}

static bool local_is_goal(Space *space) {
  Local *local = local_of(space);
  for (uint32_t clause = 0;; clause++) {
    vec_clear(&local->guard);
    if (!localfiring_holds(local, goal_clause(local->goal, &local->vm, keys_state(&local->keys),
                                              &clause, &local->guard)))
      return false;
    if (!local->guard.size || meets_tests(local))
      return true;
  }
}

// Whether a ceiling keeps a clock below a bound from which tests see more.
static bool is_ceiled(const Local *local) {
  const Frame *frame = &local->scene->scene->frame;
  for (uint32_t i = 0; i < local->setting->ceiling_count; i++) {
    const Constraint ceiling = local->setting->ceilings[i];
    const int32_t lower = frame->bounds->lower[frame->position[ceiling.j + 1]];
    if (lower != CLOCK_NO_BOUND && ceiling.bound <= bound_le(lower))
      return true;
  }
  return false;
}

// As for global zones, of the synchronised zone. A look at the minima decides most cases: a clock
// that is tested from above must be able to be 0.
static bool local_is_true(Space *space) {
  Local *local = local_of(space);
  const Frame *frame = &local->scene->scene->frame;
  const OffsetPack *pack = &local->pack;
  if (local->kind == PROBE_ALU) {
    for (uint32_t i = 1; i < frame->k; i++)
      if (frame->bounds->upper[i] >= 0 &&
          packed_entry(pack->body, pack->format, frame->clocks[i] - 1) < BOUND_LE_ZERO)
        return false;
    if (is_ceiled(local))
      return false;
    return simulation_alu_is_true(localfiring_synchronise(local), frame->k, frame->bounds->lower,
                                  frame->bounds->upper);
  }
  const KeptZone *kept = zonetable_at(&local->synced, localfiring_sync(local));
  packed_read(local->global, kept->k, kept->body, (PackedFormat)kept->format);
  return dbm_is_universal(local->global, frame->k);
}

// The same zone may be met where the clocks have other bounds.
static Probe *find_probe(Local *local, ZoneRef own) {
  const PackedBounds *bounds = &local->scene->scene->frame.bounds->packed;
  if (local->probed != own) {
    const KeptZone *kept = zonetable_at(&local->synced, own);
    probe_take(&local->probe, local->kind, kept->body, kept->k, (PackedFormat)kept->format,
               bounds);
  }
  local->probed = own;
  if (local->probe.bounds != bounds) // else its demands are still right
    probe_bounds(&local->probe, bounds);
  return &local->probe;
}

// The first of some other synchronised zones that covers `own`, or, with `covers`, is covered by
// it.
static uint32_t scan_synced(Local *local, ZoneRef own, const ZoneRef *syncs, uint32_t count,
                            bool covers) {
  const ZoneTable *table = &local->synced;
  Probe *probe = find_probe(local, own);
  if (zonetable_has_cover_memo(local->covers))
    return covers ? zonetable_recall_covers(table, local->covers, probe, own, syncs, 0, count)
                  : zonetable_recall_covered(table, local->covers, probe, own, syncs, count);
  return covers ? zonetable_covers(table, probe, syncs, 0, count)
                : zonetable_covered(table, probe, syncs, count);
}

// Whether a larger zone has a larger abstraction. Extra_LU+ and Extra_M+ look at the least values
// of the clocks, and may let go of more where a zone is smaller.
static bool is_monotone(const Local *local) {
  return local->abstraction != ABSTRACTION_EXTRA_LU_PLUS &&
         local->abstraction != ABSTRACTION_EXTRA_M_PLUS;
}

// The first of some local zones that covers the current one, or, with `covers`, is covered by it.
// Those that are so entry by entry need not be synchronised.
static uint32_t scan(Local *local, const ZoneRef *refs, uint32_t from, uint32_t count,
                     bool covers) {
  const OffsetPack *pack = &local->pack;
  const uint32_t found = is_monotone(local)
                             ? offsetpack_find(&local->table, local->scene->shape, pack->body,
                                               pack->format, refs, from, count, covers)
                             : count;
  if (found < count && (!covers || found == from))
    return found;
  const ZoneRef own = localfiring_sync(local);
  ZoneRef syncs[SCANNED + SPACE_SLACK / sizeof(ZoneRef)];
  while (from < count) {
    const uint32_t size = count - from < SCANNED ? count - from : SCANNED;
    for (uint32_t i = 0; i < size; i++) {
      syncs[i] = localfiring_sync_of(local, refs[from + i]);
      if (syncs[i] == own)
        return from + i;
    }
    const uint32_t at = scan_synced(local, own, syncs, size, covers);
    if (at < size)
      return from + at;
    from += size;
  }
  return count;
}

// Sketches are those of the synchronised zones.
static void local_plan(Space *space, void *plan, const uint32_t *refs, uint32_t count) {
  Local *local = local_of(space);
  ZoneRef syncs[SPACE_SAMPLE];
  for (uint32_t i = 0; i < count; i++)
    syncs[i] = localfiring_sync_of(local, refs[i]);
  const Probe *probe = find_probe(local, localfiring_sync(local));
  sketch_plan(local->sketcher, plan, &local->synced, probe, syncs, count);
}

static void local_sketch(Space *space, const void *plan, uint32_t zone, uint32_t *supply,
                         uint32_t *demand) {
  Local *local = local_of(space);
  const ZoneRef other = zone ? localfiring_sync_of(local, zone) : ZONE_NONE;
  Probe *probe = find_probe(local, localfiring_sync(local));
  const Sketch sketch = zone ? sketch_zone(local->sketcher, plan, &local->synced, probe, other)
                             : sketch_probe(plan, probe);
  *supply = sketch.supply;
  *demand = sketch.demand;
}

static uint32_t local_find_subsumer(Space *space, const uint32_t *refs, uint32_t count) {
  if (space->zone) {
    const uint32_t found = zonetable_same(space->zone, refs, count);
    if (found < count)
      return found;
  }
  return scan(local_of(space), refs, 0, count, false);
}

static uint32_t local_find_subsumed(Space *space, const uint32_t *refs, uint32_t from,
                                    uint32_t count) {
  return scan(local_of(space), refs, from, count, true);
}

static uint32_t local_keep(Space *space) {
  Local *local = local_of(space);
  const ZoneRef ref = localfiring_ref(local);
  if (!localfiring_in_range(local))
    localfiring_outgrow(local);
  local->written++;
  localfiring_stored(local);
  return ref;
}

static size_t local_shared_bytes(const Space *space) {
  const Local *local = (const Local *)space;
  return zonetable_bytes(&local->table) + zonetable_bytes(&local->synced);
}

static void load(Local *local, const uint64_t *key) {
  keys_load(&local->keys, key);
  local->scene = localscene_find(&local->scenes, local->keys.key);
  localfiring_find_setting(local);
}

static void local_load(Space *space, const uint64_t *key, uint32_t zone) {
  Local *local = local_of(space);
  load(local, key);
  localfiring_take(local, zone);
}

// To a sibling a zone goes as it is packed; its format is a word before it.
static size_t local_send(Space *space, void *message) {
  Local *local = local_of(space);
  uint64_t *key = message, *format = key + space->key_words;
  const OffsetPack *pack = &local->pack;
  const size_t bytes = offsetpack_bytes(local->scene->shape, pack->format);
  memcpy(key, space->key, space->key_words * sizeof *key);
  *format = pack->format;
  memcpy(format + 1, pack->body, bytes);
  return (space->key_words + 1) * sizeof *key + bytes;
}

static void local_receive(Space *space, const void *message) {
  Local *local = local_of(space);
  const uint64_t *key = message, *format = key + space->key_words;
  load(local, key);
  local->pack.body = format + 1;
  local->pack.format = (PackedFormat)*format;
  space->zone = ZONE_NONE;
  local->sync = ZONE_NONE; // that of another node
  local->hash = 0;
  local->result = NULL;
  localfiring_take(local, localfiring_ref(local));
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
  memo_release(&local->memo);
  memo_release(&local->syncs);
  zonetable_release(&local->synced);
  mem_free(mem, local->alike);
  mem_free(mem, local->covers);
  zonetable_release(&local->table);
  localscene_release(&local->scenes);
  arena_release(&local->arena);
  mem_free(mem, local);
}

static bool compute_bounds(Local *local, BoundsScope scope, Report *report) {
  const Abstraction abstraction = local->abstraction;
  local->kind = abstraction_covering(abstraction);
  const ClockBounds *bounds = NULL;
  if (abstraction != ABSTRACTION_NONE) {
    if (!clockbounds_compute(&local->bounds, &local->arena, local->net, local->goal, report))
      return false;
    bounds = &local->bounds;
  }
  const int32_t most = bounds ? abstraction_most(bounds, local->net->clock_count + 1) : 0;
  local->has_small = bounds && most <= PACKED_TINY_BOUND;
  local->step_most = bounds ? step_most(most) : 0;
  localscene_init(&local->scenes, local->mem, local->net, &local->layout, &local->components,
                  bounds, scope == BOUNDS_GLOBAL, abstraction_is_maximal(abstraction),
                  local->rules);
  return true;
}

static Space *local_sibling(Space *space, Mem *mem) {
  Local *local = local_of(space);
  Report unused;
  report_init(&unused, mem);
  Space *sibling =
      local_new_with(mem, local->net, local->goal, &local->options, &unused, local->rules);
  sibling->exchange.partition = space->exchange.partition =
      partition_new(&local->arena, local->net, &local->layout, space->exchange.workers);
  return sibling;
}

static void *aligned(Local *local, size_t bytes) {
  return arena_align(&local->arena, bytes, OFFSET_SLACK);
}

#ifdef TARN_PLAIN
enum { HAS_SKETCHES = false };
#else
enum { HAS_SKETCHES = true };
#endif

static void allow_sketches(Local *local, uint32_t k) {
  if (!HAS_SKETCHES || k > SKETCH_MOST_CLOCKS)
    return;
  Space *space = &local->space;
  local->sketcher = ARENA_NEW(&local->arena, Sketcher);
  sketcher_init(local->sketcher, aligned(local, sketcher_bytes(k)), k);
  space->speed.sketch_words = local->kind == PROBE_INCLUSION ? 1 : 2;
  space->speed.plan_bytes = sizeof(SketchPlan);
  space->speed.plan = local_plan;
  space->speed.sketch = local_sketch;
}

static void allocate(Local *local) {
  Arena *arena = &local->arena;
  const Net *net = local->net;
  const OffsetShape *all = &local->scenes.all;
  const uint32_t rows = all->first_time + all->times;
  const size_t bytes = sizeof(Bound) * rows * all->stride;
  const size_t most = offsetpack_most(all->n, rows, all->clocks);
  const uint32_t k = all->clocks + 1;
  uint32_t side = 1;
  while ((size_t)side * side < most)
    side++;
  local->source_zone = aligned(local, bytes);
  local->zone = aligned(local, bytes);
  local->scratch = aligned(local, bytes);
  local->global = aligned(local, dbm_bytes(k));
  local->instant = aligned(local, sizeof(Bound) * all->stride);
  local->spare = aligned(local, sizeof(Bound) * 2 * all->stride);
  local->instant16 = aligned(local, sizeof(int16_t) * offset8_stride(all->n));
  local->low = aligned(local, sizeof(Bound) * dbm_stride(all->clocks));
  local->ahead_keys = ARENA_ARRAY(arena, uint64_t, local->layout.words * SPACE_AHEAD);
  local->everybody = ARENA_ARRAY(arena, ProcessId, net->processes.size);
  for (ProcessId p = 0; p < net->processes.size; p++)
    local->everybody[p] = p;
  keys_init(&local->keys, arena, net, &local->layout, &local->vm);
  offsetpack_init(&local->pack, aligned(local, offsetpack_room(most)), most);
  probe_init(&local->probe, aligned(local, probe_bytes(k)), k);
  zonetable_init(&local->table, local->mem, side);
  zonetable_init(&local->synced, local->mem, k);
#ifndef TARN_PLAIN
  local->has_memo = local->is_smoothed = true;
  local->can_commute = local->rules == LOCAL_ALL;
  memo_init(&local->memo, local->mem);
  local->memo.least_bytes = MEMO_BYTES;
#else
  local->is_prepared = true; // without any of it
  local->pack.only_32 = local->probe.only_32 = true;
#endif
  allow_sketches(local, k);
  local->probe.allows_8 = local->has_small;
  local->space.net = net;
  local->space.key = local->keys.key;
  local->space.key_words = local->layout.words;
  local->space.exchange.message_bytes =
      (local->layout.words + 1) * sizeof(uint64_t) + most * sizeof(Bound);
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
                .find_subsumer = local_find_subsumer,
                .find_subsumed = local_find_subsumed,
                .keep = local_keep,
                .load = local_load,
                .order_run = local_order_run,
                .shared_bytes = local_shared_bytes,
                .release = local_release,
                .exchange = {.sibling = local_sibling,
                             .send = local_send,
                             .receive = local_receive},
                .speed = {.foresee = local_foresee,
                          .fetch_ahead = local_fetch_ahead,
                          .fetch = local_fetch,
                          .wants_sweep = localsweep_is_due,
                          .mark = localsweep_mark,
                          .sweep = localsweep_run}},
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
  if (!abstraction_admits(&local->abstraction, net, goal, options, report) ||
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
