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

typedef struct Taken {
  Outcome *outcomes;
  uint64_t count, enough; // enough 0: it never is
} Taken;

// Outcomes come in order, each once.
static bool take(void *context, uint64_t run, const Outcome *outcome) {
  Taken *taken = context;
  assert_int_equal(run, taken->count);
  if (taken->outcomes)
    taken->outcomes[run] = *outcome;
  return ++taken->count == taken->enough;
}

static const RacingRate rates[] = {{"P", "s", 3}, {NULL, NULL, 0}};

static void test_threads(void **state) {
  (void)state;
  enum { RUNS = 3000, MOST = 8 };
  static Outcome first[RUNS], outcomes[RUNS];
  Racing racing;
  racing_begin(&racing, text, rates);
  const Watch watch = watch_of(&racing, "n == 4", 1);
  const Watch *const watches[] = {&watch};
  for (uint32_t threads = 1; threads <= MOST; threads *= 2) {
    Taken taken = {.outcomes = threads == 1 ? first : outcomes};
    Crew *crew = crew_new(&racing.r.mem, &racing.laws, watches, 1, 7, threads);
    assert_int_equal(crew_run(crew, RUNS, take, &taken), CREW_DONE);
    assert_int_equal(taken.count, RUNS);
    for (uint32_t k = 0; threads > 1 && k < RUNS; k++) {
      assert_true(first[k].is_satisfied == outcomes[k].is_satisfied);
      assert_true(first[k].at == outcomes[k].at && first[k].steps == outcomes[k].steps);
    }
    assert_null(crew_stopped(crew));
    crew_release(crew);
  }
  racing_release(&racing);
}

// A run is the same alone and after any other: what a race keeps from run to run is room.
static void expect_alone(const char *model, const RacingRate *model_rates, const char *goal) {
  enum { RUNS = 300 };
  static Outcome outcomes[RUNS];
  Racing racing;
  racing_begin(&racing, model, model_rates);
  const Watch watch = watch_of(&racing, goal, 30);
  const Watch *const watches[] = {&watch};
  Taken taken = {.outcomes = outcomes};
  Crew *crew = crew_new(&racing.r.mem, &racing.laws, watches, 1, 5, 1);
  assert_int_equal(crew_run(crew, RUNS, take, &taken), CREW_DONE);
  crew_release(crew);
  for (uint32_t k = 0; k < RUNS; k++) {
    Race race;
    Outcome alone;
    race_init(&race, &racing.laws, &racing.r.mem);
    assert_true(watch_run(&watch, &race, 5, k, &alone, NULL, NULL));
    race_release(&race);
    if (alone.at != outcomes[k].at || alone.time != outcomes[k].time ||
        alone.steps != outcomes[k].steps)
      fail_msg("run %u: %.17g alone, else %.17g", k, alone.at, outcomes[k].at);
  }
  racing_release(&racing);
}

static void test_alone(void **state) {
  (void)state;
  expect_alone("int n = 0, m = 0; process P() { state s; init s; trans s -> s { assign n++; }; } "
               "process Q() { state s; init s; trans s -> s { assign m = m < 9 ? m + 1 : 0; }; } "
               "process R() { state s; init s; trans s -> s { guard m > 3; assign m = 0; }; } "
               "system P, Q, R;",
               (const RacingRate[]){{"P", "s", 1}, {"Q", "s", 2}, {"R", "s", 3}, {NULL, NULL, 0}},
               "m == 7");
  expect_alone("clock T = 20.0; urgent broadcast chan now; double loss = 0.1; "
               "process H() { state a { T' == -loss * (T - 10.0) }, b { T' == 5 - loss * T }; "
               "init a; trans a -> b { guard T <= 15; sync now!; }, "
               "b -> a { guard T >= 22; sync now!; }; } "
               "process W() { state s; init s; trans s -> s { assign loss = random(0.5); }; } "
               "system H, W;",
               (const RacingRate[]){{"W", "s", 0.3}, {NULL, NULL, 0}}, "T <= 15");
}

