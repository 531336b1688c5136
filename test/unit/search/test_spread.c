// Codes that spread states: the distribution against a count of all states, and columns that are
// far apart.
#include "search/workers/spread.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { TERMS = 10 };

static void release(Arena *arena) { mem_release(arena->mem); }

// All combinations of terms, each with its probability.
static void test_distribution(void **state) {
  (void)state;
  for (uint32_t workers = 2; workers <= 24; workers++) {
    Mem mem = {0};
    Arena arena = {.mem = &mem};
    Spread spread;
    uint32_t columns[TERMS];
    double shares[24] = {0}, largest = 0;
    spread_init(&spread, &arena, workers);
    for (uint32_t i = 0; i < TERMS; i++) {
      columns[i] = spread_choose(&spread);
      assert_in_range(columns[i], 1, workers - 1);
      spread_add(&spread, 0.3 + 0.02 * i, columns[i]);
    }
    for (uint32_t set = 0; set < 1u << TERMS; set++) {
      uint32_t owner = 0;
      double probability = 1;
      for (uint32_t i = 0; i < TERMS; i++) {
        probability *= set >> i & 1 ? 0.3 + 0.02 * i : 0.7 - 0.02 * i;
        owner = set >> i & 1 ? spread_sum(spread.odd, owner, columns[i]) : owner;
      }
      assert_true(owner < workers);
      shares[owner] += probability;
    }
    for (uint32_t i = 0; i < workers; i++) {
      assert_true(shares[i] - spread.shares[i] < 1e-9 && spread.shares[i] - shares[i] < 1e-9);
      largest = shares[i] > largest ? shares[i] : largest;
    }
    assert_true(spread_largest(&spread) > workers * largest - 1e-9);
    assert_true(spread_largest(&spread) < workers * largest + 1e-9);
    release(&arena);
  }
}

// Ten terms that are 0 in two thirds of the states are enough for eight workers.
static void test_equal(void **state) {
  (void)state;
  for (uint32_t workers = 2; workers <= 8; workers++) {
    Mem mem = {0};
    Arena arena = {.mem = &mem};
    Spread spread;
    spread_init(&spread, &arena, workers);
    assert_true(spread_largest(&spread) == workers);
    for (uint32_t i = 0; i < TERMS; i++)
      spread_add(&spread, 0.33, spread_choose(&spread));
    assert_true(spread_largest(&spread) < 1.1);
    release(&arena);
  }
}

// Sums are those of a group.
static void test_sum(void **state) {
  (void)state;
  for (uint32_t workers = 2; workers <= 24; workers++) {
    const uint32_t odd = spread_odd(workers);
    assert_true(odd % 2 && workers % odd == 0);
    for (uint32_t a = 0; a < workers; a++) {
      uint32_t seen = 0;
      for (uint32_t b = 0; b < workers; b++) {
        assert_true(spread_sum(odd, a, b) < workers);
        assert_int_equal(spread_sum(odd, a, b), spread_sum(odd, b, a));
        seen |= 1u << spread_sum(odd, a, b);
      }
      assert_int_equal(spread_sum(odd, a, 0), a);
      assert_int_equal(seen, (1u << workers) - 1);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_distribution),
      cmocka_unit_test(test_equal),
      cmocka_unit_test(test_sum),
  };
  return cmocka_run_group_tests_name("spread", tests, NULL, NULL);
}
