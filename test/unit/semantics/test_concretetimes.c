// Concrete times against brute force: random systems of few steps are solved by trying all
// times on a grid, with clocks that run as clocks do.
#include "semantics/zone/concretetimes.h"

#include "base/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { MAX_STEPS = 4, MAX_ITEMS = 3, CLOCKS = 4, MAX_TIME = 24 };

// What happens at one step, in this order; step 0 is the start.
typedef struct Happening {
  bool can_delay; // before it
  ClockTest tests[MAX_ITEMS];
  uint32_t test_count;
  ClockUpdate updates[MAX_ITEMS];
  uint32_t update_count;
  ClockTest after[MAX_ITEMS]; // tests after the updates, as of a target's invariant
  uint32_t after_count;
} Happening;

typedef struct System {
  Happening steps[MAX_STEPS + 1];
  uint32_t last;
  bool has_strict;
} System;

static uint32_t random_tests(Random *random, ClockTest *tests, bool *has_strict) {
  const uint32_t count = random_below(random, MAX_ITEMS + 1);
  for (uint32_t t = 0; t < count; t++) {
    const ClockIndex i = random_below(random, CLOCKS);
    const ClockIndex j = (i + 1 + random_below(random, CLOCKS - 1)) % CLOCKS;
    // A lower bound, an upper bound, or a difference.
    const int low = !i ? -3 : !j ? 0 : -2, high = !i ? 0 : 3;
    tests[t] = (ClockTest){i, j, random_between(random, low, high), random_below(random, 2)};
    *has_strict |= tests[t].strict;
  }
  return count;
}

static uint32_t random_updates(Random *random, ClockUpdate *updates) {
  const uint32_t count = random_below(random, MAX_ITEMS + 1);
  for (uint32_t u = 0; u < count; u++) {
    const ClockIndex x = 1 + random_below(random, CLOCKS - 1);
    const ClockIndex y = random_below(random, 2) ? 0 : random_below(random, CLOCKS);
    const int constant = random_below(random, 2) ? 0 : random_between(random, y ? -1 : 0, 1);
    updates[u] = (ClockUpdate){x, y, constant};
  }
  return count;
}

static void random_system(System *s, Random *random, uint32_t last) {
  *s = (System){.last = last};
  for (uint32_t k = 0; k <= last; k++) {
    Happening *h = &s->steps[k];
    h->can_delay = random_below(random, 4);
    if (k) {
      h->test_count = random_tests(random, h->tests, &s->has_strict);
      h->update_count = random_updates(random, h->updates);
    }
    if (!random_below(random, 3))
      h->after_count = random_tests(random, h->after, &s->has_strict);
  }
}

static void system_feed(const System *s, ConcreteTimes *concrete) {
  for (uint32_t k = 0; k <= s->last; k++) {
    const Happening *h = &s->steps[k];
    if (k)
      concretetimes_step(concrete, h->can_delay);
    concretetimes_test(concrete, h->tests, h->test_count);
    concretetimes_update(concrete, h->updates, h->update_count);
    concretetimes_test(concrete, h->after, h->after_count);
  }
}

// All values are numerators over `grid`.
typedef struct Run {
  const System *system;
  int64_t grid;
  int64_t times[MAX_STEPS + 1];
} Run;

static bool tests_hold(const ClockTest *tests, uint32_t count, const int64_t *clocks,
                       int64_t grid) {
  for (uint32_t t = 0; t < count; t++) {
    const int64_t difference = clocks[tests[t].i] - clocks[tests[t].j];
    const int64_t bound = tests[t].constant * grid;
    if (tests[t].strict ? difference >= bound : difference > bound)
      return false;
  }
  return true;
}

// Step k at its time: from the clocks after step k-1 to those after k; false if a test fails.
static bool run_step(const Run *run, uint32_t k, const int64_t *before, int64_t *clocks) {
  const Happening *h = &run->system->steps[k];
  const int64_t passed = k ? run->times[k] - run->times[k - 1] : 0;
  if (passed < 0 || (passed && !h->can_delay))
    return false;
  for (uint32_t x = 0; x < CLOCKS; x++)
    clocks[x] = x ? before[x] + passed : 0;
  if (!tests_hold(h->tests, h->test_count, clocks, run->grid))
    return false;
  for (uint32_t u = 0; u < h->update_count; u++) {
    const ClockUpdate update = h->updates[u];
    clocks[update.x] = clocks[update.y] + update.constant * run->grid;
  }
  return tests_hold(h->after, h->after_count, clocks, run->grid);
}

