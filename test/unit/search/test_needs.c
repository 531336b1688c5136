// Needed clock bounds, by their purpose: a valuation that a node covers under the bounds
// collected must not do what the node's zone cannot. Valuations are points with small
// denominators; whether one is in a_LU(zone) is asked of dbm/simulation.h.
#include "search/space/needs.h"

#include "dbm/simulation.h"
#include "sample_zones.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { N = 3, CONSTANTS = 4, SCALE = 3, POINTS = 8 * SCALE, ATOMS = 4 };

static Constraint random_atom(Random *random) {
  const ClockId x = 1 + random_below(random, N - 1);
  const int32_t c = random_between(random, 0, CONSTANTS);
  const bool strict = random_below(random, 2);
  if (random_below(random, 2))
    return (Constraint){x, 0, bound_make(c, strict)};
  return (Constraint){0, x, bound_make(-c, strict)};
}

static Bound scaled(Bound b) {
  return b == BOUND_INF ? b : bound_make(bound_constant(b) * SCALE, bound_is_strict(b));
}

static bool satisfies(const int32_t *point, Constraint c) {
  const int32_t difference = (c.i ? point[c.i] : 0) - (c.j ? point[c.j] : 0);
  const int32_t max = bound_constant(c.bound) * SCALE;
  return bound_is_strict(c.bound) ? difference < max : difference <= max;
}

// Whether the point, in parts of SCALE, is covered by the zone under the bounds.
static bool is_covered(const Zone *zone, const NeedsRow *row, const int32_t *point) {
  Zone big, small;
  int32_t lower[N] = {0}, upper[N] = {0};
  naive_universal(&big, N);
  dbm_zero(small.d, N);
  small.n = N;
  for (uint32_t i = 0; i < N; i++)
    for (uint32_t j = 0; j < N; j++)
      *zone_at(&big, i, j) = scaled(zone_get(zone, i, j));
  for (uint32_t x = 1; x < N; x++) {
    dbm_assign(small.d, N, x, point[x]);
    lower[x] = row->lower[x] < 0 ? CLOCK_NO_BOUND : row->lower[x] * SCALE;
    upper[x] = row->upper[x] < 0 ? CLOCK_NO_BOUND : row->upper[x] * SCALE;
  }
  return simulation_alu(big.d, small.d, N, lower, upper);
}

static bool next_point(int32_t *point) {
  for (uint32_t x = 1; x < N; x++) {
    if (++point[x] < POINTS)
      return true;
    point[x] = 0;
  }
  return false;
}

// No covered point meets all atoms.
static void check_excluded(const Zone *zone, const NeedsRow *row, const Constraint *atoms,
                           uint32_t count) {
  int32_t point[N] = {0};
  do {
    uint32_t met = 0;
    while (met < count && satisfies(point, atoms[met]))
      met++;
    assert_true(met < count || !is_covered(zone, row, point));
  } while (next_point(point));
}

typedef struct Fixture {
  Mem mem;
  Arena arena;
  Needs needs;
  Random random;
} Fixture;

static void begin(Fixture *f, bool is_lazy, uint64_t seed) {
  *f = (Fixture){.arena = {.mem = NULL}};
  f->arena.mem = &f->mem;
  needs_init(&f->needs, &f->mem, &f->arena, N, is_lazy, false);
  random_seed(&f->random, seed);
}

static void end(Fixture *f) {
  arena_release(&f->arena);
  mem_release(&f->mem);
}

// A guard that misses the zone stays missed, with at most two constants under lazy.
static void check_refusals(bool is_lazy) {
  static Fixture f;
  begin(&f, is_lazy, 1 + is_lazy);
  int refused = 0;
  while (refused < 400) {
    Zone zone;
    Constraint atoms[ATOMS];
    const uint32_t count = 1 + random_below(&f.random, ATOMS);
    random_zone(&zone, &f.random, N, CONSTANTS);
    for (uint32_t i = 0; i < count; i++)
      atoms[i] = random_atom(&f.random);
    Zone cut = zone;
    if (dbm_constrain_all(&(Mem){0}, cut.d, N, atoms, count))
      continue;
    refused++;
    needs_open(&f.needs, N, zone.d, NULL, 0, true);
    needs_try(&f.needs, atoms, count);
    needs_refuse(&f.needs);
    check_excluded(&zone, &f.needs.own, atoms, count);
    int bounds = 0;
    for (uint32_t x = 1; x < N; x++)
      bounds += (f.needs.own.lower[x] >= 0) + (f.needs.own.upper[x] >= 0);
    assert_true(!is_lazy || bounds <= 2);
    assert_int_equal(f.needs.own.is_empty, bounds == 0);
  }
  end(&f);
}

