// Sequential tests: who decides when, and how often wrongly.
#include "answers/statistics/sequential.h"
#include "base/philox.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const TestParameters defaults = {.alpha = 0.05,
                                        .beta = 0.05,
                                        .lower_delta = 0.01,
                                        .upper_delta = 0.01,
                                        .u0 = 0.9,
                                        .u1 = 1.1,
                                        .epsilon = 0.05};

// Without a miss: log(0.89 / 0.91) n <= log(0.05 / 0.95).
static void test_ends(void **state) {
  (void)state;
  RatioTest test;
  sequential_start(&test, 0.9, &defaults);
  while (sequential_add(&test, true) == DECISION_OPEN)
    ;
  assert_int_equal(test.decision, DECISION_ACCEPTED);
  assert_int_equal(test.runs, 133);
  sequential_start(&test, 0.9, &defaults);
  while (sequential_add(&test, false) == DECISION_OPEN)
    ;
  assert_int_equal(test.decision, DECISION_REJECTED);
  assert_int_equal(test.runs, 15);
}

// At 0 there is nothing to test, at 1 a miss decides; near them the region is cut.
static void test_borders(void **state) {
  (void)state;
  RatioTest test;
  sequential_start(&test, 0, &defaults);
  assert_int_equal(test.decision, DECISION_ACCEPTED);
  sequential_start(&test, 1, &defaults);
  assert_int_equal(sequential_add(&test, true), DECISION_OPEN);
  assert_int_equal(sequential_add(&test, false), DECISION_REJECTED);
  sequential_start(&test, 0.995, &defaults);
  assert_int_equal(sequential_add(&test, false), DECISION_OPEN);
}

// At the borders of the indifference region at most alpha and beta of the decisions are wrong.
static void test_errors(void **state) {
  (void)state;
  unsigned rejected = 0, accepted = 0;
  for (unsigned i = 0; i < 400; i++)
    for (int low = 0; low < 2; low++) {
      Philox stream;
      philox_start(&stream, (uint64_t)low, i);
      RatioTest test;
      sequential_start(&test, 0.3, &defaults);
      while (sequential_add(&test, philox_real(&stream) < (low ? 0.29 : 0.31)) == DECISION_OPEN)
        ;
      rejected += !low && test.decision == DECISION_REJECTED;
      accepted += low && test.decision == DECISION_ACCEPTED;
    }
  assert_true(rejected <= 32 && accepted <= 32); // 5 % and three standard deviations
}

static void test_comparison(void **state) {
  (void)state;
  unsigned wrong = 0;
  for (unsigned i = 0; i < 200; i++)
    for (int first = 0; first < 2; first++) {
      Philox stream;
      philox_start(&stream, (uint64_t)first, i);
      Comparison comparison;
      sequential_compare(&comparison, &defaults);
      Decision decision = DECISION_OPEN;
      while (decision == DECISION_OPEN) {
        const bool a = philox_real(&stream) < (first ? 0.6 : 0.5);
        const bool b = philox_real(&stream) < (first ? 0.5 : 0.6);
        decision = sequential_add_pair(&comparison, a, b);
      }
      assert_int_equal(comparison.test.hits + comparison.second_hits,
                       comparison.first_hits + comparison.test.runs - comparison.test.hits);
      wrong += decision != (first ? DECISION_ACCEPTED : DECISION_REJECTED);
    }
  assert_true(wrong <= 20);
  Comparison equal; // two events that never happen
  sequential_compare(&equal, &defaults);
  while (sequential_add_pair(&equal, false, false) == DECISION_OPEN)
    ;
  assert_true(equal.is_close && equal.pairs < 200);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_ends),
      cmocka_unit_test(test_borders),
      cmocka_unit_test(test_errors),
      cmocka_unit_test(test_comparison),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
