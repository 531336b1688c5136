// Codes that spread states: the distribution against a count of all states, and columns that are
// far apart.
#include "search/workers/shares.h"

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
    Shares computed;
    uint32_t columns[TERMS];
    double shares[24] = {0}, largest = 0;
    shares_init(&computed, &arena, workers);
    for (uint32_t i = 0; i < TERMS; i++) {
      columns[i] = shares_choose(&computed);
      assert_in_range(columns[i], 1, workers - 1);
      shares_add(&computed, 0.3 + 0.02 * i, columns[i]);
    }
    for (uint32_t set = 0; set < 1u << TERMS; set++) {
      uint32_t owner = 0;
      double probability = 1;
      for (uint32_t i = 0; i < TERMS; i++) {
        probability *= set >> i & 1 ? 0.3 + 0.02 * i : 0.7 - 0.02 * i;
        owner = set >> i & 1 ? shares_sum(computed.odd, owner, columns[i]) : owner;
      }
      assert_true(owner < workers);
      shares[owner] += probability;
    }
    for (uint32_t i = 0; i < workers; i++) {
      assert_true(shares[i] - computed.of[i] < 1e-9 && computed.of[i] - shares[i] < 1e-9);
      largest = shares[i] > largest ? shares[i] : largest;
    }
    assert_true(shares_largest(&computed) > workers * largest - 1e-9);
    assert_true(shares_largest(&computed) < workers * largest + 1e-9);
    release(&arena);
  }
}

// Ten terms that are 0 in two thirds of the states are enough for eight workers.
static void test_equal(void **state) {
  (void)state;
  for (uint32_t workers = 2; workers <= 8; workers++) {
    Mem mem = {0};
    Arena arena = {.mem = &mem};
    Shares computed;
    shares_init(&computed, &arena, workers);
    assert_true(shares_largest(&computed) == workers);
    for (uint32_t i = 0; i < TERMS; i++)
      shares_add(&computed, 0.33, shares_choose(&computed));
    assert_true(shares_largest(&computed) < 1.1);
    release(&arena);
  }
}

// Sums are those of a group.
static void test_sum(void **state) {
  (void)state;
  for (uint32_t workers = 2; workers <= 24; workers++) {
    const uint32_t odd = shares_odd(workers);
    assert_true(odd % 2 && workers % odd == 0);
    for (uint32_t a = 0; a < workers; a++) {
      uint32_t seen = 0;
      for (uint32_t b = 0; b < workers; b++) {
        assert_true(shares_sum(odd, a, b) < workers);
        assert_int_equal(shares_sum(odd, a, b), shares_sum(odd, b, a));
        seen |= 1u << shares_sum(odd, a, b);
      }
      assert_int_equal(shares_sum(odd, a, 0), a);
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
  return cmocka_run_group_tests_name("shares", tests, NULL, NULL);
}
