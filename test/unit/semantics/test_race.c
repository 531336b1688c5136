// The race: laws of delays and of choices, on models with known answers; errors.
#include "racing.h"

#define RATES(...) ((const RacingRate[]){__VA_ARGS__, {NULL, NULL, 0}})

static void test_exponential(void **state) {
  (void)state;
  static const char *text = "int w = 0; process P() { state s, f; init s; trans s -> f { guard w "
                            "== 0; assign w = 1; }; } process Q() { state s, f; init s; trans s "
                            "-> f { guard w == 0; assign w = 2; }; } system P, Q;";
  racing_expect(text, RATES({"P", "s", 3}, {"Q", "s", 5}), "w == 1", 1000, 0.375);
  racing_expect(text, RATES({"P", "s", 3}, {"Q", "s", 5}), "w > 0", 0.1, 1 - exp(-0.8));
}

static void test_uniform(void **state) {
  (void)state;
  static const char *text =
      "clock x; process P() { state a { x <= 10 }, b; init a; trans a -> b { guard x >= 2; }; } "
      "system P;";
  racing_expect(text, NULL, "P.b", 4, 0.25);
  racing_expect(text, NULL, "P.b", 10, 1);
  racing_expect(text, NULL, "P.b", 2, 0);
  racing_expect(text, NULL, "x > 4 && P.a", 9, 0.75); // seen within the delay
}

// The law of the time that is left is that of the race, whoever acts in between.
static void test_kept_proposals(void **state) {
  (void)state;
  static const char *text =
      "clock x; int n = 0; process P() { state a { x <= 10 }, b; init a; trans a -> b { guard x "
      ">= 2; }; } process Q() { state s; init s; trans s -> s { assign n = n < 30 ? n + 1 : n; "
      "}; } system P, Q;";
  racing_expect(text, RATES({"Q", "s", 5}), "P.b", 4, 0.25);
  // A guard that another process opens at time 3 on average.
  static const char *opens = "clock x; bool open; process P() { state a { x <= 10 }, b; init a; "
                             "trans a -> b { guard open; }; } process Q() { clock y; state s { y "
                             "<= 4 }, f; init s; trans s -> f { guard y >= 4; assign open = "
                             "true; }; } system P, Q;";
  racing_expect(opens, NULL, "P.b", 7, 0.5);
}

static void test_points(void **state) {
  (void)state;
  static const char *text =
      "clock x; process P() { state a { x <= 5 }, b; init a; trans a -> b { "
      "guard x >= 5; }; } system P;";
  racing_expect(text, NULL, "P.b", 5, 1);
  racing_expect(text, NULL, "P.b", 4, 0);
  racing_expect(text, NULL, "P.a", 0, 1);
}

// A window with a gap: nothing happens in it, and the rest is drawn again.
static void test_gap(void **state) {
  (void)state;
  racing_expect(
      "clock x; process P() { state a { x <= 10 }, b, c; init a; trans a -> b { guard x "
      ">= 2 && x <= 3; }, a -> c { guard x >= 7; }; } system P;",
      NULL, "P.b", 20, 0.125);
}

static void test_choices(void **state) {
  (void)state;
  racing_expect(
      "process P() { state s, x, y, z; urgent s; init s; trans s -> x { guard true; }, s "
      "-> y { guard true; }, s -> z { guard false; }; } system P;",
      NULL, "P.x", -1, 0.5);
  // A select counts once for each binding.
  racing_expect(
      "int u = -1; process P() { state s, f; urgent s; init s; trans s -> f { select i : "
      "int[0,3]; guard i % 2 == 1; assign u = i; }, s -> f { assign u = 9; }; } system "
      "P;",
      NULL, "u == 9", -1, 1. / 3);
}

static void test_committed(void **state) {
  (void)state;
  static const char *text =
      "int w = 0; process P() { state s, f; commit s; init s; trans s -> f { assign w = w == 0 ? "
      "1 "
      ": w; }, s -> f { assign w = w == 0 ? 1 : w; }; } process Q() { state s, f; commit s; init "
      "s; trans s -> f { assign w = w == 0 ? 2 : w; }; } process R() { state s, f; urgent s; "
      "init "
      "s; trans s -> f { assign w = w == 0 ? 3 : w; }; } system P, Q, R;";
  racing_expect(text, NULL, "w == 1", -2, 0.5);
  racing_expect(text, NULL, "w == 3", -2, 0);
  // A sender that is not committed serves a committed receiver.
  racing_expect(
      "broadcast chan a; process P() { state s, f; commit s; init s; trans s -> f { sync "
      "a?; }; } process Q() { state s, f; init s; trans s -> f { sync a!; }; } system P, "
      "Q;",
      RATES({"Q", "s", 1}), "P.f", 0, 1);
}

static void test_broadcast(void **state) {
  (void)state;
  // The sender first, then receivers in the order of the system; guards before all updates.
  racing_expect(
      "broadcast chan a; int v = 1; process S() { state s, f; urgent s; init s; trans s "
      "-> f { sync a!; assign v = v * 2; }; } process R() { state s, f; init s; trans s "
      "-> f { guard v == 1; sync a?; assign v = v + 1; }; } process T() { state s, f; "
      "init s; trans s -> f { sync a?; assign v = v * 10; }; } system S, R, T;",
      NULL, "v == 30", -1, 1);
}

