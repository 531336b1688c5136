#include "plan/slices.h"

#include "sessions.h"

// Q neither synchronises with P nor shares anything with it.
#define BESIDE                                                                                   \
  SESSIONS_SMALL                                                                                 \
  "clock:1:y\nprocess:Q\nlocation:Q:A{initial:}\nlocation:Q:B{}\n"                               \
  "edge:Q:A:B:a{provided: y>1 : do: y=0}\nedge:Q:B:A:a{provided: y>1 : do: y=0}\n"

static void test_slice(void **state) {
  (void)state;
  Tarn *tarn = sessions_read(BESIDE);
  Check check;
  sessions_begin(&check, tarn, "E<> P.C");
  assert_true(slices_exist(&check));
  assert_true(slices_enter(&check, &tarn->options, SLICE_EXACT, 0));
  assert_true(check.net != tarn->net);
  assert_true(check.net->processes.size <= tarn->net->processes.size);
  slices_leave(&check);
  assert_ptr_equal(check.net, tarn->net);
  assert_string_equal(check.query.text, "E<> P.C");
  sessions_begin(&check, tarn, "E<> P.C && Q.B");
  assert_false(slices_enter(&check, &tarn->options, SLICE_EXACT, 0)); // all processes count
  slices_leave(&check);
  tarn_release(tarn);
}

SESSIONS_MAIN("slices", cmocka_unit_test(test_slice))