// Any number of runs may be enough, and a crew can run again.
static void test_enough(void **state) {
  (void)state;
  Racing racing;
  racing_begin(&racing, text, rates);
  const Watch watch = watch_of(&racing, "n == 4", 1);
  const Watch *const watches[] = {&watch};
  for (uint32_t threads = 1; threads <= 4; threads++) {
    Crew *crew = crew_new(&racing.r.mem, &racing.laws, watches, 1, 7, threads);
    for (uint64_t enough = 1; enough < 2000; enough = enough * 3 - 1 + enough / 2) {
      Taken taken = {.enough = enough};
      assert_int_equal(crew_run(crew, 0, take, &taken), CREW_DONE);
      assert_int_equal(taken.count, enough);
      taken = (Taken){.enough = 0};
      assert_int_equal(crew_run(crew, enough, take, &taken), CREW_DONE);
      assert_int_equal(taken.count, enough);
    }
    crew_release(crew);
  }
  racing_release(&racing);
}

// The error is that of the first run that fails, whichever thread came to one first; what is
// enough before it is no failure.
static void test_failure(void **state) {
  (void)state;
  Racing racing;
  racing_begin(&racing, failing, (const RacingRate[]){{"P", "s", 1.5}, {NULL, NULL, 0}});
  const Watch watch = watch_of(&racing, "false", 1);
  const Watch *const watches[] = {&watch};
  uint64_t least = 0;
  for (uint32_t threads = 1; threads <= 4; threads++) {
    Place place;
    char expected[32];
    Taken taken = {.enough = 0};
    Crew *crew = crew_new(&racing.r.mem, &racing.laws, watches, 1, 1, threads);
    assert_int_equal(crew_run(crew, 400, take, &taken), CREW_FAILED);
    least = threads == 1 ? taken.count : least;
    assert_true(taken.count > 0 && taken.count < 400);
    assert_int_equal(taken.count, least);
    snprintf(expected, sizeof expected, "(run %llu of seed 1)", (unsigned long long)least);
    assert_non_null(strstr(crew_error(crew, &place), expected));
    taken = (Taken){.enough = least};
    assert_int_equal(crew_run(crew, 400, take, &taken), CREW_DONE);
    crew_release(crew);
  }
  racing_release(&racing);
}

static const char *enough(void *context) { return ++*(int *)context > 3 ? "enough" : NULL; }

static void test_stop(void **state) {
  (void)state;
  Racing racing;
  racing_begin(&racing, text, rates);
  const Watch watch = watch_of(&racing, "false", 1000);
  const Watch *const watches[] = {&watch};
  for (uint32_t threads = 1; threads <= 2; threads++) {
    int asked = 0;
    Taken taken = {.enough = 0};
    Crew *crew = crew_new(&racing.r.mem, &racing.laws, watches, 1, 1, threads);
    crew_set_stop(crew, enough, &asked);
    assert_int_equal(crew_run(crew, 0, take, &taken), CREW_STOPPED);
    assert_string_equal(crew_stopped(crew), "enough");
    crew_release(crew);
  }
  racing_release(&racing);
}

// Memory that ends while outcomes are kept: the other threads have ended before it is known.
typedef struct Hoard {
  Mem *mem;
  void *blocks[100];
} Hoard;

static bool hoard(void *context, uint64_t run, const Outcome *outcome) {
  Hoard *h = context;
  assert_true(outcome->time <= 1 && run < 100);
  h->blocks[run] = mem_alloc(h->mem, 1 << 16);
  return false;
}

static void run_out(uint32_t threads) {
  Racing racing;
  racing_begin(&racing, text, rates);
  Mem *mem = &racing.r.mem;
  const Watch watch = watch_of(&racing, "false", 1);
  const Watch *const watches[] = {&watch};
  jmp_buf escape, *const outer = mem->escape;
  Crew *const crew = crew_new(mem, &racing.laws, watches, 1, 1, threads);
  mem->escape = &escape;
  mem->limit = mem->bytes + (1 << 22);
  static Hoard h;
  h = (Hoard){.mem = mem};
  if (!setjmp(escape)) {
    crew_run(crew, 0, hoard, &h);
    fail_msg("there was memory without end");
  }
  mem->limit = 0;
  mem->escape = outer;
  crew_release(crew);
  assert_non_null(h.blocks[60]);
  for (uint32_t k = 0; k < 100; k++)
    mem_free(mem, h.blocks[k]);
  racing_release(&racing);
}

static void test_memory(void **state) {
  (void)state;
  for (uint32_t threads = 1; threads <= 3; threads++)
    run_out(threads);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_threads), cmocka_unit_test(test_alone),
      cmocka_unit_test(test_enough),  cmocka_unit_test(test_failure),
      cmocka_unit_test(test_stop),    cmocka_unit_test(test_memory)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
