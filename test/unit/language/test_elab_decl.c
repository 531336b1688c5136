// Declarations: variables, constants, types, channels and their priorities.
#include "elaborating.h"

static void test_cases(void **state) {
  (void)state;
  static const ElabCase cases[] = {

      {"const int N = 2 + 3; int a = N;", "a == N", NULL, "a == 5 / "},
      {"typedef int[0,3] id; id a = 3; id b = 4;", NULL, NULL,
       "model:1:39: the value 4 is outside the range 0 .. 3"},
      {"int a[2] = {1, 2, 3};", NULL, NULL, "model:1:12: there are 3 values for an array of 2"},
      {"const int t[3] = {4, 5, 6};", "t[1] == 5", NULL, " / "},
      {"const int t[3] = {4, 5, 6}; int[0,2] i;", "t[i] == 5", NULL, "t[i] == 5 / "},
      {"const int k;", "k == 0", NULL, "model:1:11: the constant `k` needs a value"},
      {"typedef const int T; T t[2];", NULL, NULL, "model:1:24: the constant `t` needs a value"},
      {"chan c; chan priority default < c;", NULL, NULL, " / "},
      {"chan priority nobody;", NULL, NULL, "model:1:15: `nobody` is not declared"},
      {"meta int m; bool b = true;", "b && m == 0", NULL, "b && m == 0 / "},
      {"chan c, d; chan priority c < d; chan priority d < c;", NULL, NULL,
       "model:1:33: `chan priority` is declared twice; the first time at model:1:12"},
      {"chan c, d[2]; chan priority c, d < default < d[1];", NULL, NULL,
       "model:1:47: `d[1]` is given a priority twice; the first time at model:1:32"},
      {"chan c; chan priority default < c < default;", NULL, NULL,
       "model:1:9: `default` is listed twice, with different priorities"},
      {"int a; before_update { a = 0 } before_update { a = 1 }", NULL, NULL,
       "model:1:32: `before_update` is declared twice; the first time at model:1:8"},
      {"struct { int u; int v; } s = {v: 1, v: 2};", NULL, NULL,
       "model:1:40: the field `v` is given a value twice; the first time at model:1:34"},
      {"struct { int u; int v; } s = {v: 1, 2};", NULL, NULL,
       "model:1:37: the field `v` is given a value twice; the first time at model:1:34"},
  };
  ELAB_ALL(cases);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_cases)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
