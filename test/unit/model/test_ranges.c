// Intervals of variables: constants, counts with and without a guard, arrays, what is computed.
#include "model/intervals.h"
#include "model/ranges.h"

#include "nets.h"

typedef struct Case {
  Fixture f;
  LocationId l;
  EventId event;
} Case;

static void begin(Case *c) {
  fixture_init(&c->f);
  c->event = net_add_event(&c->f.net, "a", NOWHERE);
  c->l = add_location(&c->f, net_add_process(&c->f.net, "P", NOWHERE), "l", true);
}

static void add(Case *c, const Expr *guard, const Stmt *update) {
  Edge *edge = add_edge(&c->f, c->l, c->l, c->event);
  edge->guard_expr = guard;
  edge->update_stmts = update;
}

static void expect(const Case *c, uint32_t variable, int32_t low, int32_t high) {
  const uint32_t slot = c->f.net.variables.items[variable].base;
  assert_int_equal(c->f.net.slots.low[slot], low);
  assert_int_equal(c->f.net.slots.high[slot], high);
}

static void test_assignments(void **unused) {
  (void)unused;
  Case c;
  begin(&c);
  Fixture *f = &c.f;
  const uint32_t still = add_int(f, "still", -100, 100, 7);
  const uint32_t few = add_int(f, "few", -100, 100, 0);
  const uint32_t sum = add_int(f, "sum", -100, 100, 0);
  const uint32_t up = add_int(f, "up", -100, 100, 0);
  const uint32_t free_up = add_int(f, "free", -100, 100, 3);
  add(&c, NULL, set_int(f, var(f, few), num(f, 4)));
  add(&c, NULL, set_int(f, var(f, few), num(f, -2)));
  add(&c, NULL, set_int(f, var(f, sum), binary(f, EXPR_ADD, var(f, few), var(f, still))));
  add(&c, binary(f, EXPR_LT, var(f, up), num(f, 5)),
      set_int(f, var(f, up), binary(f, EXPR_ADD, var(f, up), num(f, 1))));
  add(&c, NULL, set_int(f, var(f, free_up), binary(f, EXPR_ADD, var(f, free_up), num(f, 1))));
  fixture_finish(f);
  expect(&c, still, 7, 7);
  expect(&c, few, -2, 4);
  expect(&c, sum, 0, 11);
  expect(&c, up, 0, 5);
  assert_int_equal(f->net.slots.high[f->net.variables.items[free_up].base], 100);
  const Range range = intervals_of_net(&f->net, binary(f, EXPR_MUL, var(f, few), num(f, 3)));
  assert_int_equal(range.low, -6);
  assert_int_equal(range.high, 12);
  fixture_release(f);
}

// A receiver counts what the sender may have changed: its own guard does not tell.
static void test_receiver(void **unused) {
  (void)unused;
  Case c;
  begin(&c);
  Fixture *f = &c.f;
  const uint32_t up = add_int(f, "up", 0, 100, 0);
  net_add_channel(&f->net, "c", NOWHERE);
  const LocationId m = add_location(f, net_add_process(&f->net, "Q", NOWHERE), "m", true);
  add_edge(f, c.l, c.l, f->net.channels.items[0].send)->update_stmts =
      set_int(f, var(f, up), num(f, 50));
  Edge *receiver = add_edge(f, m, m, f->net.channels.items[0].receive);
  receiver->guard_expr = binary(f, EXPR_LT, var(f, up), num(f, 5));
  receiver->update_stmts = set_int(f, var(f, up), binary(f, EXPR_ADD, var(f, up), num(f, 1)));
  fixture_finish(f);
  assert_true(f->net.slots.high[f->net.variables.items[up].base] >= 51);
  fixture_release(f);
}

static void test_arrays(void **unused) {
  (void)unused;
  Case c;
  begin(&c);
  Fixture *f = &c.f;
  const Type *element = type_int(&f->net.arena, 0, 9);
  const Type *array = type_array(&f->net.arena, element, 0, 4);
  const uint32_t a = net_add_variable(&f->net, "a", array, NULL, NOWHERE);
  const uint32_t i = add_int(f, "i", 0, 3, 1);
  add(&c, NULL, set_int(f, var(f, i), num(f, 2)));
  add(&c, NULL, set_int(f, expr_index(&f->net.arena, NOWHERE, var(f, a), var(f, i)), num(f, 6)));
  fixture_finish(f);
  const uint32_t base = f->net.variables.items[a].base;
  const int32_t highs[] = {0, 6, 6, 0};
  for (uint32_t k = 0; k < 4; k++)
    assert_int_equal(f->net.slots.high[base + k], highs[k]);
  fixture_release(f);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_assignments),
                                     cmocka_unit_test(test_receiver),
                                     cmocka_unit_test(test_arrays)};
  return cmocka_run_group_tests_name("ranges", tests, NULL, NULL);
}