static void test_urgent_channel(void **state) {
  (void)state;
  static const char *text = "urgent broadcast chan a; clock x; process P() { state s, f; init s; "
                            "trans s -> f { guard x "
                            ">= 3; sync a!; }; } system P;";
  racing_expect(text, NULL, "P.f", 3, 1);
  racing_expect(text, NULL, "P.f", 2, 0);
}

static void test_until_bound(void **state) {
  (void)state;
  racing_expect("int n = 0; process P() { state s; init s; trans s -> s { assign n = n + 1; }; } "
                "system P;",
                RATES({"P", "s", 1.5}), "n >= 3", 2, 0.576809919);
}

static void fails(const char *text, const RacingRate *rates, double limit, const char *message) {
  Racing racing;
  racing_begin(&racing, text, rates);
  assert_true(racing_estimate(&racing, "false", limit, 10) < 0);
  if (!strstr(text_chars(&racing.r.report.error), message))
    fail_msg("%s", text_chars(&racing.r.report.error));
  racing_release(&racing);
}

static void test_errors(void **state) {
  (void)state;
  static const char *loop = "process P() { state s; init s; trans s -> s { }; } system P;";
  fails(loop, NULL, 1,
        "neither an invariant bounds it nor is there a rate, in P.s at time 0 (run");
  fails(loop, RATES({"P", "s", -1}), 1, "the rate of the delay is -1, in P.s");
  fails(loop, RATES({"P", "s", NAN}), 1, "the rate of the delay is");
  fails(loop, RATES({"P", "s", 1e300}), 1, "probably Zeno: 100000 steps");
  fails("clock x; process P() { state s { x <= 3 }, f; init s; trans s -> f { guard x > 5; }; } "
        "system P;",
        NULL, 9,
        "time-lock: the invariant ends, and no edge is enabled, in P.s at time 3 (run 0 "
        "of seed 1)");
  fails("process P() { state s, f; commit s; init s; trans s -> f { guard false; }; } system P;",
        NULL, 9, "time-lock: no edge leads out of a committed location, in P.s");
  fails("clock x; process P() { state s, f { x <= 0 }; init s; trans s -> f { }; } system P;",
        RATES({"P", "s", 1}), 99, "the invariant does not hold, in P.f");
  fails("clock x; process P() { state s { x > 0 }; init s; } system P;", NULL, 9,
        "the invariant does not hold, in P.s at time 0");
  fails("clock x; process P() { state s, f; init s; trans s -> f { assign x = 5; }; } process "
        "Q() { "
        "state s { x <= 3 }; init s; } system P, Q;",
        RATES({"P", "s", 50}), 1, "the invariant does not hold, in Q.s");
  fails("clock x; process P() { state s { x < 1 }, f; init s; trans s -> f { guard x >= 1; }; } "
        "system "
        "P;",
        NULL, 9, "time-lock: the invariant ends, and no edge is enabled, in P.s at time 1");
  fails("int[0,3] n = 0; process P() { state s; init s; trans s -> s { assign n = n + 1; }; } "
        "system P;",
        RATES({"P", "s", 1}), 99, "range");
  Reading r;
  reading_begin(&r, "chan a; process P() { state s; init s; trans s -> s { sync a!; }, s -> s { "
                    "sync a?; }; } system P;");
  Laws laws;
  assert_true(uppaal_read(&r.net, &r.source, &r.report));
  assert_false(laws_make(&laws, &r.arena, &r.net, &r.report));
  assert_non_null(strstr(text_chars(&r.report.error), "`a` is a binary one"));
  reading_release(&r);
}

// A run is a function of seed and number.
static void test_runs(void **state) {
  (void)state;
  static const char *text = "process P() { state s; init s; trans s -> s { }; } system P;";
  Racing racing;
  racing_begin(&racing, text, RATES({"P", "s", 1}));
  const PathQuery path = {.bound = {.limit = 50}, .kind = PATH_ALWAYS};
  Watch watch;
  watch_path(&watch, &racing.r.arena, &racing.laws, &path, &racing.r.report);
  Race race;
  race_init(&race, &racing.laws, &racing.r.mem);
  Outcome first, again, other;
  assert_true(watch_run(&watch, &race, 3, 5, &first, NULL, NULL));
  assert_true(watch_run(&watch, &race, 3, 6, &other, NULL, NULL));
  assert_true(watch_run(&watch, &race, 3, 5, &again, NULL, NULL));
  assert_true(first.is_satisfied && first.time == 50);
  assert_int_equal(first.steps, again.steps);
  assert_int_not_equal(first.steps, other.steps);
  race_release(&race);
  racing_release(&racing);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_exponential),
      cmocka_unit_test(test_uniform),
      cmocka_unit_test(test_kept_proposals),
      cmocka_unit_test(test_points),
      cmocka_unit_test(test_gap),
      cmocka_unit_test(test_choices),
      cmocka_unit_test(test_committed),
      cmocka_unit_test(test_broadcast),
      cmocka_unit_test(test_urgent_channel),
      cmocka_unit_test(test_until_bound),
      cmocka_unit_test(test_errors),
      cmocka_unit_test(test_runs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
