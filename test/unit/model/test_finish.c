// What a finished network knows: slots, edges by location, invariants, and what is wrong with it.
#include "reading.h"

static void test_tables(void **state) {
  (void)state;
  Reading r;
  reading_accept(&r, PREAMBLE "location:P:C{committed: : invariant: x < 3}\nedge:P:A:B:a\n"
                              "edge:P:A:C:b\nedge:Q:A:A:a{provided: x - y <= 1}\nsync:P@a:Q@a\n");
  const Net *net = &r.net;
  assert_int_equal(net->location_slot, 6);
  assert_int_equal(net->slots.count, 8);
  assert_string_equal(net->slots.names[2], "v[0]");
  assert_string_equal(net->clock_names[3], "z[0]");
  assert_int_equal(net->slots.min[1], -5);
  assert_int_equal(net->slots.max[6], 2); // three locations
  assert_int_equal(net->slots.initial[2], 1);
  const Location *a = net_location(net, 0, 0), *c = net_location(net, 0, 2);
  assert_int_equal(a->edge_count, 2);
  const LocationId at = (LocationId)(c - net->locations.items);
  assert_non_null(net->by_location.invariants[at]);
  assert_true(net->by_location.committed[at] && net->by_location.urgent[at]);
  assert_true(net->traits.has_diagonals && net->traits.has_strict);
  assert_false(net->async[0 * net->events.size + 0]); // a is synchronised
  assert_true(net->async[0 * net->events.size + 1]);
  reading_release(&r);
}

static void test_errors(void **state) {
  (void)state;
  static const char *const models[] = {PREAMBLE "edge:P:A:B:a{provided: x < 1000000000000000}\n",
                                       PREAMBLE "sync:P@a:P@b\n", PREAMBLE "location:P:A{}\n"};
  for (uint32_t k = 0; k < sizeof models / sizeof *models; k++) {
    Reading r;
    assert_false(reading_model(&r, models[k]));
    assert_true(report_failed(&r.report));
    reading_release(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_tables),
                                     cmocka_unit_test(test_errors)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
