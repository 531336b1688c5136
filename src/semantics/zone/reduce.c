#include "semantics/zone/reduce.h"

#include "dbm/kernel/neighbours.h"
#include "dbm/remap.h"
#include "semantics/zone/covering.h"
#include "semantics/zone/locvector_make.h"

#include <string.h>

typedef struct View { // a zone over the active clocks
  OrbitZone zone;
  Zones *zones; // whose current zone it is, if `entries` is still NULL
  const void *entries;
  PackedFormat format;
  uint32_t k;
  const ActiveClocks *active;
  bool uses_bounds; // covering is modulo the bounds; else it is inclusion
  Neighbours *near; // which neighbouring clocks differ; NULL: not known
} View;

enum { LEAST_NEAR = 12 }; // clocks of a zone: from then on all neighbours are compared at once

static inline Bound entry_at(const View *view, uint32_t i, uint32_t j) {
  return packed_entry(view->entries, view->format, i * view->k + j);
}

// The current zone is looked at only if locations and variables do not decide.
__attribute__((noinline)) static void load_view(View *view) {
  const Probe *probe = covering_probe(view->zones);
  view->entries = probe->entries;
  view->format = probe->format;
}

static Bound entry(const OrbitZone *zone, ClockIndex x, ClockIndex y) {
  View *view = (View *)(uintptr_t)zone;
  if (!view->entries)
    load_view(view);
  const uint32_t i = view->active->position[x], j = view->active->position[y];
  if ((x && i == ACTIVE_NONE) || (y && j == ACTIVE_NONE))
    return 0;
  return entry_at(view, i, j);
}

// Position of the clock that a position takes the place of.
static uint32_t other(const View *view, const ClockIndex *swapped, uint32_t i) {
  return i ? view->active->position[swapped[view->active->clocks[i]]] : 0;
}

// Whether entry [y][x] shows that the zone with clocks swapped is not included: the test of
// dbm/simulation.h, for one pair.
static bool fails(const View *view, const ClockIndex *swapped, uint32_t y, uint32_t x) {
  const uint32_t sy = other(view, swapped, y), sx = other(view, swapped, x);
  const Bound big = entry_at(view, y, x), small = entry_at(view, sy, sx);
  if (big >= small)
    return false;
  if (!view->uses_bounds)
    return true;
  const int32_t lower = view->active->bounds->lower[y], upper = view->active->bounds->upper[x];
  if (y && lower == CLOCK_NO_BOUND)
    return false;
  const Bound zero = entry_at(view, 0, sx);
  if (x && (upper == CLOCK_NO_BOUND || zero < bound_le(-upper)))
    return false;
  return bound_sum(big, bound_lt(y ? -lower : 0)) < zero;
}

// Whether the rows, or the columns, of two clocks are known to differ in nothing but the entries
// between them.
static inline bool are_same(const View *view, bool rows, uint32_t a, uint32_t b) {
  const Neighbours *near = view->near;
  return near && b == a + 1 && !(rows ? near->rows[a] : near->columns[a]);
}

// The rows, or the columns, of two clocks that are swapped, at positions a and b, in one format:
// the same as `fails` for each entry, but most are only compared.
__attribute__((always_inline)) static inline bool lines_fail(const View *view,
                                                             const ClockIndex *swapped,
                                                             PackedFormat format, bool rows,
                                                             uint32_t a, uint32_t b) {
  const uint32_t line = rows ? view->k : 1, next = rows ? 1 : view->k;
  for (uint32_t j = are_same(view, rows, a, b) ? view->k : 0; j < view->k; j++) {
    const Bound of_a = packed_entry(view->entries, format, a * line + j * next);
    const Bound of_b = packed_entry(view->entries, format, b * line + j * next);
    const uint32_t less = of_a < of_b ? a : b;
    if (of_a != of_b && j != a && j != b &&
        fails(view, swapped, rows ? less : j, rows ? j : less))
      return true;
  }
  return false;
}

