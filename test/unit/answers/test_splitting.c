// Importance splitting: the number that a goal proposes, and a rare event of a known probability.
#include "answers/statistics/splitting.h"

#include "racing.h"

static void test_number(void **state) {
  (void)state;
  Racing racing;
  racing_begin(&racing, "int n = 0; clock x; process P() { state s; init s; } system P;", NULL);
  assert_non_null(splitting_number(racing_condition(&racing, "n >= 9")));
  assert_null(splitting_number(racing_condition(&racing, "P.s")));
  racing_release(&racing);
}

// A walk from 1 up with 1/3 and down with 2/3: 10 before 0 has the probability 1 / (2^10 - 1).
static void test_rare(void **state) {
  (void)state;
  static const char text[] =
      "int n = 1; process P() { state s; init s; trans s -> s { guard n > 0; assign n = n + 1; "
      "}, "
      "s -> s { guard n > 0; assign n = n - 1; }, s -> s { select i : int[0,0]; guard n > 0; "
      "assign n = n - 1; }; } system P;";
  static const RacingRate rates[] = {{"P", "s", 1}, {NULL, NULL, 0}};
  Racing racing;
  racing_begin(&racing, text, rates);
  const Expr *goal = racing_condition(&racing, "n >= 10");
  const Statistical query = {.path = {.bound = {.limit = 10000}, .goal = goal}};
  const EstimateParameters parameters = {
      .test = {.alpha = 0.05, .epsilon = 0.05}, .seed = 3, .threads = 1};
  const char *reason;
  Estimate estimate;
  assert_true(splitting_run(&estimate, &racing.r.mem, &racing.laws, &query,
                            splitting_number(goal), &parameters, NULL, NULL, &reason,
                            &racing.r.report));
  const double exact = 1 / 1023.;
  const double half = (estimate.interval.high - estimate.interval.low) / 2;
  assert_true(fabs(estimate.value - exact) < 2 * half);
  assert_true(half < exact / 4);
  assert_int_equal(estimate.levels.size, 9);
  estimate_release(&estimate);
  racing_release(&racing);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_number), cmocka_unit_test(test_rare)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
