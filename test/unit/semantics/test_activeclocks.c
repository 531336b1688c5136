// Active clocks: exactly those with a bound or that are needed, in order, with their bounds.
#include "semantics/zone/activeclocks.h"

#include "base/random.h"
#include "dbm/extra.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { MAX = 40 };

static int32_t random_bound(Random *random) {
  return random_below(random, 2) ? CLOCK_NO_BOUND : random_between(random, 0, 10000);
}

static void check(const ActiveClocks *active, uint32_t n, const int32_t *lower,
                  const int32_t *upper, const bool *needed, bool is_m) {
  uint32_t k = 1;
  assert_int_equal(active->clocks[0], 0);
  assert_true(active->bounds->lower[0] == 0 && active->bounds->upper[0] == 0);
  for (ClockId x = 1; x < n; x++) {
    const int32_t max = lower[x] > upper[x] ? lower[x] : upper[x];
    if (max == CLOCK_NO_BOUND && !needed[x]) {
      assert_int_equal(active->position[x], ACTIVE_NONE);
      continue;
    }
    assert_int_equal(active->position[x], k);
    assert_int_equal(active->clocks[k], x);
    assert_int_equal(active->bounds->lower[k], is_m ? max : lower[x]);
    assert_int_equal(active->bounds->upper[k], is_m ? max : upper[x]);
    k++;
  }
  assert_int_equal(active->k, k);
}

static void test_set(void **state) {
  (void)state;
  Random random;
  random_seed(&random, 1);
  for (int round = 0; round < 2000; round++) {
    Mem mem = {0};
    Arena arena = {.mem = &mem};
    const uint32_t n = 1 + random_below(&random, MAX);
    ActiveClocks active;
    activeclocks_init(&active, &arena, n);
    for (int again = 0; again < 2; again++) { // active clocks may be set again
      int32_t lower[MAX] = {0}, upper[MAX] = {0};
      bool needed[MAX] = {false};
      for (uint32_t x = 1; x < n; x++) {
        lower[x] = random_bound(&random);
        upper[x] = random_bound(&random);
        needed[x] = !random_below(&random, 4);
      }
      const bool is_m = random_below(&random, 2);
      activeclocks_set(&active, n, lower, upper, needed, is_m);
      check(&active, n, lower, upper, needed, is_m);
    }
    arena_release(&arena);
    assert_int_equal(mem.bytes, 0);
  }
}

// Tests move to the positions of their clocks.
static void test_constraint(void **state) {
  (void)state;
  Mem mem = {0};
  Arena arena = {.mem = &mem};
  ActiveClocks active;
  activeclocks_init(&active, &arena, 4);
  const int32_t lower[] = {0, CLOCK_NO_BOUND, 5, CLOCK_NO_BOUND};
  const int32_t upper[] = {0, CLOCK_NO_BOUND, CLOCK_NO_BOUND, 7};
  const bool needed[4] = {false};
  activeclocks_set(&active, 4, lower, upper, needed, false);
  const ClockTest at_least = {0, 2, -5, false}, below = {3, 0, 7, true},
                  between = {3, 2, 1, true};
  const Constraint a = activeclocks_constraint(&active, &at_least),
                   b = activeclocks_constraint(&active, &below),
                   c = activeclocks_constraint(&active, &between);
  assert_true(a.i == 0 && a.j == 1 && a.bound == bound_le(-5));
  assert_true(b.i == 2 && b.j == 0 && b.bound == bound_lt(7));
  assert_true(c.i == 2 && c.j == 1 && c.bound == bound_lt(1));
  const ClockTest both[] = {below, between};
  Constraints list = {0};
  activeclocks_add(&active, &mem, &list, &at_least, 1);
  activeclocks_add(&active, &mem, &list, both, 2);
  assert_true(list.size == 3 && list.items[0].bound == a.bound && list.items[2].j == c.j);
  vec_release(&mem, &list);
  arena_release(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_set),
      cmocka_unit_test(test_constraint),
  };
  return cmocka_run_group_tests_name("active", tests, NULL, NULL);
}
