// Intervals of variables through conditions and statements.
#include "model/intervals.h"

#include "nets.h"
#include "ranges.h"

typedef struct Case {
  Fixture f;
  Access access;
  Flow flow;
  int32_t low[8], high[8];
  uint32_t n, m, a; // variables: 0 .. 9 twice, and an array of 3
} Case;

static void begin(Case *c) {
  Fixture *f = &c->f;
  fixture_init(f);
  c->n = add_int(f, "n", 0, 9, 0);
  c->m = add_int(f, "m", 0, 9, 0);
  const Type *array = type_array(&f->net.arena, type_int(&f->net.arena, 0, 9), 0, 3);
  c->a = net_add_variable(&f->net, "a", array, NULL, NOWHERE);
  add_location(f, net_add_process(&f->net, "P", NOWHERE), "l", true);
  fixture_finish(f);
  forget_ranges(&f->net);
  access_init(&c->access, &f->arena, &f->net);
  memcpy(c->low, f->net.slots.low, sizeof(int32_t) * f->net.slots.count);
  memcpy(c->high, f->net.slots.high, sizeof(int32_t) * f->net.slots.count);
  c->flow = (Flow){&c->access, &f->net, c->low, c->high, false};
}

static void end(Case *c) {
  access_release(&c->access);
  fixture_release(&c->f);
}

static void expect(const Case *c, uint32_t slot, int32_t low, int32_t high) {
  assert_false(c->flow.is_dead);
  assert_int_equal(c->low[slot], low);
  assert_int_equal(c->high[slot], high);
}

static void test_conditions(void **unused) {
  (void)unused;
  Case c;
  begin(&c);
  Fixture *f = &c.f;
  const Expr *n = var(f, c.n), *m = var(f, c.m);
  intervals_assume(&c.flow, binary(f, EXPR_LT, n, num(f, 8)), true);
  expect(&c, 0, 0, 7);
  intervals_assume(&c.flow, binary(f, EXPR_GE, n, num(f, 6)), false);
  expect(&c, 0, 0, 5);
  intervals_assume(&c.flow, binary(f, EXPR_NE, n, num(f, 0)), true);
  expect(&c, 0, 1, 5);
  intervals_assume(&c.flow, binary(f, EXPR_LE, binary(f, EXPR_ADD, n, num(f, 2)), num(f, 6)),
                   true);
  expect(&c, 0, 1, 4);
  intervals_assume(&c.flow, binary(f, EXPR_GT, m, n), true);
  expect(&c, 1, 2, 9);
  // Of a disjunction nothing is known, unless it does not hold.
  const Expr *either =
      binary(f, EXPR_OR, binary(f, EXPR_EQ, n, num(f, 2)), binary(f, EXPR_GE, n, num(f, 4)));
  intervals_assume(&c.flow, either, true);
  expect(&c, 0, 1, 4);
  intervals_assume(&c.flow, either, false);
  expect(&c, 0, 1, 3);
  intervals_assume(&c.flow, binary(f, EXPR_EQ, n, num(f, 7)), true);
  assert_true(c.flow.is_dead);
  end(&c);
}

static void test_statements(void **unused) {
  (void)unused;
  Case c;
  begin(&c);
  Fixture *f = &c.f;
  const Expr *n = var(f, c.n), *m = var(f, c.m);
  intervals_run(&c.flow,
                then(set_int(f, n, num(f, 3)), set_int(f, m, binary(f, EXPR_ADD, n, num(f, 1)))));
  expect(&c, 0, 3, 3);
  expect(&c, 1, 4, 4);
  // Both ways of a condition that is not known.
  const Expr *first = expr_index(&f->net.arena, NOWHERE, var(f, c.a), num(f, 0));
  Stmt *branch = new_stmt(f, STMT_IF);
  branch->value = binary(f, EXPR_LT, first, num(f, 5));
  branch->body = set_int(f, n, first);
  branch->other = set_int(f, n, num(f, 8));
  intervals_run(&c.flow, branch);
  expect(&c, 0, 0, 8);
  // One element, and perhaps one.
  intervals_run(&c.flow, set_int(f, first, num(f, 2)));
  expect(&c, 2, 2, 2);
  intervals_assume(&c.flow, binary(f, EXPR_LE, n, num(f, 1)), true);
  intervals_run(&c.flow,
                set_int(f, expr_index(&f->net.arena, NOWHERE, var(f, c.a), n), num(f, 4)));
  expect(&c, 2, 2, 4);
  expect(&c, 4, 0, 9);
  // What a loop writes is forgotten.
  Stmt *loop = new_stmt(f, STMT_WHILE);
  loop->value = binary(f, EXPR_LT, n, num(f, 5));
  loop->body = set_int(f, n, binary(f, EXPR_ADD, n, num(f, 1)));
  intervals_run(&c.flow, loop);
  expect(&c, 0, 0, 9);
  expect(&c, 1, 4, 4);
  // An assignment that always fails.
  intervals_run(&c.flow, set_int(f, n, num(f, 10)));
  assert_true(c.flow.is_dead);
  end(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_conditions),
                                     cmocka_unit_test(test_statements)};
  return cmocka_run_group_tests_name("intervals", tests, NULL, NULL);
}