static bool run_holds(const Run *run) {
  int64_t clocks[MAX_STEPS + 2][CLOCKS] = {{0}};
  if (run->times[0])
    return false;
  for (uint32_t k = 0; k <= run->system->last; k++)
    if (!run_step(run, k, clocks[k], clocks[k + 1]))
      return false;
  return true;
}

// Completes the run from step k on with the first solution in the order of the times. Minima
// of two solutions are solutions, so that it is the earliest in every step.
static bool run_find(Run *run, uint32_t k, const int64_t *before) {
  if (k > run->system->last || k > MAX_STEPS) // the second for the compiler, which cannot know
    return true;
  const int64_t first = k ? run->times[k - 1] : 0, max = k ? MAX_TIME * run->grid : 0;
  for (run->times[k] = first; run->times[k] <= max; run->times[k]++) {
    int64_t clocks[CLOCKS];
    if (run_step(run, k, before, clocks) && run_find(run, k + 1, clocks))
      return true;
    if (!run->system->steps[k].can_delay)
      break;
  }
  return false;
}

// With integer bounds a system of n unknown times has a solution iff there is one on the grid
// of 1/(n+1). On a finer one the earliest solution is the pair of the integer part and the
// number of epsilons; the denominator is the least one for which that pair is a solution.
static bool brute_force(const System *s, Run *run) {
  const int64_t zero[CLOCKS] = {0};
  const int64_t fine = s->last + 2;
  *run = (Run){.system = s, .grid = fine};
  if (!run_find(run, 0, zero))
    return false;
  int64_t whole[MAX_STEPS + 1], epsilons[MAX_STEPS + 1];
  for (uint32_t k = 0; k <= s->last; k++) {
    whole[k] = run->times[k] / fine;
    epsilons[k] = run->times[k] % fine;
  }
  for (run->grid = 1; run->grid <= fine; run->grid++) {
    for (uint32_t k = 0; k <= s->last; k++)
      run->times[k] = whole[k] * run->grid + epsilons[k];
    if (run_holds(run))
      return true;
  }
  fail_msg("the brute force is wrong");
  return false;
}

static bool compare(const System *s) {
  Mem mem = {0};
  ConcreteTimes concrete;
  concretetimes_init(&concrete, &mem, CLOCKS);
  system_feed(s, &concrete);
  Run run;
  const bool expected = brute_force(s, &run);
  assert_int_equal(concretetimes_solve(&concrete), expected);
  if (expected) {
    assert_int_equal(concrete.times.size, s->last + 1);
    assert_int_equal(concrete.denominator, run.grid);
    for (uint32_t k = 0; k <= s->last; k++)
      assert_int_equal(concrete.times.items[k], run.times[k]);
    assert_true(s->has_strict || concrete.denominator == 1);
  } else {
    assert_int_equal(concrete.times.size, 0);
  }
  mem_release(&mem);
  return expected;
}

static void test_random_systems(void **state) {
  (void)state;
  Random random;
  random_seed(&random, 1);
  enum { SYSTEMS = 20000 };
  int solved = 0;
  for (int i = 0; i < SYSTEMS; i++) {
    System s;
    random_system(&s, &random, random_below(&random, i % 10 ? 4 : MAX_STEPS + 1));
    solved += compare(&s);
  }
  assert_in_range(solved, SYSTEMS / 20, SYSTEMS * 9 / 10);
}

static ClockTest at_most(ClockIndex x, int c, bool strict) {
  return (ClockTest){x, 0, c, strict};
}
static ClockTest at_least(ClockIndex x, int c, bool strict) {
  return (ClockTest){0, x, -c, strict};
}

static void step_with(ConcreteTimes *concrete, ClockTest a, ClockTest b) {
  concretetimes_step(concrete, true);
  concretetimes_test(concrete, &a, 1);
  concretetimes_test(concrete, &b, 1);
}

// x > 2 && x < 3: the middle; x >= 2 && x < 3: at 2.
static void test_windows(void **state) {
  (void)state;
  Mem mem = {0};
  ConcreteTimes concrete;
  concretetimes_init(&concrete, &mem, 2);
  step_with(&concrete, at_least(1, 2, true), at_most(1, 3, true));
  assert_true(concretetimes_solve(&concrete));
  assert_int_equal(concrete.denominator, 2);
  assert_int_equal(concrete.times.items[1], 5);
  concretetimes_init(&concrete, &mem, 2);
  step_with(&concrete, at_least(1, 2, false), at_most(1, 3, true));
  assert_true(concretetimes_solve(&concrete));
  assert_int_equal(concrete.denominator, 1);
  assert_int_equal(concrete.times.items[1], 2);
  step_with(&concrete, at_least(1, 3, true), at_most(1, 3, false));
  assert_false(concretetimes_solve(&concrete));
  mem_release(&mem);
}