static inline bool pair_fails(const View *view, const ClockIndex *swapped, PackedFormat format,
                              uint32_t a, uint32_t b) {
  return fails(view, swapped, a, b) || fails(view, swapped, b, a) ||
         lines_fail(view, swapped, format, true, a, b) ||
         lines_fail(view, swapped, format, false, a, b);
}

static bool pair_simulates(const View *view, const ClockIndex *swapped, uint32_t a, uint32_t b) {
  Neighbours *near = view->near;
  if (near && !near->is_known) {
    neighbours_find(view->entries, view->format, view->k, near->rows, near->columns, near->spare);
    near->is_known = true;
  }
  return view->format == PACKED_16 ? !pair_fails(view, swapped, PACKED_16, a, b)
                                   : !pair_fails(view, swapped, PACKED_32, a, b);
}

static bool simulates(const OrbitZone *zone, const ClockIndex *swapped, const ClockIndex *list,
                      uint32_t count) {
  const View *view = (const View *)zone;
  bool equal = true;
  for (uint32_t c = 0; c < count; c += 2) { // x and y, which are swapped
    const uint32_t i = view->active->position[list[c]], j = view->active->position[list[c + 1]];
    if ((i == ACTIVE_NONE) != (j == ACTIVE_NONE))
      return false;
    equal &= i == ACTIVE_NONE ||
             (entry_at(view, i, j) == BOUND_LE_ZERO && entry_at(view, j, i) == BOUND_LE_ZERO);
  }
  if (equal)
    return true; // clocks that are equal have equal rows and columns
  if (count == 2)
    return pair_simulates(view, swapped, view->active->position[list[0]],
                          view->active->position[list[1]]);
  for (uint32_t c = 0; c < count; c++) {
    const uint32_t i = view->active->position[list[c]];
    for (uint32_t j = 0; i != ACTIVE_NONE && j < view->k; j++)
      if (fails(view, swapped, i, j) || fails(view, swapped, j, i))
        return false;
  }
  return true;
}

static View view_of(const Zones *zones, const ActiveClocks *active, const void *entries,
                    uint32_t format) {
  return (View){.zone = {entry, simulates},
                .entries = entries,
                .format = (PackedFormat)format,
                .k = active->k,
                .active = active,
                .uses_bounds = zones->covering.kind == PROBE_ALU};
}

// Where the clocks of the representative's active clocks are in the node's; false if one is
// nowhere.
static bool find_origins(Reduction *r, const ActiveClocks *from, const ActiveClocks *to,
                         bool *is_identity) {
  *is_identity = from->k == to->k;
  r->origin[0] = 0;
  for (uint32_t i = 1; i < to->k; i++) {
    r->origin[i] = from->position[r->orbit.from[to->clocks[i]]];
    if (r->origin[i] == ACTIVE_NONE)
      return false;
    *is_identity &= r->origin[i] == i;
  }
  for (uint32_t i = to->k; i < dbm_stride(to->k); i++)
    r->origin[i] = 0;
  return true;
}

// The current zone over other active clocks.
static void move_zone(Zones *zones, uint32_t from_k, uint32_t k) {
  Reduction *r = zones->reduction;
  Global *global = global_of(zones);
  const uint32_t number = reduce_transformer(zones, r->origin, k);
  const ZoneRef before = zones->space.zone, known = engine_recall(zones, before, number);
  if (known) {
    zones->space.zone = known;
    return;
  }
  Bound *zone = globalzone_matrix(zones);
  globalzone_begin(zones);
  dbm_remap(global->scratch, k, zone, from_k, r->origin, NULL);
  global->matrix = global->scratch;
  global->scratch = zone;
  globalzone_keep(zones);
  engine_remember(zones, before, number, zones->space.zone);
}

bool reduce_rename(Zones *zones, LocVector *to) {
  const ActiveClocks *from = &zones->vector->active;
  const uint32_t from_k = from->k;
  bool is_identity;
  if (!find_origins(zones->reduction, from, &to->active, &is_identity))
    return false;
  zones->vector = to;
  if (!is_identity)
    move_zone(zones, from_k, to->active.k);
  else
    probe_bounds(&zones->covering.probe, &to->active.bounds->packed);
  return true;
}

