#include "plan/checking.h"

#include "sessions.h"

static void test_query(void **state) {
  (void)state;
  Tarn *tarn = sessions_read(SESSIONS_SMALL);
  Check check;
  sessions_begin(&check, tarn, "A[] P.A");
  assert_true(check.has_query && check.answer->is_invariant);
  assert_int_equal(check.goal.clause_count, 1);
  sessions_begin(&check, tarn, "E<> P.A");
  assert_false(check.answer->is_invariant);
  assert_true(checking_read_query(&check, handle_new(tarn, "far", true)));
  assert_false(checking_read_query(&check, handle_new(tarn, "E<> Q.A", false)));
  tarn_release(tarn);
}

SESSIONS_MAIN("checking", cmocka_unit_test(test_query))
