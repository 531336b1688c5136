#include "plan/run.h"

#include "plan/searching.h"
#include "sessions.h"

static ReachResult run(Tarn *tarn, Check *check, const char *text) {
  ReachResult result;
  sessions_plan(check, tarn, text);
  assert_true(run_plan(check, &result));
  return result;
}

static void test_results(void **state) {
  (void)state;
  Tarn *tarn = sessions_read(SESSIONS_SMALL);
  Check check;
  assert_int_equal(run(tarn, &check, "E<> P.C"), REACH_GOAL);
  searching_end(&check);
  assert_null(check.space);
  assert_int_equal(run(tarn, &check, "E<> P.A && x > 5"), REACH_NONE);
  searching_end(&check);
  assert_int_equal(run(tarn, &check, NULL), REACH_NONE);
  assert_int_equal(tarn->stats.stored, 3);
  searching_end(&check);
  tarn_release(tarn);
}

// Random searches find the goal; where there is none the default order shows it.
static void test_hunt(void **state) {
  (void)state;
  Tarn *tarn = sessions_generate("fischer", "3", NULL);
  Check check;
  tarn_set(tarn, "order", "hunt");
  assert_int_equal(run(tarn, &check, "E<> P1.cs"), REACH_GOAL);
  searching_end(&check);
  assert_int_equal(run(tarn, &check, "E<> P1.cs && P2.cs"), REACH_NONE);
  searching_end(&check);
  tarn_release(tarn);
}

static void test_deadlock(void **state) {
  (void)state;
  Tarn *tarn = sessions_read(SESSIONS_SMALL);
  Check check;
  assert_int_equal(run(tarn, &check, "E<> deadlock && P.C"), REACH_GOAL);
  searching_end(&check);
  assert_int_equal(run(tarn, &check, "E<> deadlock && P.A && x < 4"), REACH_NONE);
  searching_end(&check);
  tarn_release(tarn);
}

SESSIONS_MAIN("run", cmocka_unit_test(test_results), cmocka_unit_test(test_hunt),
              cmocka_unit_test(test_deadlock))
