#include "command/expectation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_verdicts(void **state) {
  (void)state;
  assert_int_equal(expectation_verdict("T"), TARN_SATISFIED);
  assert_int_equal(expectation_verdict("UNSAT"), TARN_NOT_SATISFIED);
  assert_int_equal(expectation_verdict("10MB,F,3s"), TARN_NOT_SATISFIED);
  assert_int_equal(expectation_verdict("E"), TARN_REFUSED);
  assert_int_equal(expectation_verdict("TRUER"), -1);
  assert_int_equal(expectation_verdict(""), -1);
  assert_int_equal(expectation_verdict(NULL), -1);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_verdicts)};
  return cmocka_run_group_tests_name("expectation", tests, NULL, NULL);
}
