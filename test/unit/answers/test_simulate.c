// Simulation: random runs in random networks replay; choices are just what is possible.
#include "answers/runs/simulate.h"

#include "searching.h"

static void check_run(Search *s, const Simulation *sim) {
  Text why = {.mem = &s->mem};
  const Run run = simulate_run(sim);
  if (!replay_run(&s->mem, &s->reading.net, NULL, &run, &why))
    fail_msg("%s in:\n%s", text_chars(&why), text_chars(&s->model));
}

static void test_random(void **unused) {
  (void)unused;
  Random random;
  random_seed(&random, 41);
  uint32_t steps = 0;
  for (int seed = 1; seed <= 300; seed++) {
    Search s;
    search_random(&s, seed, seed % 2 ? "processes=3" : "diagonals=1");
    Simulation sim;
    if (simulate_init(&sim, &s.mem, &s.reading.net)) {
      steps += simulate_random(&sim, 20, &random);
      simulate_wait(&sim, (int64_t)random_below(&random, 5), 2);
      check_run(&s, &sim);
      steps += simulate_random(&sim, 20, &random);
      check_run(&s, &sim);
    }
    simulate_release(&sim);
    search_release(&s);
  }
  assert_true(steps > 3000);
}

#define WINDOW                                                                                   \
  "system:w\nevent:a\nclock:1:x\nprocess:P\nlocation:P:A{initial: : invariant: x<=5}\n"          \
  "location:P:B{invariant: x<4}\nedge:P:A:B:a{provided: x>1}\nedge:P:B:A:a{do: x=0}\n"

static void test_choices(void **unused) {
  (void)unused;
  Search s = {0};
  reading_accept(&s.reading, WINDOW);
  Simulation sim;
  assert_true(simulate_init(&sim, &s.mem, &s.reading.net));
  assert_int_equal(sim.choices.size, 1);
  const Choice c = sim.choices.items[0];
  assert_true(c.low == 2 * 1 + 1 && c.high == 2 * 4 - 1);
  assert_false(simulate_step(&sim, 1, 0, 1));
  assert_false(simulate_step(&sim, 0, 1, 1));
  assert_false(simulate_step(&sim, 0, 4, 1));
  assert_false(simulate_step(&sim, 0, 1, 0));
  assert_false(simulate_back(&sim));
  assert_true(simulate_step(&sim, 0, 7, 2));
  assert_int_equal(sim.denominator, 2);
  assert_int_equal(sim.steps.items[1].time, 7);
  assert_true(simulate_step(&sim, 0, -1, 1));
  assert_int_equal(sim.steps.items[2].time, 7);
  assert_true(simulate_step(&sim, 0, -1, 1)); // earliest of an open interval: 3/2
  assert_int_equal(sim.steps.items[3].time - sim.steps.items[2].time, sim.denominator * 3 / 2);
  check_run(&s, &sim);
  assert_true(simulate_back(&sim));
  assert_int_equal(sim.steps.size, 3);
  Simulation other;
  assert_true(simulate_init(&other, &s.mem, &s.reading.net));
  const Run run = simulate_run(&sim);
  assert_true(simulate_adopt(&other, &run));
  assert_int_equal(other.steps.size, 3);
  assert_int_equal(other.choices.size, 1);
  RunStep steps[] = {run.steps[0], run.steps[1], run.steps[2]}; // without clocks it is the same
  for (uint32_t i = 0; i < 3; i++)
    steps[i].clocks = NULL;
  const Run bare = {
      .steps = steps, .step_count = 3, .denominator = run.denominator, .end_time = run.end_time};
  assert_true(simulate_adopt(&other, &bare));
  for (uint32_t i = 0; i < 3; i++)
    assert_int_equal(other.steps.items[i].clocks[1], run.steps[i].clocks[1]);
  simulate_release(&other);
  simulate_release(&sim);
  search_release(&s);
}

