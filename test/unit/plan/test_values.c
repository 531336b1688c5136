#include "plan/values.h"

#include "sessions.h"

static const char *values(Tarn *tarn, const char *query) {
  Check check;
  sessions_begin(&check, tarn, query);
  assert_true(capabilities_is_extreme(&check.query));
  assert_true(values_run(&check));
  return check.answer->values;
}

static void test_values(void **state) {
  (void)state;
  Tarn *tarn = sessions_read(SESSIONS_SMALL);
  Check check;
  sessions_begin(&check, tarn, "E<> P.C");
  assert_false(capabilities_is_extreme(&check.query));
  sessions_begin(&check, tarn, NULL);
  assert_false(capabilities_is_extreme(&check.query));
  assert_non_null(strstr(values(tarn, "sup{P.A}: x"), "5"));
  assert_non_null(strstr(values(tarn, "sup: n"), "1"));
  assert_non_null(strstr(values(tarn, "inf{P.C}: x"), "2"));
  assert_non_null(strstr(values(tarn, "bounds: n"), "0"));
  tarn_release(tarn);
}

// Each value has a run of its own, that says what it shows.
static void test_runs(void **state) {
  (void)state;
  Tarn *tarn = sessions_read(SESSIONS_SMALL);
  assert_int_equal(tarn_set(tarn, "trace", "concrete"), 0);
  Check check;
  sessions_begin(&check, tarn, "bounds{P.C}: x, n");
  assert_true(values_run(&check));
  const Answer *answer = check.answer;
  assert_true(answer->has_trace);
  assert_int_equal(answer->more_count, 3);
  assert_string_equal(answer->covers, "x >= 2");
  assert_string_equal(answer->more[0].covers, "x grows without end");
  assert_non_null(answer->more[0].ending);
  assert_string_equal(answer->more[1].covers, "n >= 1");
  assert_string_equal(answer->more[2].covers, "n <= 1");
  sessions_begin(&check, tarn, "inf{P.C}: x");
  assert_true(values_run(&check));
  assert_true(check.answer->has_trace && !check.answer->covers && !check.answer->more_count);
  tarn_release(tarn);
}

SESSIONS_MAIN("values", cmocka_unit_test(test_values), cmocka_unit_test(test_runs))
