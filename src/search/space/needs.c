#include "search/space/needs.h"

#include "dbm/stored/packed.h"

static void row_init(NeedsRow *row, Arena *arena, uint32_t n) {
  row->lower = ARENA_ARRAY(arena, int32_t, n);
  row->upper = ARENA_ARRAY(arena, int32_t, n);
}

// Clock 0 needs nothing.
static void row_clear(NeedsRow *row, uint32_t k) {
  row->lower[0] = row->upper[0] = INT32_MAX;
  for (uint32_t x = 1; x < k; x++)
    row->lower[x] = row->upper[x] = CLOCK_NO_BOUND;
  row->is_empty = true;
}

void needs_init(Needs *needs, Mem *mem, Arena *arena, uint32_t n, bool is_lazy, bool is_m) {
  *needs = (Needs){.mem = mem, .is_lazy = is_lazy, .is_m = is_m, .max_k = n};
  row_init(&needs->own, arena, n);
  row_init(&needs->stay, arena, n);
  row_init(&needs->cut, arena, n);
  needs->stay.is_empty = needs->cut.is_empty = true;
}

static bool is_upper(Constraint c) { return c.i; }

// The bound that makes valuations agree on a constraint. A negative one is none.
static int32_t constant_of(Constraint c) {
  return is_upper(c) ? bound_constant(c.bound) : -bound_constant(c.bound);
}

static ClockId clock_of(Constraint c) { return c.i + c.j; } // 0: it is on none

static bool has(const NeedsRow *row, Constraint c) {
  return (is_upper(c) ? row->upper : row->lower)[clock_of(c)] >= constant_of(c);
}

static void add(const Needs *needs, NeedsRow *row, Constraint c) {
  if (constant_of(c) < 0 || has(row, c))
    return;
  row->is_empty = false;
  if (is_upper(c) || needs->is_m)
    row->upper[clock_of(c)] = constant_of(c);
  if (!is_upper(c) || needs->is_m)
    row->lower[clock_of(c)] = constant_of(c);
}

static Bound entry(const Needs *needs, ClockId i, ClockId j) {
  return needs->zone[i * dbm_stride(needs->k) + j];
}

// An upper bound of the invariant limits delay only where the elapsed zone reaches it. Lower
// ones matter on entry only.
void needs_open(Needs *needs, uint32_t k, const Bound *zone, const Constraint *invariant,
                uint32_t count, bool can_delay) {
  needs->k = k;
  needs->zone = zone;
  row_clear(&needs->own, k);
  if (needs->is_lazy)
    row_clear(&needs->stay, k);
  vec_clear(&needs->atoms);
  for (uint32_t i = 0; i < count && can_delay; i++) {
    const Constraint c = invariant[i];
    if (is_upper(c) && !needs->is_lazy)
      vec_push(needs->mem, &needs->atoms, c);
    else if (is_upper(c) && c.bound == entry(needs, c.i, c.j))
      add(needs, &needs->stay, c);
  }
}

// Whether a lower and an upper bound contradict each other in the zone; or, whatever the zone,
// since clocks are not negative.
static bool is_missed(const Needs *needs, Constraint lower, Constraint upper, bool anywhere) {
  Bound between = entry(needs, lower.j, upper.i);
  if (anywhere)
    between = lower.j && lower.j != upper.i ? BOUND_INF : BOUND_LE_ZERO;
  return bound_sum(bound_sum(lower.bound, between), upper.bound) < BOUND_LE_ZERO;
}