uint32_t reduce_transformer(Zones *zones, const uint32_t *origin, uint32_t count) {
  locvector_begin_words(&zones->vectors, count, PART_RENAMING, 0, 0);
  locvector_add_words(&zones->vectors, origin, count);
  return locvector_end_transformer(&zones->vectors);
}

// The current node gives way to its representative.
static void reduce_current(Zones *zones) {
  Reduction *r = zones->reduction;
  View view = view_of(zones, &zones->vector->active, NULL, PACKED_16);
  view.zones = zones;
  zones->space.is_renamed = false;
  if (!orbit_find(&r->orbit, states_state(&zones->states), &view.zone))
    return;
  state_pack(&zones->layout, r->key, r->orbit.state);
  LocVector *vector = locvector_find(&zones->vectors, r->key);
  memcpy(r->before_key, zones->states.key, zones->layout.words * sizeof *r->key);
  states_load(&zones->states, r->key);
  zones->space.is_renamed = zones->time->rename(zones, vector);
  if (!zones->space.is_renamed) // bounds that are not symmetric: the node stays as it is
    states_load(&zones->states, r->before_key);
  else
    zones->space.exchange.is_own = false;
}

// --- Twins of whole location vectors.

static bool is_dead(const Family *family, const ActiveClocks *active, uint32_t id) {
  for (uint32_t c = 0; c < family->clock_columns; c++)
    if (active->position[family->clocks[c * family->size + id]] != ACTIVE_NONE)
      return false;
  return true;
}

static bool is_simple(const OrbitFamily *f) {
  return !f->family->is_cyclic && f->family->process_columns == 1 && !f->family->slot_columns &&
         !f->cell_count;
}

// The symmetry must hold in the location vector, and only locations count.
static void find_vector_twins(void *context, const LocVector *vector) {
  const Zones *zones = context;
  const Reduction *r = zones->reduction;
  const Net *net = zones->net;
  const int32_t *state = zones->vectors.draft.state, *locations = state + net->location_slot;
  for (uint32_t k = 0; k < r->orbit.count; k++) {
    const OrbitFamily *f = &r->orbit.families[k];
    if (!is_simple(f))
      continue;
    const bool holds = family_holds(f->family, net, state);
    for (uint32_t i = 1; i < f->family->size; i++) {
      const ProcessId p = f->family->processes[i], q = f->family->processes[i - 1];
      r->is_twin[p] = holds && locations[p] == locations[q] &&
                      is_dead(f->family, &vector->active, i) &&
                      is_dead(f->family, &vector->active, i - 1);
    }
  }
}

static const Edge *edge_of(const Joint *joint, ProcessId process, uint32_t part) {
  for (uint32_t k = part + 1; k-- > 0;)
    if (joint->edges[k]->process == process)
      return joint->edges[k];
  return NULL;
}

// Roles must fall, as orbit_prunes requires. Participants that have not chosen yet are tested
// when they do.
static bool admits(void *context, const Joint *joint, uint32_t part) {
  const Reduction *r = context;
  const Edge *edge = joint->edges[part];
  const ProcessId p = edge->process;
  const uint64_t role = orbit_role(&r->orbit, edge);
  const Edge *other = r->is_twin[p] ? edge_of(joint, r->before[p], part) : NULL;
  if (other && role > orbit_role(&r->orbit, other))
    return false;
  other = r->after[p] != NET_NONE && r->is_twin[r->after[p]] ? edge_of(joint, r->after[p], part)
                                                             : NULL;
  return !other || role >= orbit_role(&r->orbit, other);
}

