// When estimates end: UPPAAL's rule, and the others.
#include "answers/statistics/confidence.h"
#include "answers/statistics/stopping.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

// Where UPPAAL stops: the first number of runs at which its interval is narrow, and none before
// if the last run brought the last hit or miss.
static void test_uppaal_stops(void **state) {
  (void)state;
  static const struct {
    unsigned hits, runs;
    double alpha, epsilon;
  } ends[] = {{0, 72, 0.05, 0.05},    {72, 72, 0.05, 0.05},      {1, 89, 0.05, 0.05},
              {2, 101, 0.05, 0.05},   {7, 141, 0.05, 0.05},      {19, 198, 0.05, 0.05},
              {128, 380, 0.05, 0.05}, {224, 404, 0.05, 0.05},    {0, 104, 0.01, 0.05},
              {0, 528, 0.01, 0.01},   {8260, 16687, 0.01, 0.01}, {0, 36887, 0.05, 1e-4}};
  for (unsigned k = 0; k < sizeof ends / sizeof *ends; k++) {
    const Stopping stopping = {.alpha = ends[k].alpha, .epsilon = ends[k].epsilon};
    const unsigned x = ends[k].hits, n = ends[k].runs;
    assert_true(stopping_is_due(&stopping, x, n));
    const bool by_miss = x < n && !stopping_is_due(&stopping, x, n - 1);
    const bool by_hit = x && !stopping_is_due(&stopping, x - 1, n - 1);
    assert_true(by_miss || by_hit);
  }
}

static void test_rules(void **state) {
  (void)state;
  assert_int_equal(stopping_runs(0.05, 0.05), 738);
  assert_int_equal(stopping_runs(0.01, 0.005), 105967);
  const Stopping runs = {.rule = STOP_RUNS, .alpha = 0.05, .epsilon = 0.05};
  assert_false(stopping_is_due(&runs, 3, 737));
  assert_true(stopping_is_due(&runs, 3, 738));
  const Stopping fixed = {.rule = STOP_SEQUENCE, .runs = 10, .alpha = 0.05, .epsilon = 0.05};
  assert_false(stopping_is_due(&fixed, 3, 9));
  assert_true(stopping_is_due(&fixed, 3, 10));
  const Stopping sequence = {.rule = STOP_SEQUENCE, .alpha = 0.05, .epsilon = 0.05};
  const Stopping relative = {.rule = STOP_RELATIVE, .alpha = 0.05, .epsilon = 0.1};
  unsigned n = 0;
  while (!stopping_is_due(&sequence, n / 100, n + 1))
    n++;
  const Interval interval = confidence_sequence(n / 100, n + 1, 0.05);
  assert_true(interval.high - interval.low <= 0.1);
  for (n = 1; !stopping_is_due(&relative, n / 100, n);)
    n++;
  assert_true(n > 40000 && n < 200000); // about (1 - p) / p times (z / 0.1)^2
  assert_false(stopping_is_due(&relative, 0, 1u << 20));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_uppaal_stops),
      cmocka_unit_test(test_rules),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
