#include "semantics/orbit.h"

#include <string.h>

static uint64_t mix(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
  return hash ^ hash >> 29;
}

// --- Tables.

// A key has the values of all fields, as digits; if they do not fit, it is a hash.
static void find_fields(OrbitFamily *f, Arena *arena, const Net *net) {
  const Family *family = f->family;
  const uint32_t size = family->size;
  uint32_t *fields =
      ARENA_ARRAY(arena, uint32_t, (family->process_columns + family->slot_columns) * size + 1);
  for (uint32_t c = 0; c < family->process_columns; c++, f->field_count++)
    for (uint32_t i = 0; i < size; i++)
      fields[f->field_count * size + i] = net->location_slot + family->processes[c * size + i];
  for (uint32_t c = 0; c < family->slot_columns; c++) {
    if (family->sort[family->slots[c * size]])
      continue;
    memcpy(fields + f->field_count++ * size, family->slots + c * size, size * sizeof *fields);
  }
  uint64_t *scale = ARENA_ARRAY(arena, uint64_t, f->field_count + 1);
  uint64_t product = 1;
  f->is_exact = true;
  for (uint32_t c = f->field_count; c-- > 0;) { // the first field counts most
    const uint32_t slot = fields[c * size];
    const uint64_t values = (uint64_t)((int64_t)net->slots.max[slot] - net->slots.min[slot] + 1);
    scale[c] = product;
    f->is_exact = f->is_exact && !__builtin_mul_overflow(product, values, &product);
  }
  f->fields = fields;
  f->scale = scale;
}

static void find_cells(OrbitFamily *f, Arena *arena, const Net *net) {
  const Family *family = f->family;
  uint32_t *cells = ARENA_ARRAY(arena, uint32_t, net->location_slot + 1);
  uint32_t *owner = ARENA_ARRAY(arena, uint32_t, net->location_slot + 1);
  uint32_t *column = ARENA_ARRAY(arena, uint32_t, net->location_slot + 1);
  uint32_t *by_slot = ARENA_ARRAY(arena, uint32_t, net->location_slot + 1);
  for (uint32_t i = 0; i < family->slot_columns * family->size; i++)
    by_slot[family->slots[i]] = i + 1;
  for (uint32_t s = 0; s < net->location_slot; s++) {
    if (!family->sort[s])
      continue;
    const uint32_t at = by_slot[s];
    cells[f->cell_count] = s;
    owner[f->cell_count] = at ? (at - 1) % family->size + 1 : 0;
    column[f->cell_count] = at ? (at - 1) / family->size : family->slot_columns + f->cell_count;
    f->cell_count++;
  }
  f->cells = cells;
  f->cell_owner = owner;
  f->cell_column = column;
}

static void find_sorts(OrbitFamily *f, Arena *arena) {
  const Family *family = f->family;
  OrbitSort *sorts = ARENA_ARRAY(arena, OrbitSort, family->sort_count);
  for (uint32_t sort = 1; sort < family->sort_count; sort++) {
    int32_t low;
    const uint32_t count = family_span(family, sort, &low);
    if (!count)
      continue;
    uint32_t *owner = ARENA_ARRAY(arena, uint32_t, count);
    for (uint32_t c = 0; c < family->value_columns; c++)
      for (uint32_t i = 0; family->values[c].sort == sort && i < family->size; i++)
        owner[family->values[c].values[i] - low] = c * family->size + i + 1;
    sorts[sort] = (OrbitSort){low, count, owner};
  }
  f->sorts = sorts;
}

static void find_excluded(OrbitFamily *f, Arena *arena, const Net *net) {
  ProcessId *list = ARENA_ARRAY(arena, ProcessId, net->processes.size);
  for (ProcessId p = 0; f->family->excluded && p < net->processes.size; p++) {
    const Process *process = &net->processes.items[p];
    bool some = false;
    for (uint32_t l = 0; l < process->location_count; l++)
      some |= f->family->excluded[process->first_location + l];
    if (some)
      list[f->excluded_count++] = p;
  }
  f->excluded = list;
}