// Lets transitions of twins be left out as location vectors are made, where a synchronisation of
// many processes would have too many of them.
static void reduce_vectors(Zones *zones) {
  Reduction *r = zones->reduction;
  const uint32_t count = zones->net->processes.size;
  bool some = false;
  r->is_twin = ARENA_ARRAY(&zones->arena, bool, count);
  r->before = ARENA_ARRAY(&zones->arena, ProcessId, count);
  r->after = ARENA_ARRAY(&zones->arena, ProcessId, count);
  for (ProcessId p = 0; p < count; p++)
    r->before[p] = r->after[p] = NET_NONE;
  for (uint32_t k = 0; k < r->orbit.count; k++) {
    const OrbitFamily *f = &r->orbit.families[k];
    some |= is_simple(f);
    for (uint32_t i = 1; is_simple(f) && i < f->family->size; i++) {
      r->before[f->family->processes[i]] = f->family->processes[i - 1];
      r->after[f->family->processes[i - 1]] = f->family->processes[i];
    }
  }
  if (!some || zones->net->traits.is_listed)
    return;
  zones->vectors.before_outgoing = find_vector_twins;
  zones->vectors.before_context = zones;
  zones->vectors.joint.admits = admits;
  zones->vectors.joint.admits_context = r;
}

// Marks the transitions of the opened node that are left out; NULL if none is.
static const bool *reduce_outgoing(Zones *zones) {
  Reduction *r = zones->reduction;
  const LocVector *vector = zones->opened.vector;
  const StoredZone *stored =
      zones->time->opened_zone ? zones->time->opened_zone(zones) : zones->opened.bounds;
  View view = view_of(zones, &vector->active, stored->entries, stored->format);
  r->near.is_known = false;
  view.near = r->near.rows && vector->active.k >= LEAST_NEAR ? &r->near : NULL;
  if (!orbit_find_twins(&r->orbit, states_source(&zones->states), &view.zone))
    return NULL;
  vec_reserve(zones->mem, &r->pruned, vector->outgoing_count);
  for (uint32_t i = 0; i < vector->outgoing_count; i++) {
    const Transition *t = locvector_transition(&zones->vectors, &vector->outgoing[i]);
    r->pruned.items[i] = orbit_prunes(&r->orbit, t->edges, t->edge_count);
  }
  return r->pruned.items;
}

bool reduce_twin_classes(const Zones *zones, uint32_t *classes) {
  const Orbit *orbit = &zones->reduction->orbit;
  uint32_t number = 0;
  memset(classes, 0, zones->net->processes.size * sizeof *classes);
  for (uint32_t k = 0; k < orbit->count; k++) {
    const OrbitFamily *f = &orbit->families[k];
    const uint32_t size = f->family->size;
    for (uint32_t i = 1; f->has_twins && i < size; i++) {
      number += f->is_twin[i] && !f->is_twin[i - 1];
      for (uint32_t c = 0; f->is_twin[i] && c < f->family->process_columns; c++) {
        const ProcessId *column = f->family->processes + c * size;
        classes[column[i]] = classes[column[i - 1]] = number;
      }
    }
  }
  return number;
}

const Edge *const *reduce_edges(const Space *space, uint32_t ordinal, uint32_t *count) {
  const Zones *zones = (const Zones *)space;
  const Transition *t =
      locvector_transition(&zones->vectors, &zones->opened.vector->outgoing[ordinal]);
  *count = t->edge_count;
  return t->edges;
}

void reduce_attach(Space *space, const Symmetry *symmetry, bool prunes) {
  Zones *zones = (Zones *)space;
  Arena *arena = &zones->arena;
  Reduction *r = zones->reduction = ARENA_NEW(arena, Reduction);
  r->symmetry = symmetry;
  orbit_init(&r->orbit, arena, zones->net, symmetry);
  r->key = ARENA_ARRAY(arena, uint64_t, zones->layout.words);
  r->before_key = ARENA_ARRAY(arena, uint64_t, zones->layout.words);
  r->origin = ARENA_ARRAY(arena, ClockId, dbm_stride(zones->net->clock_count + 1));
#ifndef TARN_PLAIN
  const size_t room = neighbours_room(zones->net->clock_count + 1);
  r->near.rows = ARENA_ARRAY(arena, uint16_t, room);
  r->near.columns = ARENA_ARRAY(arena, uint16_t, room);
  r->near.spare = ARENA_ARRAY(arena, int16_t, room);
#endif
  zones->rename = reduce_current;
  zones->prune = prunes ? reduce_outgoing : NULL;
  space->is_pruned = prunes;
  if (prunes)
    reduce_vectors(zones);
  space->edges = reduce_edges;
  space->orbit = &r->orbit;
}
