// Recorded runs: what is in them, the same run again, and that the replayer accepts them and
// rejects what was changed.
#include "semantics/stochastic/recorder.h"

#include "check/randomreplay.h"
#include "racing.h"

static const char text[] =
    "broadcast chan c; clock x; int n = 0; process P() { state s { x <= 3 }; init s; trans s -> "
    "s "
    "{ guard x >= 1; sync c!; assign x = 0, n = n + 1; }; } process Q() { state s, f; init s; "
    "trans s -> f { sync c?; }, f -> s { sync c?; }; } system P, Q;";

typedef struct Recorded {
  Racing racing;
  PathQuery path;
  RandomRun run;
} Recorded;

static void record(Recorded *recorded, uint64_t number) {
  Racing *racing = &recorded->racing;
  Watch watch;
  Race race;
  racing_begin(racing, text, NULL);
  recorded->path =
      (PathQuery){.bound = {.limit = 20}, .goal = racing_condition(racing, "n == 5")};
  assert_true(
      watch_path(&watch, &racing->r.arena, &racing->laws, &recorded->path, &racing->r.report));
  race_init(&race, &racing->laws, &racing->r.mem);
  assert_true(recorder_run(&recorded->run, &racing->r.arena, &watch, &race, 1, number));
  assert_null(race.record);
  race_release(&race);
}

static bool accepts(Recorded *recorded) {
  Text why = {.mem = &recorded->racing.r.mem};
  const char *rest;
  const RandomClaim claim = {.path = &recorded->path};
  const bool accepted = randomreplay_run(&recorded->racing.r.mem, &recorded->racing.r.net,
                                         &recorded->run, &claim, &why, &rest);
  assert_true(accepted == !why.size);
  text_release(&why);
  return accepted;
}

static void test_contents(void **state) {
  (void)state;
  Recorded first, again;
  record(&first, 4);
  record(&again, 4);
  const RandomRun *run = &first.run;
  assert_int_equal(run->step_count, 6); // the initial state and five steps
  assert_true(run->is_satisfied && run->end_time == run->steps[5].time);
  assert_int_equal(run->steps[0].edge_count, 0);
  for (uint32_t k = 1; k < 6; k++) {
    assert_int_equal(run->steps[k].edge_count, 2);
    assert_int_equal(run->steps[k].state[0], k);
    const double delay = run->steps[k].time - run->steps[k - 1].time;
    assert_true(delay >= 1 && delay <= 3 && run->steps[k].clocks[1] == 0);
    assert_true(run->steps[k].time == again.run.steps[k].time);
  }
  racing_release(&first.racing);
  racing_release(&again.racing);
}

static void test_replay(void **state) {
  (void)state;
  for (uint64_t number = 0; number < 20; number++) {
    Recorded r;
    record(&r, number);
    assert_true(accepts(&r)); // with exact times
    RandomStep *steps = (RandomStep *)(uintptr_t)r.run.steps;
    const RandomStep step = steps[2];
    steps[2].time = steps[1].time + 0.5; // the guard does not hold yet
    assert_false(accepts(&r));
    steps[2] = step;
    steps[2].edge_count = 1; // a receiver is missing
    assert_false(accepts(&r));
    steps[2] = step;
    r.run.step_count--;
    assert_false(accepts(&r));
    r.run.step_count++;
    r.run.is_satisfied = false;
    assert_false(accepts(&r));
    racing_release(&r.racing);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_contents),
                                     cmocka_unit_test(test_replay)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
