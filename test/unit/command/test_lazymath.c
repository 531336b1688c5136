// The mathematical functions of the command are those of libm.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

// No function is folded by the compiler.
static volatile double half = 0.5, two = 2, three = 3;

static void test_values(void **state) {
  (void)state;
  for (int again = 0; again < 2; again++) { // looked up, and known
    assert_true(fabs(exp(two) - 7.38905609893065) < 1e-14);
    assert_true(fabs(exp(log(three)) - 3) < 1e-15);
    assert_true(fabs(pow(sin(half), two) + pow(cos(half), two) - 1) < 1e-15);
    assert_true(fabs(atan2(two, three) + atan2(three, two) - 1.5707963267948966) < 1e-15);
    assert_true(fabs(erf(half) + erfc(half) - 1) < 1e-15);
    assert_true(sqrt(two * two) == 2 && cbrt(two * 4) == 2 && hypot(three, two * two) == 5);
    assert_true(fma(two, three, half) == 6.5 && ilogb(three) == 1 && exp2(three) == 8);
    assert_true(floor(half) == 0 && ceil(half) == 1 && trunc(-half) == 0 && round(half) == 1);
    assert_true(fmod(three, two) == 1 && fmin(two, three) == 2 && fmax(two, three) == 3);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_values)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
