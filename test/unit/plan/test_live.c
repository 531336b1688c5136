#include "plan/live.h"

#include "sessions.h"

static bool is_live(Tarn *tarn, const char *query) {
  Check check;
  sessions_begin(&check, tarn, query);
  return capabilities_is_infinite(check.has_query ? &check.query : NULL);
}

static void test_queries(void **state) {
  (void)state;
  Tarn *tarn = sessions_read(SESSIONS_SMALL);
  assert_true(is_live(tarn, "A<> P.C"));
  assert_true(is_live(tarn, "E[] P.A"));
  assert_true(is_live(tarn, "P.A --> P.C"));
  assert_false(is_live(tarn, "E<> P.C"));
  assert_false(is_live(tarn, "sup: x"));
  assert_false(is_live(tarn, NULL));
  tarn_release(tarn);
}

// A is left in time, but nothing makes B be left.
static void test_run(void **state) {
  (void)state;
  static const char *const queries[] = {"A<> P.B", "A<> P.C", "E[] not P.C", "P.A --> P.B"};
  static const Verdict verdicts[] = {VERDICT_SATISFIED, VERDICT_NOT_SATISFIED, VERDICT_SATISFIED,
                                     VERDICT_SATISFIED};
  Tarn *tarn = sessions_read("system:s\nevent:a\nclock:1:x\nprocess:P\n"
                             "location:P:A{initial: : invariant: x<=5}\nlocation:P:B{}\n"
                             "location:P:C{}\nedge:P:A:B:a\nedge:P:B:C:a\n");
  for (int i = 0; i < 4; i++) {
    Check check;
    sessions_begin(&check, tarn, queries[i]);
    unsigned reason = OPEN_START;
    ReachResult result;
    assert_true(live_search(&check, &(Stage){.kind = STAGE_INFINITE}, &reason, &result));
    assert_int_equal(reason, 0);
    assert_true(live_conclude(&check));
    if (check.answer->verdict != verdicts[i])
      fail_msg("%s: %d", queries[i], check.answer->verdict);
  }
  tarn_release(tarn);
}

SESSIONS_MAIN("live", cmocka_unit_test(test_queries), cmocka_unit_test(test_run))
