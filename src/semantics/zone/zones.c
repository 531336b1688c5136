#include "semantics/zone/zones.h"

#include "base/testbuild.h"
#include "dbm/kernel/step.h"
#include "dbm/simulation.h"
#include "dbm/stored/compact.h"
#include "semantics/zone/covering.h"
#include "semantics/zone/firing.h"
#include "semantics/zone/hulls.h"
#include "semantics/zone/message.h"
#include "semantics/zone/setup.h"
#include "semantics/zone/transformer.h"
#include "semantics/zone/zonediagonals.h"

#include <assert.h>
#include <string.h>

static Zones *zones_of(Space *space) { return (Zones *)space; }

// "True" is what the universal zone would be stored as: itself where covering is inclusion
// (its extrapolation, too, is itself), whatever includes it modulo simulation under alu and
// am. Either way over the clocks that matter in the state.
static bool zones_is_true(Space *space) {
  Zones *zones = zones_of(space);
  const ActiveClocks *active = &zones->vector->active;
  Bound *universal = global_of(zones)->scratch;
  if (zonediagonals_are_needed(zones))
    return zonediagonals_are_true(zones, globalzone_matrix(zones));
  if (zones->covering.kind != PROBE_CLOSURE_LU) {
    Probe *probe = covering_probe(zones);
    probe_bounds(probe, &active->bounds->packed);
    return probe_is_true(probe);
  }
  dbm_universal(universal, active->k);
  return simulation_closure_lu(globalzone_matrix(zones), universal, active->k,
                               active->bounds->lower, active->bounds->upper);
}

static bool zones_finish(Space *space, const void *message) {
  Zones *zones = zones_of(space);
  engine_load(space, message, ZONE_NONE);
  const MessageOrigin origin = message_origin(zones, message);
  OutgoingTransition out = {.transition = origin.transition};
  zones->opened.vector = origin.vector;
  out.transformer =
      transformer_find(&zones->vectors, zones->opened.vector, out.transition, zones->vector);
  zones->opened.has_matrix = false;
  globalzone_open(zones, origin.zone);
  return engine_finish(zones, &out);
}

// Which zones are extrapolated, and what location vectors have to know for it.
static void prepare_extrapolation(Zones *zones) {
  Global *global = global_of(zones);
  const ProbeKind kind = zones->covering.kind;
  const int scope = zones->options.bounds;
  if (zones->abstraction == ABSTRACTION_NONE) {
    global->is_large = true; // nothing keeps the bounds small
    return;
  }
  global->is_large = zones->max > TRANSITION_LARGE || zones->covering.diagonals.is_on;
  if (!IS_PLAIN && !zones->covering.diagonals.is_on &&
      (kind != PROBE_INCLUSION || zones->abstraction == ABSTRACTION_EXTRA_LU_PLUS))
    global->step_long = step_long(zones->max);
  else
    zones->step_max = 0;
  if (!IS_PLAIN && kind == PROBE_ALU && !zones->options.graph &&
      !zones->covering.diagonals.is_on &&
      (scope == BOUNDS_LOCAL || (scope == BOUNDS_GLOBAL && !net_has_copies(zones->net))))
    zones->extrapolation = ABSTRACTION_EXTRA_LU_PLUS;
  zones->vectors.wants.entry_bounds = kind == PROBE_ALU;
}

// Bounds found during the search are smaller than the static local ones, which therefore say
// which clocks matter at all. Zones are stored plain: extrapolated ones would be made for bounds
// that then grow.
static void begin_search_bounds(Zones *zones) {
  const int bounds = zones->options.bounds;
  Global *global = global_of(zones);
  if ((bounds != BOUNDS_FLY && bounds != BOUNDS_LAZY) || zones->abstraction == ABSTRACTION_NONE)
    return;
  assert(zones->covering.kind != PROBE_INCLUSION);
  needs_init(&global->needs, zones->mem, &zones->arena, zones->vectors.n, bounds == BOUNDS_LAZY,
             abstraction_is_maximal(zones->abstraction));
  zones->space.needs = &global->needs;
  zones->vectors.wants.ways = true;
}

static Bound *new_matrix(Zones *zones, uint32_t n) {
  Bound *matrix = arena_align(&zones->arena, dbm_bytes(n), 0);
  dbm_zero(matrix, n);
  return matrix;
}

static void allocate(Zones *zones) {
  Global *global = global_of(zones);
  Arena *arena = &zones->arena;
  const uint32_t n = zones->vectors.n;
  zones->opened.matrix = new_matrix(zones, n);
  global->matrix = new_matrix(zones, n);
  global->scratch = new_matrix(zones, n);
  global->origin = ARENA_ARRAY(arena, ClockId, n);
  global->offset = ARENA_ARRAY(arena, int32_t, n);
  global->stopped = ARENA_ARRAY(arena, bool, n);
  global->still = ARENA_ARRAY(arena, bool, n);
  zonetable_init(&zones->table, zones->mem, n);
  if (zones->options.compact) {
    Compact *compact = compact_new(zones->mem, n);
    zones->covering.probe.compact = compact;
    zones->space.speed.sketch_words = 0; // they are made from matrices
    global->source_room = arena_align(arena, compact->max_bytes, 0);
    zones->covering.room = arena_align(arena, compact->max_bytes, 0);
  }
}

