// Edges: select is expanded, conditions on constants decide which edges there are.
#include "elaborating.h"

static void test_cases(void **state) {
  (void)state;
  static const ElabCase cases[] = {

      {"int a;", "true", "a = 1", " / a = 1"},
      {"int a;", "a == 1 && 2 > 1", NULL, "a == 1 / "},
      {"clock x; int n;", "x <= n + 1 && n > 0", "x = 0, n++",
       "x <= n + 1 && n > 0 / x = 0; n = n + 1"},
      {"clock x, y;", "x - y < 3", NULL, "x - y < 3 / "},
      {"clock x; bool b;", "b || x > 2", NULL, "b || x > 2 / "},
      {"clock x; int a;", "(a == 1 ? 2 : 3) < x", NULL, "x > (if a == 1 then 2 else 3) / "},
  };
  ELAB_ALL(cases);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_cases)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
