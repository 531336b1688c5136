// What is seen of a run: paths, bounds, extreme values.
#include "racing.h"

#define RATES(...) ((const RacingRate[]){__VA_ARGS__, {NULL, NULL, 0}})

// Two events race: good at rate 2, bad at rate 1.
static const char *text =
    "bool good, bad; clock c; process G() { state s, f; init s; trans s -> f { "
    "assign good = true; }; } process B() { state s, f; init s; trans s -> f "
    "{ assign bad = true; }; } system G, B;";

static double share(Racing *racing, const PathQuery *path) {
  enum { RUNS = 4000 };
  Watch watch;
  Race race;
  Outcome outcome;
  unsigned hits = 0;
  watch_path(&watch, &racing->r.arena, &racing->laws, path, &racing->r.report);
  race_init(&race, &racing->laws, &racing->r.mem);
  for (uint64_t run = 0; run < RUNS; run++) {
    assert_true(watch_run(&watch, &race, 1, run, &outcome, NULL, NULL));
    assert_true(outcome.time <= 1 + 1e-9);
    hits += outcome.is_satisfied;
  }
  race_release(&race);
  return (double)hits / RUNS;
}

static void test_paths(void **state) {
  (void)state;
  Racing racing;
  racing_begin(&racing, text, RATES({"G", "s", 2}, {"B", "s", 1}));
  const Expr *good = racing_condition(&racing, "good");
  const Expr *fine = racing_condition(&racing, "!bad");
  const Expr *none = racing_condition(&racing, "!good && !bad");
  const RunBound bound = {.limit = 1};
  const double until = share(&racing, &(PathQuery){bound, PATH_UNTIL, fine, good, NULL, NULL});
  const double always = share(&racing, &(PathQuery){bound, PATH_ALWAYS, NULL, none, NULL, NULL});
  const double soon =
      share(&racing, &(PathQuery){bound, PATH_EVENTUALLY, NULL, good, NULL, NULL});
  assert_true(fabs(until - 0.633475) < 0.03);
  assert_true(fabs(always - 0.049787) < 0.014);
  assert_true(fabs(soon - 0.864665) < 0.022);
  const RunBound cost = {.kind = RUN_BOUND_CLOCK, .clock = 1, .limit = 1};
  const double by_cost =
      share(&racing, &(PathQuery){cost, PATH_EVENTUALLY, NULL, good, NULL, NULL});
  assert_true(by_cost == soon);
  racing_release(&racing);
}

static void note_point(void *context, const Race *race, double time, const double *numbers,
                       bool is_inner) {
  unsigned *count = context;
  assert_true(time <= 5 && numbers[0] <= time);
  assert_true(race->time <= 5 && !is_inner);
  ++*count;
}

// The largest value of a clock that is set back at time 3, and where it was seen.
static void test_numbers(void **state) {
  (void)state;
  Racing racing;
  racing_begin(&racing,
               "clock x; process P() { state s { x <= 3 }, f; init s; trans s -> f { guard x "
               ">= 3; assign x = 0; }; } system P;",
               NULL);
  const Expr *clock = expr_clock_value(
      &racing.r.arena, (Place){0},
      expr_storage(&racing.r.arena, (Place){0}, EXPR_CLOCK, "x", type_clock(&racing.r.arena), 1));
  const RunBound bound = {.limit = 5};
  Watch watch;
  Race race;
  Outcome outcome;
  unsigned points = 0;
  race_init(&race, &racing.laws, &racing.r.mem);
  watch_numbers(&watch, &racing.r.arena, &racing.laws, &bound, &clock, 1, false, NULL);
  assert_true(watch_run(&watch, &race, 1, 0, &outcome, note_point, &points));
  assert_true(outcome.value == 3 && outcome.time == 5 && outcome.steps == 1);
  assert_int_equal(points, 4); // the beginning, before and after the step, the end
  watch_numbers(&watch, &racing.r.arena, &racing.laws, &bound, &clock, 1, true, NULL);
  assert_true(watch_run(&watch, &race, 1, 0, &outcome, NULL, NULL));
  assert_true(outcome.value == 0);
  race_release(&race);
  racing_release(&racing);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_paths),
                                     cmocka_unit_test(test_numbers)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
