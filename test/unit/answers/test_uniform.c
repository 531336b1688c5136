// Uniformisation: chains with known answers, also with committed and urgent locations; models
// that are no chains.
#include "answers/statistics/uniform.h"

#include "racing.h"

static bool solve(const char *text, const RacingRate *rates, const char *goal, double limit,
                  double *value) {
  Racing racing;
  racing_begin(&racing, text, rates);
  const PathQuery path = {
      .bound = {.kind = limit < 0 ? RUN_BOUND_STEPS : RUN_BOUND_TIME, .limit = fabs(limit)},
      .goal = racing_condition(&racing, goal)};
  const bool ok = uniform_solve(&racing.r.mem, &racing.laws, &path, value);
  racing_release(&racing);
  return ok;
}

static const char erlang[] =
    "int n = 0; process P() { state a, b; commit b; init a; trans a -> b { guard n < 3; assign n "
    "= n + 1; }, b -> a { }; } system P;";

static void test_erlang(void **state) {
  (void)state;
  static const RacingRate rates[] = {{"P", "a", 2}, {NULL, NULL, 0}};
  double value;
  assert_true(solve(erlang, rates, "n == 3", 1.5, &value)); // 1 - exp(-3) (1 + 3 + 9/2)
  assert_true(fabs(value - (1 - exp(-3) * 8.5)) < 1e-9);
  assert_true(solve(erlang, rates, "n == 3", 0, &value));
  assert_true(fabs(value - (0)) < 1e-12);
  assert_true(solve(erlang, rates, "n == 3", -5, &value)); // the third comes with step 5
  assert_true(fabs(value - (1)) < 1e-12);
  assert_true(solve(erlang, rates, "n == 3", -4, &value));
  assert_true(fabs(value - (0)) < 1e-12);
}

static void test_others(void **state) {
  (void)state;
  double value;
  static const char timed[] =
      "clock x; process P() { state a { x <= 3 }, b; init a; trans a -> b "
      "{ guard x >= 1; }; } system P;";
  assert_false(solve(timed, NULL, "P.b", 2, &value));
  assert_false(solve(erlang, NULL, "n == 3", 2, &value)); // no rate
  static const char endless[] =
      "process P() { state a, b; commit a, b; init a; trans a -> b { }, "
      "b -> a { }; } system P;";
  assert_false(solve(endless, NULL, "false", 2, &value));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_erlang),
                                     cmocka_unit_test(test_others)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
