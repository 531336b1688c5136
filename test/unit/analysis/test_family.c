// Families: permutations of ids compose, and parts of families stay families.
#include "analysis/symmetry/family.h"

#include "families.h"

#define MODEL                                                                                    \
  "system:s\nevent:a\nclock:3:x\nint:3:0:9:0:v\nint:1:0:9:0:id\nprocess:P\nprocess:Q\nprocess:"  \
  "R\n"                                                                                          \
  "process:T\nlocation:P:A{initial:}\nlocation:Q:A{initial:}\nlocation:R:A{initial:}\n"          \
  "location:T:A{initial:}\nlocation:T:B{}\n"

static const Draft draft = {.size = 3,
                            .processes = "P Q R",
                            .clocks = "x[0] x[1] x[2]",
                            .slots = "v[0] v[1] v[2]",
                            .ids = "id v[0] v[1] v[2]",
                            .values = {3, 5, 4}};

static void test_compose(void **state) {
  (void)state;
  Reading r;
  reading_accept(&r, MODEL);
  const Family family = family_make(&r, &draft);
  const uint32_t turn[] = {1, 2, 0}, twice[] = {2, 0, 1};
  const Permutation once = family_permutation(&family, &r.arena, &r.net, turn);
  const Permutation both = family_permutation(&family, &r.arena, &r.net, twice);
  const int32_t from[] = {3, 4, 9, 5, 0, 0, 0, 1};
  int32_t one[8], two[8], wanted[8];
  permutation_apply(&once, one, from);
  permutation_apply(&once, two, one);
  permutation_apply(&both, wanted, from);
  assert_memory_equal(two, wanted, sizeof wanted);
  assert_int_equal(one[1], 5); // v[0], which held the first id, is v[1] and holds the second
  assert_int_equal(once.clock[3], 1);
  int32_t least;
  assert_int_equal(family_span(&family, 1, &least), 3);
  assert_int_equal(least, 3);
  assert_int_equal(family_span(&family, 0, &least), 0);
  reading_release(&r);
}

static void test_restrict(void **state) {
  (void)state;
  Reading r;
  reading_accept(&r, MODEL);
  Family whole = family_make(&r, &draft);
  const uint32_t ids[] = {0, 2};
  const Family part = family_restrict(&whole, &r.arena, ids, 2);
  const uint32_t swap[] = {1, 0};
  const Permutation perm = family_permutation(&part, &r.arena, &r.net, swap);
  assert_int_equal(perm.process[0], 2);
  assert_int_equal(perm.process[1], 1);
  assert_int_equal(permutation_value(&perm, 1, 3), 4);
  assert_int_equal(permutation_value(&perm, 1, 5), 5);
  // Not in the second location of T.
  bool excluded[5] = {false, false, false, false, true};
  int32_t at[] = {0, 0, 0, 0, 0, 0, 0, 1};
  assert_true(family_holds(&whole, &r.net, at));
  whole.excluded = excluded;
  assert_false(family_holds(&whole, &r.net, at));
  at[7] = 0;
  assert_true(family_holds(&whole, &r.net, at));
  reading_release(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_compose),
                                     cmocka_unit_test(test_restrict)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
