// Lists of sets against one comparison after the other.
#include "base/bitsets.h"

#include "base/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include <cmocka.h>

enum { MAX = 100 };

static void test_lists(void **state) {
  (void)state;
  Random random;
  random_seed(&random, 1);
  for (int turn = 0; turn < 2000; turn++) {
    uint32_t sets[MAX + BITSETS_OVER] = {0}, found[MAX + BITSETS_OVER];
    const uint32_t count = random_below(&random, MAX + 1);
    const uint32_t from = random_below(&random, count + 1);
    const uint32_t set = (uint32_t)random_next(&random) & (uint32_t)random_next(&random) & 0xff;
    for (uint32_t i = 0; i < MAX + BITSETS_OVER; i++)
      sets[i] = (uint32_t)random_next(&random) & (turn % 2 ? 0xff : 0xf);
    for (int within = 0; within < 2; within++) {
      const uint32_t size = within ? bitsets_within(sets, from, count, set, found)
                                   : bitsets_including(sets, from, count, set, found);
      uint32_t expected = 0;
      for (uint32_t i = from; i < count; i++)
        if (within ? !(sets[i] & ~set) : !(set & ~sets[i]))
          assert_int_equal(found[expected++], i);
      assert_int_equal(size, expected);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_lists)};
  return cmocka_run_group_tests_name("bitsets", tests, NULL, NULL);
}
