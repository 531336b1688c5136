// The extrapolations against the formulas of the paper, written out and closed naively.
#include "dbm/extra.h"

#include "dbm/simulation.h"
#include "sample_zones.h"
#include "sanitized.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { ZONES = RANDOM_CASES(30000), CONSTANTS = 12 };

// L and U of each clock.
typedef struct Limits {
  int32_t lower[ZONE_MAX], upper[ZONE_MAX], max[ZONE_MAX];
} Limits;

static int32_t random_limit(Random *random, int max) {
  return random_below(random, 4) ? random_between(random, 0, max) : CLOCK_NO_BOUND;
}

static void random_limits(Limits *limits, Random *random, uint32_t n, int max) {
  for (uint32_t x = 0; x < n; x++) {
    limits->lower[x] = x ? random_limit(random, max) : 0;
    limits->upper[x] = x ? random_limit(random, max) : 0;
    limits->max[x] = limits->lower[x] > limits->upper[x] ? limits->lower[x] : limits->upper[x];
  }
}

// Constants with -infinity, as the paper writes them.
static int64_t wide(int32_t c) { return c == CLOCK_NO_BOUND ? INT64_MIN / 4 : c; }

static Bound strictly_below(int64_t c) {
  return c > BOUND_MAX ? BOUND_INF : bound_lt((int32_t)c);
}

// Definition of Extra_LU for entry [i][j].
static Bound lu_entry(const Zone *zone, uint32_t i, uint32_t j, const Limits *limits) {
  const Bound b = zone_get(zone, i, j);
  if (b == BOUND_INF || bound_constant(b) > wide(limits->lower[i]))
    return BOUND_INF;
  if (-(int64_t)bound_constant(b) > wide(limits->upper[j]))
    return strictly_below(-wide(limits->upper[j]));
  return b;
}

// Definition of Extra_LU+ for entry [i][j].
static Bound lu_plus_entry(const Zone *zone, uint32_t i, uint32_t j, const Limits *limits) {
  const Bound b = zone_get(zone, i, j);
  if (b == BOUND_INF || bound_constant(b) > wide(limits->lower[i]))
    return BOUND_INF;
  if (-(int64_t)bound_constant(zone_get(zone, 0, i)) > wide(limits->lower[i]))
    return BOUND_INF;
  if (-(int64_t)bound_constant(zone_get(zone, 0, j)) > wide(limits->upper[j]))
    return i ? BOUND_INF : strictly_below(-wide(limits->upper[j]));
  return b;
}

typedef Bound Entry(const Zone *, uint32_t i, uint32_t j, const Limits *);

// Clocks are not negative: row 0 never rises above (<=, 0).
static Zone naive_extrapolate(const Zone *zone, const Limits *limits, Entry *entry) {
  Zone result = *zone;
  for (uint32_t i = 0; i < zone->n; i++)
    for (uint32_t j = 0; j < zone->n; j++) {
      const Bound b = i == j ? BOUND_LE_ZERO : entry(zone, i, j, limits);
      *zone_at(&result, i, j) = i == 0 && b > BOUND_LE_ZERO ? BOUND_LE_ZERO : b;
    }
  assert_true(naive_close(&result));
  return result;
}

enum { M, M_PLUS, LU, LU_PLUS, RULES };

static Zone extrapolate(const Zone *zone, const Limits *limits, int rule) {
  Zone result = *zone;
  switch (rule) {
  case M:
    extra_lu(&(Mem){0}, result.d, zone->n, limits->max, limits->max);
    break;
  case M_PLUS:
    extra_lu_plus(&(Mem){0}, result.d, zone->n, limits->max, limits->max);
    break;
  case LU:
    extra_lu(&(Mem){0}, result.d, zone->n, limits->lower, limits->upper);
    break;
  default:
    extra_lu_plus(&(Mem){0}, result.d, zone->n, limits->lower, limits->upper);
  }
  return result;
}

static void assert_sound(const Zone *zone) {
  assert_true(dbm_is_tight(zone->d, zone->n));
  for (uint32_t i = 0; i < zone->n; i++)
    for (uint32_t j = zone->n; j < dbm_stride(zone->n); j++)
      assert_int_equal(zone_get(zone, i, j), BOUND_INF);
}

