// a_LU inclusion against its definition, point by point.
//
// v is in a_LU(Z) iff Z has a point w that v may follow: for every clock x, w(x) = v(x), or
// L_x < w(x) < v(x), or U_x < v(x) < w(x). For one v these w form a box, so "some w in Z" is the
// emptiness of a zone; all v of one region agree, so finitely many v decide.
//
// Closures in the same way: v is in Closure_M(Z) iff Z has a point in the region of v.
#include "dbm/simulation.h"

#include "sample_zones.h"
#include "sanitized.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { CONSTANTS = 4 };

// Regions of c clocks have points with denominator c + 1.
static int32_t parts(uint32_t n) { return (int32_t)n; }

static Bound scaled(Bound b, int32_t factor) {
  return b == BOUND_INF ? b : bound_make(bound_constant(b) * factor, bound_is_strict(b));
}

static bool point_in_alu(const Zone *zone, const int64_t *v, const int32_t *lower,
                         const int32_t *upper) {
  const int32_t scale = parts(zone->n);
  Zone box;
  box.n = zone->n;
  for (uint32_t i = 0; i < zone->n; i++)
    for (uint32_t j = 0; j < zone->n; j++)
      *zone_at(&box, i, j) = scaled(zone_get(zone, i, j), scale);
  for (uint32_t x = 1; x < zone->n; x++) {
    const int32_t value = (int32_t)v[x];
    const bool may_sink = lower[x] == CLOCK_NO_BOUND || lower[x] * scale < value;
    const bool may_rise = upper[x] == CLOCK_NO_BOUND || upper[x] * scale < value;
    if (!may_sink)
      naive_tighten(&box, (Constraint){0, x, bound_le(-value)});
    else if (lower[x] != CLOCK_NO_BOUND)
      naive_tighten(&box, (Constraint){0, x, bound_lt(-lower[x] * scale)});
    if (!may_rise)
      naive_tighten(&box, (Constraint){x, 0, bound_le(value)});
  }
  return naive_close(&box);
}

// Odometer over the points with clocks from `low` to below `limit`; false after the last.
static bool next_point(int64_t *point, uint32_t n, const int64_t *low, const int64_t *limit) {
  for (uint32_t x = 1; x < n; x++) {
    if (++point[x] < limit[x])
      return true;
    point[x] = low[x];
  }
  return false;
}

// The largest constant K of the two zones, L and U. Gaps between clocks (0 among them) above K
// can be shrunk to K + 1: points below (n - 1) * (K + 1) are enough.
static int64_t largest_constant(const Zone *a, const Zone *b) {
  int64_t max = CONSTANTS;
  for (uint32_t i = 0; i < a->n; i++)
    for (uint32_t j = 0; j < a->n; j++)
      for (int which = 0; which < 2; which++) {
        const Bound bound = zone_get(which ? a : b, i, j);
        const int64_t c = bound == BOUND_INF ? 0 : bound_constant(bound);
        max = c > max ? c : -c > max ? -c : max;
      }
  return max;
}

typedef bool PointIn(const Zone *, const int64_t *v, const int32_t *lower, const int32_t *upper);

static bool naive_in(PointIn *point_in, const Zone *big, const Zone *small, const int32_t *lower,
                     const int32_t *upper) {
  const uint32_t n = big->n;
  const int64_t max = (largest_constant(big, small) + 1) * (n - 1);
  int64_t point[ZONE_MAX] = {0}, low[ZONE_MAX] = {0}, limit[ZONE_MAX] = {0};
  for (uint32_t x = 1; x < n; x++) { // only what is between the bounds of the clock
    const Bound bound = zone_get(small, x, 0);
    const int64_t last = bound == BOUND_INF ? max : bound_constant(bound);
    limit[x] = (last < max ? last : max) * parts(n) + 1;
    point[x] = low[x] = -(int64_t)bound_constant(zone_get(small, 0, x)) * parts(n);
  }
  do
    if (dbm_contains(small->d, n, point, parts(n)) && !point_in(big, point, lower, upper))
      return false;
  while (next_point(point, n, low, limit));
  return true;
}

