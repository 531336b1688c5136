// Functions: parameters by value and by reference, results, and what is refused.
#include "elaborating.h"

static void test_cases(void **state) {
  (void)state;
  static const ElabCase cases[] = {

      {"int a; int f(int x) { return x + a; }", "f(2) == 3", NULL, "f(2) == 3 / "},
      {"int a, b; void f(int &x) { x = 1; }", NULL, "f(a), f(b)", " / a = 1; b = 1"},
      {"int a; void f(int &x) { x = 1; }", NULL, "f(3)",
       "model:1:90: a variable is needed here: the parameter `x` is a reference"},
      {"int f(int x) { return f(x); }", "f(1) == 1", NULL,
       "model:1:23: the function `f` calls itself: there is no recursion"},
      {"int f(int x) { return x; }", "f(1, 2) == 1", NULL,
       "model:1:85: `f` has no more parameters"},
      {"int f(int x) { do { return x; } while (x > 0); }", "f(1) == 1", NULL, "f(1) == 1 / "},
      {"int f(int x) { while (x > 0) return x; }", "f(1) == 1", NULL,
       "model:1:5: the function `f` may end without `return`"},
      {"void f() { }", "f() == 1", NULL,
       "model:1:70: values of different types cannot be compared"},
      {"int a; int f() { a = 1; return 2; }", "f() == 2", NULL,
       "model:1:93: a guard must not change variables"},
  };
  ELAB_ALL(cases);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_cases)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
