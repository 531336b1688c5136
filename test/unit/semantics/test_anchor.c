// Anchors of random valuations: the point at the distance is like the valuation that it was
// made from, as doc/notes/darts.md asks.
#include "semantics/discrete/anchor.h"

#include "base/random.h"

// cmocka wants these before itself.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

enum { CLOCKS = 6, ROUNDS = 200000 };

typedef struct Fixture {
  Random random;
  Horizon horizon;
  DiagonalLimits diagonals;
  int32_t lower[CLOCKS], upper[CLOCKS], limit[CLOCKS];
  bool contains[CLOCKS];
  ClockIndex clocks[CLOCKS], sorted[CLOCKS];
  int32_t before[CLOCKS], values[CLOCKS];
} Fixture;

static void set_limits(Fixture *f, ClockIndex x, int32_t lower, int32_t upper) {
  f->lower[x] = lower;
  f->upper[x] = upper;
  f->limit[x] = lower > upper + 1 ? lower : upper + 1;
  if (f->limit[x] > f->horizon.max)
    f->horizon.max = f->limit[x];
}

static void make(Fixture *f, bool has_group, bool is_global) {
  const uint32_t n = 1 + random_below(&f->random, CLOCKS);
  const int32_t constant = random_between(&f->random, 0, 6);
  f->diagonals = (DiagonalLimits){.clocks = f->clocks,
                                  .contains = f->contains,
                                  .difference = random_between(&f->random, 0, 4)};
  f->diagonals.max =
      is_global ? constant : f->diagonals.difference + random_between(&f->random, 0, 3);
  f->horizon = (Horizon){.n = n,
                         .lower = f->lower,
                         .upper = f->upper,
                         .limit = f->limit,
                         .can_delay = random_below(&f->random, 4) != 0,
                         .diagonals = &f->diagonals,
                         .sorted = f->sorted};
  for (ClockIndex x = 1; x < n; x++) {
    f->contains[x] = has_group && random_below(&f->random, 2);
    if (f->contains[x])
      f->clocks[f->diagonals.count++] = x;
    if (f->contains[x] || is_global)
      set_limits(f, x, is_global ? constant + 1 : f->diagonals.max + 1,
                 is_global ? constant : f->diagonals.max);
    else
      set_limits(f, x, random_between(&f->random, -1, 6), random_between(&f->random, -1, 6));
    if (is_global) // tests from above are never left behind
      f->upper[x] = INT32_MAX;
    f->before[x] = f->values[x] = random_between(&f->random, 0, 12);
  }
}

static bool are_alike(const Fixture *f, const int32_t *a, const int32_t *b) {
  for (ClockIndex x = 1; x < f->horizon.n; x++)
    if (a[x] != b[x] && (a[x] < f->limit[x] || b[x] < f->limit[x]))
      return false;
  for (uint32_t i = 0; i < f->diagonals.count; i++)
    for (uint32_t j = 0; j < f->diagonals.count; j++) {
      const ClockIndex x = f->clocks[i], y = f->clocks[j];
      const int32_t gap_a = a[x] - a[y], gap_b = b[x] - b[y];
      if (gap_a != gap_b && gap_a >= 0 &&
          (gap_a <= f->diagonals.difference || gap_b <= f->diagonals.difference))
        return false;
    }
  return true;
}

static bool is_above_all(const Fixture *f) {
  for (ClockIndex x = 1; x < f->horizon.n; x++)
    if (f->before[x] <= f->upper[x])
      return false;
  return true;
}

// The valuation is like the point, or, if no test from above is left, after some delay.
static void check(Fixture *f, int32_t distance) {
  int32_t point[CLOCKS] = {0};
  bool has_zero = f->horizon.n == 1;
  for (ClockIndex x = 1; x < f->horizon.n; x++) {
    assert_true(f->values[x] >= 0);
    has_zero |= f->values[x] == 0;
    point[x] = f->values[x] + distance;
  }
  bool alike = are_alike(f, f->before, point);
  for (int32_t delay = 1; !alike && is_above_all(f) && delay < 20; delay++) {
    for (ClockIndex x = 1; x < f->horizon.n; x++)
      f->before[x]++;
    alike = f->horizon.can_delay && are_alike(f, f->before, point);
  }
  assert_true(alike);
  if (f->horizon.can_delay)
    assert_true(has_zero && distance >= 0 && distance <= f->horizon.max);
  else
    assert_int_equal(distance, 0);
}

static void run(bool has_group, bool is_global) {
  Fixture f = {0};
  random_seed(&f.random, 1 + has_group);
  for (int i = 0; i < ROUNDS; i++) {
    make(&f, has_group, is_global);
    const int32_t distance = anchor_find(&f.horizon, f.values);
    check(&f, distance);
    // The same dart again from the point that it was made for.
    int32_t again[CLOCKS] = {0};
    for (ClockIndex x = 1; x < f.horizon.n; x++)
      again[x] = f.values[x] + distance;
    assert_int_equal(anchor_find(&f.horizon, again), distance);
    assert_memory_equal(again + 1, f.values + 1, (f.horizon.n - 1) * sizeof *again);
  }
}

static void test_local(void **state) {
  (void)state;
  run(false, false);
}

static void test_global(void **state) {
  (void)state;
  run(false, true);
}

static void test_local_group(void **state) {
  (void)state;
  run(true, false);
}

static void test_global_group(void **state) {
  (void)state;
  run(true, true);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_local), cmocka_unit_test(test_global),
                                     cmocka_unit_test(test_local_group),
                                     cmocka_unit_test(test_global_group)};
  return cmocka_run_group_tests_name("anchor", tests, NULL, NULL);
}