static bool naive_alu(const Zone *big, const Zone *small, const int32_t *lower,
                      const int32_t *upper) {
  return naive_in(point_in_alu, big, small, lower, upper);
}

// x_i - x_j as in v: the same integer, or between the same two.
static void same_difference(Zone *box, ClockId i, ClockId j, int32_t difference, int32_t scale) {
  int32_t low = difference / scale;
  low -= low * scale > difference;
  const bool is_whole = low * scale == difference;
  const int32_t high = is_whole ? low : low + 1;
  naive_tighten(box, (Constraint){i, j, bound_make(high * scale, !is_whole)});
  naive_tighten(box, (Constraint){j, i, bound_make(-low * scale, !is_whole)});
}

static bool point_in_closure(const Zone *zone, const int64_t *v, const int32_t *lower,
                             const int32_t *upper) {
  const int32_t scale = parts(zone->n);
  Zone box;
  box.n = zone->n;
  bool counts[ZONE_MAX] = {true};
  for (uint32_t i = 0; i < zone->n; i++)
    for (uint32_t j = 0; j < zone->n; j++)
      *zone_at(&box, i, j) = scaled(zone_get(zone, i, j), scale);
  for (uint32_t x = 0; x < zone->n; x++) {
    const int32_t max = lower[x] > upper[x] ? lower[x] : upper[x];
    counts[x] = max != CLOCK_NO_BOUND && v[x] <= max * scale;
    if (!counts[x] && max != CLOCK_NO_BOUND)
      naive_tighten(&box, (Constraint){0, x, bound_lt(-max * scale)});
    for (uint32_t y = 0; y < x && counts[x]; y++)
      if (counts[y])
        same_difference(&box, x, y, (int32_t)(v[x] - v[y]), scale);
  }
  return naive_close(&box);
}

static bool naive_closure_lu(const Zone *big, const Zone *small, const int32_t *lower,
                             const int32_t *upper) {
  Zone extended = *big;
  extra_lu_plus(&(Mem){0}, extended.d, big->n, lower, upper);
  return naive_in(point_in_closure, &extended, small, lower, upper);
}

// (<, c) becomes (<=, c - 1).
static Bound bound_floor(Bound b) {
  return bound_is_strict(b) ? bound_le(bound_constant(b) - 1) : b;
}

// HKSW11, Theorem 5, as printed but for the order of the indices: whether small is in
// Closure_M(big).
static bool theorem_5(const Zone *big, const Zone *small, const int32_t *max) {
  for (uint32_t x = 1; x < big->n; x++) {
    const Bound least = zone_get(small, 0, x);
    const bool counts = max[x] >= 0 && least >= bound_le(-max[x]);
    if (max[x] >= 0 && zone_get(big, x, 0) < zone_get(small, x, 0) &&
        zone_get(big, x, 0) <= bound_le(max[x]))
      return false;
    if (counts && zone_get(big, 0, x) < least)
      return false;
    for (uint32_t y = 1; y < big->n && counts; y++)
      if (y != x && max[y] >= 0 && zone_get(big, y, x) < zone_get(small, y, x) &&
          zone_get(big, y, x) <= bound_sum(bound_le(max[y]), bound_floor(least)))
        return false;
  }
  return true;
}

static void random_limits(Random *random, uint32_t n, int32_t *lower, int32_t *upper) {
  lower[0] = upper[0] = 0;
  for (uint32_t x = 1; x < n; x++) {
    lower[x] = random_below(random, 4) ? random_between(random, 0, CONSTANTS) : CLOCK_NO_BOUND;
    upper[x] = random_below(random, 4) ? random_between(random, 0, CONSTANTS) : CLOCK_NO_BOUND;
  }
}

// Often the small zone is a slight change of the big one, so that both answers are frequent.
static void random_pair(Random *random, uint32_t n, Zone *big, Zone *small) {
  random_zone(big, random, n, CONSTANTS);
  random_zone(small, random, n, CONSTANTS);
  if (random_below(random, 2)) {
    *small = *big;
    const Constraint cut = random_constraint(random, n, CONSTANTS, true);
    if (!dbm_constrain(&(Mem){0}, big->d, n, cut))
      *big = *small;
  }
  if (random_below(random, 2)) {
    dbm_up(big->d, n);
    dbm_up(small->d, n);
  }
}

