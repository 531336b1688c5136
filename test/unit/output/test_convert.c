// Conversion to TChecker's format: names, channels, and all that has no words there.
#include "output/convert.h"

#include "reading.h"

static void test_names(void **state) {
  (void)state;
  Reading r;
  reading_accept_uppaal(&r, "chan c; int[0,3] v[2]; process P(const int[1,2] i) { clock x;\n"
                            "state A { x <= 3 }, B; commit B; init A; trans A -> B {\n"
                            "guard x > 1 && v[1] == i; sync c!; assign v[0] = 1, x = 0; }; }\n"
                            "process Q() { state A; init A; trans A -> A { sync c?; }; }\n"
                            "system P, Q;");
  assert_true(convert_to_tchecker(&r.text, &r.net, &r.report));
  static const char *const parts[] = {"process:P_1", "process:P_2", "process:Q",
                                      "committed:",  "invariant:",  "sync:"};
  for (uint32_t k = 0; k < sizeof parts / sizeof *parts; k++)
    if (!strstr(text_chars(&r.text), parts[k]))
      fail_msg("no %s in\n%s", parts[k], text_chars(&r.text));
  Reading back;
  reading_accept(&back, text_chars(&r.text));
  assert_int_equal(back.net.processes.size, 3);
  assert_int_equal(back.net.clock_count, 2);
  reading_release(&back);
  reading_release(&r);
}

// Words of TChecker's language, and characters that its names do not have.
static void test_words(void **state) {
  (void)state;
  Reading r;
  reading_accept_uppaal(
      &r,
      "int event, nop, local, end1, a$b, a_b; clock edge, P_x; chan location, sync1;\n"
      "process P() { int x; state then, a#b { edge <= 3 }; init then; trans then -> a#b {\n"
      "guard event == 0 && edge >= 1; sync location!; assign nop = local + a$b - a_b, x = 1,\n"
      "end1 > 0 ? edge = 0 : local = 1; }; }\n"
      "process Q() { int P_x; state A; init A; trans A -> A { sync location?; }; }\n"
      "system P, Q;");
  r.net.origin.name = "3 my-model";
  assert_true(convert_to_tchecker(&r.text, &r.net, &r.report));
  Reading back;
  reading_accept(&back, text_chars(&r.text));
  assert_int_equal(back.net.variables.size, 8);
  assert_int_equal(back.net.locations.size, 3);
  reading_release(&back);
  reading_release(&r);
}

// All reasons at once.
static void test_refused(void **state) {
  (void)state;
  Reading r;
  reading_accept_uppaal(
      &r,
      "urgent chan u; int v; bool b; clock end; int f(int i) { while (i > 9) i--; return i; }\n"
      "process P() { state A; init A; trans A -> A { guard f(v) == 1 && (v & "
      "2) == 2; sync u!; assign b = v > 1; }; }\n"
      "process Q() { state A; init A; trans A -> A { sync u?; }; }\n"
      "system P, Q;");
  assert_false(convert_to_tchecker(&r.text, &r.net, &r.report));
  assert_non_null(strstr(text_chars(&r.report.error), "urgent"));
  assert_non_null(strstr(text_chars(&r.report.error), "function"));
  assert_non_null(strstr(text_chars(&r.report.error), "`end` is a word"));
  assert_non_null(strstr(text_chars(&r.report.error), "conditions are not numbers"));
  reading_release(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_names), cmocka_unit_test(test_words),
                                     cmocka_unit_test(test_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
