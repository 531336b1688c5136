// The timer: seconds, and never backwards.
#define _POSIX_C_SOURCE 200809L
#include "base/timer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

static void test_never_backwards(void **state) {
  (void)state;
  double before = timer_seconds();
  for (int i = 0; i < 100000; i++) {
    const double now = timer_seconds();
    assert_true(now >= before);
    before = now;
  }
}

// Sleeping takes as long as it says, in seconds, or longer on a busy machine.
static void test_unit(void **state) {
  (void)state;
  const double before = timer_seconds();
  const struct timespec pause = {.tv_nsec = 20000000};
  nanosleep(&pause, NULL);
  const double passed = timer_seconds() - before;
  assert_true(passed >= 0.0199 && passed < 60);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_never_backwards),
      cmocka_unit_test(test_unit),
  };
  return cmocka_run_group_tests_name("timer", tests, NULL, NULL);
}
