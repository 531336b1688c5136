// What a permutation does to events, values and states.
#include "analysis/symmetry/permutation.h"

#include "families.h"

#define MODEL                                                                                    \
  "system:s\nevent:a\nevent:b\nint:1:0:3:0:i\nint:1:0:3:1:j\nint:1:0:3:0:id\nprocess:"           \
  "P\nprocess:Q\n"                                                                               \
  "location:P:A{initial:}\nlocation:P:B{}\nlocation:Q:A{initial:}\nlocation:Q:B{}\n"

static void test_states(void **state) {
  (void)state;
  Reading r;
  reading_accept(&r, MODEL);
  const Draft draft = {
      .size = 2, .processes = "P Q", .slots = "i j", .ids = "id", .values = {1, 3}};
  const Family family = family_make(&r, &draft);
  const uint32_t image[] = {1, 0};
  const Permutation perm = family_permutation(&family, &r.arena, &r.net, image);
  const int32_t from[] = {2, 0, 1, 1, 0};
  int32_t to[5];
  permutation_apply(&perm, to, from);
  const int32_t wanted[] = {0, 2, 3, 0, 1};
  assert_memory_equal(to, wanted, sizeof wanted);
  assert_int_equal(permutation_value(&perm, 1, 3), 1);
  assert_int_equal(permutation_value(&perm, 1, 2), 2);
  assert_int_equal(permutation_value(&perm, 1, 7), 7);
  assert_false(permutation_keeps_initial(&perm)); // i and j begin with other values
  reading_release(&r);
}

static void test_events(void **state) {
  (void)state;
  const EventPair pairs[] = {{1, 2, 5}, {1, 5, 2}, {4, 0, 3}};
  const Permutation perm = {.events = pairs, .event_count = 3};
  assert_int_equal(permutation_event(&perm, 1, 2), 5);
  assert_int_equal(permutation_event(&perm, 1, 5), 2);
  assert_int_equal(permutation_event(&perm, 4, 0), 3);
  assert_int_equal(permutation_event(&perm, 4, 3), 3);
  assert_int_equal(permutation_event(&perm, 0, 2), 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_states),
                                     cmocka_unit_test(test_events)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
