// Values by location: counts up to a guard, resets, variables of others; and the clock bounds
// that follow.
#include "model/localranges.h"

#include "analysis/clockbounds.h"
#include "nets.h"

typedef struct Case {
  Fixture f;
  LocationId idle, wait, back;
  uint32_t n;
  EventId event;
} Case;

static const Expr *times(Case *c, int32_t by) {
  return binary(&c->f, EXPR_MUL, var(&c->f, c->n), num(&c->f, by));
}

// idle -n := 1-> wait, wait -> back, back -n < 8, n := n + 1-> wait, back -n == 8, n := 0-> idle.
static void begin(Case *c) {
  Fixture *f = &c->f;
  fixture_init(f);
  net_add_clocks(&f->net, "x", 1, NOWHERE);
  c->n = add_int(f, "n", 0, 100, 0);
  c->event = net_add_event(&f->net, "a", NOWHERE);
  const ProcessId p = net_add_process(&f->net, "P", NOWHERE);
  c->idle = add_location(f, p, "idle", true);
  c->wait = add_location(f, p, "wait", false);
  c->back = add_location(f, p, "back", false);
  const Expr *n = var(f, c->n), *x = clock_at(f, 1);
  Edge *edge = add_edge(f, c->idle, c->wait, c->event);
  edge->guard_expr = test_of(f, x, NULL, EXPR_GE, binary(f, EXPR_ADD, n, num(f, 3)));
  edge->update_stmts = then(set_int(f, n, num(f, 1)), reset_clock(f, 1));
  edge = add_edge(f, c->wait, c->back, c->event);
  edge->guard_expr = test_of(f, x, NULL, EXPR_LE, times(c, 10));
  edge->update_stmts = reset_clock(f, 1);
  edge = add_edge(f, c->back, c->wait, c->event);
  edge->guard_expr = binary(f, EXPR_LT, n, num(f, 8));
  edge->update_stmts = then(set_int(f, n, binary(f, EXPR_ADD, n, num(f, 1))), reset_clock(f, 1));
  edge = add_edge(f, c->back, c->idle, c->event);
  edge->guard_expr =
      conjunction(f, binary(f, EXPR_EQ, n, num(f, 8)), test_of(f, x, NULL, EXPR_GE, times(c, 2)));
  edge->update_stmts = then(set_int(f, n, num(f, 0)), reset_clock(f, 1));
}

static void expect(const Case *c, LocationId location, int32_t low, int32_t high) {
  Access access;
  Arena arena = {.mem = c->f.net.mem};
  access_init(&access, &arena, &c->f.net);
  int32_t lows[8], highs[8];
  Flow flow = {&access, &c->f.net, lows, highs, false};
  localranges_enter(&c->f.net, &flow, location);
  assert_int_equal(lows[0], low);
  assert_int_equal(highs[0], high);
  access_release(&access);
  arena_release(&arena);
}

static void test_count(void **unused) {
  (void)unused;
  Case c;
  begin(&c);
  fixture_finish(&c.f);
  expect(&c, c.idle, 0, 0);
  expect(&c, c.wait, 1, 8);
  expect(&c, c.back, 1, 8);
  ClockBounds bounds;
  assert_true(clockbounds_compute(&bounds, &c.f.arena, &c.f.net, NULL, &c.f.report));
  const int32_t lower[] = {3, CLOCK_UNBOUNDED, 16},
                upper[] = {CLOCK_UNBOUNDED, 80, CLOCK_UNBOUNDED};
  for (LocationId l = 0; l < 3; l++) {
    assert_int_equal(bounds.by_location[l].size, 1);
    assert_int_equal(bounds.by_location[l].items[0].lower, lower[l]);
    assert_int_equal(bounds.by_location[l].items[0].upper, upper[l]);
  }
  fixture_release(&c.f);
}

// Long counts jump to the constant of the guard, and without a guard to the range of the net.
static void test_jump(void **unused) {
  (void)unused;
  Case c;
  begin(&c);
  Fixture *f = &c.f;
  Edge *edge = add_edge(f, c.back, c.wait, c.event);
  edge->guard_expr = binary(f, EXPR_LT, var(f, c.n), num(f, 60));
  edge->update_stmts = set_int(f, var(f, c.n), binary(f, EXPR_ADD, var(f, c.n), num(f, 1)));
  fixture_finish(f);
  expect(&c, c.idle, 0, 0);
  expect(&c, c.wait, 1, 60);
  fixture_release(f);
}

// What another process writes, too, is not followed.
static void test_shared(void **unused) {
  (void)unused;
  Case c;
  begin(&c);
  Fixture *f = &c.f;
  const LocationId m = add_location(f, net_add_process(&f->net, "Q", NOWHERE), "m", true);
  add_edge(f, m, m, c.event)->update_stmts = set_int(f, var(f, c.n), num(f, 5));
  fixture_finish(f);
  expect(&c, c.idle, 0, f->net.slots.high[0]);
  assert_true(f->net.slots.high[0] >= 8);
  fixture_release(f);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_count), cmocka_unit_test(test_jump),
                                     cmocka_unit_test(test_shared)};
  return cmocka_run_group_tests_name("localranges", tests, NULL, NULL);
}
