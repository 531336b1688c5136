// Many runs by threads: the same outcomes for any number of them; the first failure; stopping.
#include "racing.h"

static const char text[] =
    "int n = 0; process P() { state s; init s; trans s -> s { assign n = n + 1; }; } system P;";
static const char failing[] = "int[0,4] n = 0; process P() { state s; init s; trans s -> s { "
                              "assign n = n + 1; }; } system P;";

static Watch watch_of(Racing *racing, const char *goal, double limit) {
  Watch watch;
  const PathQuery path = {.bound = {.limit = limit}, .goal = racing_condition(racing, goal)};
  assert_true(watch_path(&watch, &racing->r.arena, &racing->laws, &path, &racing->r.report));
  return watch;
}

static void test_threads(void **state) {
  (void)state;
  static const RacingRate rates[] = {{"P", "s", 3}, {NULL, NULL, 0}};
  enum { RUNS = 500, MOST = 8 };
  Outcome first[RUNS];
  Racing racing;
  racing_begin(&racing, text, rates);
  const Watch watch = watch_of(&racing, "n == 4", 1);
  const Watch *const watches[] = {&watch};
  for (uint32_t threads = 1; threads <= MOST; threads *= 2) {
    const Outcome *outcomes;
    Crew *crew = crew_new(&racing.r.mem, &racing.laws, watches, 1, 7, threads);
    assert_int_equal(crew_run(crew, 10, RUNS, &outcomes), RUNS);
    for (uint32_t k = 0; k < RUNS; k++) {
      if (threads == 1)
        first[k] = outcomes[k];
      assert_true(first[k].is_satisfied == outcomes[k].is_satisfied);
      assert_true(first[k].at == outcomes[k].at && first[k].steps == outcomes[k].steps);
    }
    assert_null(crew_stopped(crew));
    crew_release(crew);
  }
  racing_release(&racing);
}

// The error is that of the first run that fails, whichever thread came to one first.
static void test_failure(void **state) {
  (void)state;
  static const RacingRate rates[] = {{"P", "s", 3}, {NULL, NULL, 0}};
  Racing racing;
  racing_begin(&racing, failing, rates);
  const Watch watch = watch_of(&racing, "false", 1);
  const Watch *const watches[] = {&watch};
  uint32_t least = 0;
  for (uint32_t threads = 1; threads <= 4; threads++) {
    const Outcome *outcomes;
    Place place;
    char expected[32];
    Crew *crew = crew_new(&racing.r.mem, &racing.laws, watches, 1, 1, threads);
    const uint32_t made = crew_run(crew, 0, 400, &outcomes);
    least = threads == 1 ? made : least;
    assert_true(made < 400);
    assert_int_equal(made, least);
    snprintf(expected, sizeof expected, "(run %u of seed 1)", made);
    assert_non_null(strstr(crew_error(crew, &place), expected));
    crew_release(crew);
  }
  racing_release(&racing);
}

static const char *enough(void *context) { return ++*(int *)context > 3 ? "enough" : NULL; }

static void test_stop(void **state) {
  (void)state;
  static const RacingRate rates[] = {{"P", "s", 3}, {NULL, NULL, 0}};
  Racing racing;
  racing_begin(&racing, text, rates);
  const Watch watch = watch_of(&racing, "false", 1000);
  const Watch *const watches[] = {&watch};
  for (uint32_t threads = 1; threads <= 2; threads++) {
    const Outcome *outcomes;
    int asked = 0;
    Crew *crew = crew_new(&racing.r.mem, &racing.laws, watches, 1, 1, threads);
    crew_set_stop(crew, enough, &asked);
    assert_true(crew_run(crew, 0, 1000, &outcomes) < 1000);
    assert_string_equal(crew_stopped(crew), "enough");
    crew_release(crew);
  }
  racing_release(&racing);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_threads),
                                     cmocka_unit_test(test_failure), cmocka_unit_test(test_stop)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