static void init_family(OrbitFamily *f, Arena *arena, const Net *net, const Family *family) {
  const uint32_t size = family->size;
  *f = (OrbitFamily){.family = family};
  find_fields(f, arena, net);
  find_cells(f, arena, net);
  find_sorts(f, arena);
  find_excluded(f, arena, net);
  f->keys = ARENA_ARRAY(arena, IdKey, size);
  f->is_held = ARENA_ARRAY(arena, bool, size);
  f->order = ARENA_ARRAY(arena, uint32_t, size);
  f->image = ARENA_ARRAY(arena, uint32_t, size);
  f->is_twin = ARENA_ARRAY(arena, bool, size);
}

void orbit_init(Orbit *orbit, Arena *arena, const Net *net, const Symmetry *symmetry) {
  *orbit = (Orbit){.net = net, .count = symmetry->count};
  orbit->families = ARENA_ARRAY(arena, OrbitFamily, symmetry->count);
  uint32_t *family_of = ARENA_ARRAY(arena, uint32_t, net->processes.size);
  uint32_t *id_of = ARENA_ARRAY(arena, uint32_t, net->processes.size);
  uint32_t *column_of = ARENA_ARRAY(arena, uint32_t, net->processes.size);
  uint32_t max = 0;
  for (uint32_t k = 0; k < symmetry->count; k++) {
    const Family *family = &symmetry->families[k];
    init_family(&orbit->families[k], arena, net, family);
    max = family->size > max ? family->size : max;
    for (uint32_t i = 0; i < family->process_columns * family->size; i++) {
      family_of[family->processes[i]] = k + 1;
      id_of[family->processes[i]] = i % family->size;
      column_of[family->processes[i]] = i / family->size;
    }
  }
  orbit->family_of = family_of;
  orbit->id_of = id_of;
  orbit->column_of = column_of;
  orbit->state = ARENA_ARRAY(arena, int32_t, net->slots.count);
  orbit->scratch = ARENA_ARRAY(arena, int32_t, net->slots.count);
  orbit->from = ARENA_ARRAY(arena, ClockIndex, net->clock_count + 1);
  orbit->earlier = ARENA_ARRAY(arena, ClockIndex, net->clock_count + 1);
  orbit->swapped = ARENA_ARRAY(arena, ClockIndex, net->clock_count + 1);
  orbit->list = ARENA_ARRAY(arena, ClockIndex, net->clock_count + 1);
  orbit->roles = ARENA_ARRAY(arena, uint64_t, max + 1);
  for (ClockIndex x = 0; x <= net->clock_count; x++)
    orbit->swapped[x] = x;
}

// --- Keys.

static bool holds(const OrbitFamily *f, const Net *net, const int32_t *state) {
  for (uint32_t i = 0; i < f->excluded_count; i++) {
    const ProcessId p = f->excluded[i];
    const uint32_t at = (uint32_t)state[net->location_slot + p];
    if (f->family->excluded[net->processes.items[p].first_location + at])
      return false;
  }
  return true;
}

// The id that a value of a cell stands for, in *column which value of it; size for none.
static uint32_t id_in(const OrbitFamily *f, uint32_t cell, const int32_t *state,
                      uint32_t *column) {
  const uint32_t slot = f->cells[cell];
  const OrbitSort *sort = &f->sorts[f->family->sort[slot]];
  const uint32_t at = (uint32_t)state[slot] - (uint32_t)sort->low;
  const uint32_t owner = at < sort->count ? sort->owner[at] : 0;
  if (!owner)
    return f->family->size;
  *column = (owner - 1) / f->family->size;
  return (owner - 1) % f->family->size;
}

