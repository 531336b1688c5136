// Covering modulo L, U and differences against points on a fine grid: for each point of one zone
// a point of the other that simulates it is looked for.
#include "dbm/diagonalcover.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sample_zones.h"

// Points v are multiples of a third, which gives every order of two fractions; points that
// simulate them multiples of a twelfth, so that there are two places between any two of those.
enum { N = 3, MAX = 2, FINE = 12, COARSE = 4, FAR = 5 * FINE, FARTHER = 8 * FINE };

typedef struct Round {
  Zone big, small;
  int32_t lower[8], upper[8];
  Constraint list[3];
  uint32_t count;
} Round;

static bool meets(const int *point, Constraint c) {
  if (c.bound == BOUND_INF)
    return true;
  const int left = point[c.i] - point[c.j], right = bound_constant(c.bound) * FINE;
  return bound_is_strict(c.bound) ? left < right : left <= right;
}

static bool contains(const Zone *zone, const int *point) {
  for (uint32_t i = 0; i < N; i++)
    for (uint32_t j = 0; j < N; j++)
      if (!meets(point, (Constraint){i, j, zone_get(zone, i, j)}))
        return false;
  return true;
}

static bool simulates(const Round *r, const int *u, const int *v) {
  for (uint32_t x = 1; x < N; x++) {
    const int lower = r->lower[x] == CLOCK_NO_BOUND ? -1 : r->lower[x] * FINE;
    const int upper = r->upper[x] == CLOCK_NO_BOUND ? -1 : r->upper[x] * FINE;
    if (u[x] != v[x] && !(lower < v[x] && v[x] < u[x]) && !(upper < u[x] && u[x] < v[x]))
      return false;
  }
  for (uint32_t i = 0; i < r->count; i++)
    if (meets(u, r->list[i]) && !meets(v, r->list[i]))
      return false;
  return true;
}

static bool is_simulated(const Round *r, const int *u) {
  for (int x = 0; x <= FARTHER; x++)
    for (int y = 0; y <= FARTHER; y++) {
      const int v[N] = {0, x, y};
      if (simulates(r, u, v) && contains(&r->big, v))
        return true;
    }
  return false;
}

static bool naive_covers(const Round *r) {
  for (int x = 0; x <= FAR; x += COARSE)
    for (int y = 0; y <= FAR; y += COARSE) {
      const int u[N] = {0, x, y};
      if (contains(&r->small, u) && !is_simulated(r, u))
        return false;
    }
  return true;
}

static void test_points(void **unused) {
  (void)unused;
  Random random;
  random_seed(&random, 11);
  uint32_t covered = 0, split = 0;
  static _Alignas(DBM_ALIGN) char scratch[4096];
  for (int i = 0; i < 400; i++) {
    Round r = {0};
    random_zone_closed(&r.big, &random, N, MAX);
    random_zone_closed(&r.small, &random, N, MAX);
    random_bounds(&random, N, MAX, r.lower, r.upper);
    r.count = 1 + random_below(&random, 3);
    for (uint32_t k = 0; k < r.count; k++)
      do
        r.list[k] = random_constraint(&random, N, MAX, true);
      while (!r.list[k].i || !r.list[k].j);
    assert_true(diagonalcover_bytes(N, r.count) <= sizeof scratch);
    const DiagonalCover splitting = {&(Mem){0}, N, r.lower, r.upper, r.list, r.count};
    const bool result = diagonalcover_holds(&splitting, r.big.d, r.small.d, scratch);
    assert_int_equal(result, naive_covers(&r));
    covered += result;
    split += !result && simulation_alu(r.big.d, r.small.d, N, r.lower, r.upper);
  }
  assert_true(covered > 30 && split > 15);
}

// Without constraints it is a_LU; and a list that asks nothing changes nothing.
static void test_no_list(void **unused) {
  (void)unused;
  Random random;
  random_seed(&random, 12);
  for (int i = 0; i < 2000; i++) {
    Round r = {0};
    const uint32_t n = 2 + random_below(&random, 7);
    static _Alignas(DBM_ALIGN) char scratch[4096];
    random_zone_closed(&r.big, &random, n, 9);
    random_zone_closed(&r.small, &random, n, 9);
    random_bounds(&random, n, 9, r.lower, r.upper);
    const Constraint wide = {1, n - 1, bound_le(1000)}; // both zones meet it, or neither does
    const DiagonalCover none = {&(Mem){0}, n, r.lower, r.upper, NULL, 0},
                        one = {&(Mem){0}, n, r.lower, r.upper, &wide, n > 2};
    const bool result = simulation_alu(r.big.d, r.small.d, n, r.lower, r.upper);
    assert_int_equal(diagonalcover_holds(&none, r.big.d, r.small.d, NULL), result);
    if (n > 2 && zone_get(&r.big, 1, n - 1) < BOUND_INF)
      assert_int_equal(diagonalcover_holds(&one, r.big.d, r.small.d, scratch), result);
  }
}

// Where bounds of the parts leave the range nothing is claimed.
static void test_out_of_range(void **unused) {
  (void)unused;
  static _Alignas(DBM_ALIGN) char scratch[4096];
  Zone big = {.n = N}, small = {.n = N};
  naive_universal(&big, N);
  naive_universal(&small, N);
  const int32_t none[8] = {0, CLOCK_NO_BOUND, CLOCK_NO_BOUND};
  const Constraint list[] = {{1, 2, bound_le(0)}};
  const DiagonalCover splitting = {&(Mem){0}, N, none, none, list, 1};
  assert_true(diagonalcover_holds(&splitting, big.d, small.d, scratch));
  naive_tighten(&big, (Constraint){0, 1, bound_le(-BOUND_MAX)});
  assert_true(diagonalcover_holds(&splitting, big.d, small.d, scratch));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_points),
                                     cmocka_unit_test(test_no_list),
                                     cmocka_unit_test(test_out_of_range)};
  return cmocka_run_group_tests_name("splitting", tests, NULL, NULL);
}
