#include "plan/conclude.h"

#include "plan/run.h"
#include "plan/searching.h"
#include "sessions.h"

static Verdict verdict(Tarn *tarn, const char *query, Check *check) {
  ReachResult result;
  sessions_plan(check, tarn, query);
  tarn->stats = (Statistics){0};
  assert_true(run_plan(check, &result));
  assert_true(conclude(check, result));
  searching_end(check);
  return check->answer->verdict;
}

static void test_verdicts(void **state) {
  (void)state;
  Tarn *tarn = sessions_read(SESSIONS_SMALL);
  Check check;
  assert_int_equal(verdict(tarn, "E<> P.C", &check), VERDICT_SATISFIED);
  assert_false(check.answer->has_trace);
  assert_int_equal(verdict(tarn, "A[] P.A", &check), VERDICT_NOT_SATISFIED);
  assert_int_equal(verdict(tarn, "A[] n <= 1", &check), VERDICT_SATISFIED);
  assert_int_equal(verdict(tarn, NULL, &check), VERDICT_EXPLORED);
  tarn_set(tarn, "trace", "concrete");
  assert_int_equal(verdict(tarn, "E<> P.C", &check), VERDICT_SATISFIED);
  assert_true(check.answer->has_trace);
  assert_int_equal(check.answer->trace.run.step_count, 3);
  assert_int_equal(check.answer->preferred, PREFER_SHORTEST);
  trace_release(&check.answer->trace);
  tarn_release(tarn);
}

static const char *is_late(void *state) {
  (void)state;
  return "time limit";
}

static void test_stopped(void **state) {
  (void)state;
  MemWatch watch = {.reached = is_late};
  Tarn *tarn = sessions_generate("fischer", "7", NULL);
  Check check;
  ReachResult result;
  sessions_begin(&check, tarn, "A[] true");
  tarn->options.engine = ENGINE_ZONES;
  mem_watch(&tarn->mem, &watch);
  assert_true(searching_run(&check, &tarn->options, &(Stage){0}, NULL, &result));
  assert_true(conclude(&check, result));
  assert_int_equal(check.answer->verdict, VERDICT_UNDECIDED);
  assert_string_equal(check.answer->reason, "time limit");
  mem_watch(&tarn->mem, NULL);
  searching_end(&check);
  tarn_release(tarn);
}

static void test_no_states(void **state) {
  (void)state;
  Tarn *tarn = sessions_read("system:s\nclock:1:x\nprocess:P\n"
                             "location:P:A{initial: : invariant: x<0}\n");
  assert_false(conclude_has_states(tarn));
  assert_non_null(strstr(text_chars(&tarn->report.error), "the invariant of P.A"));
  tarn_release(tarn);
}

SESSIONS_MAIN("conclude", cmocka_unit_test(test_verdicts), cmocka_unit_test(test_stopped),
              cmocka_unit_test(test_no_states))
