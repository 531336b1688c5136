// The unit of time: what it is chosen from, what it makes of constants, and how they are shown.
#include "model/scale.h"

#include "reading.h"

static void check(int64_t a, int64_t b, int64_t c, int64_t limit, int64_t wanted) {
  Scale scale = {0};
  assert_int_equal(scale_constant(&scale, a), a);
  assert_int_equal(scale_constant(&scale, -b), -b);
  assert_int_equal(scale_constant(&scale, c), c);
  assert_false(scale.misfits);
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

static void test_constants(void **unused) {
  (void)unused;
  Scale scale = {.unit = 7};
  assert_int_equal(scale_constant(&scale, 21), 3);
  assert_int_equal(scale_constant(&scale, -21), -3);
  assert_false(scale.misfits);
  assert_int_equal(scale_constant(&scale, 22), 3);
  assert_true(scale.misfits);
  assert_int_equal(scale.common, 1);
  assert_int_equal(scale_constant(NULL, 22), 22);
  assert_int_equal(scale_unit(NULL), 1);
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

// A net that is read with a unit has small constants, and shows the large ones.
static void test_reading(void **unused) {
  (void)unused;
  Reading r;
  const char *text = PREAMBLE "edge:P:A:B:a{provided: x<=6000000000 && y-x<2000000000 && 5>=i "
                              ": do: x=4000000000; y=x+2000000000}\n";
  memset(&r, 0, sizeof r);
  r.arena.mem = r.text.mem = &r.mem;
  r.source = (Source){.name = "model", .text = text, .size = strlen(text)};
  report_init(&r.report, &r.mem);
  net_init(&r.net, &r.mem);
  r.net.origin.scale = ARENA_NEW(&r.net.arena, Scale);
  r.net.origin.scale->unit = 2000000000;
  assert_true(tck_read(&r.net, &r.source, &r.report));
  const Edge *edge = &r.net.edges.items[0];
  assert_int_equal(edge->guard.clock_tests[0].constant, 3);
  assert_int_equal(edge->guard.clock_tests[1].constant, 1);
  assert_int_equal(edge->update.clock_updates[0].constant, 2);
  assert_int_equal(edge->update.clock_updates[1].constant, 1);
  expr_print(&r.text, edge->guard_expr);
  text_add(&r.text, " / ");
  stmt_print(&r.text, edge->update_stmts);
  assert_string_equal(text_chars(&r.text), "x <= 6000000000 && y - x < 2000000000 && 5 >= i / "
                                           "x = 4000000000; y = x + 2000000000");
  assert_false(r.net.origin.scale->misfits);
  reading_release(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_wanted), cmocka_unit_test(test_constants),
      cmocka_unit_test(test_print), cmocka_unit_test(test_reading)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
