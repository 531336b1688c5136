#include "zone/zones.h"

#include "dbm/kernel/step.h"
#include "dbm/simulation.h"
#include "dbm/stored/compact.h"
#include "dbm/stored/sketch.h"
#include "model/joint.h"
#include "model/state.h"
#include "space/partition.h"
#include "zone/firing.h"

#include <string.h>

static Zones *zones_of(Space *space) { return (Zones *)space; }

static bool zones_initial(Space *space) {
  Zones *zones = zones_of(space);
  while (keys_initial(&zones->keys, &space->ordinal)) {
    mem_tick(zones->mem);
    zones->scene = scene_find(&zones->scenes, zones->keys.key);
    if (firing_begin(zones)) {
      if (space->needs)
        firing_announce(zones);
      return true;
    }
    if (space->failure)
      return false;
  }
  return false;
}

// What the opened node needs whatever its transitions: that no clause of the goal is met.
static void begin_needs(Zones *zones) {
  const Scene *scene = zones->source_scene;
  const Frame *frame = &scene->frame;
  uint32_t count;
  if (!firing_find_invariant(zones, scene, keys_source(&zones->keys)))
    return;
  const Constraint *list = firing_invariant(zones, scene, &count);
  needs_open(&zones->needs, frame->k, firing_source(zones), list, count,
             scene->setting->can_delay);
  zones->needs.own_number = &frame->bounds->numbers[1];
  for (uint32_t clause = 0; zones->goal; clause++) {
    vec_clear(&zones->tests);
    if (goal_clause(zones->goal, &zones->vm, keys_source(&zones->keys), &clause, &zones->tests) !=
        VM_TRUE)
      return;
    firing_convert_tests(zones, frame);
    needs_avoid(&zones->needs, zones->constraints.items, zones->constraints.size);
  }
}

enum { SCENES_SHARE = 2 }; // of the memory in use: half of it

static void forget(Zones *zones) {
  if (zones->has_memo)
    memo_clear(&zones->memo);
  if (zones->covers)
    zonetable_clear_covers(zones->covers);
  memset(zones->trues, 0, sizeof *zones->trues * TRUE_ENTRIES);
}

static void zones_open(Space *space, const uint64_t *key, uint32_t zone) {
  Zones *zones = zones_of(space);
  keys_open(&zones->keys, key);
  if (scene_keep_small(&zones->scenes, SCENES_SHARE, 0))
    forget(zones);
  Scene *scene = scene_find(&zones->scenes, zones->keys.source_key);
  scene_find_moves(&zones->scenes, scene);
  zones->source_scene = scene;
  zones->is_source_own =
      space->exchange.partition &&
      partition_owner(space->exchange.partition, key) == space->exchange.number;
  space->exchange.prepared = zones->scenes.made;
  zones->move = 0;
  zones->has_ahead = false;
  if (zones->is_random)
    shuffle_numbers(&zones->shuffled, zones->mem, &zones->random,
                    zones->source_scene->move_count);
  if (!firing_open(zones, zone))
    zones->move = zones->source_scene->move_count; // a failure
  else if (space->needs)
    begin_needs(zones);
}

static uint32_t zones_foresee(Space *space, const uint64_t **keys) {
  Zones *zones = zones_of(space);
  *keys = zones->ahead_keys;
  return firing_foresee(zones);
}

static bool zones_next(Space *space) {
  const bool is_there = firing_next(zones_of(space));
  if (is_there && space->needs)
    firing_announce(zones_of(space));
  return is_there;
}

// Whether a zone of the current node (NULL: its own) meets a clause of the goal; `scratch` is
// lost.
static bool meets_goal(Zones *zones, const Bound *zone) {
  for (uint32_t clause = 0;; clause++) {
    vec_clear(&zones->tests);
    if (!firing_holds(zones, goal_clause(zones->goal, &zones->vm, keys_state(&zones->keys),
                                         &clause, &zones->tests)))
      return false;
    const uint32_t k = zones->scene->frame.k;
    if (!zones->tests.size)
      return true;
    if (!zone)
      zone = firing_zone(zones);
    firing_convert_tests(zones, &zones->scene->frame);
    if (!firing_meets_all(zone, k, zones->constraints.items, zones->constraints.size))
      continue;
    if (zones->tests.size < 2)
      return true;
    dbm_copy(zones->scratch, zone, k);
    if (firing_constrain(zones, zones->scratch, k, zones->constraints.items,
                         zones->constraints.size))
      return true;
  }
}

