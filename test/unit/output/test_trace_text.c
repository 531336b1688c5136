// Runs in the manner of verifyta: vectors of locations, delays, and edges with their labels.
#include "output/trace_text.h"

#include "searching.h"

static void test_run(void **state) {
  (void)state;
  Search s = {0};
  reading_accept_uppaal(&s.reading,
                        "int n; chan c; clock x; process P() { state A { x <= 3 }, B; init A;\n"
                        "trans A -> B { guard x >= 2; sync c!; assign n = 1; }; }\n"
                        "process Q() { state A, B; init A; trans A -> B { sync c?; }; }\n"
                        "system P, Q;");
  options_init(&s.options);
  search_ask(&s, "E<> Q.B");
  assert_true(search_run(&s));
  assert_int_equal(s.result, REACH_GOAL);
  Trace trace;
  assert_true(trace_build(&trace, &s.mem, &s.reading.net, &s.goal, &s.reach, s.result,
                          TRACE_CONCRETE, NULL));
  trace_text(&s.reading.text, &trace);
  assert_string_equal(text_chars(&s.reading.text),
                      "\nState:\n( P.A Q.A )\nx=0 n=0\n\nDelay: 2\n\nTransitions:\n"
                      "  P.A->P.B { x >= 2, c!, n = 1 }\n  Q.A->Q.B { 1, c?, 1 }\n\n"
                      "State:\n( P.B Q.B )\nx=2 n=1\n");
  trace_release(&trace);
  search_release(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_run)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
