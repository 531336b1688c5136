// Functions that the language does not name: powers, and elements of values on the stack.
#include "elaborating.h"

static void test_cases(void **state) {
  (void)state;
  static const ElabCase cases[] = {

      {"int a;", "a ** 2 == 4", NULL, "a * a == 4 / "},
      {"const int N = 3;", "2 ** N == 8", NULL, " / "},
      {"typedef int T[2]; T f() { T t = {1, 2}; return t; } int[0,1] i;", "f()[i] == 2", NULL,
       "element(f(), i) == 2 / "},
  };
  ELAB_ALL(cases);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_cases)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
