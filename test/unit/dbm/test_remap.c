// Updates as a change of names, against one assignment after the other, and on points.
#include "dbm/remap.h"

#include "sample_zones.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { ROUNDS = 20000 };

// Entry by entry, as the definition says: [i][j] is that of the origins, shifted.
static void test_definition(void **state) {
  (void)state;
  Random random = {0};
  random_seed(&random, 3);
  for (int r = 0; r < ROUNDS; r++) {
    Zone from, to;
    const uint32_t n = 1 + random_below(&random, ZONE_MAX - 1);
    const uint32_t k = 1 + random_below(&random, ZONE_MAX - 1);
    random_zone(&from, &random, n, 20);
    naive_universal(&to, k);
    ClockId origin[ZONE_STRIDE] = {0};
    int32_t offset[ZONE_STRIDE] = {0};
    const bool shifts = random_below(&random, 2);
    for (uint32_t i = 1; i < k; i++) {
      origin[i] = (ClockId)random_below(&random, n);
      offset[i] = shifts ? (int32_t)random_below(&random, 4) : 0;
    }
    dbm_remap(to.d, k, from.d, n, origin, shifts ? offset : NULL);
    for (uint32_t i = 0; i < k; i++)
      for (uint32_t j = 0; j < k; j++) {
        const Bound b = i == j ? BOUND_LE_ZERO : zone_get(&from, origin[i], origin[j]);
        const Bound wanted =
            b == BOUND_INF || i == j ? b : bound_sum(b, bound_le(offset[i] - offset[j]));
        assert_int_equal(zone_get(&to, i, j), wanted);
      }
    assert_true(dbm_is_tight(to.d, k));
  }
}

// A point of the zone, updated, is in the result.
static void test_points(void **state) {
  (void)state;
  Random random = {0};
  random_seed(&random, 4);
  for (int r = 0; r < ROUNDS; r++) {
    Zone from, to;
    int64_t point[ZONE_MAX], moved[ZONE_MAX] = {0};
    const uint32_t n = 2 + random_below(&random, 6), k = 2 + random_below(&random, 6);
    random_zone(&from, &random, n, 20);
    naive_universal(&to, k);
    random_point_in(&from, &random, point);
    ClockId origin[ZONE_STRIDE] = {0};
    int32_t offset[ZONE_STRIDE] = {0};
    for (uint32_t i = 1; i < k; i++) {
      origin[i] = (ClockId)random_below(&random, n);
      offset[i] = (int32_t)random_below(&random, 4);
      moved[i] = (origin[i] ? point[origin[i]] : 0) + (int64_t)offset[i] * ZONE_SCALE;
    }
    dbm_remap(to.d, k, from.d, n, origin, offset);
    assert_true(dbm_contains(to.d, k, moved, ZONE_SCALE));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_definition),
                                     cmocka_unit_test(test_points)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