static bool zones_is_goal(Space *space) {
  Zones *zones = zones_of(space);
  if (space->exchange.is_unfinished) // whoever finishes it looks
    return false;
  if (!zones->is_before)
    return meets_goal(zones, NULL);
  dbm_copy(zones->elapsed, firing_zone(zones), zones->scene->frame.k);
  return firing_pass_time(zones, zones->scene, keys_state(&zones->keys), zones->elapsed) &&
         meets_goal(zones, zones->elapsed);
}

// Tests by number need no probe: it is made when the first other one comes.
static Probe *find_probe(Zones *zones) {
  if (!zones->has_probe) {
    const KeptZone *kept = firing_kept(zones);
    probe_take(&zones->probe, zones->kind, kept->body, kept->k, (PackedFormat)kept->format,
               &zones->scene->frame.bounds->packed);
    zones->has_probe = true;
  }
  return &zones->probe;
}

// "True" is what the universal zone would be stored as: itself where covering is inclusion
// (its extrapolation, too, is itself), whatever includes it modulo simulation under alu and
// am. Either way over the clocks that matter in the state.
static bool test_true(Zones *zones) {
  const Frame *frame = &zones->scene->frame;
  if (zones->kind != PROBE_CLOSURE_LU) {
    probe_bounds(find_probe(zones), &frame->bounds->packed);
    return probe_is_true(&zones->probe);
  }
  dbm_universal(zones->scratch, frame->k);
  return simulation_closure_lu(firing_zone(zones), zones->scratch, frame->k, frame->bounds->lower,
                               frame->bounds->upper);
}

static bool zones_is_true(Space *space) {
  Zones *zones = zones_of(space);
  const uint32_t bounds = zones->scene->frame.bounds->packed.number;
  const ZoneRef ref = firing_ref(zones);
  const uint64_t mixed = (ref ^ (uint64_t)bounds << 20) * 0x9e3779b97f4a7c15;
  TrueEntry *entry = &zones->trues[mixed >> 40 & (TRUE_ENTRIES - 1)];
  if (entry->zone != ref || entry->bounds != bounds)
    *entry = (TrueEntry){ref, bounds, test_true(zones)};
  return entry->is_true;
}

static void choose_bounds(Zones *zones) {
  const Needs *needs = &zones->needs;
  const PackedBounds *bounds = needs->bounds ? needs->bounds : needs->limits;
  probe_bounds(find_probe(zones), bounds);
}

// Whether the only zone of a state covers the current one, 0 or 1 as an index, if that is known
// from an earlier test; else UINT32_MAX.
static uint32_t recall_single(Zones *zones, ZoneRef single) {
  const ZoneRef own = zones->space.zone;
  const uint32_t bounds = zones->scene->frame.bounds->packed.number;
  const CoverEntry *entry = zonetable_cover_entry(zones->covers, own, single, bounds);
  if (!zonetable_is_cover_entry(entry, own, single, bounds))
    return UINT32_MAX;
  zones->covers->known++;
  return !entry->is_covered;
}

static uint32_t zones_find_subsumer(Space *space, const uint32_t *refs, uint32_t count) {
  Zones *zones = zones_of(space);
  if (space->needs)
    choose_bounds(zones);
  if (!space->zone)
    return zonetable_covered(&zones->table, find_probe(zones), refs, count);
  uint32_t found = count == 1 ? *refs != space->zone : zonetable_same(space->zone, refs, count);
  if (found < count)
    return found;
  if (!zonetable_has_cover_memo(zones->covers))
    return zonetable_covered(&zones->table, find_probe(zones), refs, count);
  found = count == 1 ? recall_single(zones, *refs) : UINT32_MAX;
  if (found != UINT32_MAX)
    return found;
  return zonetable_recall_covered(&zones->table, zones->covers, find_probe(zones), space->zone,
                                  refs, count);
}

static uint32_t zones_find_subsumed(Space *space, const uint32_t *refs, uint32_t from,
                                    uint32_t count) {
  Zones *zones = zones_of(space);
  if (space->needs)
    choose_bounds(zones);
  if (space->zone && zonetable_has_cover_memo(zones->covers))
    return zonetable_recall_covers(&zones->table, zones->covers, find_probe(zones), space->zone,
                                   refs, from, count);
  return zonetable_covers(&zones->table, find_probe(zones), refs, from, count);
}

static void *matrix(Zones *zones, size_t bytes) { return arena_align(&zones->arena, bytes, 0); }