static void check_pairs(uint64_t seed, uint32_t n, int pairs) {
  Random random;
  random_seed(&random, seed);
  int included = 0;
  for (int k = 0; k < pairs; k++) {
    Zone big, small;
    int32_t lower[ZONE_MAX], upper[ZONE_MAX];
    random_pair(&random, n, &big, &small);
    random_limits(&random, n, lower, upper);
    const bool expected = naive_alu(&big, &small, lower, upper);
    assert_int_equal(simulation_alu(big.d, small.d, n, lower, upper), expected);
    included += expected;
  }
  assert_in_range(included, pairs / 10, pairs * 9 / 10);
}

// Closure_M in three ways, Closure_LU+ in two.
static void check_closures(uint64_t seed, uint32_t n, int pairs) {
  Random random;
  random_seed(&random, seed);
  int included = 0;
  for (int k = 0; k < pairs; k++) {
    Zone big, small;
    int32_t lower[ZONE_MAX], upper[ZONE_MAX], max[ZONE_MAX];
    random_pair(&random, n, &big, &small);
    random_limits(&random, n, lower, upper);
    for (uint32_t x = 0; x < n; x++)
      max[x] = lower[x] > upper[x] ? lower[x] : upper[x];
    const bool closure = naive_in(point_in_closure, &big, &small, lower, upper);
    assert_int_equal(theorem_5(&big, &small, max), closure);
    assert_int_equal(simulation_alu(big.d, small.d, n, max, max), closure);
    const bool closure_lu = naive_closure_lu(&big, &small, lower, upper);
    assert_int_equal(simulation_closure_lu(big.d, small.d, n, lower, upper), closure_lu);
    included += closure_lu;
  }
  assert_in_range(included, pairs / 10, pairs * 9 / 10);
}

static void test_closures(void **state) {
  (void)state;
  check_closures(25, 2, 5000);
  check_closures(26, 3, 10000);
  check_closures(27, 4, 500);
}

// Z, Extra_M+, Closure_M, and Extra_LU+, Closure_LU+, a_LU: each contains the ones before.
static void test_chain(void **state) {
  (void)state;
  Random random;
  random_seed(&random, 28);
  int steps[6] = {0};
  for (int k = 0; k < RANDOM_CASES(100000); k++) {
    const uint32_t n = 2 + random_below(&random, k % 4 ? 3 : ZONE_MAX - 1);
    Zone big, small;
    int32_t lower[ZONE_MAX], upper[ZONE_MAX], max[ZONE_MAX];
    random_pair(&random, n, &big, &small);
    random_limits(&random, n, lower, upper);
    for (uint32_t x = 0; x < n; x++)
      max[x] = lower[x] > upper[x] ? lower[x] : upper[x];
    Zone extra_m = big, extra_lu = big;
    extra_lu_plus(&(Mem){0}, extra_m.d, n, max, max);
    extra_lu_plus(&(Mem){0}, extra_lu.d, n, lower, upper);
    const bool chain[] = {naive_includes(&big, &small),
                          naive_includes(&extra_m, &small),
                          simulation_alu(big.d, small.d, n, max, max),
                          naive_includes(&extra_lu, &small),
                          simulation_closure_lu(big.d, small.d, n, lower, upper),
                          simulation_alu(big.d, small.d, n, lower, upper)};
    for (int i = 0; i < 5; i++) {
      if (i != 2)
        assert_true(!chain[i] || chain[i + 1]);
      steps[i] += chain[i + 1] && !chain[i];
    }
    assert_true(!chain[2] || chain[4]); // Closure_M is inside Closure_LU+
    Zone hull = big;
    simulation_alu_hull(hull.d, big.d, n, lower, upper);
    assert_true(!chain[5] || naive_includes(&hull, &small));
    Zone closed = hull;
    assert_true(dbm_close(closed.d, n) && dbm_equal(closed.d, hull.d, n));
    Bound most[ZONE_MAX] = {BOUND_INF};
    bool is_left = true;
    for (uint32_t x = 1; x < n; x++) {
      most[x] = lower[x] < 0 ? BOUND_INF : bound_make(lower[x], x & 1);
      is_left = is_left && (lower[x] < 0 ||
                            dbm_constrain(&(Mem){0}, closed.d, n, (Constraint){x, 0, most[x]}));
    }
    assert_int_equal(dbm_cut_above(hull.d, n, most), is_left);
    assert_true(!is_left || dbm_equal(closed.d, hull.d, n));
  }
  for (int i = 0; i < 5; i++)
    assert_true(steps[i] > 0);
}

