// Statistical queries from the check to its answer.
#include "plan/estimating.h"

#include "asking.h"

static const Answer *run(Asking *asking, const char *query) {
  sessions_begin(&asking->check, asking->tarn, query);
  if (!estimating_run(&asking->check))
    return NULL;
  return asking->check.answer;
}

static void begin(Asking *asking) { asking_begin(asking, ASKING_MODEL, "Pr[<=1](<> false)"); }

static void test_verdicts(void **state) {
  (void)state;
  Asking asking;
  begin(&asking);
  assert_int_equal(run(&asking, "Pr[<=3](<> P.t)")->verdict, VERDICT_ESTIMATED);
  assert_int_equal(run(&asking, "Pr[<=3](<> P.t) >= 0.9")->verdict, VERDICT_NOT_SATISFIED);
  assert_int_equal(run(&asking, "Pr[<=3](<> P.t) <= 0.9")->verdict, VERDICT_SATISFIED);
  assert_int_equal(run(&asking, "E[<=3; 9](max: n)")->verdict, VERDICT_ESTIMATED);
  assert_int_equal(run(&asking, "simulate [<=3; 2] { n }")->verdict, VERDICT_ESTIMATED);
  asking_release(&asking);
}

// What is exact needs no runs if there is nothing that they would show.
static void test_exact(void **state) {
  (void)state;
  Asking asking;
  const char *chain = "int n = 0; process P() { state s { ; 2 }; init s; trans\n"
                      " s -> s { guard n < 3; assign n = n + 1; }; } system P;";
  asking_begin(&asking, chain, "Pr[<=1](<> false)");
  const Estimate *estimate = run(&asking, "Pr[<=1](<> n == 4)")->estimate;
  assert_true(estimate->is_certain && estimate->runs == 0 && estimate->value == 0);
  estimate = run(&asking, "Pr[<=1](<> n >= 1)")->estimate;
  assert_true(!estimate->is_certain && estimate->exact_why && estimate->runs > 0);
  assert_true(estimate->exact > 0.8646647 && estimate->exact < 0.8646648); // 1 - exp(-2)
  assert_int_equal(run(&asking, "Pr[<=1](<> n == 4) >= 0.5")->verdict, VERDICT_NOT_SATISFIED);
  assert_int_equal(run(&asking, "Pr[<=1](<> n == 4) <= 0.5")->verdict, VERDICT_SATISFIED);
  asking.tarn->options.exact = 1; // off
  estimate = run(&asking, "Pr[<=1](<> n == 4)")->estimate;
  assert_true(!estimate->exact_why && estimate->runs == 72);
  asking_release(&asking);
}

// The same seed gives the same answer, another one another.
static void test_seeds(void **state) {
  (void)state;
  Asking asking;
  uint64_t satisfied[3];
  const int seeds[3] = {0, 1, 7};
  begin(&asking);
  for (int k = 0; k < 3; k++) {
    asking.tarn->options.seed = seeds[k];
    satisfied[k] = run(&asking, "Pr[<=3; 1000](<> P.t)")->estimate->satisfied;
  }
  assert_int_equal(satisfied[0], satisfied[1]); // 1 is the default
  assert_int_not_equal(satisfied[0], satisfied[2]);
  asking_release(&asking);
}

static void expect_error(Asking *asking, const char *query, const char *part) {
  assert_null(run(asking, query));
  const char *error = text_chars(&asking->tarn->report.error);
  if (!strstr(error, part))
    fail_msg("\"%s\" is not in: %s", part, error);
}

static void test_errors(void **state) {
  (void)state;
  Asking asking;
  begin(&asking);
  asking.tarn->options.levels = "auto";
  expect_error(&asking, "Pr[<=3](<> P.t)", "needs a goal such as");
  asking_release(&asking);
  begin(&asking);
  asking.tarn->options.levels = "n";
  expect_error(&asking, "E[<=3; 9](max: n)", "--levels is for");
  asking_release(&asking);
  // A model whose answer needs no runs has errors all the same.
  asking_begin(&asking, "process P() { state s, t; init s; trans s -> t { }; } system P;",
               "Pr[<=1](<> false)");
  expect_error(&asking, "Pr[<=1](<> false)", "the delay has no law");
  asking_release(&asking);
}

SESSIONS_MAIN("estimating", cmocka_unit_test(test_verdicts), cmocka_unit_test(test_exact),
              cmocka_unit_test(test_seeds), cmocka_unit_test(test_errors))
