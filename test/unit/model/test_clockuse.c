// Clocks in conditions and statements: which can be meant, what is tested and assigned.
#include "model/expr/clockuse.h"

#include "reading.h"

static void guard(Reading *r, const char *text) {
  char model[2000];
  snprintf(model, sizeof model, PREAMBLE "edge:P:A:B:a{provided: %s}\n", text);
  reading_accept(r, model);
}

static void count_test(void *context, const Expr *test) {
  assert_int_equal(test->kind, EXPR_CLOCK_TEST);
  ++*(int *)context;
}

static void test_tests(void **state) {
  (void)state;
  Reading r;
  guard(&r, "x < 3 && i == 1 && y - x > 2");
  int count = 0;
  clockuse_tests(r.net.edges.items[0].guard.expr, count_test, &count);
  assert_int_equal(count, 2);
  ClockTraits traits = {0};
  clockuse_traits(r.net.edges.items[0].guard.expr, &traits);
  assert_true(traits.has_diagonals && traits.has_strict);
  reading_release(&r);
  guard(&r, "x <= 3 && y == 2");
  traits = (ClockTraits){0};
  clockuse_traits(r.net.edges.items[0].guard.expr, &traits);
  assert_false(traits.has_diagonals || traits.has_strict);
  reading_release(&r);
}

static void find_clocks(void *context, const Expr *test) {
  Mem mem = {0};
  ClockList list = {0};
  clockuse_clocks(&mem, test->a, &list);
  *(uint32_t *)context = list.size;
  vec_release(&mem, &list);
}

// An element of an array may be each that its index can be.
static void test_clocks(void **state) {
  (void)state;
  static const struct {
    const char *text;
    uint32_t count;
  } cases[] = {{"x < 3", 1}, {"z[1] < 3", 1}, {"z[i] < 3", 3}};
  for (uint32_t k = 0; k < 3; k++) {
    Reading r;
    guard(&r, cases[k].text);
    uint32_t count = 0;
    clockuse_tests(r.net.edges.items[0].guard.expr, find_clocks, &count);
    assert_int_equal(count, cases[k].count);
    reading_release(&r);
  }
}

static void count_assign(void *context, const Stmt *assign) {
  (void)assign;
  ++*(int *)context;
}

static void test_assigns(void **state) {
  (void)state;
  Reading r;
  reading_accept(&r,
                 PREAMBLE "edge:P:A:B:a{do: i = 1; if i == 0 then x = 0 else y = x + 1; i = 2 "
                          "end; z[i] = 0}\n");
  int count = 0;
  clockuse_assigns(r.net.edges.items[0].update.stmts, count_assign, &count);
  assert_int_equal(count, 3);
  reading_release(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_tests), cmocka_unit_test(test_clocks),
                                     cmocka_unit_test(test_assigns)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
