#include "plan/engines.h"

#include "sessions.h"

static void test_spaces(void **state) {
  (void)state;
  Tarn *tarn = sessions_read(SESSIONS_SMALL);
  static const Engine engines[] = {ENGINE_ZONES, ENGINE_LOCAL, ENGINE_WIDE};
  for (int i = 0; i < 3; i++) {
    Check check;
    sessions_begin(&check, tarn, "E<> P.C");
    Options options = tarn->options;
    options.engine = (int)engines[i];
    Space *space = engines_space(&check, &tarn->mem, &options);
    assert_non_null(space);
    space_release(space);
  }
  tarn_release(tarn);
}

static void test_refused(void **state) {
  (void)state;
  Tarn *tarn = sessions_read(SESSIONS_SMALL);
  Check check;
  tarn_set(tarn, "engine", "points");
  sessions_begin(&check, tarn, "E<> P.C");
  assert_null(engines_space(&check, &tarn->mem, &tarn->options)); // x > 3 is strict
  assert_true(report_failed(&tarn->report));
  tarn_release(tarn);
}

SESSIONS_MAIN("engines", cmocka_unit_test(test_spaces), cmocka_unit_test(test_refused))