static void test_lazy_refusals(void **state) {
  (void)state;
  check_refusals(true);
}

static void test_fly_refusals(void **state) {
  (void)state;
  check_refusals(false);
}

// A target whose invariant excludes all: guard and invariant, seen from the source.
static void test_invariants(void **state) {
  (void)state;
  static Fixture f;
  begin(&f, true, 5);
  int refused = 0;
  while (refused < 300) {
    Zone zone, entered;
    const Constraint guard = random_atom(&f.random), invariant = random_atom(&f.random);
    const ClockId origin[DBM_LANES] = {0, random_below(&f.random, N), random_below(&f.random, N)};
    const int32_t offset[DBM_LANES] = {0, random_between(&f.random, 0, 2), 0};
    random_zone(&zone, &f.random, N, CONSTANTS);
    Zone cut = zone;
    if (!dbm_constrain(&(Mem){0}, cut.d, N, guard))
      continue;
    naive_universal(&entered, N);
    for (uint32_t i = 0; i < N; i++)
      for (uint32_t j = 0; j < N; j++)
        *zone_at(&entered, i, j) =
            bound_shift(zone_get(&cut, origin[i], origin[j]), offset[i] - offset[j]);
    Zone inside = entered;
    if (dbm_constrain(&(Mem){0}, inside.d, N, invariant))
      continue;
    refused++;
    needs_open(&f.needs, N, zone.d, NULL, 0, true);
    needs_try(&f.needs, &guard, 1);
    needs_follow(&f.needs, N, origin, offset, &invariant, 1);
    needs_refuse(&f.needs);
    int32_t point[N] = {0};
    do {
      int32_t target[N] = {0};
      for (uint32_t i = 1; i < N; i++)
        target[i] = (origin[i] ? point[origin[i]] : 0) + offset[i] * SCALE;
      if (satisfies(point, guard) && satisfies(target, invariant))
        assert_false(is_covered(&zone, &f.needs.own, point));
    } while (next_point(point));
  }
  end(&f);
}

// Enabled transitions: only what cuts the zone, and only for the successor's sake.
static void test_cuts(void **state) {
  (void)state;
  static Fixture f;
  begin(&f, true, 6);
  Zone zone;
  naive_universal(&zone, N);
  assert_true(dbm_constrain(&(Mem){0}, zone.d, N, (Constraint){1, 0, bound_le(5)}));
  const Constraint guard[] = {{1, 0, bound_le(7)}, {0, 2, bound_le(-3)}};
  const ClockId origin[DBM_LANES] = {0, 1, 2};
  needs_open(&f.needs, N, zone.d, (Constraint[]){{1, 0, bound_le(5)}, {2, 0, bound_le(9)}}, 2,
             true);
  assert_int_equal(f.needs.stay.upper[1], 5); // reached, unlike that of clock 2
  assert_int_equal(f.needs.stay.upper[2], CLOCK_NO_BOUND);
  needs_try(&f.needs, guard, 2);
  needs_follow(&f.needs, N, origin, NULL, NULL, 0);
  assert_true(f.needs.own.is_empty);
  assert_int_equal(f.needs.cut.upper[1], CLOCK_NO_BOUND);
  assert_int_equal(f.needs.cut.lower[2], 3);
  end(&f);
}

// What no valuation can do needs no bound.
static void test_impossible(void **state) {
  (void)state;
  static Fixture f;
  begin(&f, true, 7);
  Zone zone;
  naive_universal(&zone, N);
  needs_open(&f.needs, N, zone.d, NULL, 0, true);
  needs_try(&f.needs, (Constraint[]){{1, 0, bound_lt(1)}, {0, 1, bound_lt(-2)}}, 2);
  needs_refuse(&f.needs);
  needs_try(&f.needs, (Constraint[]){{2, 0, bound_lt(0)}}, 1);
  needs_refuse(&f.needs);
  assert_true(f.needs.own.is_empty);
  end(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_lazy_refusals), cmocka_unit_test(test_fly_refusals),
      cmocka_unit_test(test_invariants),    cmocka_unit_test(test_cuts),
      cmocka_unit_test(test_impossible),
  };
  return cmocka_run_group_tests_name("needs", tests, NULL, NULL);
}
