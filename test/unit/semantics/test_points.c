#include "semantics/discrete/points.h"

#include "whole_time.h"

// As JLS12 prints them, Figure 6.
static void test_paper(void **state) {
  (void)state;
  discrete_counts(points_new, "vikings", "2", BOUNDS_GLOBAL, 295, 152);
  discrete_counts(points_new, "vikings", "3", BOUNDS_GLOBAL, 2614, 1263);
}

static void test_small(void **state) {
  (void)state;
  Reading r;
  Statistics stats;
  // Time passes to 2, once to 3, and no further; the edge at 2 leads to x = 0 in B.
  reading_accept(&r, "system:s\nevent:a\nclock:1:x\nprocess:P\nlocation:P:A{initial:}\n"
                     "location:P:B{invariant: x<=1}\nedge:P:A:B:a{provided: x==2 : do: x=0}\n");
  discrete_explore(&stats, points_new, &r, BOUNDS_GLOBAL);
  assert_int_equal(stats.stored, 4 + 2);
  assert_int_equal(stats.discovered, 3 + 1 + 1);
  reading_release(&r);
}

static void test_global(void **state) {
  (void)state;
  discrete_compare(points_new, BOUNDS_GLOBAL, 300);
}

static void test_local(void **state) {
  (void)state;
  discrete_compare(points_new, BOUNDS_LOCAL, 300);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_paper), cmocka_unit_test(test_small),
                                     cmocka_unit_test(test_global), cmocka_unit_test(test_local)};
  return cmocka_run_group_tests_name("points", tests, NULL, NULL);
}
