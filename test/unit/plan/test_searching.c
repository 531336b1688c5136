#include "plan/searching.h"

#include "sessions.h"

static void test_limit(void **state) {
  (void)state;
  Tarn *tarn = sessions_generate("fischer", "7", NULL);
  Check check;
  ReachResult result;
  sessions_begin(&check, tarn, NULL);
  Options options = tarn->options;
  options.engine = ENGINE_ZONES;
  assert_true(searching_run(&check, &options, &(Stage){.max_visited = 300}, NULL, &result));
  assert_int_equal(result, REACH_STOPPED);
  assert_true(reach_is_long(&check.reach));
  searching_end(&check);
  assert_null(check.space);
  tarn_release(tarn);
}

SESSIONS_MAIN("searching", cmocka_unit_test(test_limit))
