// Mutants of a session: their number, their texts, and the comparison with one.
#include "plan/mutating.h"

#include "sessions.h"

static const char *const model = "system:s\nevent:a\nclock:1:x\nprocess:P\n"
                                 "location:P:A{initial: : invariant: x<=5}\nlocation:P:B{}\n"
                                 "edge:P:A:B:a{provided: x<=5}\n";

static void test_mutants(void **unused) {
  (void)unused;
  Tarn *tarn = sessions_read(model);
  TarnMutant mutant;
  assert_int_equal(tarn_mutate(tarn, "words"), -1);
  assert_non_null(strstr(tarn_error(tarn), "no operator `words`"));
  assert_int_equal(tarn_mutant(tarn, 0, &mutant), -1);
  assert_int_equal(tarn_mutate(tarn, "edge"), 1);
  assert_int_equal(tarn_mutate(tarn, "constant"), 4);
  assert_int_equal(tarn_mutant(tarn, 4, &mutant), -1);
  // Two of the invariant, then the guard: 4 differs, 6 does not, for the invariant implies it.
  for (size_t i = 0; i < 4; i++) {
    assert_int_equal(tarn_mutant(tarn, i, &mutant), 0);
    assert_string_equal(mutant.kind, "constant");
    assert_string_equal(mutant.from, "5");
    Tarn *other = sessions_read(mutant.text);
    size_t states = 100;
    int is_all = 0;
    assert_int_equal(tarn_is_alike(tarn, other, &states, &is_all), i == 3);
    if (i == 3)
      assert_true(is_all && states == 2);
    tarn_release(other);
  }
  tarn_release(tarn);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_mutants)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
