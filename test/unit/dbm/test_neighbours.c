// Neighbouring clocks that differ, against the definition, in all formats.
#include "dbm/kernel/neighbours.h"

#include "base/random.h"

// cmocka wants these before itself.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

enum { MAX = 70 };

// Few different entries, so that many neighbours are the same.
static void compare(Random *random, PackedFormat format, uint32_t k) {
  static int8_t tiny[MAX * MAX + PACKED_SLACK];
  static int16_t small[MAX * MAX + PACKED_SLACK];
  static Bound wide[MAX * MAX + PACKED_SLACK];
  const uint32_t odd = random_below(random, 6);
  for (uint32_t i = 0; i < k * k; i++)
    tiny[i] = 5;
  for (uint32_t i = 0; i < odd; i++)
    tiny[random_below(random, k * k)] = (int8_t)(random_below(random, 3) + 4);
  for (uint32_t i = 0; i < k * k; i++) {
    small[i] = (int16_t)(tiny[i] * 256);
    wide[i] = tiny[i] * 65536;
  }
  const void *entries = format == PACKED_16 ? (void *)small : wide;
  uint16_t rows[MAX + 32], columns[MAX + 32];
  int16_t spare[MAX + 32];
  neighbours_find(entries, format, k, rows, columns, spare);
  for (uint32_t p = 0; p + 1 < k; p++) {
    bool row = false, column = false;
    for (uint32_t j = 0; j < k; j++) {
      row |= j != p && j != p + 1 && tiny[p * k + j] != tiny[(p + 1) * k + j];
      column |= j != p && j != p + 1 && tiny[j * k + p] != tiny[j * k + p + 1];
    }
    assert_int_equal(rows[p] != 0, row);
    assert_int_equal(columns[p] != 0, column);
  }
}

static void test_random(void **state) {
  (void)state;
  Random random;
  random_seed(&random, 11);
  for (int i = 0; i < 3000; i++) {
    const uint32_t k = 2 + random_below(&random, MAX - 2);
    compare(&random, PACKED_16, k);
    compare(&random, PACKED_32, k);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_random)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
