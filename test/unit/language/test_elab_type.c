// Types: ranges, arrays, structs, and their limits.
#include "elaborating.h"

static void test_cases(void **state) {
  (void)state;
  static const ElabCase cases[] = {

      {"int[3,1] a;", NULL, NULL,
       "model:1:1: the range is empty: nothing can have a value of this type"},
      {"int a[1000000][1000000];", NULL, NULL,
       "model:1:7: this array has more than 16777216 elements"},
      {"scalar[0] s;", NULL, NULL, "model:1:1: a scalar set needs at least one element"},
      {"typedef scalar[3] S; S s; int a[S];", "a[s] == 1", NULL, "a[s] == 1 / "},
      {"nothing a;", NULL, NULL, "model:1:1: there is no type `nothing`"},
      {"int a[-1];", NULL, NULL, "model:1:7: the size of an array is -1"},
      {"typedef int[2,4] R; int a[R]; R r;", "a[r] == a[2]", NULL, "a[r] == a[2] / "},
      {"struct { int u; int u; } s;", NULL, NULL,
       "model:1:21: the field `u` is declared twice; the first time at model:1:14"},
  };
  ELAB_ALL(cases);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_cases)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
