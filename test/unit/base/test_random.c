// Random numbers: the published first values, ranges kept and filled, seeds that matter.
#include "base/random.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

// xoshiro256** from the state 1, 2, 3, 4: small enough to be followed with a pencil.
static void test_known_values(void **state) {
  (void)state;
  Random random = {.state = {1, 2, 3, 4}};
  assert_int_equal(random_next(&random), 11520);
  assert_int_equal(random_next(&random), 0);
  assert_int_equal(random_next(&random), 1509978240);
}

// Same seed, same sequence; other seeds, also neighbours, other sequences.
static void test_seeds(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 100; seed++) {
    Random a, b, c;
    random_seed(&a, seed), random_seed(&b, seed), random_seed(&c, seed + 1);
    int differences = 0;
    for (int i = 0; i < 100; i++) {
      const uint64_t value = random_next(&a);
      assert_int_equal(value, random_next(&b));
      differences += value != random_next(&c);
    }
    assert_int_equal(differences, 100);
  }
}

// Each value about as often as the others: 5 standard deviations.
static void test_below(void **state) {
  (void)state;
  Random random;
  random_seed(&random, 1);
  enum { DRAWS = 10000 };
  for (uint32_t n = 1; n <= 20; n++) {
    int counts[20] = {0};
    for (int i = 0; i < DRAWS; i++) {
      const uint32_t value = random_below(&random, n);
      assert_true(value < n);
      counts[value]++;
    }
    for (uint32_t v = 0; v < n; v++) {
      const double away = counts[v] - (double)DRAWS / n;
      assert_true(away * away <= 25.0 * DRAWS / n);
    }
  }
  for (int i = 0; i < DRAWS; i++)
    assert_true(random_below(&random, UINT32_MAX) < UINT32_MAX);
}

static void test_between(void **state) {
  (void)state;
  Random random;
  random_seed(&random, 2);
  const int ranges[][2] = {{0, 0},
                           {-3, 4},
                           {INT_MAX, INT_MAX},
                           {INT_MIN, -5},
                           {INT_MIN, INT_MAX},
                           {INT_MIN, INT_MIN + 1}};
  for (size_t r = 0; r < sizeof ranges / sizeof *ranges; r++) {
    const int low = ranges[r][0], high = ranges[r][1];
    const double middle = ((double)low + high) / 2;
    int below = 0, above = 0;
    for (int i = 0; i < 1000; i++) {
      const int value = random_between(&random, low, high);
      assert_true(low <= value && value <= high);
      below += value < middle;
      above += value > middle;
    }
    if (low == high)
      assert_int_equal(below + above, 0);
    else
      assert_true(below > 400 && above > 400);
  }
}

// No bit of the output is stuck or biased.
static void test_bits(void **state) {
  (void)state;
  Random random;
  random_seed(&random, 3);
  int ones[64] = {0};
  for (int i = 0; i < 10000; i++) {
    const uint64_t value = random_next(&random);
    for (int b = 0; b < 64; b++)
      ones[b] += (int)(value >> b & 1);
  }
  for (int b = 0; b < 64; b++)
    assert_in_range(ones[b], 4700, 5300);
}

// Nothing is lost, and every item gets to every place.
static void test_mix(void **state) {
  (void)state;
  enum { COUNT = 5, ROUNDS = 5000 };
  Random random;
  random_seed(&random, 4);
  int at[COUNT][COUNT] = {{0}};
  for (int i = 0; i < ROUNDS; i++) {
    uint32_t items[COUNT] = {0, 1, 2, 3, 4}, seen = 0;
    random_mix(&random, items, COUNT);
    for (int k = 0; k < COUNT; k++) {
      seen |= 1u << items[k];
      at[items[k]][k]++;
    }
    assert_int_equal(seen, (1u << COUNT) - 1);
  }
  for (int i = 0; i < COUNT; i++)
    for (int k = 0; k < COUNT; k++)
      assert_in_range(at[i][k], ROUNDS / COUNT - 150, ROUNDS / COUNT + 150);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_known_values), cmocka_unit_test(test_seeds),
      cmocka_unit_test(test_below),        cmocka_unit_test(test_between),
      cmocka_unit_test(test_bits),         cmocka_unit_test(test_mix),
  };
  return cmocka_run_group_tests_name("random", tests, NULL, NULL);
}
