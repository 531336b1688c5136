// Simulation: random runs in random networks replay; choices are just what is possible.
#include "evidence/simulate.h"

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
      steps += simulate_random(&sim, 40, &random);
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
  assert_true(c.low == 1 && c.low_strict && c.high == 4 && c.high_strict);
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
  simulate_adopt(&other, &run);
  assert_int_equal(other.steps.size, 3);
  assert_int_equal(other.choices.size, 1);
  simulate_release(&other);
  simulate_release(&sim);
  search_release(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random),
      cmocka_unit_test(test_choices),
  };
  return cmocka_run_group_tests_name("simulate", tests, NULL, NULL);
}
