// Processes: parameters, instances, and the system line.
#include "elaborating.h"

static void test_cases(void **state) {
  (void)state;
  static const ElabCase cases[] = {

      {"process Q(int n) { state A; init A; }", NULL, NULL, " / "},
      {"int a; process Q(int &n, const int k) { state A; init A; trans A -> A { assign n = k; }; "
       "} R = Q(a, 2);",
       NULL, NULL, " / "},
      {"process P() { state A; init A; }", NULL, NULL,
       "model:1:42: `P` is declared twice; the first time at model:1:9"},
      {"process Q() { state A; init B; } ", NULL, NULL, " / "},
      {"process Q() { state A; init A; } Q = P();", NULL, NULL,
       "model:1:34: `Q` is declared twice; the first time at model:1:9"},
      {"process Q() { state A; init A; } R = Q(); int y; process S() { state A; init A; trans A "
       "-> A { assign y = 1; }; }",
       NULL, "y = 2", " / y = 2"},
  };
  ELAB_ALL(cases);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_cases)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
