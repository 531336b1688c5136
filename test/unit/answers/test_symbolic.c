// Symbolic simulation: every choice belongs to a run that replays, and what a concrete run can do
// is among the choices.
#include "answers/runs/symbolic.h"

#include "answers/runs/simulate.h"
#include "searching.h"

#include <string.h>

static bool offers(const Symbolic *s, const Edge *const *edges, uint32_t count) {
  for (uint32_t i = 0; i < s->choices.size; i++)
    if (s->choices.items[i].edge_count == count &&
        !memcmp(s->choices.items[i].edges, edges, count * sizeof *edges))
      return true;
  return false;
}

// A concrete run with the same transitions replays, and goes on only with choices.
static void check_state(Search *s, const Symbolic *symbolic) {
  Arena arena = {.mem = &s->mem};
  Run run = {0};
  Text why = {.mem = &s->mem};
  assert_true(symbolic_run(symbolic, &arena, &run));
  if (!replay_run(&s->mem, &s->reading.net, NULL, &run, &why))
    fail_msg("%s in:\n%s", text_chars(&why), text_chars(&s->model));
  Simulation sim;
  assert_true(simulate_init(&sim, &s->mem, &s->reading.net));
  assert_true(simulate_adopt(&sim, &run));
  for (uint32_t i = 0; i < sim.choices.size; i++) {
    if (sim.choices.items[i].is_delay)
      continue;
    simulate_show(&sim, i);
    assert_true(offers(symbolic, sim.stepper.joint.edges, sim.stepper.joint.edge_count));
  }
  simulate_release(&sim);
  arena_release(&arena);
}

static void test_random(void **unused) {
  (void)unused;
  Random random;
  random_seed(&random, 7);
  uint32_t steps = 0;
  for (int seed = 1; seed <= 150; seed++) {
    Search s;
    search_random(&s, seed, seed % 2 ? "processes=3" : "diagonals=1");
    Symbolic symbolic;
    Report report;
    report_init(&report, &s.mem);
    if (symbolic_init(&symbolic, &s.mem, &s.reading.net, &report)) {
      check_state(&s, &symbolic);
      for (int i = 0; i < 8 && symbolic_random(&symbolic, 1, &random); i++, steps++)
        check_state(&s, &symbolic);
    }
    symbolic_release(&symbolic);
    report_release(&report);
    search_release(&s);
  }
  assert_true(steps > 500);
}

#define WINDOW                                                                                   \
  "system:w\nevent:a\nclock:1:x\nprocess:P\nlocation:P:A{initial: : invariant: x<=5}\n"          \
  "location:P:B{invariant: x<4}\nedge:P:A:B:a{provided: x>1}\nedge:P:B:A:a{do: x=0}\n"           \
  "edge:P:A:A:a{provided: x>5}\n"

static void test_steps(void **unused) {
  (void)unused;
  Search s = {0};
  reading_accept(&s.reading, WINDOW);
  Symbolic symbolic;
  Report report;
  report_init(&report, &s.mem);
  assert_true(symbolic_init(&symbolic, &s.mem, &s.reading.net, &report));
  assert_int_equal(symbolic.choices.size, 1); // the loop is beyond the invariant
  assert_int_equal(symbolic.steps.items[0].zone[dbm_stride(2)], bound_le(5));
  assert_false(symbolic_step(&symbolic, 1));
  assert_true(symbolic_step(&symbolic, 0));
  assert_int_equal(symbolic.steps.items[1].zone[dbm_stride(2)], bound_lt(4));
  assert_int_equal(symbolic.steps.items[1].zone[1], bound_lt(-1));
  assert_true(symbolic_step(&symbolic, 0));
  assert_true(symbolic_go(&symbolic, 0));
  assert_int_equal(symbolic.known, 3);
  assert_true(symbolic_go(&symbolic, 2));
  assert_false(symbolic_go(&symbolic, 3));
  assert_true(symbolic_go(&symbolic, 1));
  assert_true(symbolic_step(&symbolic, 0));
  assert_int_equal(symbolic.known, 3);
  symbolic_release(&symbolic);
  report_release(&report);
  search_release(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_random), cmocka_unit_test(test_steps)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