// Cells that hold ids tell these apart; so does, of cells that belong to an id, what is in them.
static void add_cells(OrbitFamily *f, const int32_t *state) {
  const uint32_t size = f->family->size;
  for (uint32_t m = 0; m < f->cell_count; m++) {
    uint32_t column = 0;
    const uint32_t id = id_in(f, m, state, &column), owner = f->cell_owner[m];
    const uint64_t name = (uint64_t)f->cell_column[m] << 32 | column;
    if (id == size) {
      if (owner) // a value that stands for no id
        f->keys[owner - 1].cells +=
            mix(f->cell_column[m] + 4u, (uint64_t)(uint32_t)state[f->cells[m]] + 1);
      continue;
    }
    f->is_held[id] = true;
    if (!owner)
      f->keys[id].cells = mix(f->keys[id].cells, name + 1);
    else if (f->family->is_cyclic) // how far the other one is
      f->keys[owner - 1].cells += mix(name + 5, (id + size + 1 - owner) % size);
    else { // sums: the order of the owners must not matter
      f->keys[id].cells += mix(name + 2, id == owner - 1);
      f->keys[owner - 1].cells += mix(name + 3, id == owner - 1);
    }
  }
}

static void find_keys(OrbitFamily *f, const Net *net, const int32_t *state) {
  const uint32_t size = f->family->size;
  memset(f->is_held, 0, size);
  for (uint32_t i = 0; i < size; i++)
    f->keys[i] = (IdKey){0};
  for (uint32_t c = 0; c < f->field_count; c++)
    for (uint32_t i = 0; i < size; i++) {
      const uint32_t slot = f->fields[c * size + i];
      const uint64_t value = (uint32_t)state[slot] - (uint32_t)net->slots.min[slot];
      uint64_t *key = &f->keys[i].columns;
      *key = f->is_exact ? *key + value * f->scale[c] : mix(*key, value);
    }
  add_cells(f, state);
}

static int compare_keys(const IdKey *a, const IdKey *b) {
  if (a->columns != b->columns)
    return a->columns < b->columns ? -1 : 1;
  return a->cells < b->cells ? -1 : a->cells > b->cells;
}

// --- The full group: sorting.

static int compare_clocks(const Orbit *orbit, const Family *family, const OrbitZone *zone,
                          uint32_t a, uint32_t b) {
  for (uint32_t c = 0; c < family->clock_columns; c++) {
    const ClockIndex x = orbit->from[family->clocks[c * family->size + a]];
    const ClockIndex y = orbit->from[family->clocks[c * family->size + b]];
    const Bound forth = zone->entry(zone, x, y), back = zone->entry(zone, y, x);
    if (forth != back)
      return forth < back ? -1 : 1;
  }
  return 0;
}

// Insertion: nodes differ little from the one before, so that few ids move.
static bool sort_ids(Orbit *orbit, OrbitFamily *f, const OrbitZone *zone) {
  bool moved = false;
  for (uint32_t i = 0; i < f->family->size; i++) {
    uint32_t j = i;
    for (; j > 0; j--) {
      const uint32_t before = f->order[j - 1];
      int order = compare_keys(&f->keys[before], &f->keys[i]);
      if (!order)
        order = compare_clocks(orbit, f->family, zone, before, i);
      if (order <= 0)
        break;
      f->order[j] = before;
    }
    f->order[j] = i;
    moved |= j != i;
  }
  return moved;
}

// --- Rotations: the least one.

// Compares the zone with id 0 at `a` and with id 0 at `b`.
static int compare_zones(const Orbit *orbit, const Family *family, const OrbitZone *zone,
                         uint32_t a, uint32_t b) {
  const uint32_t size = family->size;
  for (uint32_t c = 0; c < family->clock_columns; c++)
    for (uint32_t d = 0; d < family->clock_columns; d++)
      for (uint32_t i = 0; i < size; i++)
        for (uint32_t k = 0; k < size; k++) {
          const ClockIndex x = orbit->from[family->clocks[c * size + (i + a) % size]];
          const ClockIndex y = orbit->from[family->clocks[d * size + (k + a) % size]];
          const ClockIndex u = orbit->from[family->clocks[c * size + (i + b) % size]];
          const ClockIndex v = orbit->from[family->clocks[d * size + (k + b) % size]];
          const Bound first = zone->entry(zone, x, y), second = zone->entry(zone, u, v);
          if (first != second)
            return first < second ? -1 : 1;
        }
  for (uint32_t c = 0; c < family->clock_columns; c++)
    for (uint32_t i = 0; i < size; i++) { // and to the constant zero
      const ClockIndex x = orbit->from[family->clocks[c * size + (i + a) % size]];
      const ClockIndex u = orbit->from[family->clocks[c * size + (i + b) % size]];
      const Bound first = zone->entry(zone, x, 0), second = zone->entry(zone, u, 0);
      const Bound first0 = zone->entry(zone, 0, x), second0 = zone->entry(zone, 0, u);
      if (first != second)
        return first < second ? -1 : 1;
      if (first0 != second0)
        return first0 < second0 ? -1 : 1;
    }
  return 0;
}

