// What the other processes do is in test_machines.c.
#include "plan/serving.h"

#include "sessions.h"

// Without other processes the session is its own master.
static void test_alone(void **state) {
  (void)state;
  Tarn *tarn = sessions_read(SESSIONS_SMALL);
  assert_int_equal(serving_attach(tarn, NULL), 0);
  assert_null(tarn->link);
  assert_int_equal(tarn_check(tarn, "E<> P.C"), TARN_SATISFIED);
  tarn_release(tarn);
}

SESSIONS_MAIN("serving", cmocka_unit_test(test_alone))
