#include "output/expectation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_verdicts(void **state) {
  (void)state;
  assert_int_equal(expectation_met("T", VERDICT_SATISFIED), 1);
  assert_int_equal(expectation_met("T", VERDICT_UNDECIDED), 0);
  assert_int_equal(expectation_met("UNSAT", VERDICT_NOT_SATISFIED), 1);
  assert_int_equal(expectation_met("10MB,F,3s", VERDICT_NOT_SATISFIED), 1);
  assert_int_equal(expectation_met("10MB,F,3s", VERDICT_SATISFIED), 0);
  assert_int_equal(expectation_met("E", VERDICT_REFUSED), 1);
  assert_int_equal(expectation_met("TRUER", VERDICT_SATISFIED), -1);
  assert_int_equal(expectation_met("", VERDICT_SATISFIED), -1);
  assert_int_equal(expectation_met(NULL, VERDICT_SATISFIED), -1);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_verdicts)};
  return cmocka_run_group_tests_name("expectation", tests, NULL, NULL);
}
