#include "reading.h"

#include "language/tchecker/tck_term.h"

static void test_clock_tests(void **unused) {
  (void)unused;
  reading_guard("x < 3", "x < 3");
  reading_guard("3 < x", "x > 3");
  reading_guard("3 <= x", "x >= 3");
  reading_guard("3 == x - y", "x - y == 3");
  reading_guard("(x - y) > i + 1", "x - y > i + 1");
  reading_guard("x == y", "x - y == 0");
  reading_guard("x < y", "x - y < 0");
  reading_guard("z[i] - z[2] >= v[1]", "z[i] - z[2] >= v[1]");
  reading_guard("x >= -i", "x >= -i");
}

static void test_clock_test_tree(void **unused) {
  (void)unused;
  Reading r;
  reading_edge(&r, "i + 1 > z[2]", NULL);
  const Expr *test = r.net.edges.items[0].guard_expr;
  assert_int_equal(test->kind, EXPR_CLOCK_TEST);
  assert_int_equal(test->op, EXPR_LT);
  assert_int_equal(test->a->kind, EXPR_CLOCK);
  assert_int_equal(test->a->base, 5); // x, y, z[0], z[1], z[2]
  assert_null(test->b);
  assert_int_equal(test->c->kind, EXPR_ADD);
  assert_true(test->type->is_bool);
  reading_release(&r);
}

static void test_clock_errors(void **unused) {
  (void)unused;
  reading_refuse_guard("x", "`x` is a clock, not a condition");
  reading_refuse_guard("x - y", "`x - y` is a difference of clocks, not a condition");
  reading_refuse_guard("1 + x", "`1 + x` is a sum with a clock, not a condition");
  reading_refuse_guard("x != 3", "`!=` is not allowed on clocks");
  reading_refuse_guard("!(x < 3)", "cannot be negated");
  reading_refuse_guard("! x < 3", "cannot be negated");
  reading_refuse_guard("x + y < 3", "clocks cannot be added");
  reading_refuse_guard("x + 1 < 3", "`x + 1` adds to a clock");
  reading_refuse_guard("x - 1 < 3", "`1` cannot be subtracted from a clock");
  reading_refuse_guard("1 - x < 3", "`x` contains a clock");
  reading_refuse_guard("x - y + 1 < 3", "nothing can be added");
  reading_refuse_guard("x - y - x < 3", "only two single clocks");
  reading_refuse_guard("x - y < x", "only two single clocks");
  reading_refuse_guard("x * 2 < 3", "`x` is a clock, which is not allowed in a product");
  reading_refuse_guard("(x - y) / 2 < 3", "contains a clock, which is not allowed in a division");
  reading_refuse_guard("-x < 3", "the operand of `-`");
  reading_refuse_guard("v[x] < 3", "`x` is a clock, which is not allowed in an index");
  reading_refuse_guard("z < 3", "`z` is an array; say which element, `z[0]` to `z[2]`");
  reading_refuse_guard("(x < 3) + 1 == 2", "`(x < 3)` compares a clock, which is not allowed in");
  reading_refuse_guard("x < (if y < 2 then 1 else 2)", "the condition of an `if` term");
  reading_refuse_guard("x < (if i then y else 2)", "`y` is a clock, which is not allowed in");
}

static void test_integers(void **unused) {
  (void)unused;
  reading_guard("i", "i != 0");
  reading_guard("! i", "!i");
  reading_guard("1", "1");
  reading_guard("v[2]", "v[2] != 0");
  reading_guard("i[0] == 1", "i == 1");
  reading_guard("i[j] == 1", "i[j] == 1");
  reading_guard("x[0] < 1", "x < 1");
  reading_guard("2 + 3 * 4 == i", "14 == i");
  reading_refuse_guard("i < (j < 3)", "`(j < 3)` is a condition, not a number");
  reading_refuse_guard("v == 1", "`v` is an array");
  reading_refuse_guard("v && i", "`v` is an array");
  reading_warn("edge:P:A:B:a{provided: v[4] == 1}", "index 4 is outside of `v`");
  reading_warn("edge:P:A:B:a{provided: v[-1] == 1}", "index -1 is outside of `v`");
  reading_warn("edge:P:A:B:a{provided: i[1] == 1}",
               "index 1 is outside of `i`, which has only `i[0]`");
  reading_warn("edge:P:A:B:a{provided: z[3] <= 1}", "index 3 is outside of `z`");
  reading_warn("edge:P:A:B:a{provided: i / 0 == 1}", "division by zero");
  reading_warn("edge:P:A:B:a{provided: i % (2 - 2) == 1}", "division by zero");
}

// An element with a constant index is plain storage.
static void test_element(void **unused) {
  (void)unused;
  Reading r;
  reading_edge(&r, "v[1 + 1] == 1 && v[i] == 2", NULL);
  const Expr *both = r.net.edges.items[0].guard_expr;
  assert_int_equal(both->a->a->kind, EXPR_VAR);
  assert_int_equal(both->a->a->base, 4); // i, j, v[0], v[1], v[2]
  assert_string_equal(both->a->a->name, "v[2]");
  assert_int_equal(both->b->a->kind, EXPR_INDEX);
  reading_release(&r);
}

// Operators in a row make deep trees, which are refused before they exhaust a stack.
static void test_depth(void **unused) {
  (void)unused;
  char text[4 * TCK_MAX_DEPTH + 600];
  strcpy(text, PREAMBLE "edge:P:A:B:a{provided: i");
  for (int i = 0; i < TCK_MAX_DEPTH - 3; i++)
    strcat(text, "+i");
  strcat(text, "}\n");
  Reading r;
  reading_accept(&r, text);
  reading_release(&r);
  strcpy(text + strlen(text) - 2, "+i+i+i}\n");
  assert_false(reading_model(&r, text));
  assert_non_null(strstr(reading_error(&r), "operators in a row"));
  reading_release(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_clock_tests),  cmocka_unit_test(test_clock_test_tree),
      cmocka_unit_test(test_clock_errors), cmocka_unit_test(test_integers),
      cmocka_unit_test(test_element),      cmocka_unit_test(test_depth),
  };
  return cmocka_run_group_tests_name("tck_term", tests, NULL, NULL);
}
