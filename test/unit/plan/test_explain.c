#include "plan/explain.h"

#include "sessions.h"

static void test_answer(void **state) {
  (void)state;
  Tarn *tarn = sessions_read(SESSIONS_SMALL);
  tarn_set(tarn, "explain", "yes");
  assert_int_equal(tarn_plan(tarn, "E<> P.C"), 0);
  assert_non_null(strstr(text_chars(&tarn->planned), "  1. search: "));
  assert_int_equal(tarn_plan(tarn, "E<> P.D"), -1);
  assert_int_equal(tarn->planned.size, 0);
  assert_int_equal(tarn_check(tarn, "E<> P.C"), TARN_SATISFIED);
  const Explanation *e = vec_last(&tarn->answers)->explanation;
  assert_true(e->is_planned);
  assert_int_equal(e->done_count, 1);
  assert_int_equal(e->done[0].stats.visited, vec_last(&tarn->answers)->stats.visited);
  tarn_set(tarn, "explain", "no");
  assert_int_equal(tarn_check(tarn, "E<> P.C"), TARN_SATISFIED);
  assert_null(vec_last(&tarn->answers)->explanation);
  tarn_release(tarn);
}

// What is planned is what would be run: with meta variables that the query reads.
static void test_meta(void **state) {
  (void)state;
  Tarn *tarn = tarn_init();
  assert_int_equal(tarn_read_text(tarn,
                                  "meta int m;\nprocess P() { state A; init A; trans A -> A { "
                                  "assign m = 1; }; }\nsystem P;",
                                  "uppaal"),
                   0);
  assert_int_equal(tarn_plan(tarn, "E<> m == 1"), 0);
  assert_non_null(strstr(tarn_warnings(tarn), "reads a meta variable"));
  tarn_release(tarn);
}

SESSIONS_MAIN("explain", cmocka_unit_test(test_answer), cmocka_unit_test(test_meta))
