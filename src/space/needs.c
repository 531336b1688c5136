#include "space/needs.h"

#include "dbm/stored/packed.h"

static void row_init(NeedsRow *row, Arena *arena, uint32_t n) {
  row->lower = ARENA_ARRAY(arena, int32_t, n);
  row->upper = ARENA_ARRAY(arena, int32_t, n);
}

static void row_clear(NeedsRow *row, uint32_t k) {
  for (uint32_t x = 0; x < k; x++)
    row->lower[x] = row->upper[x] = CLOCK_NO_BOUND;
  row->is_empty = true;
}

void needs_init(Needs *needs, Mem *mem, Arena *arena, uint32_t n, bool is_lazy, bool is_m) {
  *needs = (Needs){.mem = mem, .is_lazy = is_lazy, .is_m = is_m, .most_k = n};
  row_init(&needs->own, arena, n);
  row_init(&needs->stay, arena, n);
  row_init(&needs->cut, arena, n);
  needs->cut.is_empty = true;
}

void needs_release(Needs *needs) { vec_release(needs->mem, &needs->guard); }

static bool is_upper(Constraint c) { return c.i; }

// The bound that makes valuations agree on a constraint. A negative one is none.
static int32_t constant_of(Constraint c) {
  return is_upper(c) ? bound_constant(c.bound) : -bound_constant(c.bound);
}

static bool has(const NeedsRow *row, Constraint c) {
  return (is_upper(c) ? row->upper[c.i] : row->lower[c.j]) >= constant_of(c);
}

static void add(const Needs *needs, NeedsRow *row, Constraint c) {
  const int32_t constant = constant_of(c);
  const ClockId x = is_upper(c) ? c.i : c.j;
  if (constant < 0)
    return;
  row->is_empty = false;
  if ((is_upper(c) || needs->is_m) && row->upper[x] < constant)
    row->upper[x] = constant;
  if ((!is_upper(c) || needs->is_m) && row->lower[x] < constant)
    row->lower[x] = constant;
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
  row_clear(&needs->stay, k);
  for (uint32_t i = 0; i < count && can_delay; i++) {
    const Constraint c = invariant[i];
    if (is_upper(c) && (!needs->is_lazy || c.bound == entry(needs, c.i, c.j)))
      add(needs, &needs->stay, c);
  }
}

// Neither the zone nor any other valuation meets it.
static bool is_impossible(Constraint c) { return is_upper(c) && c.bound < BOUND_LE_ZERO; }

// Whether an atom alone contradicts the zone.
static bool is_missed(const Needs *needs, Constraint c) {
  return bound_sum(entry(needs, c.j, c.i), c.bound) < BOUND_LE_ZERO;
}

// Whether a lower bound of x and an upper bound of y contradict each other in the zone.
static bool is_missed_by_both(const Needs *needs, Constraint lower, Constraint upper) {
  const Bound between = entry(needs, lower.j, upper.i);
  return bound_sum(bound_sum(lower.bound, between), upper.bound) < BOUND_LE_ZERO;
}

typedef struct Contradiction {
  Constraint a, b;
  uint32_t count;   // of atoms; 0: none found yet
  bool is_for_free; // nothing has to be added
} Contradiction;

static void note(const Needs *needs, Contradiction *found, Constraint a, const Constraint *b) {
  const bool is_free = has(&needs->own, a) && (!b || has(&needs->own, *b));
  if (found->count && !is_free)
    return;
  *found = (Contradiction){a, b ? *b : a, b ? 2 : 1, is_free};
}

static void find_singles(const Needs *needs, Contradiction *found) {
  for (uint32_t i = 0; i < needs->guard.size && !found->is_for_free; i++) {
    const Constraint c = needs->guard.items[i];
    if (is_impossible(c))
      found->is_for_free = true;
    else if (is_missed(needs, c))
      note(needs, found, c, NULL);
  }
}

static void find_pairs(const Needs *needs, Contradiction *found) {
  for (uint32_t i = 0; i < needs->guard.size; i++) {
    const Constraint lower = needs->guard.items[i];
    for (uint32_t j = 0; j < needs->guard.size && !is_upper(lower); j++) {
      const Constraint upper = needs->guard.items[j];
      if (found->is_for_free)
        return;
      if (!is_upper(upper) || !is_missed_by_both(needs, lower, upper))
        continue;
      if (lower.j == upper.i) // whatever the zone
        found->is_for_free = true;
      else
        note(needs, found, lower, &upper);
    }
  }
}

// The atoms exclude the whole zone: adds the constants of one contradiction, one that costs
// nothing if there is such a one.
static void explain(Needs *needs) {
  Contradiction found = {.count = 0};
  find_singles(needs, &found);
  if (!found.is_for_free)
    find_pairs(needs, &found);
  if (found.is_for_free || !found.count)
    return;
  add(needs, &needs->own, found.a);
  add(needs, &needs->own, found.b);
}

