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
      {"process Q() { state A; init A; trans A -> A { select i : int[0,1], i : int[0,2]; }; } "
       "R = Q(); system R;//",
       NULL, NULL, "model:1:68: `i` is selected twice; the first time at model:1:54"},
      {"process Q() { state A; branchpoint b, b; init A; } system Q;//", NULL, NULL,
       "model:1:39: the location `b` is declared twice; the first time at model:1:36"},
  };
  ELAB_ALL(cases);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_cases)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