// Made when the first list is long enough for sketches: it takes more memory than a small search.
static Sketcher *find_sketcher(Zones *zones) {
  if (!zones->sketcher) {
    Sketcher *sketcher = ARENA_NEW(&zones->arena, Sketcher);
    sketcher_init(sketcher, matrix(zones, sketcher_bytes(zones->n)), zones->n);
    zones->sketcher = sketcher;
  }
  return zones->sketcher;
}

static void zones_plan(Space *space, void *plan, const uint32_t *refs, uint32_t count) {
  Zones *zones = zones_of(space);
  sketch_plan(find_sketcher(zones), plan, &zones->table, find_probe(zones), refs, count);
}

static void zones_sketch(Space *space, const void *plan, uint32_t zone, uint32_t *supply,
                         uint32_t *demand) {
  Zones *zones = zones_of(space);
  Probe *probe = find_probe(zones);
  const Sketch sketch = zone ? sketch_zone(find_sketcher(zones), plan, &zones->table, probe, zone)
                             : sketch_probe(plan, probe);
  *supply = sketch.supply;
  *demand = sketch.demand;
}

static uint32_t zones_keep(Space *space) {
  Zones *zones = zones_of(space);
  zones->written++;
  return firing_ref(zones);
}

static size_t zones_shared_bytes(const Space *space) {
  return zonetable_bytes(&((const Zones *)space)->table);
}

static void zones_release(Space *space) {
  Zones *zones = zones_of(space);
  Mem *mem = zones->mem;
  vm_release(&zones->vm);
  vec_release(mem, &zones->tests);
  vec_release(mem, &zones->constraints);
  vec_release(mem, &zones->guard);
  vec_release(mem, &zones->updates);
  vec_release(mem, &zones->shuffled);
  vec_release(mem, &zones->ahead);
  needs_release(&zones->needs);
  scene_release(&zones->scenes);
  memo_release(&zones->memo);
  mem_free(mem, zones->covers);
  zonetable_release(&zones->table);
  compact_release(zones->probe.compact);
  arena_release(&zones->arena);
  mem_free(mem, zones);
}

#ifdef TARN_PLAIN
enum { IS_PLAIN = true };
#else
enum { IS_PLAIN = false };
#endif

// Whether clocks are set to others. Then bounds for the whole model need not be a simulation: y,
// to which x is set where it is not tested any more, need not have the bounds of x. They abstract
// soundly all the same, but zones that are equivalent can have successors that are not.
static bool has_copies(const Net *net) {
  for (EdgeId e = 0; e < net->edges.size; e++) {
    const Update *update = &net->edges.items[e].update;
    if (update->has_dynamic_clocks)
      return true;
    for (uint32_t u = 0; u < update->clock_update_count; u++)
      if (update->clock_updates[u].y)
        return true;
  }
  return false;
}

static bool compute_bounds(Zones *zones, BoundsScope scope, Report *report) {
  zones->kind = abstraction_covering(zones->abstraction);
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
  const int32_t most = abstraction_most(bounds, zones->n);
  zones->is_large = most > TRANSITION_LARGE;
  zones->probe.allows_8 = most <= PACKED_TINY_BOUND;
  if (!IS_PLAIN && !zones->net->has_diagonals &&
      (zones->kind != PROBE_INCLUSION || zones->abstraction == ABSTRACTION_EXTRA_LU_PLUS)) {
    zones->step_most = step_most(most);
    zones->step_long = step_long(most);
  }
  zones->is_smoothed =
      !IS_PLAIN && zones->kind == PROBE_ALU && !zones->options.graph &&
      (scope == BOUNDS_LOCAL || (scope == BOUNDS_GLOBAL && !has_copies(zones->net)));
  scene_init(&zones->scenes, zones->mem, zones->net, &zones->layout, bounds,
             scope == BOUNDS_GLOBAL, abstraction_is_maximal(zones->abstraction));
  zones->scenes.wants_flat = zones->kind == PROBE_ALU;
  zones->scenes.extrapolates = zones->is_extrapolated || zones->is_smoothed;
  if (zones->has_memo && zones->kind != PROBE_INCLUSION)
    zones->covers = zonetable_new_covers(zones->mem);
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
             abstraction_is_maximal(zones->abstraction));
  zones->space.needs = &zones->needs;
  zones->has_memo = false; // the way to a result tells what it needs
  mem_free(zones->mem, zones->covers);
  zones->covers = NULL;
  zones->scenes.wants_news = true;
  return true;
}

// What goes to a sibling: a zone in the table by its number, others as they are. Of an unfinished
// node, the zone, map and transition that lead to it, by the numbers that all workers know.
typedef struct ZoneMessage { // behind the key
  ZoneRef ref;
  uint32_t k, format; // of the packed zone that follows if there is no number
} ZoneMessage;

