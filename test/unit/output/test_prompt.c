// A simulation as people and tools see it.
#include "output/prompt.h"

#include "searching.h"

#define DOOR                                                                                     \
  "system:door\nevent:a\nclock:1:x\nint:1:0:3:0:n\nprocess:P\n"                                  \
  "location:P:A{initial: : invariant: x<=5}\nlocation:P:B{}\nlocation:P:C{}\n"                   \
  "edge:P:A:B:a{provided: x>1 : do: n=2}\nedge:P:B:C:a{do: x=0}\n"

static void test_text(void **unused) {
  (void)unused;
  Search s = {0};
  reading_accept(&s.reading, DOOR);
  Simulation sim;
  assert_true(simulate_init(&sim, &s.mem, &s.reading.net));
  Text text = {.mem = &s.mem};
  prompt_text(&text, &sim, false);
  assert_string_equal(text.chars, "step 0, time 0\n  P.A,n=0  x=0\n"
                                  "   0: <P.A->B> via a after (1, 5]  when x > 1  do n = 2\n");
  text_clear(&text);
  prompt_text(&text, &sim, true);
  assert_non_null(strstr(text.chars, "\n  P.A,n=0  x=0\n  zone: x<=5\n   0: "));
  text_clear(&text);
  assert_true(simulate_step(&sim, 0, 3, 2));
  prompt_text(&text, &sim, false);
  assert_string_equal(text.chars, "step 1, time 3/2\n  P: A -> B (a)\n  n=2\n"
                                  "   0: <P.B->C> via a after [0, ...)  do x = 0\n");
  text_clear(&text);
  assert_true(simulate_wait(&sim, 1, 2));
  prompt_text(&text, &sim, false);
  assert_non_null(strstr(text.chars, "step 1, time 2\n  P.B,n=2  x=2\n"));
  text_clear(&text);
  assert_true(simulate_step(&sim, 0, -1, 1));
  prompt_text(&text, &sim, false);
  assert_string_equal(text.chars,
                      "step 2, time 2\n  P.C,n=2  x=0\n"
                      "  deadlock: no transition is possible, now or after any delay\n");
  text_release(&text);
  simulate_release(&sim);
  search_release(&s);
}

static void test_json(void **unused) {
  (void)unused;
  Search s = {0};
  reading_accept(&s.reading, DOOR);
  Simulation sim;
  assert_true(simulate_init(&sim, &s.mem, &s.reading.net));
  Text text = {.mem = &s.mem};
  prompt_json(&text, &sim);
  assert_string_equal(
      text.chars,
      "{\"step\": 0, \"time\": \"0\", \"known\": 0, \"taken\": [], \"state\": \"P.A,n=0\", "
      "\"locations\": [0], \"variables\": [0], \"clocks\": {\"x\": \"0\"}, \"zone\": "
      "\"x<=5\", \"choices\": [{\"transition\": \"<P.A->B> via a\", \"edges\": [0], "
      "\"guard\": \"x > 1\", \"update\": \"n = 2\", \"low\": \"1\", \"low_strict\": "
      "true, \"high\": \"5\", \"high_strict\": false}]}\n");
  text_release(&text);
  simulate_release(&sim);
  search_release(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_text),
      cmocka_unit_test(test_json),
  };
  return cmocka_run_group_tests_name("prompt", tests, NULL, NULL);
}