// Many strict steps within one unit of time need a large denominator, and large constants
// nothing special.
static void test_long_runs(void **state) {
  (void)state;
  enum { STEPS = 300, LARGE = CODE_MAX_CONSTANT };
  Mem mem = {0};
  ConcreteTimes concrete;
  concretetimes_init(&concrete, &mem, 3);
  const ClockUpdate reset = {1, 0, 0};
  for (int k = 0; k < STEPS; k++) {
    step_with(&concrete, at_least(1, 0, true), at_most(2, 1, true));
    concretetimes_update(&concrete, &reset, 1);
  }
  assert_true(concretetimes_solve(&concrete));
  assert_int_equal(concrete.denominator, STEPS + 1);
  for (int k = 0; k <= STEPS; k++)
    assert_int_equal(concrete.times.items[k], k);
  for (int k = 0; k < STEPS; k++) {
    step_with(&concrete, at_least(1, LARGE, false), at_most(1, LARGE, false));
    concretetimes_update(&concrete, &reset, 1);
  }
  assert_true(concretetimes_solve(&concrete));
  const int64_t end = STEPS + (int64_t)STEPS * LARGE * (STEPS + 1);
  assert_int_equal(concrete.times.items[2 * STEPS], end);
  mem_release(&mem);
}

// A solved system may be given more constraints, and be cut back, as for the clauses of a goal.
static void test_solve_again(void **state) {
  (void)state;
  Mem mem = {0};
  ConcreteTimes concrete;
  concretetimes_init(&concrete, &mem, 2);
  concretetimes_step(&concrete, true);
  assert_true(concretetimes_solve(&concrete));
  assert_int_equal(concrete.times.items[1], 0);
  const uint32_t kept = concrete.constraints.size;
  const ClockTest impossible[] = {at_least(1, 2, false), at_most(1, 1, false)};
  concretetimes_test(&concrete, impossible, 2);
  assert_false(concretetimes_solve(&concrete));
  concrete.constraints.size = kept;
  concretetimes_test(&concrete, impossible, 1);
  assert_true(concretetimes_solve(&concrete));
  assert_int_equal(concrete.times.items[1], 2);
  mem_release(&mem);
}

// Clocks are the time since they were set, plus what they were set to; zones are tests.
static void test_clocks(void **state) {
  (void)state;
  Mem mem = {0};
  Arena arena = {.mem = &mem};
  ConcreteTimes concrete;
  concretetimes_init(&concrete, &mem, 3);
  concretetimes_step(&concrete, true);
  Bound *zone = arena_alloc(&arena, dbm_bytes(3));
  dbm_universal(zone, 3);
  zone[1] = bound_lt(-2); // 0 - x_1 < -2
  concretetimes_test_zone(&concrete, zone, 3, AS_IT_IS);
  concretetimes_update(&concrete, &(ClockUpdate){1, 0, 5}, 1);
  const ClockOrigins origins = concretetimes_origins(&concrete, &arena);
  concretetimes_step(&concrete, true);
  concretetimes_test(&concrete, &(ClockTest){0, 1, -6, false}, 1);
  assert_true(concretetimes_solve(&concrete));
  assert_int_equal(concrete.denominator, 1);
  const int64_t *now = concretetimes_clocks(&concrete, origins, 1, &arena);
  assert_true(now[1] == 5 && now[2] == 3);
  const int64_t *later = concretetimes_clocks(&concrete, origins, 2, &arena);
  assert_true(later[1] == 6 && later[2] == 4);
  concretetimes_init(&concrete, &mem, 3);
  concretetimes_step(&concrete, true);
  concretetimes_test_zone(&concrete, zone, 3, LOWER_RELAXED);
  assert_true(concretetimes_solve(&concrete));
  assert_int_equal(concrete.times.items[1], 2);
  arena_release(&arena);
  mem_release(&mem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random_systems), cmocka_unit_test(test_windows),
      cmocka_unit_test(test_long_runs),      cmocka_unit_test(test_solve_again),
      cmocka_unit_test(test_clocks),
  };
  return cmocka_run_group_tests_name("concrete", tests, NULL, NULL);
}
