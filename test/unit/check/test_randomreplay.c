// The replayer of random runs accepts what the simulator recorded, and nothing that was changed.
#include "check/randomreplay.h"

#include "random_runs.h"

static const char query[] = "Pr[<=6](<> n == 7 && w >= 3)";

static bool replay(Recorded *r, const RandomRun *run, const char *part) {
  Text why = {.mem = &r->asking.tarn->mem};
  const char *rest;
  const PathQuery *path = &r->asking.query->path;
  const RandomClaim claim = {.bound = &path->bound, .path = path};
  const bool accepted = randomreplay_run(why.mem, r->asking.query->net, run, &claim, &why, &rest);
  if (part && (accepted || !strstr(text_chars(&why), part)))
    fail_msg("\"%s\" is not in: %s", part, accepted ? "accepted" : text_chars(&why));
  if (!part && !accepted)
    fail_msg("run %u: %s", (unsigned)run->run, text_chars(&why));
  text_release(&why);
  return accepted;
}

static void test_accepted(void **state) {
  (void)state;
  for (uint64_t number = 0; number < 40; number++) {
    Recorded r;
    recorded_begin(&r, query, number);
    r.run.tolerance = 0;
    replay(&r, &r.run, NULL);
    recorded_release(&r);
  }
}

// A copy of the steps, one of which may be changed.
static RandomRun copy(Recorded *r) {
  RandomRun run = r->run;
  run.steps = arena_copy(&r->asking.check.arena, run.steps, sizeof *run.steps * run.step_count);
  return run;
}
static RandomStep *step(const RandomRun *run, uint32_t k) {
  return (RandomStep *)(uintptr_t)&run->steps[k];
}

// The first step with so many edges, or with numbers drawn.
static uint32_t find(const RandomRun *run, uint32_t edges, bool draws) {
  for (uint32_t k = 1; k < run->step_count; k++)
    if (run->steps[k].edge_count >= edges && (!draws || run->steps[k].draw_count))
      return k;
  fail_msg("there is no such step");
  return 0;
}

static void test_forged(void **state) {
  (void)state;
  Recorded r;
  recorded_begin(&r, query, 2);
  const uint32_t heard = find(&r.run, 2, false), drawn = find(&r.run, 1, true);
  RandomRun run = copy(&r);
  run.is_satisfied = !run.is_satisfied;
  replay(&r, &run, "decided at the end");
  run = copy(&r);
  step(&run, heard)->edge_count = 1;
  replay(&r, &run, "can receive, and does not take part");
  run = copy(&r);
  step(&run, drawn)->draw_count = 0;
  replay(&r, &run, "draw another number of random numbers");
  run = copy(&r);
  step(&run, drawn)->time += 0.25;
  assert_false(replay(&r, &run, ""));
  run = copy(&r);
  step(&run, heard)->state = run.steps[heard - 1].state;
  replay(&r, &run, ", not ");
  run = copy(&r);
  run.step_count--;
  assert_false(replay(&r, &run, ""));
  run = copy(&r);
  run.end_time += 1;
  assert_false(replay(&r, &run, ""));
  recorded_release(&r);
}

// A value that is the extreme of no step, and a run that is cut short.
static void test_value(void **state) {
  (void)state;
  Recorded r;
  recorded_begin(&r, "E[<=6; 10](max: n)", 2);
  Text why = {.mem = &r.asking.tarn->mem};
  const char *rest;
  const RandomClaim claim = {.bound = &r.asking.query->path.bound,
                             .value = r.asking.query->values[0]};
  RandomRun run = r.run;
  assert_true(randomreplay_run(why.mem, r.asking.query->net, &run, &claim, &why, &rest));
  assert_null(rest);
  run.value += 1;
  assert_false(randomreplay_run(why.mem, r.asking.query->net, &run, &claim, &why, &rest));
  assert_non_null(strstr(text_chars(&why), "the value is"));
  text_clear(&why);
  run.step_count = 1; // what comes after the start is left out
  run.value = run.end_time = 0;
  run.end_clocks = run.steps[0].clocks;
  assert_false(randomreplay_run(why.mem, r.asking.query->net, &run, &claim, &why, &rest));
  assert_non_null(strstr(text_chars(&why), "the run ends before the bound"));
  text_release(&why);
  recorded_release(&r);
}

SESSIONS_MAIN("randomreplay", cmocka_unit_test(test_accepted), cmocka_unit_test(test_forged),
              cmocka_unit_test(test_value))
