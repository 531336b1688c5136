#include "plan/choose.h"

#include "sessions.h"

static Engine chosen(Tarn *tarn, const char *query) {
  Check check;
  sessions_begin(&check, tarn, query);
  const int asked = tarn->options.engine;
  choose_engine(&check);
  const Engine engine = (Engine)tarn->options.engine;
  assert_int_equal(check.answer->options.engine, engine);
  Space *space = choose_space(&check, &tarn->options);
  assert_non_null(space);
  space->release(space);
  tarn->options.engine = asked;
  return engine;
}

static void test_engines(void **state) {
  (void)state;
  Tarn *tarn = sessions_read(SESSIONS_SMALL);
  assert_int_equal(chosen(tarn, "E<> P.C"), ENGINE_ZONES);
  static const char *const names[] = {"zones", "local", "wide"};
  static const Engine engines[] = {ENGINE_ZONES, ENGINE_LOCAL, ENGINE_WIDE};
  for (int i = 0; i < 3; i++) {
    assert_int_equal(tarn_set(tarn, "engine", names[i]), 0);
    assert_int_equal(chosen(tarn, "E<> P.C"), engines[i]);
  }
  tarn_release(tarn);
  tarn = sessions_read("system:s\nevent:a\nclock:1:x\nprocess:P\nlocation:P:A{initial:}\n"
                       "edge:P:A:A:a{provided: x>100000000001 && x<3}\n");
  assert_int_equal(chosen(tarn, "E<> P.A"), ENGINE_WIDE);
  tarn_release(tarn);
}

// Those of the query are left out: a query about one process tells it apart.
static void test_symmetry(void **state) {
  (void)state;
  Tarn *tarn = sessions_generate("fischer", "4", NULL);
  Check check;
  tarn_set(tarn, "trace", "concrete");
  sessions_begin(&check, tarn, "E<> P1.cs && P2.cs");
  choose_engine(&check);
  const uint32_t named = check.symmetry.count ? check.symmetry.families[0].size : 0;
  sessions_begin(&check, tarn, NULL);
  choose_engine(&check);
  assert_int_equal(check.symmetry.count, 1);
  assert_int_equal(check.symmetry.families[0].size, 4);
  assert_true(named <= 2);
  assert_true(strlen(check.answer->symmetry) > 0);
  tarn_set(tarn, "symmetry", "off");
  sessions_begin(&check, tarn, NULL);
  choose_engine(&check);
  assert_int_equal(check.symmetry.count, 0);
  tarn_release(tarn);
}

static void test_refused(void **state) {
  (void)state;
  Tarn *tarn = sessions_read(SESSIONS_SMALL);
  Check check;
  tarn_set(tarn, "engine", "points");
  sessions_begin(&check, tarn, "E<> P.C");
  assert_null(choose_space(&check, &tarn->options)); // x > 3 is strict
  assert_true(report_failed(&tarn->report));
  tarn_release(tarn);
}

SESSIONS_MAIN("choose", cmocka_unit_test(test_engines), cmocka_unit_test(test_symmetry),
              cmocka_unit_test(test_refused))