static void random_case(Random *random, Zone *zone, Limits *limits) {
  const uint32_t n = 1 + random_below(random, ZONE_MAX);
  int max = random_below(random, 4) ? CONSTANTS : 1000;
  random_zone(zone, random, n, max);
  if (random_below(random, 8) == 0)
    random_zone_closed(zone, random, n, max = ZONE_CONSTANT_MAX);
  if (random_below(random, 2))
    dbm_up(zone->d, n);
  random_limits(limits, random, n, random_below(random, 2) ? max : max / 3);
}

static void test_against_definition(void **state) {
  (void)state;
  Random random;
  random_seed(&random, 11);
  int changed[RULES] = {0};
  for (int k = 0; k < ZONES; k++) {
    Zone zone;
    Limits limits, same;
    random_case(&random, &zone, &limits);
    memcpy(same.lower, limits.max, sizeof limits.max);
    memcpy(same.upper, limits.max, sizeof limits.max);
    for (int rule = 0; rule < RULES; rule++) {
      const Limits *used = rule == M || rule == M_PLUS ? &same : &limits;
      const bool plus = rule == M_PLUS || rule == LU_PLUS;
      const Zone naive = naive_extrapolate(&zone, used, plus ? lu_plus_entry : lu_entry);
      const Zone result = extrapolate(&zone, &limits, rule);
      assert_true(naive_equal(&naive, &result));
      assert_sound(&result);
      changed[rule] += !naive_equal(&zone, &result);
    }
  }
  for (int rule = 0; rule < RULES; rule++)
    assert_in_range(changed[rule], ZONES / 4, ZONES);
}

// Z <= Extra_M <= Extra_M+ <= Extra_LU+, Z <= Extra_LU <= Extra_LU+, Extra_M <= Extra_LU,
// and nothing leaves a_LU.
static void test_chain(void **state) {
  (void)state;
  Random random;
  random_seed(&random, 12);
  for (int k = 0; k < ZONES; k++) {
    Zone zone, by[RULES];
    Limits limits;
    random_case(&random, &zone, &limits);
    for (int rule = 0; rule < RULES; rule++)
      by[rule] = extrapolate(&zone, &limits, rule);
    assert_true(naive_includes(&by[M], &zone) && naive_includes(&by[LU], &zone));
    assert_true(naive_includes(&by[M_PLUS], &by[M]) && naive_includes(&by[LU], &by[M]));
    assert_true(naive_includes(&by[LU_PLUS], &by[LU]));
    assert_true(naive_includes(&by[LU_PLUS], &by[M_PLUS]));
    assert_true(simulation_alu(zone.d, by[M_PLUS].d, zone.n, limits.max, limits.max));
    assert_true(simulation_alu(zone.d, by[LU_PLUS].d, zone.n, limits.lower, limits.upper));
  }
}

// The finite entries that the first call left before tightening are fixed points of the rule,
// and tightening only adds paths over them; row 0, which decides the + rules, stays.
static void test_idempotent(void **state) {
  (void)state;
  Random random;
  random_seed(&random, 13);
  for (int k = 0; k < ZONES; k++) {
    Zone zone;
    Limits limits;
    random_case(&random, &zone, &limits);
    for (int rule = 0; rule < RULES; rule++) {
      const Zone once = extrapolate(&zone, &limits, rule);
      const Zone twice = extrapolate(&once, &limits, rule);
      assert_true(naive_equal(&once, &twice));
    }
  }
}

// Without bounds every clock is free, but not negative.
static void test_no_bounds(void **state) {
  (void)state;
  Random random;
  random_seed(&random, 14);
  for (uint32_t n = 1; n <= ZONE_MAX; n++)
    for (int rule = 0; rule < RULES; rule++) {
      Zone zone;
      Limits limits = {{0}, {0}, {0}};
      for (uint32_t x = 1; x < n; x++)
        limits.lower[x] = limits.upper[x] = limits.max[x] = CLOCK_NO_BOUND;
      random_zone(&zone, &random, n, CONSTANTS);
      const Zone result = extrapolate(&zone, &limits, rule);
      assert_true(dbm_is_universal(result.d, n));
    }
}

