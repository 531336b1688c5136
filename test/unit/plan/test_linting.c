#include "plan/linting.h"

#include "base/timer.h"
#include "sessions.h"

static void test_findings(void **state) {
  (void)state;
  Tarn *tarn = sessions_read("system:s\nevent:a\nclock:1:x\nclock:1:unused\nprocess:P\n"
                             "location:P:A{initial:}\nlocation:P:B{}\nlocation:P:C{}\n"
                             "edge:P:A:A:a{provided: x>1 : do: x=0}\nedge:P:B:C:a\n");
  assert_true(linting_run(tarn, NULL, 0) > 0);
  assert_non_null(strstr(text_chars(&tarn->lint_text), "unused"));
  assert_non_null(strstr(text_chars(&tarn->lint_json), "\"unused\""));
  const char *const queries[] = {"A[] P.B imply x > 3"};
  const int with_query = linting_run(tarn, queries, 1);
  assert_true(with_query > 0);
  assert_non_null(strstr(text_chars(&tarn->lint_text), "P.B imply"));
  const char *const wrong[] = {"A[] P.D"};
  assert_int_equal(linting_run(tarn, wrong, 1), -1);
  assert_non_null(strstr(tarn_error(tarn), "no location `D`"));
  tarn_release(tarn);
}

static void test_clean(void **state) {
  (void)state;
  Tarn *tarn = sessions_read("system:s\nevent:a\nclock:1:x\nprocess:P\n"
                             "location:P:A{initial:}\nlocation:P:B{}\n"
                             "edge:P:A:B:a{provided: x>1 : do: x=0}\n"
                             "edge:P:B:A:a{provided: x>1 : do: x=0}\n");
  assert_int_equal(linting_run(tarn, NULL, 0), 0);
  tarn_release(tarn);
}

// The time is that of the call, not of the search, which is short here.
static void test_seconds(void **state) {
  (void)state;
  enum { MANY = 20000 };
  static const char *queries[MANY];
  for (int i = 0; i < MANY; i++)
    queries[i] = "A[] x <= 7 || P.B";
  Tarn *tarn = sessions_read(SESSIONS_SMALL);
  const double start = timer_seconds();
  assert_true(linting_run(tarn, queries, MANY) != -1);
  const double spent = timer_seconds() - start;
  assert_true(tarn->stats.seconds <= spent && tarn->stats.seconds > spent / 4);
  tarn_release(tarn);
}

SESSIONS_MAIN("linting", cmocka_unit_test(test_seconds), cmocka_unit_test(test_findings),
              cmocka_unit_test(test_clean))
