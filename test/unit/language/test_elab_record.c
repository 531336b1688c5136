// Structs with clocks are stored in two parts.
#include "elaborating.h"

static void test_cases(void **state) {
  (void)state;
  static const ElabCase cases[] = {

      {"struct { clock x; int n; } s;", "s.x > 1 && s.n == 2", "s.x = 0, s.n = 3",
       "s.x > 1 && s.n == 2 / s.x = 0; s.n = 3"},
      {"struct { clock x; int n; } s[2];", "s[1].x > 1", "s[0].n = 3", "s[1].x > 1 / s[0].n = 3"},
      {"struct { clock x; int n; } s; void f() { struct { clock y; } t; }", NULL, "f()",
       "model:1:62: local clocks and channels are not supported: tarn checks timed automata "
       "exactly"},
  };
  ELAB_ALL(cases);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_cases)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
