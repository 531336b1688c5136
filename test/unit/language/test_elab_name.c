// Names and parts of what they stand for.
#include "elaborating.h"

static void test_cases(void **state) {
  (void)state;
  static const ElabCase cases[] = {

      {"struct { int u; int v[2]; } s;", "s.v[1] == s.u", NULL, "s.v[1] == s.u / "},
      {"struct { int u; } s;", "s.w == 1", NULL, "model:1:74: there is no field `w`"},
      {"int a[2];", "a[2] == 1", NULL, "a[2] == 1 / "},
      {"int a;", "a[0] == 1", NULL, "model:1:60: this is not an array"},
      {"int a;", "a.b == 1", NULL, "model:1:60: this is not a struct: it has no field `b`"},
      {"int a[2][3]; int i;", "a[1][i] == 0", NULL, "a[1][i] == 0 / "},
  };
  ELAB_ALL(cases);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_cases)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