static Space *zones_sibling(Space *space, Mem *mem) {
  Zones *zones = zones_of(space);
  Report unused;
  report_init(&unused, mem);
  Space *sibling = zones_new(mem, zones->net, zones->goal, &zones->options, &unused);
  zonetable_share(&zones->table, &zones_of(sibling)->table);
  scene_share(&zones->scenes, &zones_of(sibling)->scenes);
  sibling->exchange.partition = space->exchange.partition =
      partition_new(&zones->arena, zones->net, &zones->layout, space->exchange.workers);
  return sibling;
}

static size_t send_unfinished(Zones *zones, uint64_t *key, ZoneMessage *zone) {
  const Space *space = &zones->space;
  memcpy(key, space->key, space->key_words * sizeof *key);
  *zone = (ZoneMessage){zones->source_ref, zones->left_map, zones->left_transition};
  return space->key_words * sizeof *key + sizeof *zone;
}

static bool zones_finish(Space *space, const void *message) {
  const uint64_t *key = message;
  const ZoneMessage *zone = (const ZoneMessage *)(key + space->key_words);
  zones_load(space, key, ZONE_NONE);
  return firing_finish(zones_of(space), zone->ref, zone->k, zone->format);
}

static size_t zones_send(Space *space, void *message) {
  Zones *zones = zones_of(space);
  uint64_t *key = message;
  ZoneMessage *zone = (ZoneMessage *)(key + space->key_words);
  if (space->exchange.is_unfinished)
    return send_unfinished(zones, key, zone);
  const Probe *probe = &zones->probe; // made, if there is no number
  const size_t bytes = space->zone ? 0 : packed_bytes(probe->k, probe->format);
  memcpy(key, space->key, space->key_words * sizeof *key);
  *zone = (ZoneMessage){space->zone, probe->k, probe->format};
  memcpy(zone + 1, probe->body, bytes);
  return space->key_words * sizeof *key + sizeof *zone + bytes;
}

static uint32_t zones_recognise(Space *space, const void *message) {
  Zones *zones = zones_of(space);
  const uint64_t *key = message;
  const ZoneMessage *zone = (const ZoneMessage *)(key + space->key_words);
  const Probe packed = {.k = zone->k, .format = (PackedFormat)zone->format, .body = zone + 1};
  return zone->ref ? zone->ref : zonetable_find(&zones->table, &packed);
}

static void zones_fetch(const Space *space, const uint64_t *key, FetchStage stage) {
  scene_fetch(&((const Zones *)space)->scenes, key, stage);
}

static void zones_fetch_ahead(Space *space, FetchStage stage) {
  Zones *zones = zones_of(space);
  scene_fetch_ahead(&zones->scenes, &zones->expected, zones->source_scene, true, stage);
}

static void zones_receive(Space *space, const void *message) {
  Zones *zones = zones_of(space);
  const uint64_t *key = message;
  const ZoneMessage *zone = (const ZoneMessage *)(key + space->key_words);
  zones_load(space, key, zones_recognise(space, message));
  if (space->zone)
    return;
  packed_read(zones->zone, zone->k, zone + 1, (PackedFormat)zone->format);
  zones->has_zone = true;
  firing_keep(zones);
}

static void allocate(Zones *zones) {
  Arena *arena = &zones->arena;
  const uint32_t n = zones->n;
  keys_init(&zones->keys, arena, zones->net, &zones->layout, &zones->vm);
  zones->ahead_keys = ARENA_ARRAY(arena, uint64_t, zones->layout.words * SPACE_AHEAD);
  zones->source_zone = matrix(zones, dbm_bytes(n));
  zones->zone = matrix(zones, dbm_bytes(n));
  zones->scratch = matrix(zones, dbm_bytes(n));
  zones->elapsed = matrix(zones, dbm_bytes(n));
  zones->origin = ARENA_ARRAY(arena, ClockId, n);
  zones->offset = ARENA_ARRAY(arena, int32_t, n);
  zones->trues = ARENA_ARRAY(arena, TrueEntry, TRUE_ENTRIES);
  probe_init(&zones->probe, matrix(zones, probe_bytes(n)), n);
  dbm_zero(zones->source_zone, n);
  dbm_zero(zones->zone, n);
  dbm_zero(zones->scratch, n);
  dbm_zero(zones->elapsed, n);
  zonetable_init(&zones->table, zones->mem, n);
#ifndef TARN_PLAIN
  memo_init(&zones->memo, zones->mem);
  zones->has_memo = true;
#else
  zones->probe.only_32 = true;
#endif
}

