// The unit of time: what it is chosen from, what it makes of constants, and how they are shown.
#include "model/scale.h"

#include "reading.h"

static void check(int64_t a, int64_t b, int64_t c, int64_t limit, int64_t wanted) {
  Scale scale = {0}, other = {0};
  scale_note(&scale, a);
  scale_note(&other, -b);
  scale_note(&other, c);
  scale_join(&scale, &other);
  assert_int_equal(scale_wanted(&scale, limit), wanted);
  scale.is_dynamic = true;
  assert_int_equal(scale_wanted(&scale, limit), 1);
}

static void test_wanted(void **unused) {
  (void)unused;
  check(30, 20, 50, 50, 1); // small enough as they are
  check(30, 20, 50, 49, 10);
  check(30, 20, 50, 5, 10);
  check(30, 20, 50, 4, 1); // too large all the same
  check(0, 0, 60, 5, 60);
  check(30, 20, 51, 40, 1);
  check(0, 0, 0, 0, 1);
  check((int64_t)3 << 38, (int64_t)5 << 36, 0, 1 << 26, (int64_t)1 << 36);
}

static void shows(int64_t value, int64_t denominator, int64_t unit, const char *wanted) {
  Mem mem = {0};
  Text text = {.mem = &mem};
  scale_print(&text, value, denominator, unit);
  assert_string_equal(text_chars(&text), wanted);
  text_release(&text);
}

static void test_print(void **unused) {
  (void)unused;
  shows(3, 2, 1, "3/2");
  shows(3, 2, 10, "15");
  shows(3, 4, 10, "15/2");
  shows(0, 4, 10, "0");
  shows(INT64_MAX, 1, 2, "9223372036854775807*2/1");
}

#define EDGE                                                                                     \
  "edge:P:A:B:a{provided: x<=6000000000 && y-x<2000000000 && 5>=i : do: x=4000000000; "          \
  "y=x+2000000000; i=3}\n"

static void prints(Reading *r, const Expr *expr, const Stmt *stmts, const char *wanted) {
  text_clear(&r->text);
  expr_print(&r->text, expr);
  text_add(&r->text, " / ");
  stmt_print(&r->text, stmts);
  assert_string_equal(text_chars(&r->text), wanted);
}

// Trees that are divided have small constants, and show the large ones.
static void test_division(void **unused) {
  (void)unused;
  Reading r;
  reading_accept(&r, PREAMBLE EDGE);
  const Edge *edge = &r.net.edges.items[0];
  Scale scale = {0};
  scale_note_expr(&scale, edge->guard_expr);
  scale_note_stmts(&scale, edge->update_stmts);
  assert_true(scale.common == 2000000000 && scale.max == 6000000000 && !scale.is_dynamic);
  assert_true(r.net.origin.scale.common == scale.common);
  const ScaleDivider d = {.arena = &r.arena, .unit = scale.common};
  const Expr *guard = scale_expr(&d, edge->guard_expr);
  const Stmt *update = scale_stmts(&d, edge->update_stmts);
  const char *text = "x <= 6000000000 && y - x < 2000000000 && 5 >= i / x = 4000000000; y = x + "
                     "2000000000; i = 3";
  prints(&r, guard, update, text);
  prints(&r, edge->guard_expr, edge->update_stmts, text);
  const Guard compiled = code_guard(&r.arena, guard, 0);
  assert_int_equal(compiled.clock_tests[0].constant, 3);
  assert_int_equal(compiled.clock_tests[1].constant, 1);
  assert_int_equal(update->value->value, 2);
  assert_int_equal(update->next->value->value, 1);
  assert_int_equal(update->next->next->value->value, 3); // no clock
  reading_release(&r);
  reading_accept(&r, PREAMBLE "edge:P:A:B:a{provided: x<=i}\n");
  assert_true(r.net.origin.scale.is_dynamic);
  assert_ptr_equal(scale_expr(&d, r.net.edges.items[0].guard_expr->c),
                   r.net.edges.items[0].guard_expr->c); // what has no constant is shared
  reading_release(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_wanted), cmocka_unit_test(test_print),
                                     cmocka_unit_test(test_division)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
