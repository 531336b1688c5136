// Sorts of values: constants fit every sort that maps them right, open locals take the first.
#include "analysis/symmetry/sorts.h"

#include "families.h"

static void test_values(void **state) {
  (void)state;
  Reading r;
  reading_accept(&r, "system:s\nevent:tau\nint:1:0:2:0:id\nint:1:0:2:0:n\nprocess:P\nprocess:Q\n"
                     "location:P:A{initial:}\nlocation:Q:A{initial:}\n");
  const Draft draft = {.size = 2, .processes = "P Q", .ids = "id", .values = {1, 2}};
  const Family family = family_make(&r, &draft);
  const uint32_t swap[] = {1, 0};
  const Permutation perm = family_permutation(&family, &r.arena, &r.net, swap);
  const Match match = {.mem = &r.mem, .perm = &perm};
  Locals locals = {0};
  Walk w = {.match = &match, .perm = &perm, .locals = &locals};
  const Value moved = {.known = KNOWN_CONST, .from = 1, .to = 2};
  const Value fixed = {.known = KNOWN_CONST, .from = 1, .to = 1};
  assert_true(sorts_is(&w, moved, 1) && !sorts_is_plain(&w, moved));
  assert_true(!sorts_is(&w, fixed, 1) && sorts_is_plain(&w, fixed));
  assert_int_equal(sorts_unite(&w, sorts_value(1), moved).sort, 1);
  assert_int_equal(sorts_unite(&w, sorts_value(1), fixed).known, KNOWN_NOT);
  assert_int_equal(sorts_unite(&w, sorts_value(0), sorts_value(1)).known, KNOWN_NOT);
  // A local that was set to an id gets its sort by the first use, and keeps it.
  locals.values[3] = moved;
  const Value open = {.known = KNOWN_OPEN, .local = 3, .frame = &locals};
  assert_false(sorts_is_plain(&w, open));
  assert_true(sorts_is(&w, open, 1));
  assert_int_equal(locals.values[3].sort, 1);
  // A table of constants: the second half is the image of the first.
  static const int32_t table[] = {0, 1, 2}, image[] = {0, 2, 1};
  Pair pairs[] = {{0, 0}, {1, 1}, {2, 2}};
  Storage storage = {.space = EXPR_TABLE, .from = table, .to = image};
  storage.pairs.items = pairs;
  storage.pairs.size = 3;
  assert_int_equal(sorts_of_storage(&w, &storage, 1).sort, 1);
  storage.to = table;
  assert_int_equal(sorts_of_storage(&w, &storage, 1).sort, SORT_PLAIN);
  static const int32_t other[] = {1, 2, 0};
  storage.to = other;
  assert_int_equal(sorts_of_storage(&w, &storage, 1).known, KNOWN_NOT);
  reading_release(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_values)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