// (a + b) % size, of numbers below size: a division takes longer.
static inline uint32_t turned(uint32_t a, uint32_t b, uint32_t size) {
  return a + b < size ? a + b : a + b - size;
}

static bool turn_ids(Orbit *orbit, OrbitFamily *f, const OrbitZone *zone) {
  const uint32_t size = f->family->size;
  uint32_t best = 0;
  for (uint32_t r = 1; r < size; r++) {
    int order = 0;
    for (uint32_t i = 0; !order && i < size; i++)
      order = compare_keys(&f->keys[turned(i, best, size)], &f->keys[turned(i, r, size)]);
    if (!order)
      order = compare_zones(orbit, f->family, zone, best, r);
    if (order > 0)
      best = r;
  }
  for (uint32_t i = 0; i < size; i++)
    f->order[i] = turned(i, best, size);
  return best;
}

// --- Representatives.

// The state with the ids of one family moved, into `scratch`.
static void move_state(Orbit *orbit, const OrbitFamily *f) {
  const Family *family = f->family;
  const uint32_t size = family->size;
  const int32_t *from = orbit->state;
  int32_t *to = orbit->scratch;
  memcpy(to, from, orbit->net->slots.count * sizeof *to);
  for (uint32_t c = 0; c < f->field_count; c++)
    for (uint32_t i = 0; i < size; i++)
      to[f->fields[c * size + i]] = from[f->fields[c * size + f->order[i]]];
  for (uint32_t m = 0; m < f->cell_count; m++) {
    uint32_t slot = f->cells[m], column = 0;
    const uint32_t id = id_in(f, m, from, &column);
    if (f->cell_owner[m])
      slot = family->slots[f->cell_column[m] * size + f->image[f->cell_owner[m] - 1]];
    to[slot] = id == size ? from[f->cells[m]] : family->values[column].values[f->image[id]];
  }
  orbit->scratch = orbit->state;
  orbit->state = to;
}

static void move_clocks(Orbit *orbit, const OrbitFamily *f) {
  const Family *family = f->family;
  const uint32_t size = family->size;
  memcpy(orbit->earlier, orbit->from, (orbit->net->clock_count + 1) * sizeof *orbit->from);
  for (uint32_t c = 0; c < family->clock_columns; c++)
    for (uint32_t i = 0; i < size; i++)
      orbit->from[family->clocks[c * size + i]] =
          orbit->earlier[family->clocks[c * size + f->order[i]]];
}

bool orbit_find(Orbit *orbit, const int32_t *state, const OrbitZone *zone) {
  const Net *net = orbit->net;
  bool moved = false;
  for (uint32_t k = 0; k < orbit->count; k++) {
    OrbitFamily *f = &orbit->families[k];
    f->is_moved = false;
    if (!holds(f, net, moved ? orbit->state : state))
      continue;
    if (!moved) // the first one: nothing is copied until something moves
      for (ClockIndex x = 0; x <= net->clock_count; x++)
        orbit->from[x] = x;
    find_keys(f, net, moved ? orbit->state : state);
    f->is_moved = f->family->is_cyclic ? turn_ids(orbit, f, zone) : sort_ids(orbit, f, zone);
    if (!f->is_moved)
      continue;
    if (!moved)
      memcpy(orbit->state, state, net->slots.count * sizeof *state);
    moved = true;
    for (uint32_t i = 0; i < f->family->size; i++)
      f->image[f->order[i]] = i;
    move_state(orbit, f);
    move_clocks(orbit, f);
  }
  return moved;
}

// --- Twins.

