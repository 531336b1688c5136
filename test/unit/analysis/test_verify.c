// Each rule of the verification: it refuses a family that is no symmetry, which is accepted
// without the rule; that it is none is found out by force.
#include "analysis/symmetry/verify.h"

#include "asymmetries.h"
#include "automorphism.h"

static void test_rules(void **state) {
  (void)state;
  for (uint32_t i = 0; i < sizeof asymmetric_cases / sizeof *asymmetric_cases; i++) {
    Reading r;
    reading_accept(&r, asymmetric_cases[i].model);
    Family family = family_make(&r, &asymmetric_cases[i].draft);
    if (symmetry_verify(&family, &r.arena, &r.net, 0))
      fail_msg("rule %u: accepted", i);
    if (!symmetry_verify(&family, &r.arena, &r.net, asymmetric_cases[i].rule))
      fail_msg("rule %u: refused by others as well", i);
    if (is_automorphism(&r.net, &r.mem, &family, 400))
      fail_msg("rule %u: it is a symmetry all the same", i);
    reading_release(&r);
  }
}

static void test_good(void **state) {
  (void)state;
  for (uint32_t i = 0; i < sizeof symmetric_cases / sizeof *symmetric_cases; i++) {
    Reading r;
    reading_accept(&r, symmetric_cases[i].model);
    Family family = family_make(&r, &symmetric_cases[i].draft);
    if (!symmetry_verify(&family, &r.arena, &r.net, 0))
      fail_msg("good %u: refused", i);
    if (!is_automorphism(&r.net, &r.mem, &family, 400))
      fail_msg("good %u: it is none", i);
    assert_int_equal(family.excluded != NULL, i == 3);
    reading_release(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_rules), cmocka_unit_test(test_good)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