static void test_one_clock(void **state) {
  (void)state;
  check_pairs(21, 2, 10000);
}

static void test_two_clocks(void **state) {
  (void)state;
  check_pairs(22, 3, 30000);
}

static void test_three_clocks(void **state) {
  (void)state;
  check_pairs(23, 4, 1000);
}

static void test_no_clock(void **state) {
  (void)state;
  const int32_t none[] = {0};
  Zone zone;
  naive_universal(&zone, 1);
  assert_true(simulation_alu(zone.d, zone.d, 1, none, none));
}

// Inclusion implies it; without bounds it always holds; larger bounds never make it hold.
static void test_laws(void **state) {
  (void)state;
  Random random;
  random_seed(&random, 24);
  for (int k = 0; k < RANDOM_CASES(20000); k++) {
    const uint32_t n = 2 + random_below(&random, ZONE_MAX - 1);
    Zone big, small;
    int32_t lower[ZONE_MAX], upper[ZONE_MAX], none[ZONE_MAX] = {0};
    random_pair(&random, n, &big, &small);
    random_limits(&random, n, lower, upper);
    for (uint32_t x = 1; x < n; x++)
      none[x] = CLOCK_NO_BOUND;
    const bool holds = simulation_alu(big.d, small.d, n, lower, upper);
    assert_true(holds || !naive_includes(&big, &small));
    assert_true(simulation_alu(big.d, small.d, n, none, none));
    none[1] = -1; // as good as none
    assert_true(simulation_alu(big.d, small.d, n, none, none));
    const uint32_t x = 1 + random_below(&random, n - 1);
    int32_t *grown = random_below(&random, 2) ? lower : upper;
    grown[x] = grown[x] == CLOCK_NO_BOUND ? 0 : grown[x] + 1;
    assert_true(holds || !simulation_alu(big.d, small.d, n, lower, upper));
  }
}

// Zones near the universal one, often cut by few constraints.
static void test_true(void **state) {
  (void)state;
  Random random;
  random_seed(&random, 25);
  int count = 0;
  for (int k = 0; k < RANDOM_CASES(30000); k++) {
    const uint32_t n = 1 + random_below(&random, 6);
    Zone zone, universal;
    int32_t lower[ZONE_MAX], upper[ZONE_MAX];
    random_limits(&random, n, lower, upper);
    naive_universal(&universal, n);
    zone = universal;
    for (uint32_t cuts = n < 2 ? 0 : random_below(&random, 3); cuts; cuts--) {
      const Zone before = zone;
      if (!dbm_constrain(&(Mem){0}, zone.d, n,
                         random_constraint(&random, n, CONSTANTS + 2, true)))
        zone = before;
    }
    if (random_below(&random, 2))
      dbm_up(zone.d, n);
    const bool expected = simulation_alu(zone.d, universal.d, n, lower, upper);
    assert_int_equal(simulation_alu_is_true(zone.d, n, lower, upper), expected);
    count += expected;
  }
  assert_in_range(count, 3000, 27000);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_no_clock),   cmocka_unit_test(test_one_clock),
      cmocka_unit_test(test_two_clocks), cmocka_unit_test(test_three_clocks),
      cmocka_unit_test(test_laws),       cmocka_unit_test(test_true),
      cmocka_unit_test(test_closures),   cmocka_unit_test(test_chain),
  };
  return cmocka_run_group_tests_name("simulation", tests, NULL, NULL);
}