// Whether the discrete state stays if the two ids are swapped: they have the same locations and
// variables, and no cell holds one of them or belongs to one.
static bool is_alike(const OrbitFamily *f, uint32_t a, uint32_t b, const int32_t *state) {
  if (f->keys[a].columns != f->keys[b].columns || f->is_held[a] || f->is_held[b])
    return false;
  const uint32_t size = f->family->size;
  for (uint32_t c = 0; !f->is_exact && c < f->field_count; c++)
    if (state[f->fields[c * size + a]] != state[f->fields[c * size + b]])
      return false;
  for (uint32_t c = 0; c < f->family->slot_columns; c++)
    if (state[f->family->slots[c * size + a]] != state[f->family->slots[c * size + b]])
      return false;
  return true;
}

static bool is_simulated(Orbit *orbit, const Family *family, const OrbitZone *zone, uint32_t a,
                         uint32_t b) {
  uint32_t count = 0;
  for (uint32_t c = 0; c < family->clock_columns; c++) {
    const ClockIndex x = family->clocks[c * family->size + a];
    const ClockIndex y = family->clocks[c * family->size + b];
    orbit->list[count++] = x;
    orbit->list[count++] = y;
    orbit->swapped[x] = y;
    orbit->swapped[y] = x;
  }
  const bool good = zone->simulates(zone, orbit->swapped, orbit->list, count);
  for (uint32_t i = 0; i < count; i++)
    orbit->swapped[orbit->list[i]] = orbit->list[i];
  return good;
}

bool orbit_find_twins(Orbit *orbit, const int32_t *state, const OrbitZone *zone) {
  bool some = false;
  for (uint32_t k = 0; k < orbit->count; k++) {
    OrbitFamily *f = &orbit->families[k];
    f->has_twins = false;
    if (f->family->is_cyclic || !holds(f, orbit->net, state))
      continue;
    find_keys(f, orbit->net, state);
    f->is_twin[0] = false;
    for (uint32_t i = 1; i < f->family->size; i++) {
      f->is_twin[i] =
          is_alike(f, i - 1, i, state) && is_simulated(orbit, f->family, zone, i - 1, i);
      f->has_twins |= f->is_twin[i];
    }
    some |= f->has_twins;
  }
  return some;
}

uint64_t orbit_role(const Orbit *orbit, const Edge *edge) {
  if (!orbit->family_of[edge->process])
    return 0;
  const uint64_t column = orbit->column_of[edge->process];
  return mix(column + 1, (uint64_t)net_index(orbit->net, edge->target) + 1) | 1;
}

// The role of an id in a transition is what its processes do: where they go. A permutation of
// twins maps a transition to one with the roles permuted; the one with falling roles is kept.
static bool prunes_in(Orbit *orbit, const OrbitFamily *f, const Edge *const *edges,
                      uint32_t count) {
  uint64_t *roles = orbit->roles;
  const uint32_t number = (uint32_t)(f - orbit->families) + 1;
  for (uint32_t k = 0; k < count; k++) {
    const ProcessId p = edges[k]->process;
    if (orbit->family_of[p] != number)
      continue;
    const uint32_t id = orbit->id_of[p];
    roles[id] += orbit_role(orbit, edges[k]);
  }
  bool prunes = false;
  for (uint32_t k = 0; k < count && !prunes; k++) {
    const ProcessId p = edges[k]->process;
    const uint32_t id = orbit->id_of[p];
    if (orbit->family_of[p] == number && f->is_twin[id])
      prunes = roles[id] > roles[id - 1];
  }
  for (uint32_t k = 0; k < count; k++)
    if (orbit->family_of[edges[k]->process] == number)
      roles[orbit->id_of[edges[k]->process]] = 0;
  return prunes;
}

bool orbit_prunes(Orbit *orbit, const Edge *const *edges, uint32_t count) {
  if (count == 1) { // the usual case
    const ProcessId p = edges[0]->process;
    const uint32_t k = orbit->family_of[p];
    if (!k || !orbit->families[k - 1].has_twins)
      return false;
    return orbit->families[k - 1].is_twin[orbit->id_of[p]];
  }
  for (uint32_t k = 0; k < orbit->count; k++)
    if (orbit->families[k].has_twins && prunes_in(orbit, &orbit->families[k], edges, count))
      return true;
  return false;
}