// The atoms exclude the whole zone: adds the constants of one contradiction, of one atom rather
// than of two; nothing if there is one that holds anyway, or whose constants are there.
static void explain(Needs *needs) {
  const Constraint none = {0, 0, BOUND_LE_ZERO};
  const uint32_t size = needs->atoms.size;
  Constraint found[2] = {none, none};
  for (uint32_t least = 3, i = 0; i < size && least; i++)
    for (uint32_t j = 0; j <= (is_upper(needs->atoms.items[i]) ? 0 : size); j++) {
      const Constraint a = needs->atoms.items[i], b = j ? needs->atoms.items[j - 1] : none;
      const Constraint lower = is_upper(a) ? none : a, upper = is_upper(a) ? a : b;
      if ((j && !is_upper(b)) || !is_missed(needs, lower, upper, false))
        continue;
      const bool is_free = is_missed(needs, lower, upper, true) ||
                           (has(&needs->own, lower) && has(&needs->own, upper));
      const uint32_t cost = is_free ? 0 : j ? 2 : 1;
      if (cost >= least)
        continue;
      least = cost;
      found[0] = is_free ? none : lower;
      found[1] = is_free ? none : upper;
    }
  add(needs, &needs->own, found[0]);
  add(needs, &needs->own, found[1]);
}

static void add_all(Needs *needs, const Constraint *list, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    add(needs, &needs->own, list[i]);
}

// On the fly each constraint counts, and the invariant as soon as something may happen.
void needs_try(Needs *needs, const Constraint *guard, uint32_t count) {
  if (needs->is_lazy) {
    vec_reserve(needs->mem, &needs->atoms, count);
    for (uint32_t i = 0; i < count; i++)
      needs->atoms.items[i] = guard[i];
    needs->atoms.size = count;
  } else {
    add_all(needs, guard, count);
    add_all(needs, needs->atoms.items, needs->atoms.size);
    vec_clear(&needs->atoms);
  }
}

// (On the fly all constants are there already.)
void needs_refuse(Needs *needs) {
  if (needs->is_lazy)
    explain(needs);
}

void needs_forbid(Needs *needs, Constraint c) {
  vec_push(needs->mem, &needs->atoms, c);
  needs_refuse(needs);
  if (!needs->is_lazy)
    add(needs, &needs->own, c);
  needs->atoms.size--;
}

// A constraint on the target's clocks as one on the source's, on none if the clock is set.
static Constraint pull(const Needs *needs, Constraint c) {
  const ClockId origin = needs->origin[clock_of(c)];
  const int32_t shift = needs->offset ? needs->offset[clock_of(c)] : 0;
  return is_upper(c) ? (Constraint){origin, 0, bound_shift(c.bound, -shift)}
                     : (Constraint){0, origin, bound_shift(c.bound, shift)};
}

// Whether one of the first atoms implies a constraint.
static bool is_implied(const Needs *needs, uint32_t count, Constraint c) {
  for (uint32_t i = 0; i < count; i++) {
    const Constraint known = needs->atoms.items[i];
    if (known.i == c.i && known.j == c.j && known.bound <= c.bound)
      return true;
  }
  return false;
}

// Of the invariant more may be added than cuts the zone that enters, which is not known here.
void needs_follow(Needs *needs, uint32_t child_k, const ClockId *origin, const int32_t *offset,
                  const Constraint *invariant, uint32_t count) {
  const uint32_t guards = needs->atoms.size;
  needs->child_k = child_k;
  needs->origin = origin;
  needs->offset = offset;
  for (uint32_t i = 0; i < count; i++)
    if (needs->is_lazy)
      vec_push(needs->mem, &needs->atoms, pull(needs, invariant[i]));
    else
      add(needs, &needs->own, pull(needs, invariant[i]));
  if (!needs->is_lazy)
    return;
  row_clear(&needs->cut, needs->k);
  for (uint32_t i = 0; i < needs->atoms.size; i++) {
    const Constraint c = needs->atoms.items[i];
    if (c.bound < entry(needs, c.i, c.j) && (i < guards || !is_implied(needs, guards, c)))
      add(needs, &needs->cut, c);
  }
}

void needs_delay(Needs *needs, const Constraint *invariant, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (is_upper(invariant[i]))
      add(needs, needs->is_lazy ? &needs->cut : &needs->own, invariant[i]);
}
