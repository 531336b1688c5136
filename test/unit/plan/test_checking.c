#include "plan/checking.h"

#include "sessions.h"

static void test_query(void **state) {
  (void)state;
  Tarn *tarn = sessions_read(SESSIONS_SMALL);
  Check check;
  assert_string_equal(checking_source("a,b", true).name, "<labels>");
  assert_int_equal(checking_source("E<> P.A", false).size, 7);
  sessions_begin(&check, tarn, "A[] P.A");
  assert_true(check.has_query && check.answer->is_invariant);
  assert_int_equal(check.goal.clause_count, 1);
  sessions_begin(&check, tarn, "E<> P.A");
  assert_false(check.answer->is_invariant);
  const Source labels = checking_source("far", true), wrong = checking_source("E<> Q.A", false);
  assert_true(checking_read_query(&check, &labels, true));
  assert_false(checking_read_query(&check, &wrong, false));
  tarn_release(tarn);
}

SESSIONS_MAIN("checking", cmocka_unit_test(test_query))