Space *zones_new(Mem *owner, const Net *net, const Goal *goal, const Options *options,
                 Report *report) {
  Mem *mem = mem_part(owner);
  Global *global = mem_alloc(mem, sizeof *global);
  Zones *zones = &global->zones;
  global->is_before = options->delay == DELAY_BEFORE;
  if (!setup_init(zones, &firing_time, mem, net, goal, options, report)) {
    mem_release_part(mem);
    return NULL;
  }
  begin_search_bounds(zones);
  zones->space.is_true = zones_is_true;
  zones->make = zones_new;
  zones->space.exchange.finish = zones_finish;
  prepare_extrapolation(zones);
  zones->vectors.wants.stay =
      global->is_before || (zones->covering.kind == PROBE_INCLUSION &&
                            zones->abstraction != ABSTRACTION_NONE); // or zones are not exact
  setup_prepare(zones, packed_bytes(zones->vectors.n, PACKED_32));
  allocate(zones);
  return &zones->space;
}

const int32_t *zones_state(Space *space) { return states_state(&zones_of(space)->states); }

const int32_t *zones_source(Space *space) { return states_source(&zones_of(space)->states); }

const Bound *zones_zone(Space *space) { return globalzone_matrix(zones_of(space)); }

const ActiveClocks *zones_active(const Space *space) {
  return &((const Zones *)space)->vector->active;
}

bool zones_uses_bounds(const Space *space) {
  return ((const Zones *)space)->covering.kind != PROBE_INCLUSION;
}

bool zones_local_bounds(Space *space, int32_t *lower, int32_t *upper) {
  Zones *zones = zones_of(space);
  if (zones->abstraction == ABSTRACTION_NONE)
    return false;
  clockbounds_of_state(&zones->bounds, zones->net, states_state(&zones->states), lower, upper);
  return true;
}

uint32_t *zones_note(Space *space) { return &zones_of(space)->vector->note; }

void zones_widen(Space *space, Bound *wide) {
  const ActiveClocks *active = zones_active(space);
  const Bound *zone = zones_zone(space);
  const uint32_t n = zones_of(space)->vectors.n;
  const uint32_t stride = dbm_stride(n), from = dbm_stride(active->k);
  dbm_universal(wide, n);
  for (uint32_t i = 0; i < active->k; i++)
    for (uint32_t j = 0; j < active->k; j++)
      wide[active->clocks[i] * stride + active->clocks[j]] = zone[i * from + j];
  for (uint32_t x = 1; x < n; x++) // x >= 0, so that y - x <= y
    if (active->position[x] == ACTIVE_NONE)
      for (uint32_t i = 0; i < active->k; i++)
        wide[active->clocks[i] * stride + x] = zone[i * from];
}

bool zones_can_idle(Space *space) {
  Zones *zones = zones_of(space);
  const LocVector *vector = zones->vector;
  ConstraintList list;
  if (!vector->setting->can_delay || vector->setting->is_delay ||
      !firing_invariant(zones, vector, states_state(&zones->states), &list))
    return false;
  for (uint32_t i = 0; i < list.count; i++)
    if (list.items[i].i && !list.items[i].j)
      return false;
  return true;
}

bool zones_is_delay(const Space *space) {
  const Zones *zones = (const Zones *)space;
  const OutgoingTransition *out = &zones->opened.vector->outgoing[space->ordinal];
  return !locvector_transition(&zones->vectors, out)->edge_count;
}

bool zones_diagonals(Space *space, ClockTests *list) {
  Zones *zones = zones_of(space);
  if (zones->covering.diagonals.is_on)
    diagonals_of_state(&zones->covering.diagonals.diagonals, zones->mem, zones->net,
                       states_state(&zones->states), list);
  return zones->covering.diagonals.is_on;
}

void zones_cover_by_simulation(Space *space) {
  Covering *covering = &zones_of(space)->covering;
  if (covering->kind != PROBE_CLOSURE_LU)
    return;
  covering->kind = PROBE_ALU;
  covering->probed = ZONE_NONE;
}

static bool join(Space *space) {
  hulls_join(&global_of(zones_of(space))->hulls, space->key, space->key_words);
  return true;
}

static bool joined_initial(Space *space) {
  return engine_functions.initial(space) && join(space);
}
static bool joined_next(Space *space) { return engine_functions.next(space) && join(space); }

void zones_join_nodes(Space *space, bool joins) {
  Hulls *hulls = &global_of(zones_of(space))->hulls;
  hulls_release(hulls);
  hulls_init(hulls, zones_of(space)->mem, space);
  space->initial = joins ? joined_initial : engine_functions.initial;
  space->next = joins ? joined_next : engine_functions.next;
}

bool zones_replay_initial(Space *space, uint32_t ordinal) {
  space->next_initial = 0;
  while (space->initial(space))
    if (space->ordinal == ordinal)
      return true;
  return false;
}

// The abstraction is `none` here, so that the active clocks are all clocks.
bool zones_replay_open(Space *space) {
  Zones *zones = zones_of(space);
  const ZoneRef zone = globalzone_number(zones);
  engine_open_vector(zones, zones->states.key);
  return firing_open(zones, zone);
}

bool zones_replay_try(Space *space, uint32_t ordinal) {
  Zones *zones = zones_of(space);
  space->ordinal = ordinal;
  return ordinal < zones->opened.vector->outgoing_count && engine_try(zones, ordinal);
}

bool zones_replay(Space *space, uint32_t ordinal) {
  return zones_replay_open(space) && zones_replay_try(space, ordinal);
}
