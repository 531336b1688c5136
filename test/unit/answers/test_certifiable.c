// Symmetries and dead variables that the checker accepts, for certificates.
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

// Dead variables are not, where nodes have to list differences of clocks as well.
static void test_dead(void **state) {
  (void)state;
  static const char *const queries[] = {"E<> P.C", "E<> P.C && x - y > 1", "E<> deadlock"};
  for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
    Reading r;
    Query query;
    Goal goal;
    const Source source = {.name = "query", .text = queries[i], .size = strlen(queries[i])};
    reading_accept_uppaal(&r,
                          "int[0,1] d; clock x, y;\n"
                          "process P() { state A, B, C; init A; trans\n"
                          "  A -> B { assign d = 1; }, B -> C { guard d == 1; }, C -> A { }; }\n"
                          "system P;\n");
    assert_true(query_read(&query, &r.arena, &r.net, &source, &r.report));
    assert_true(query_goal(&goal, &r.arena, &r.net, &query, &r.report));
    assert_int_equal(certifiable_dead(&r.net, &r.arena, &query, &goal) != NULL, i != 1);
    reading_release(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_families),
                                     cmocka_unit_test(test_dead)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
