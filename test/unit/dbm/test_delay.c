// Delay under upper bounds, against the textbook: time passes, then the bounds are intersected.
#include "dbm/delay.h"

#include "sample_zones.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_textbook(void **state) {
  (void)state;
  Random random = {0};
  random_seed(&random, 11);
  uint32_t changed = 0;
  for (int i = 0; i < 20000; i++) {
    Zone zone, wanted;
    const uint32_t n = 2 + random_below(&random, ZONE_MAX - 2);
    random_zone(&zone, &random, n, 20);
    Constraint upper[3];
    const uint32_t count = random_below(&random, 4);
    bool inside = true;
    for (uint32_t k = 0; k < count; k++) {
      const ClockId x = (ClockId)(1 + random_below(&random, n - 1));
      upper[k] = (Constraint){x, 0, bound_le(random_between(&random, 0, 40))};
      inside = inside && dbm_constrain(&(Mem){0}, zone.d, n, upper[k]);
    }
    if (!inside)
      continue;
    wanted = zone;
    dbm_up(wanted.d, n);
    for (uint32_t k = 0; k < count; k++)
      assert_true(dbm_constrain(&(Mem){0}, wanted.d, n, upper[k]));
    changed += !dbm_equal(zone.d, wanted.d, n);
    dbm_delay(zone.d, n, upper, count);
    assert_true(naive_equal(&zone, &wanted));
  }
  assert_true(changed > 5000);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_textbook)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
