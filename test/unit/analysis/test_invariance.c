// Which symmetries formulas have.
#include "analysis/symmetry/invariance.h"

#include "families.h"

#define COPY(p, x)                                                                               \
  "process:" p "\nclock:1:" x "\nlocation:" p ":A{initial:}\nlocation:" p ":B{}\n"
#define MODEL                                                                                    \
  "system:s\nevent:tau\nint:1:0:4:0:id\nint:1:0:9:0:n\n" COPY("P", "p") COPY("Q", "q")           \
      COPY("R", "r") COPY("S", "s")

static const Draft draft = {
    .size = 4, .processes = "P Q R S", .clocks = "p q r s", .ids = "id", .values = {1, 2, 3, 4}};

// How many ids can still be exchanged, 0 for none.
static uint32_t left(const char *text, bool is_cyclic) {
  Reading r;
  reading_accept(&r, MODEL);
  Family family = family_make(&r, &draft);
  family.is_cyclic = is_cyclic;
  const Symmetry symmetry = {&family, 1};
  const Source source = {.name = "query", .text = text, .size = strlen(text)};
  Query query;
  assert_true(query_read(&query, &r.arena, &r.net, &source, &r.report));
  const Symmetry kept = invariance_restrict(&symmetry, &r.arena, &r.net, query.formula);
  const uint32_t size = kept.count ? kept.families[0].size : 0;
  reading_release(&r);
  return size;
}

static void test_whole(void **state) {
  (void)state;
  assert_int_equal(left("E<> n == 3", false), 4);
  assert_int_equal(left("E<> id == 0 && n > 2", false), 4);
  assert_int_equal(
      left("A[] !(P.B && Q.B || P.B && R.B || P.B && S.B || Q.B && R.B || Q.B && S.B "
           "|| R.B && S.B)",
           false),
      4);
  assert_int_equal(left("E<> (P.B || Q.B || R.B || S.B) && id != 0", false), 4);
  assert_int_equal(left("E<> p > 3 || q > 3 || s > 3 || r > 3", false), 4);
  assert_int_equal(left("E<> id == 1 || id == 2 || id == 4 || id == 3", false), 4);
}

static void test_some(void **state) {
  (void)state;
  assert_int_equal(left("E<> P.B", false), 3);
  assert_int_equal(left("E<> P.B && Q.B", false), 2);
  assert_int_equal(left("E<> P.B && id == 2", false), 2);
  assert_int_equal(left("E<> q > 3", false), 3);
  assert_int_equal(left("E<> P.B && Q.B && R.B", false), 0);
  assert_int_equal(left("E<> id < 2", false), 0); // an order of ids
  assert_int_equal(left("E<> p > 3 || q > 3 || s > 3 || r > 4", false), 0);
}

static void test_sums(void **state) {
  (void)state;
  assert_int_equal(left("E<> P.B + Q.B + R.B + S.B > 1", false), 4);
  assert_int_equal(left("A[] 2 >= S.B + (Q.B + P.B) + R.B", false), 4);
  assert_int_equal(left("A[] P.B + Q.B + n < 4 && n > R.B + S.B", false), 0);
  assert_int_equal(left("E<> P.B + Q.B + R.B > 1", false), 0);
  assert_int_equal(left("E<> P.B + Q.B + R.B + S.B + S.B > 1", false), 0); // one counts twice
  assert_int_equal(left("E<> P.B + Q.B - R.B - S.B > 1", false), 0);
  assert_int_equal(left("E<> P.B + Q.B + R.B + S.B == id", false), 0);
  assert_int_equal(left("E<> P.B + Q.B + R.B + S.B + id == 3", false), 0);
  // in another order a partial sum overflows
  assert_int_equal(left("E<> P.B + 2147483646 + Q.B + R.B - 9 + S.B > 1", false), 0);
}

static void test_rotations(void **state) {
  (void)state;
  assert_int_equal(left("E<> P.B", true), 0);
  assert_int_equal(left("E<> P.B && Q.B || Q.B && R.B || R.B && S.B || P.B && S.B", true), 4);
  assert_int_equal(left("E<> P.B && Q.B || Q.B && R.B || R.B && S.B || P.B && S.B", false), 0);
}

// Terms of the orbit, 0 if there is none.
static uint32_t images(const char *text, bool keeps_initial) {
  Reading r;
  reading_accept(&r, MODEL);
  Family family = family_make(&r, &draft);
  family.keeps_initial = keeps_initial;
  const Source source = {.name = "query", .text = text, .size = strlen(text)};
  Query query;
  assert_true(query_read(&query, &r.arena, &r.net, &source, &r.report));
  const Expr *orbit = invariance_orbit(&family, &r.arena, &r.net, query.formula, false);
  uint32_t count = orbit != NULL;
  if (orbit)
    assert_true(invariance_holds(&family, &r.arena, &r.net, orbit));
  for (const Expr *e = orbit; e && e->kind == EXPR_OR; e = e->a)
    count++;
  reading_release(&r);
  return count;
}

static void test_orbits(void **state) {
  (void)state;
  assert_int_equal(images("E<> P.B", true), 4);
  assert_int_equal(images("E<> P.B && Q.B", true), 12);
  assert_int_equal(images("E<> P.B && id == 2", true), 12);
  assert_int_equal(images("E<> P.B && id != 1", true), 4);
  assert_int_equal(images("E<> P.B", false), 0); // another process may begin elsewhere
  assert_int_equal(images("E<> P.B && p > 3", true), 0);
  assert_int_equal(images("E<> P.B && id < 2", true), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_whole), cmocka_unit_test(test_some), cmocka_unit_test(test_sums),
      cmocka_unit_test(test_rotations), cmocka_unit_test(test_orbits)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
