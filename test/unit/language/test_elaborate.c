// Scopes and messages: names are looked for from the inside out, one error for each place.
#include "elaborating.h"

static void test_cases(void **state) {
  (void)state;
  static const ElabCase cases[] = {

      {"int a; int a;", NULL, NULL,
       "model:1:12: `a` is declared twice; the first time at model:1:5"},
      {"int a; void f() { int a; a = 1; }", NULL, "f(), a = 2", " / local a; a = 1; a = 2"},
      {"", "nobody == 1", NULL, "model:1:54: `nobody` is not declared"},
      {"int A;", "A", NULL, "model:1:60: the location `A` can be used in queries only"},
      {"int P;", NULL, NULL, "model:1:16: `P` is declared twice; the first time at model:1:5"},
  };
  ELAB_ALL(cases);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_cases)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