static void keep_compact(Zones *zones) {
  Compact *compact =
      compact_new(zones->mem, zones->n, zones->probe.allows_8 ? PACKED_8 : PACKED_16);
  zones->probe.compact = compact;
  zones->source_room = matrix(zones, compact->most_bytes);
  zones->room = matrix(zones, compact->most_bytes);
}

// Sketches are made for the bounds of a discrete state, which must not change, from matrices.
static void allow_sketches(Zones *zones) {
  Space *space = &zones->space;
  if (IS_PLAIN || space->needs || zones->probe.compact || zones->kind == PROBE_CLOSURE_LU ||
      zones->n > SKETCH_MOST_CLOCKS)
    return;
  space->speed.sketch_words = zones->kind == PROBE_INCLUSION ? 1 : 2;
  space->speed.plan_bytes = sizeof(SketchPlan);
  space->speed.plan = zones_plan;
  space->speed.sketch = zones_sketch;
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
                .find_subsumer = zones_find_subsumer,
                .find_subsumed = zones_find_subsumed,
                .keep = zones_keep,
                .load = zones_load,
                .shared_bytes = zones_shared_bytes,
                .release = zones_release,
                .exchange = {.sibling = zones_sibling,
                             .send = zones_send,
                             .receive = zones_receive,
                             .recognise = zones_recognise,
                             .finish = zones_finish},
                .speed = {.foresee = zones_foresee,
                          .fetch_ahead = zones_fetch_ahead,
                          .fetch = zones_fetch}},
      .mem = mem,
      .arena = {.mem = mem},
      .net = net,
      .goal = goal,
      .abstraction = (Abstraction)options->abstraction,
      .n = net->clock_count + 1,
      .options = *options,
      .is_random = options->seed != 0,
      .is_before = options->delay == DELAY_BEFORE,
  };
  random_seed(&zones->random, (uint64_t)options->seed);
  net_vm(net, &zones->vm, mem);
  state_layout(&zones->layout, &zones->arena, net);
  allocate(zones);
  zones->space.net = net;
  zones->space.key = zones->keys.key;
  zones->space.key_words = zones->layout.words;
  zones->space.exchange.message_bytes = sizeof(ZoneMessage) + 8 +
                                        zones->layout.words * sizeof(uint64_t) +
                                        packed_bytes(zones->n, PACKED_32);
  if (!abstraction_admits(&zones->abstraction, net, goal, options, report) ||
      !compute_bounds(zones, (BoundsScope)options->bounds, report) ||
      !begin_search_bounds(zones, options, report)) {
    zones_release(&zones->space);
    return NULL;
  }
  zones->scenes.wants_stay = zones->is_extrapolated || zones->is_before;
  if (options->compact)
    keep_compact(zones);
  allow_sketches(zones);
  return &zones->space;
}

const int32_t *zones_state(Space *space) { return keys_state(&zones_of(space)->keys); }

const int32_t *zones_source(Space *space) { return keys_source(&zones_of(space)->keys); }

const Bound *zones_zone(Space *space) { return firing_zone(zones_of(space)); }

const Frame *zones_frame(const Space *space) { return &((const Zones *)space)->scene->frame; }

bool zones_uses_bounds(const Space *space) {
  return ((const Zones *)space)->kind != PROBE_INCLUSION;
}

bool zones_local_bounds(Space *space, int32_t *lower, int32_t *upper) {
  Zones *zones = zones_of(space);
  if (zones->abstraction == ABSTRACTION_NONE)
    return false;
  clockbounds_of_state(&zones->bounds, zones->net, keys_state(&zones->keys), lower, upper);
  return true;
}

void zones_load(Space *space, const uint64_t *key, uint32_t zone) {
  Zones *zones = zones_of(space);
  keys_load(&zones->keys, key);
  // No scene is forgotten here: the opened node's is still needed.
  zones->scene = scene_find(&zones->scenes, zones->keys.key);
  space->zone = zone;
  zones->has_zone = zones->has_probe = false;
  if (space->needs)
    firing_announce(zones);
}

void zones_rewind(Space *space) { keys_rewind(&zones_of(space)->keys); }

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
  keys_open(&zones->keys, zones->keys.key);
  Scene *scene = scene_find(&zones->scenes, zones->keys.source_key);
  scene_find_moves(&zones->scenes, scene);
  zones->source_scene = scene;
  space->ordinal = ordinal;
  if (!firing_open(zones, firing_ref(zones)) || ordinal >= zones->source_scene->move_count)
    return false;
  return firing_try(zones, &zones->source_scene->moves[ordinal]);
}
