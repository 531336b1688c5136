// Answers as text: with the run, in full, and without.
#include "output/answer.h"

#include "answers/runs/simulate.h"
#include "searching.h"

static void test_runs(void **unused) {
  (void)unused;
  static const char *const expected[] = {
      [ANSWER_NO_RUN] = "E<> P.B: satisfied\n",
      [ANSWER_RUN] = "E<> P.B: satisfied\na run that shows it:\n      P.A  x=0\n"
                     "   1  at 0  P: A -> B (a)\n      at 0  it holds\n      P.B  x=0\n",
      [ANSWER_FULL_RUN] = "E<> P.B: satisfied\na run that shows it:\n      P.A  x=0\n"
                          "   1  at 0  P: A -> B (a)\n      P.B  x=0\n      at 0  it holds\n"};
  Search s = {0};
  reading_accept(&s.reading, "system:s\nevent:a\nclock:1:x\nprocess:P\nlocation:P:A{initial:}\n"
                             "location:P:B{}\nedge:P:A:B:a{}\n");
  Simulation sim;
  assert_true(simulate_init(&sim, &s.mem, &s.reading.net) && simulate_step(&sim, 0, -1, 1));
  const Answer answer = {
      .query = "E<> P.B",
      .verdict = VERDICT_SATISFIED,
      .has_trace = true,
      .trace = {.net = &s.reading.net, .kind = TRACE_CONCRETE, .run = simulate_run(&sim)}};
  for (AnswerRun shown = ANSWER_NO_RUN; shown <= ANSWER_FULL_RUN; shown++) {
    Text text = {.mem = &s.mem};
    answer_text(&text, &answer, shown);
    assert_string_equal(text_chars(&text), expected[shown]);
    text_release(&text);
  }
  simulate_release(&sim);
  search_release(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_runs)};
  return cmocka_run_group_tests_name("answer", tests, NULL, NULL);
}
