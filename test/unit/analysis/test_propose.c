// Proposals: the columns of the families.
#include "analysis/symmetry/propose.h"

#include "families.h"

// Trains that a gate keeps in a queue: events and ids are found through the synchronisations.
#define TRAIN(t, x)                                                                              \
  "process:" t "\nclock:1:" x "\nlocation:" t ":A{initial:}\nlocation:" t ":B{}\nedge:" t        \
  ":A:B:come{do:" x "=0}\n"
#define GATE                                                                                     \
  "process:G\nlocation:G:A{initial:}\nedge:G:A:A:come1{do:q[n]=1;n=n+1}\n"                       \
  "edge:G:A:A:come2{do:q[n]=2;n=n+1}\nsync:G@come1:T@come\nsync:G@come2:U@come\n"

// A declared scalar set without processes.
static void test_scalar_set(void **state) {
  (void)state;
  Reading r;
  reading_accept_uppaal(&r, "typedef scalar[3] set; int[0, 2] n; int[0, 1] a[2][set]; set last;"
                            "clock x[set]; process P() { state A; init A; trans A -> A {"
                            "select i : set; guard a[1][i] == 0 && x[i] > 1;"
                            "assign a[1][i] = 1, last = i, x[i] = 0; }; } system P;");
  Proposals proposals;
  proposals_init(&proposals, &r.arena, &r.net);
  Family family;
  assert_true(proposals_next(&proposals, &r.arena, &family));
  assert_int_equal(family.size, 3);
  assert_int_equal(family.process_columns, 0);
  assert_int_equal(family.clock_columns, 1);
  assert_int_equal(family.slot_columns, 2);
  assert_int_equal(family.sort[0], SORT_PLAIN);           // n is no element
  assert_int_not_equal(family.sort[7], SORT_PLAIN);       // last is
  assert_int_equal(family.slots[4] - family.slots[3], 1); // a[1][0] and a[1][1]
  assert_false(proposals_next(&proposals, &r.arena, &family));
  proposals_release(&proposals);
  reading_release(&r);
}

static void test_columns(void **state) {
  (void)state;
  Reading r;
  reading_accept(
      &r, "system:s\nevent:come\nevent:come1\nevent:come2\nint:2:0:2:0:q\nint:1:0:2:0:n\n" TRAIN(
              "T", "t") TRAIN("U", "u") GATE);
  Proposals proposals;
  proposals_init(&proposals, &r.arena, &r.net);
  Family family;
  assert_true(proposals_next(&proposals, &r.arena, &family));
  assert_int_equal(family.size, 2);
  assert_int_equal(family.process_columns, 1);
  assert_int_equal(family.clock_columns, 1);
  assert_int_equal(family.slot_columns, 0);
  assert_int_equal(family.value_columns, 1);
  assert_int_equal(family.values[0].values[0], 1);
  assert_int_equal(family.values[0].values[1], 2);
  assert_int_equal(family.sort[0], 1);
  assert_int_equal(family.sort[1], 1);
  assert_int_equal(family.sort[2], SORT_PLAIN); // n counts
  const uint32_t swap[] = {1, 0};
  const Permutation perm = family_permutation(&family, &r.arena, &r.net, swap);
  assert_int_equal(permutation_event(&perm, 2, 1), 2);
  assert_int_equal(permutation_event(&perm, 2, 2), 1);
  assert_int_equal(permutation_event(&perm, 0, 0), 0);
  assert_false(proposals_next(&proposals, &r.arena, &family));
  proposals_release(&proposals);
  reading_release(&r);
}

static void test_nothing(void **state) {
  (void)state;
  Reading r;
  reading_accept(&r, PREAMBLE "edge:P:A:B:a\n");
  Proposals proposals;
  proposals_init(&proposals, &r.arena, &r.net);
  Family family;
  assert_false(proposals_next(&proposals, &r.arena, &family));
  proposals_release(&proposals);
  reading_release(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_columns),
                                     cmocka_unit_test(test_scalar_set),
                                     cmocka_unit_test(test_nothing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
