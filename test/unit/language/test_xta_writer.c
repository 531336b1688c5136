// Networks of TChecker's format as .xta: what is written is read back with the same parts.
#include "language/uppaal/xta_writer.h"

#include "reading.h"

static void test_round_trip(void **state) {
  (void)state;
  Reading r, back;
  reading_accept(&r, PREAMBLE "edge:P:A:B:a{provided: x > 1 && i < 3 : do: x = 0; i = i + 1}\n"
                              "edge:Q:A:A:b\nsync:P@a:Q@b\n");
  assert_true(xta_write(&r.text, &r.net, &r.report));
  reading_accept_uppaal(&back, text_chars(&r.text));
  assert_int_equal(back.net.processes.size, r.net.processes.size);
  assert_int_equal(back.net.edges.size, r.net.edges.size);
  assert_int_equal(back.net.clock_count, r.net.clock_count);
  assert_int_equal(back.net.location_slot, r.net.location_slot);
  reading_release(&back);
  reading_release(&r);
}

// An assignment that can leave its range disables the edge here and is an error there: a guard.
static void test_range(void **state) {
  (void)state;
  Reading r;
  reading_accept(&r, PREAMBLE "edge:P:A:B:a{do: i = i + j}\n");
  assert_true(xta_write(&r.text, &r.net, &r.report));
  assert_non_null(strstr(text_chars(&r.text), "guard"));
  reading_release(&r);
}

static void expect_refusal(const char *model) {
  Reading r;
  reading_accept(&r, model);
  assert_false(xta_write(&r.text, &r.net, &r.report));
  assert_non_null(strstr(text_chars(&r.report.error), "depends on others before it"));
  reading_release(&r);
}

// Updates with `if` and local variables are functions. Another one, without effects, says in the
// guard whether they stay in the ranges. Where the sender's update decides it, none can.
static void test_functions(void **state) {
  (void)state;
  Reading r, back;
  reading_accept(&r, PREAMBLE "edge:P:A:B:a{do: i = i + 1; if i > 2 then local t[2]; t[1] = i "
                              "end; j = t[1]}\n");
  assert_true(xta_write(&r.text, &r.net, &r.report));
  assert_non_null(strstr(text_chars(&r.text), "guard fits_0(i, j); assign update_0();"));
  assert_non_null(strstr(text_chars(&r.text), "return false;"));
  reading_accept_uppaal(&back, text_chars(&r.text));
  assert_int_equal(back.net.location_slot, r.net.location_slot);
  reading_release(&back);
  reading_release(&r);
  expect_refusal(PREAMBLE "edge:P:A:B:a{do: j = 2}\nedge:Q:A:A:b{do: local t = j; i = t}\n"
                          "sync:P@a:Q@b\n");
}

// An element with a constant index is a part of the array that is set.
static void test_elements(void **state) {
  (void)state;
  expect_refusal(PREAMBLE "edge:P:A:B:a{do: v[i % 2] = 9; j = v[0]}\n");
}

// More than two processes: a broadcast, with a variable for each receiver's location.
static void test_joint(void **state) {
  (void)state;
  Reading r, back;
  reading_accept(&r, PREAMBLE "process:R\nlocation:R:A{initial:}\nedge:P:A:B:a\nedge:Q:A:A:a\n"
                              "edge:R:A:A:a\nsync:P@a:Q@a:R@a\n");
  assert_true(xta_write(&r.text, &r.net, &r.report));
  reading_accept_uppaal(&back, text_chars(&r.text));
  assert_int_equal(back.net.location_slot, r.net.location_slot + 2);
  assert_true(back.net.channels.items[0].broadcast);
  assert_int_equal(back.net.syncs.items[0].parts.size, 3);
  reading_release(&back);
  reading_release(&r);
}

static void test_refused(void **state) {
  (void)state;
  Reading r;
  reading_accept(&r, PREAMBLE "process:R\nlocation:R:A{initial:}\nedge:P:A:B:a\n"
                              "edge:Q:A:A:a{do: i = 1}\nedge:R:A:A:a{do: i = 2}\n"
                              "sync:P@a:R@a:Q@a\n");
  assert_false(xta_write(&r.text, &r.net, &r.report));
  assert_true(report_failed(&r.report));
  reading_release(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_round_trip), cmocka_unit_test(test_range),
      cmocka_unit_test(test_functions),  cmocka_unit_test(test_elements),
      cmocka_unit_test(test_joint),      cmocka_unit_test(test_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
