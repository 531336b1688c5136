// Symmetries that the checker accepts, for certificates.
#include "answers/certificates/certifiable.h"

#include "asymmetries.h"

// What is no symmetry is not certifiable; what the rules let pass mostly is.
static void test_families(void **state) {
  (void)state;
  for (uint32_t i = 0; i < sizeof asymmetric_cases / sizeof *asymmetric_cases; i++) {
    Reading r;
    reading_accept(&r, asymmetric_cases[i].model);
    const Family family = family_make(&r, &asymmetric_cases[i].draft);
    const Symmetry symmetry = {&family, 1};
    assert_int_equal(certifiable_restrict(&symmetry, &r.arena, &r.net, NULL).count, 0);
    reading_release(&r);
  }
  Reading r;
  reading_accept(&r, symmetric_cases[0].model);
  const Family family = family_make(&r, &symmetric_cases[0].draft);
  const Symmetry symmetry = {&family, 1};
  assert_int_equal(certifiable_restrict(&symmetry, &r.arena, &r.net, NULL).count, 1);
  reading_release(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_families)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
