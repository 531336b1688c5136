#include "base/pairs.h"

#include "base/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { RANGE = 100 };

// Against an array, with keys that differ in few bits, and far more of them than there are
// entries at first.
static void test_array(void **state) {
  (void)state;
  Mem mem = {0};
  Pairs pairs;
  pairs_init(&pairs, &mem);
  Random random;
  random_seed(&random, 1);
  for (int round = 0; round < 3; round++) {
    uint32_t values[RANGE][RANGE] = {{0}};
    uint32_t count = 0;
    for (int i = 0; i < 20000; i++) {
      const uint32_t a = random_below(&random, RANGE), b = random_below(&random, RANGE);
      const uint64_t high = (uint64_t)a << 40;
      assert_int_equal(pairs_get(&pairs, high, b), values[a][b]);
      if (values[a][b])
        continue;
      values[a][b] = ++count;
      pairs_set(&pairs, high, b, count);
    }
    assert_int_equal(pairs.count, count);
    pairs_clear(&pairs);
  }
  pairs_release(&pairs);
  assert_int_equal(mem.bytes, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_array)};
  return cmocka_run_group_tests_name("pairs", tests, NULL, NULL);
}