// Negative constants are as good as none.
static void test_negative_bounds(void **state) {
  (void)state;
  Random random;
  random_seed(&random, 16);
  for (int k = 0; k < ZONES / 10; k++) {
    Zone zone;
    Limits limits;
    random_case(&random, &zone, &limits);
    Limits negative = limits;
    int32_t *all[] = {negative.lower, negative.upper, negative.max};
    for (uint32_t x = 0; x < zone.n; x++)
      for (int which = 0; which < 3; which++)
        if (all[which][x] == CLOCK_NO_BOUND)
          all[which][x] = -random_between(&random, 1, 3 * CONSTANTS);
    for (int rule = 0; rule < RULES; rule++) {
      const Zone result = extrapolate(&zone, &limits, rule);
      const Zone same = extrapolate(&zone, &negative, rule);
      assert_true(naive_equal(&result, &same));
    }
  }
}

// Two clocks, worked by hand.
static void test_examples(void **state) {
  (void)state;
  const int32_t lower[] = {0, 5, CLOCK_NO_BOUND}, upper[] = {0, 3, CLOCK_NO_BOUND};
  Zone zone;
  naive_universal(&zone, 3);
  const Constraint list[] = {{0, 1, bound_le(-4)}, {1, 0, bound_lt(6)}, {0, 2, bound_lt(-7)}};
  assert_true(dbm_constrain_all(&(Mem){0}, zone.d, 3, list, 3));
  extra_lu(&(Mem){0}, zone.d, 3, lower, upper);
  assert_int_equal(zone_get(&zone, 0, 1), bound_lt(-3));
  assert_int_equal(zone_get(&zone, 1, 0), BOUND_INF);
  assert_int_equal(zone_get(&zone, 0, 2), BOUND_LE_ZERO);
  assert_int_equal(zone_get(&zone, 2, 0), BOUND_INF);
}

// More clocks than the sets of rows have bits: a point and its future, extrapolated.
static void test_many_clocks(void **state) {
  (void)state;
  enum { N = 1030 };
  Bound *zone = aligned_alloc(DBM_ALIGN, dbm_bytes(N));
  Bound *naive = aligned_alloc(DBM_ALIGN, dbm_bytes(N));
  int32_t values[N], limits[N];
  const size_t stride = dbm_stride(N);
  Random random;
  random_seed(&random, 15);
  for (uint32_t x = 0; x < N; x++) {
    values[x] = x ? random_between(&random, 0, 2 * N) : 0;
    limits[x] = x ? random_limit(&random, 2 * N) : 0;
  }
  for (size_t i = 0; i < N; i++)
    for (size_t j = 0; j < stride; j++)
      zone[i * stride + j] = j < N && (j || !i) ? bound_le(values[i] - values[j]) : BOUND_INF;
  assert_true(dbm_is_tight(zone, N));
  dbm_copy(naive, zone, N);
  for (size_t i = 0; i < N; i++)
    for (size_t j = 0; j < N; j++) {
      const Bound b = naive[i * stride + j];
      if (b == BOUND_INF || i == j)
        continue;
      if (bound_constant(b) > limits[i])
        naive[i * stride + j] = BOUND_INF;
      else if (-(int64_t)bound_constant(b) > limits[j])
        naive[i * stride + j] = strictly_below(-wide(limits[j]));
    }
  assert_true(dbm_close(naive, N));
  assert_false(dbm_equal(zone, naive, N));
  extra_lu(&(Mem){0}, zone, N, limits, limits);
  assert_true(dbm_equal(zone, naive, N));
  free(naive), free(zone);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_against_definition), cmocka_unit_test(test_chain),
      cmocka_unit_test(test_idempotent),         cmocka_unit_test(test_no_bounds),
      cmocka_unit_test(test_negative_bounds),    cmocka_unit_test(test_examples),
      cmocka_unit_test(test_many_clocks),
  };
  return cmocka_run_group_tests_name("extra", tests, NULL, NULL);
}
