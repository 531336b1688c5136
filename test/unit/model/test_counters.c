// Counters: bounded by what processes add on the way to their locations.
#include "model/counters.h"

#include "nets.h"

static Stmt *add_to(Fixture *f, uint32_t v, int32_t delta) {
  return set_int(f, var(f, v), binary(f, EXPR_ADD, var(f, v), num(f, delta)));
}

static void test_balance(void **unused) {
  (void)unused;
  Fixture f;
  fixture_init(&f);
  const uint32_t n = add_int(&f, "n", -1000, 1000, 5), up = add_int(&f, "up", -1000, 1000, 0);
  const uint32_t set = add_int(&f, "set", -1000, 1000, 0);
  const EventId a = net_add_event(&f.net, "a", NOWHERE);
  for (ProcessId p = 0; p < 3; p++) {
    net_add_process(&f.net, "P", NOWHERE);
    const LocationId out = add_location(&f, p, "out", true),
                     in = add_location(&f, p, "in", false);
    add_edge(&f, out, in, a)->update_stmts = add_to(&f, n, 2);
    add_edge(&f, in, out, a)->update_stmts = add_to(&f, n, -2);
    add_edge(&f, in, in, a)->update_stmts = add_to(&f, up, 1);
    add_edge(&f, in, in, a)->update_stmts = add_to(&f, set, -1);
    add_edge(&f, out, out, a)->update_stmts = set_int(&f, var(&f, set), num(&f, 3));
  }
  fixture_finish(&f);
  int32_t low[16], high[16];
  for (uint32_t slot = 0; slot < f.net.slots.count; slot++) {
    low[slot] = -1000;
    high[slot] = 1000;
  }
  counters_limit(&f.net, low, high);
  assert_int_equal(low[0], 5);
  assert_int_equal(high[0], 11);
  assert_int_equal(low[1], 0);
  assert_int_equal(high[1], 1000);
  assert_int_equal(low[2], -1000);
  assert_int_equal(high[2], 1000);
  assert_int_equal(f.net.slots.high[0], 11);
  fixture_release(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_balance)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
