// Synchronisations under a permutation: as multisets, with roles and the order where it matters.
#include "analysis/symmetry/syncs.h"

#include "families.h"

#define MODEL(syncs, p, q)                                                                       \
  "system:s\nevent:a\nevent:b\nint:1:0:2:0:u\nint:1:0:2:0:v\nprocess:P\nprocess:Q\nprocess:R\n"  \
  "location:P:A{initial:}\nlocation:Q:A{initial:}\nlocation:R:A{initial:}\n"                     \
  "edge:P:A:A:a{" p "}\nedge:Q:A:A:a{" q "}\nedge:R:A:A:b\n" syncs

static bool matches(const char *model, unsigned skip) {
  Reading r;
  reading_accept(&r, model);
  const Draft draft = {.size = 2, .processes = "P Q", .slots = "u v"};
  const Family family = family_make(&r, &draft);
  const uint32_t swap[] = {1, 0};
  const Permutation perm = family_permutation(&family, &r.arena, &r.net, swap);
  Verifier v = {.mem = &r.mem, .arena = &r.arena, .net = &r.net, .family = &family, .skip = skip};
  v.perm = v.match.perm = &perm;
  access_init(&v.access, &r.arena, &r.net);
  v.cells = ARENA_ARRAY(&r.arena, uint32_t, v.access.cell_count);
  const bool good = syncs_match(&v);
  access_release(&v.access);
  reading_release(&r);
  return good;
}

static void test_multisets(void **state) {
  (void)state;
  assert_true(matches(MODEL("sync:P@a:R@b\nsync:Q@a:R@b\n", "", ""), 0));
  assert_false(matches(MODEL("sync:P@a:R@b\n", "", ""), 0));
  assert_false(matches(MODEL("sync:P@a:R@b\nsync:Q@a:R@b?\n", "", ""), 0));
  assert_true(matches(MODEL("sync:P@a:R@b\nsync:Q@a:R@b?\n", "", ""), RULE_WEAK));
}

static void test_order(void **state) {
  (void)state;
  assert_true(matches(MODEL("sync:P@a:Q@a\n", "do:u=1", "do:v=1"), 0));
  assert_false(matches(MODEL("sync:P@a:Q@a\n", "do:u=v", "do:v=u"), 0));
  assert_true(matches(MODEL("sync:P@a:Q@a\n", "do:u=v", "do:v=u"), RULE_ORDER));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_multisets),
                                     cmocka_unit_test(test_order)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
