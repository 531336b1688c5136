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

SESSIONS_MAIN("values", cmocka_unit_test(test_values))
