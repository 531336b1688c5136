// Delays of a run in which a clock is stopped.
#include "answers/runs/stoptimes.h"
#include "reading.h"

enum { X = 1, Y = 2, CLOCKS = 3 };

static const bool all_run[CLOCKS] = {0}, x_stops[CLOCKS] = {[X] = true};

static void at_least(StopTimes *s, ClockIndex x, int64_t value) {
  stoptimes_test(s, &(ClockTest){0, x, -value, false}, 1);
}

static void at_most(StopTimes *s, ClockIndex x, int64_t value, bool is_strict) {
  stoptimes_test(s, &(ClockTest){x, 0, value, is_strict}, 1);
}

// x runs, stands still, and runs; y is set to it in between and runs on.
static void make(StopTimes *s, Arena *arena) {
  stoptimes_init(s, arena, CLOCKS);
  stoptimes_step(s);
  stoptimes_delay(s, all_run);
  at_least(s, X, 2);
  at_most(s, X, 2, false);
  stoptimes_update(s, &(ClockUpdate){Y, X, 1}, 1);
  stoptimes_step(s);
  stoptimes_delay(s, x_stops);
  at_least(s, Y, 5);
  stoptimes_step(s);
  stoptimes_delay(s, all_run);
}

static void test_times(void **unused) {
  (void)unused;
  Mem mem = {0};
  Arena arena = {.mem = &mem};
  StopTimes s;
  StopWalk walk;
  make(&s, &arena);
  at_most(&s, Y, 6, true);
  at_least(&s, X, 2);
  assert_int_equal(stoptimes_solve(&s, 1000), SIMPLEX_SOLVED);
  stoptimes_walk(&walk, &s);
  stoptimes_next(&walk);
  assert_int_equal(walk.time, 0);
  stoptimes_next(&walk); // after y = x + 1
  assert_int_equal(walk.time, 2 * s.denominator);
  assert_int_equal(walk.values[Y], 3 * s.denominator);
  stoptimes_next(&walk);
  assert_int_equal(walk.values[X], 2 * s.denominator); // it stood still
  assert_true(walk.values[Y] >= 5 * s.denominator);
  stoptimes_next(&walk); // the end
  assert_true(walk.values[Y] < 6 * s.denominator);
  arena_release(&arena);
  mem_release(&mem);
}

// y >= 5 takes two units after y = 3; with x they differ by one more then, whatever follows.
static void test_none(void **unused) {
  (void)unused;
  Mem mem = {0};
  Arena arena = {.mem = &mem};
  StopTimes s;
  make(&s, &arena);
  stoptimes_test(&s, &(ClockTest){Y, X, 3, true}, 1);
  assert_int_equal(stoptimes_solve(&s, 1000), SIMPLEX_NONE);
  arena_release(&arena);
  mem_release(&mem);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_times), cmocka_unit_test(test_none)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