// A run that the replayer accepts can be gone on from, though the value of the clock is larger
// than the simulator chooses itself.
static void test_adopt(void **unused) {
  (void)unused;
  Search s = {0};
  reading_accept(&s.reading, "system:w\nevent:a\nclock:1:x\nint:1:0:2000000000:2000000000:v\n"
                             "process:P\nlocation:P:A{initial:}\nlocation:P:B{}\n"
                             "edge:P:A:B:a{do: x=v}\nedge:P:B:A:a{do: v=v+1}\n");
  Simulation sim;
  assert_true(simulate_init(&sim, &s.mem, &s.reading.net));
  assert_int_equal(sim.choices.size, 0);
  const Edge *edges[] = {&s.reading.net.edges.items[0], &s.reading.net.edges.items[1]};
  const int32_t states[][2] = {{2000000000, 0}, {2000000000, 1}, {2000000000, 0}};
  const RunStep steps[] = {{.state = states[0]},
                           {&edges[0], 1, 6, states[1], NULL},
                           {&edges[1], 1, 9, states[2], NULL}};
  Run run = {.steps = steps, .step_count = 2, .denominator = 3, .end_time = 12};
  Text why = {.mem = &s.mem};
  assert_true(replay_run(&s.mem, &s.reading.net, NULL, &run, &why));
  assert_true(simulate_adopt(&sim, &run));
  assert_true(sim.clocks[1] == INT64_C(3) * 2000000000 + 6 && sim.waited == 6);
  run.step_count = 3; // the value is out of range
  assert_false(simulate_adopt(&sim, &run));
  simulate_release(&sim);
  search_release(&s);
}

// Time passes without a transition; steps that were taken back can be taken again.
static void test_wait_and_go(void **unused) {
  (void)unused;
  Search s = {0};
  reading_accept(&s.reading, WINDOW);
  Simulation sim;
  assert_true(simulate_init(&sim, &s.mem, &s.reading.net));
  assert_true(simulate_wait(&sim, 3, 2));
  const Choice c = sim.choices.items[0]; // from now on
  assert_true(c.low == 0 && c.high == 2 * 5 - 1);
  assert_true(simulate_run(&sim).end_time == 3 && sim.denominator == 2);
  check_run(&s, &sim);
  assert_false(simulate_wait(&sim, 4, 1)); // the invariant
  assert_string_equal(sim.error, "time cannot pass so long");
  assert_true(simulate_wait(&sim, 1, 1));
  assert_true(simulate_step(&sim, 0, -1, 1));
  assert_int_equal(sim.steps.items[1].time, 5);
  assert_true(simulate_step(&sim, 0, 1, 2));
  check_run(&s, &sim);
  assert_true(simulate_go(&sim, 0) && sim.steps.size == 1 && !sim.waited);
  assert_true(simulate_go(&sim, 2) && sim.steps.size == 3);
  check_run(&s, &sim);
  assert_false(simulate_go(&sim, 3));
  assert_true(simulate_go(&sim, 1) && simulate_step(&sim, 0, 0, 1));
  check_run(&s, &sim);
  assert_true(simulate_wait(&sim, 1, 1) && simulate_back(&sim)); // the delay first
  assert_int_equal(sim.steps.size, 3);
  simulate_release(&sim);
  search_release(&s);
}

static void assert_stuck(const char *model, int over, int under, const char *why) {
  Search s = {0};
  reading_accept(&s.reading, model);
  Simulation sim;
  Text text = {.mem = &s.mem};
  assert_true(simulate_init(&sim, &s.mem, &s.reading.net));
  assert_true(!simulate_stuck(&sim, &text) && !text.size);
  assert_true(simulate_step(&sim, 0, over, under));
  assert_true(simulate_stuck(&sim, &text));
  if (!strstr(text_chars(&text), why))
    fail_msg("`%s`, not `%s`", text_chars(&text), why);
  text_release(&text);
  simulate_release(&sim);
  search_release(&s);
}

#define LEADS_TO(attributes)                                                                     \
  "system:s\nevent:a\nclock:1:x\nprocess:P\nlocation:P:A{initial:}\nlocation:P:B{" attributes    \
  "}\nedge:P:A:B:a{}\n"

static void test_stuck(void **unused) {
  (void)unused;
  assert_stuck(LEADS_TO(""), 0, 1, "deadlock: no transition is possible, now or after any delay");
  assert_stuck(LEADS_TO("invariant: x<=3"), 1, 2, "invariants let time pass for only 5/2 more");
  assert_stuck(LEADS_TO("invariant: x<3"), 1, 1, "invariants let time pass for less than 2 more");
  assert_stuck(LEADS_TO("invariant: x<=3"), 3, 1, "time-lock");
  assert_stuck(LEADS_TO("urgent:"), 0, 1, "no time can pass: P.B is urgent");
  assert_stuck(LEADS_TO("committed:"), 0, 1, "P.B is committed");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random), cmocka_unit_test(test_choices),
      cmocka_unit_test(test_adopt),  cmocka_unit_test(test_wait_and_go),
      cmocka_unit_test(test_stuck),
  };
  return cmocka_run_group_tests_name("simulate", tests, NULL, NULL);
}
