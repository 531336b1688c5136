// What locations offer: asynchronous edges and synchronisations that may be possible.
#include "model/jointtable.h"

#include "reading.h"

static void test_place(void **state) {
  (void)state;
  Reading r;
  reading_accept(&r,
                 PREAMBLE "location:Q:C{committed:}\nedge:P:A:B:a\nedge:P:B:A:b\nedge:Q:A:C:a\n"
                          "edge:Q:C:A:b\nsync:P@a:Q@a\n");
  JointTable table;
  JointPlace place;
  jointtable_init(&table, &r.arena, &r.net);
  jointtable_place(&table, &r.arena, &place);
  assert_int_equal(table.process_count, 2);
  int32_t at[] = {0, 0};
  jointtable_find(&table, &place, at);
  assert_int_equal(place.candidates[0] & 1, 1); // both are where `a` leaves
  assert_false(place.has_async || place.committed);
  at[0] = 1;
  jointtable_find(&table, &place, at);
  assert_true(place.has_async); // b
  assert_int_equal(place.now[0]->async.count, 1);
  at[1] = 1;
  jointtable_find(&table, &place, at);
  assert_true(place.committed);
  assert_true(place.now[1]->committed);
  reading_release(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_place)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
