// Assignments inside expressions and in updates: their order, and what they yield.
#include "elaborating.h"

static void test_cases(void **state) {
  (void)state;
  static const ElabCase cases[] = {

      {"int a, b;", NULL, "a = b = 2", " / a = (b = 2)"},
      {"int a, b;", NULL, "a += 2, b <<= a", " / a = a + 2; b = b << a"},
      {"int a, b[3];", NULL, "b[a++] = 1", " / b[(a = a + 1) - 1] = 1"},
      {"int a, b;", NULL, "a = ++b + 1", " / a = (b = b + 1) + 1"},
      {"int a;", NULL, "a--", " / a = a - 1"},
      {"const int a = 1;", NULL, "a = 2", "model:1:72: this cannot be assigned to"},
      {"clock x; int a;", NULL, "x = a + 1", " / x = a + 1"},
      {"int a; clock x;", NULL, "a = x",
       "model:1:75: clocks have no integer value: they can only be compared"},
      {"clock x;", "x = 1", NULL,
       "model:1:62: inside an expression a clock can be compared, with `==`, but not set"},
      {"int a;", "a = 1", NULL, "model:1:62: a guard must not change variables"},
  };
  ELAB_ALL(cases);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_cases)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
