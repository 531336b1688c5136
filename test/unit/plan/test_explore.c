#include "plan/explore.h"

#include "plan/choose.h"
#include "sessions.h"

static ReachResult run(Tarn *tarn, Check *check, const char *query) {
  ReachResult result;
  sessions_begin(check, tarn, query);
  choose_engine(check);
  tarn->stats = (Statistics){0};
  assert_true(explore_as_asked(check, &result));
  return result;
}

static void test_results(void **state) {
  (void)state;
  Tarn *tarn = sessions_read(SESSIONS_SMALL);
  Check check;
  assert_int_equal(run(tarn, &check, "E<> P.C"), REACH_GOAL);
  explore_end(&check);
  assert_null(check.space);
  assert_int_equal(run(tarn, &check, "E<> P.A && x > 5"), REACH_NONE);
  explore_end(&check);
  assert_int_equal(run(tarn, &check, NULL), REACH_NONE);
  assert_int_equal(tarn->stats.stored, 3);
  explore_end(&check);
  tarn_release(tarn);
}

static void test_cut(void **state) {
  (void)state;
  Tarn *tarn = sessions_generate("fischer", "7", NULL);
  Check check;
  ReachResult result;
  sessions_begin(&check, tarn, NULL);
  tarn->options.engine = ENGINE_ZONES;
  check.most_visited = 300;
  assert_true(explore(&check, &tarn->options, &result));
  assert_int_equal(result, REACH_STOPPED);
  assert_true(check.is_cut);
  explore_end(&check);
  tarn_release(tarn);
}

// Random searches find the goal; where there is none the default order shows it.
static void test_hunt(void **state) {
  (void)state;
  Tarn *tarn = sessions_generate("fischer", "3", NULL);
  Check check;
  tarn_set(tarn, "order", "hunt");
  assert_int_equal(run(tarn, &check, "E<> P1.cs"), REACH_GOAL);
  explore_end(&check);
  assert_int_equal(run(tarn, &check, "E<> P1.cs && P2.cs"), REACH_NONE);
  explore_end(&check);
  tarn_release(tarn);
}

static void test_deadlock(void **state) {
  (void)state;
  Tarn *tarn = sessions_read(SESSIONS_SMALL);
  Check check;
  ReachResult result;
  sessions_begin(&check, tarn, "E<> deadlock && P.C");
  assert_true(explore_deadlock(&check, &result));
  assert_int_equal(result, REACH_GOAL);
  explore_end(&check);
  sessions_begin(&check, tarn, "E<> deadlock && P.A && x < 4");
  assert_true(explore_deadlock(&check, &result));
  assert_int_equal(result, REACH_NONE);
  explore_end(&check);
  tarn_release(tarn);
}

SESSIONS_MAIN("explore", cmocka_unit_test(test_results), cmocka_unit_test(test_cut),
              cmocka_unit_test(test_hunt), cmocka_unit_test(test_deadlock))