static int32_t larger(int32_t a, int32_t b) { return a > b ? a : b; }

// On the fly the invariant counts for every node in which something may happen.
static void add_stay(Needs *needs) {
  const NeedsRow *own = &needs->own, *stay = &needs->stay;
  if (stay->is_empty)
    return;
  for (uint32_t x = 1; x < needs->k; x++) {
    own->lower[x] = larger(own->lower[x], stay->lower[x]);
    own->upper[x] = larger(own->upper[x], stay->upper[x]);
  }
  needs->own.is_empty = false;
  needs->stay.is_empty = true;
}

// On the fly every constraint counts that is met, and the invariant with it.
static void add_all(Needs *needs, const Constraint *list, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    add(needs, &needs->own, list[i]);
  add_stay(needs);
}

void needs_try(Needs *needs, const Constraint *guard, uint32_t count) {
  if (!needs->is_lazy) {
    add_all(needs, guard, count);
    return;
  }
  vec_clear(&needs->guard);
  for (uint32_t i = 0; i < count; i++)
    vec_push(needs->mem, &needs->guard, guard[i]);
  needs->invariant_count = 0;
}

void needs_forbid(Needs *needs, Constraint c) {
  if (!needs->is_lazy) {
    add(needs, &needs->own, c);
    return;
  }
  vec_push(needs->mem, &needs->guard, c);
  explain(needs);
  needs->guard.size--;
}

// A constraint on the target's clocks as one on the source's; false if it speaks of a
// constant.
static bool pull(const Needs *needs, Constraint *c) {
  const ClockId x = is_upper(*c) ? c->i : c->j, origin = needs->origin[x];
  const int32_t shift = needs->offset ? needs->offset[x] : 0;
  if (is_upper(*c))
    *c = (Constraint){origin, 0, bound_shift(c->bound, -shift)};
  else
    *c = (Constraint){0, origin, bound_shift(c->bound, shift)};
  return origin;
}

// A target's clock that is set has one value: if the invariant excludes it no valuation enters.
static bool is_set_wrongly(const Needs *needs, Constraint c) {
  const ClockId x = is_upper(c) ? c.i : c.j;
  const int32_t value = needs->offset ? needs->offset[x] : 0;
  return c.bound < bound_le(is_upper(c) ? value : -value);
}

// (On the fly all constants are there already.)
void needs_refuse(Needs *needs) {
  if (!needs->is_lazy)
    return;
  const uint32_t size = needs->guard.size;
  bool may_enter = true;
  for (uint32_t i = 0; i < needs->invariant_count; i++) {
    Constraint c = needs->invariant[i];
    if (pull(needs, &c))
      vec_push(needs->mem, &needs->guard, c);
    else
      may_enter &= !is_set_wrongly(needs, needs->invariant[i]);
  }
  if (may_enter)
    explain(needs);
  needs->guard.size = size;
}

void needs_avoid(Needs *needs, const Constraint *list, uint32_t count) {
  needs_try(needs, list, count);
  needs_refuse(needs);
}

static bool is_in_guard(const Needs *needs, Constraint c) {
  for (uint32_t i = 0; i < needs->guard.size; i++) {
    const Constraint known = needs->guard.items[i];
    if (known.i == c.i && known.j == c.j && known.bound <= c.bound)
      return true;
  }
  return false;
}

// Of the invariant more may be added than cuts the zone that enters, which is not known here.
static void follow_lazily(Needs *needs) {
  row_clear(&needs->cut, needs->k);
  for (uint32_t i = 0; i < needs->guard.size; i++) {
    const Constraint c = needs->guard.items[i];
    if (c.bound < entry(needs, c.i, c.j))
      add(needs, &needs->cut, c);
  }
  for (uint32_t i = 0; i < needs->invariant_count; i++) {
    Constraint c = needs->invariant[i];
    if (pull(needs, &c) && c.bound < entry(needs, c.i, c.j) && !is_in_guard(needs, c))
      add(needs, &needs->cut, c);
  }
}

void needs_follow(Needs *needs, uint32_t child_k, const ClockId *origin, const int32_t *offset,
                  const Constraint *invariant, uint32_t count) {
  needs->child_k = child_k;
  needs->origin = origin;
  needs->offset = offset;
  needs->invariant = invariant;
  needs->invariant_count = count;
  if (needs->is_lazy) {
    follow_lazily(needs);
    return;
  }
  for (uint32_t i = 0; i < count; i++) {
    Constraint c = invariant[i];
    if (pull(needs, &c))
      add(needs, &needs->own, c);
  }
}

void needs_delay(Needs *needs, const Constraint *invariant, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (is_upper(invariant[i]))
      add(needs, needs->is_lazy ? &needs->cut : &needs->own, invariant[i]);
}
