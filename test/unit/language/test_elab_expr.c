// Expressions: operators, their types, and where clocks may stand.
#include "elaborating.h"

static void test_cases(void **state) {
  (void)state;
  static const ElabCase cases[] = {

      {"int a, b;", "a + b * 2 > -a % 3", NULL, "a + b * 2 > -a % 3 / "},
      {"int a, b;", "a <? b == 1 and not (a >? b == 2)", NULL,
       "a <? b == 1 && !(a >? b == 2) / "},
      {"int a;", "a == 1 imply a > 0", NULL, "!(a == 1) || a > 0 / "},
      {"int a; bool b;", "b == (a > 1)", NULL, "b == (a > 1) / "},
      {"int a;", "(a & 3 | 4 ^ 1) << 2 >> 1 == 0", NULL, "(a & 3 | 5) << 2 >> 1 == 0 / "},
      {"int a;", "a > 0 ? a < 5 : a > -5", NULL, "(if a > 0 then a < 5 else a > -5) / "},
      {"int a[3];", "forall (i : int[0,2]) a[i] == i", NULL,
       "forall (i : int[0,2]) a[i] == i / "},
      {"int a[3];", "(sum (i : int[0,2]) a[i]) > 2", NULL, "(sum (i : int[0,2]) a[i]) > 2 / "},
      {"clock x;", "x + 1 == 2", NULL, "x == 1 / "},
      {"clock x;", "x * 2 > 3", NULL,
       "model:1:68: symbolic queries can compare a clock, or the difference of two clocks, with "
       "integers only"},
      {"int a[2]; int b[2];", "a == b", NULL, "a == b / "},
      {"int a[2]; int b[3];", "a == b", NULL,
       "model:1:75: values of different types cannot be compared"},
  };
  ELAB_ALL(cases);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_cases)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
