// Each operation against that of dbm/ on random zones, with all constants multiplied: then the
// results are multiplied too, and sums need far more than 32 bits.
#include "semantics/wide/widezone.h"

#include "dbm/simulation.h"
#include "sample_zones.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MAX = 9, ROUNDS = 20000 };
static const int64_t factor = INT64_C(1) << 40;

typedef struct Pair {
  Zone small;
  WideBound large[MAX * MAX];
} Pair;

static WideBound widened(Bound b) {
  return b == BOUND_INF ? WIDE_INF
                        : widezone_bound(bound_constant(b) * factor, bound_is_strict(b));
}

static void draw(Pair *pair, Random *random, uint32_t n) {
  random_zone(&pair->small, random, n, 100);
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = 0; j < n; j++)
      pair->large[i * n + j] = widened(zone_get(&pair->small, i, j));
}

static void assert_same(const Pair *pair) {
  const uint32_t n = pair->small.n;
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = 0; j < n; j++)
      assert_true(pair->large[i * n + j] == widened(zone_get(&pair->small, i, j)));
  assert_true(widezone_in_range(pair->large, n));
}

static void draw_bounds(Random *random, uint32_t n, int32_t *lower, int32_t *upper,
                        int64_t *wide_lower, int64_t *wide_upper) {
  random_bounds(random, n, 100, lower, upper);
  for (uint32_t x = 0; x < n; x++) {
    wide_lower[x] = lower[x] < 0 ? lower[x] : lower[x] * factor;
    wide_upper[x] = upper[x] < 0 ? upper[x] : upper[x] * factor;
  }
}

static void test_steps(void **state) {
  (void)state;
  Random random;
  random_seed(&random, 1);
  for (int round = 0; round < ROUNDS; round++) {
    const uint32_t n = 2 + random_below(&random, MAX - 1);
    Pair pair;
    draw(&pair, &random, n);
    const Constraint c = random_constraint(&random, n, 100, true);
    const ClockTest test = {c.i, c.j, bound_constant(c.bound) * factor, bound_is_strict(c.bound)};
    const bool met = dbm_constrain(&(Mem){0}, pair.small.d, n, c);
    assert_int_equal(widezone_constrain(pair.large, n, &test), met);
    if (!met)
      continue;
    assert_same(&pair);
    const uint32_t x = 1 + random_below(&random, n - 1), y = random_below(&random, n);
    const int32_t constant = random_between(&random, y ? -20 : 0, 100);
    const ClockUpdate update = {x, y, constant * factor};
    const bool is_possible = bound_shift(pair.small.d[y], -constant) <= BOUND_LE_ZERO;
    assert_int_equal(widezone_update(pair.large, n, &update), is_possible);
    if (is_possible && y)
      dbm_assign_clock(pair.small.d, n, x, y, constant);
    else if (is_possible)
      dbm_assign(pair.small.d, n, x, constant);
    assert_same(&pair);
    if (random_below(&random, 2)) {
      dbm_up(pair.small.d, n);
      widezone_up(pair.large, n);
    } else {
      dbm_free(pair.small.d, n, x);
      widezone_free(pair.large, n, x);
    }
    assert_same(&pair);
  }
}

static void test_extrapolations(void **state) {
  (void)state;
  Random random;
  random_seed(&random, 2);
  for (int round = 0; round < ROUNDS; round++) {
    const uint32_t n = 1 + random_below(&random, MAX);
    int32_t lower[ZONE_STRIDE] = {0}, upper[ZONE_STRIDE] = {0};
    int64_t wide_lower[MAX], wide_upper[MAX];
    Pair pair;
    draw(&pair, &random, n);
    draw_bounds(&random, n, lower, upper, wide_lower, wide_upper);
    const bool plus = random_below(&random, 2);
    (plus ? extra_lu_plus : extra_lu)(&(Mem){0}, pair.small.d, n, lower, upper);
    widezone_extrapolate(pair.large, n, wide_lower, wide_upper, plus);
    assert_same(&pair);
  }
}

static void test_comparisons(void **state) {
  (void)state;
  Random random;
  random_seed(&random, 3);
  int included = 0, simulated = 0;
  for (int round = 0; round < ROUNDS; round++) {
    const uint32_t n = 1 + random_below(&random, 4);
    int32_t lower[ZONE_STRIDE] = {0}, upper[ZONE_STRIDE] = {0};
    int64_t wide_lower[MAX], wide_upper[MAX];
    Pair a, b;
    draw(&a, &random, n);
    draw(&b, &random, n);
    draw_bounds(&random, n, lower, upper, wide_lower, wide_upper);
    const bool includes = dbm_includes(a.small.d, b.small.d, n);
    const bool simulates = simulation_alu(a.small.d, b.small.d, n, lower, upper);
    assert_int_equal(widezone_includes(a.large, b.large, n), includes);
    assert_int_equal(widezone_simulates(a.large, b.large, n, wide_lower, wide_upper), simulates);
    included += includes;
    simulated += simulates;
  }
  assert_true(included > ROUNDS / 100 && simulated > included && simulated < ROUNDS * 99 / 100);
}

// What the head of widezone.h says of the range: nothing wraps, and it is noticed.
static void test_range(void **state) {
  (void)state;
  const int64_t step = INT64_C(1) << 48;
  WideBound zone[4];
  int64_t steps = 0;
  widezone_zero(zone, 2);
  for (; widezone_in_range(zone, 2); steps++)
    assert_true(widezone_update(zone, 2, &(ClockUpdate){1, 1, step}));
  assert_true(steps == (WIDE_MAX / step) + 1);
  assert_true(zone[2] == widezone_bound(steps * step, false));
  widezone_zero(zone, 2);
  assert_false(widezone_constrain(zone, 2, &(ClockTest){0, 1, -step, false}));
  widezone_up(zone, 2);
  assert_true(widezone_constrain(zone, 2, &(ClockTest){0, 1, -step, false}));
  assert_true(zone[1] == widezone_bound(-step, false) && zone[2] == WIDE_INF);
  assert_false(widezone_update(zone, 2, &(ClockUpdate){1, 1, -step - 1}));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_steps), cmocka_unit_test(test_extrapolations),
      cmocka_unit_test(test_comparisons), cmocka_unit_test(test_range)};
  return cmocka_run_group_tests_name("widezone", tests, NULL, NULL);
}
