// Statements of functions.
#include "elaborating.h"

static void test_cases(void **state) {
  (void)state;
  static const ElabCase cases[] = {

      {"int a; void f() { int i; for (i = 0; i < 3; i++) a += i; }", NULL, "f()",
       " / local i; i = 0; while i < 3 do a = a + i; i = i + 1 end"},
      {"int a; void f() { while (a > 0) { a--; } do a++; while (a < 2); }", NULL, "f()",
       " / while a > 0 do a = a - 1 end; do a = a + 1 while a < 2"},
      {"int a; void f() { for (i : int[1,3]) { if (i == a) return; else a = i; } }", NULL, "f()",
       " / f()"},
      {"void f() { const int k; }", NULL, "f()", "model:1:22: the constant `k` needs a value"},
      {"int f() { return; }", "f() == 1", NULL, "model:1:11: the function must return a value"},
      {"int f() { int a = 1; }", "f() == 1", NULL,
       "model:1:5: the function `f` may end without `return`"},
      {"void f() { struct { int u; int v; } s = {u: 1, u: 2}; }", NULL, "f()",
       "model:1:51: the field `u` is given a value twice; the first time at model:1:45"},
      {"void f() { int a; int a; }", NULL, "f()",
       "model:1:23: `a` is declared twice; the first time at model:1:16"},
  };
  ELAB_ALL(cases);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_cases)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
