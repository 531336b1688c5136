// Whole transitions in 16 bits against the separate operations.
#include "dbm/kernel/step.h"

#include "sample_zones.h"
#include "steps.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { CASES = 60000, MAX_CONSTRAINTS = 4 };

typedef struct Fixture {
  Random random;
  int max; // constant
  Zone source, result;
  bool is_empty;
  _Alignas(64) char from[STEP_MAX * STEP_MAX * sizeof(Bound) + PACKED_SLACK];
  Constraint guard[MAX_CONSTRAINTS], invariant[MAX_CONSTRAINTS];
  ClockId origin[ZONE_STRIDE];
  int32_t lower[ZONE_STRIDE], upper[ZONE_STRIDE];
  int16_t twice_lower[ZONE_STRIDE], use[ZONE_STRIDE];
  PackedBounds bounds;
  int16_t image[STEP_MAX * STEP_MAX + STEP_MAX];
  Step step;
} Fixture;

static int32_t random_limit(Random *random, int max) {
  return random_below(random, 4) ? random_between(random, 0, max) : CLOCK_NO_BOUND;
}

static void choose_bounds(Fixture *f, uint32_t k) {
  // What is behind the last clock does not matter.
  for (uint32_t x = 0; x < ZONE_STRIDE; x++)
    f->use[x] = (int16_t)random_between(&f->random, INT16_MIN, INT16_MAX);
  for (uint32_t x = 0; x < k; x++) {
    f->lower[x] = x ? random_limit(&f->random, f->max) : 0;
    f->upper[x] = x ? random_limit(&f->random, f->max) : 0;
  }
  f->bounds = (PackedBounds){
      .twice_lower = f->twice_lower, .use = f->use, .lower = f->lower, .upper = f->upper};
  packed_bounds(&f->bounds, k);
}

static uint32_t choose_constraints(Fixture *f, Constraint *list, uint32_t n, bool is_upper) {
  const uint32_t count = n > 1 ? random_below(&f->random, MAX_CONSTRAINTS) : 0;
  for (uint32_t c = 0; c < count; c++) {
    list[c] = random_constraint(&f->random, n, f->max, false);
    if (is_upper && !list[c].i)
      list[c] = (Constraint){list[c].j, 0, bound_le(random_between(&f->random, 0, f->max))};
  }
  return count;
}

static bool is_near(const Zone *zone) {
  for (uint32_t i = 0; i < zone->n; i++)
    for (uint32_t j = 0; j < zone->n; j++) {
      const Bound b = zone_get(zone, i, j);
      if (b != BOUND_INF && (b > STEP_NEAR || b < -STEP_NEAR))
        return false;
    }
  return true;
}

// A random step.
static void choose_step(Fixture *f, uint32_t n, uint32_t k) {
  Random *random = &f->random;
  for (size_t i = 0; i < sizeof f->from; i++)
    f->from[i] = (char)random_below(random, 256);
  const PackedFormat format = naive_format(&f->source);
  char behind[PACKED_SLACK];
  memcpy(behind, f->from + packed_bytes(n, format), sizeof behind);
  packed_write(f->from, f->source.d, n, format);
  memcpy(f->from + packed_bytes(n, format), behind, sizeof behind);
  for (uint32_t i = 1; i < ZONE_STRIDE; i++)
    f->origin[i] = random_below(random, 3) ? random_below(random, n) : 0;
  choose_bounds(f, k);
  Step *step = &f->step;
  *step = (Step){.from = f->from,
                 .format = format,
                 .n = n,
                 .guard = f->guard,
                 .origin = f->origin,
                 .k = k,
                 .invariant = f->invariant,
                 .image = f->image};
  step->guard_count = choose_constraints(f, f->guard, n, false);
  step->invariant_count = choose_constraints(f, f->invariant, k, true);
  if (n == k && random_below(random, 2))
    step->origin = NULL;
  step->can_delay = random_below(random, 4);
  step->bounds = random_below(random, 4) ? &f->bounds : NULL;
}

// The same, operation by operation.
static void work_out(Fixture *f) {
  Zone zone = f->source;
  naive_universal(&f->result, f->step.k);
  f->is_empty = !steps_work_out(&f->step, zone.d, f->result.d, f->lower, f->upper);
}

static void compare(Fixture *f) {
  const uint32_t k = f->step.k;
  work_out(f);
  const StepResult result = step_run(&f->step);
  if (f->step.format == PACKED_32 || !is_near(&f->source)) {
    assert_int_equal(result, STEP_REFUSED);
    return;
  }
  assert_int_equal(result == STEP_EMPTY, f->is_empty);
  if (f->is_empty)
    return;
  assert_int_equal(result, STEP_DONE);
  for (uint32_t i = 0; i < k; i++)
    for (uint32_t j = 0; j < k; j++)
      assert_int_equal(packed_entry(f->image, PACKED_16, i * k + j), zone_get(&f->result, i, j));
}

static uint32_t random_dimension(Random *random) {
  return random_below(random, 2) ? 1 + random_below(random, STEP_MAX)
                                 : 1 + random_below(random, 9);
}

static void step_is_the_separate_operations(void **state) {
  (void)state;
  static Fixture f;
  random_seed(&f.random, 1);
  for (int i = 0; i < CASES; i++) {
    const uint32_t n = random_dimension(&f.random);
    const uint32_t k = random_below(&f.random, 3) ? random_dimension(&f.random) : n;
    // Constants that are small, or as large as they may be.
    const int maxima[] = {3, 12, 60, STEP_FAR / 2 / STEP_MAX - 1, STEP_CONSTANT / 2 - 1};
    const uint32_t largest = n > k ? n : k;
    do
      f.max = maxima[random_below(&f.random, 5)];
    while (step_max(f.max) < largest);
    random_zone(&f.source, &f.random, n, random_below(&f.random, 3) ? f.max : STEP_NEAR / 3);
    choose_step(&f, n, k);
    compare(&f);
  }
}

// Entries at the limits, and one beyond.
static void large_numbers_are_refused(void **state) {
  (void)state;
  static Fixture f;
  random_seed(&f.random, 2);
  for (int c = STEP_NEAR / 2 - 2; c <= STEP_NEAR / 2 + 2; c++)
    for (uint32_t n = 2; n <= STEP_MAX; n++)
      for (int i = 0; i < 50; i++) {
        f.max = 10;
        naive_universal(&f.source, n);
        const ClockId x = 1 + random_below(&f.random, n - 1);
        const bool is_strict = random_below(&f.random, 2);
        assert_true(dbm_constrain(&(Mem){0}, f.source.d, n,
                                  random_below(&f.random, 2)
                                      ? (Constraint){x, 0, bound_make(c, is_strict)}
                                      : (Constraint){0, x, bound_make(-c, is_strict)}));
        choose_step(&f, n, 1 + random_below(&f.random, STEP_MAX));
        compare(&f);
      }
}

static void large_constraints_are_refused(void **state) {
  (void)state;
  static Fixture f;
  random_seed(&f.random, 3);
  f.max = 5;
  random_zone(&f.source, &f.random, 3, 5);
  choose_step(&f, 3, 3);
  f.guard[0] = (Constraint){1, 0, STEP_CONSTANT + 1};
  f.step.guard_count = 1;
  assert_int_equal(step_run(&f.step), STEP_REFUSED);
  f.guard[0] = (Constraint){0, 1, -STEP_CONSTANT - 1};
  assert_int_equal(step_run(&f.step), STEP_REFUSED);
  f.step.guard_count = 0;
  f.invariant[0] = (Constraint){1, 0, bound_le(1 << 20)};
  f.step.invariant_count = 1;
  assert_int_equal(step_run(&f.step), STEP_REFUSED);
}

static void dimensions_shrink_with_constants(void **state) {
  (void)state;
  assert_int_equal(step_max(0), STEP_MAX);
  assert_int_equal(step_max(60), STEP_MAX);
  assert_in_range(step_max(800), 9, 15);
  assert_int_equal(step_max(STEP_CONSTANT / 2), 0);
  assert_int_equal(step_max(1 << 20), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(step_is_the_separate_operations),
      cmocka_unit_test(large_numbers_are_refused),
      cmocka_unit_test(large_constraints_are_refused),
      cmocka_unit_test(dimensions_shrink_with_constants),
  };
  return cmocka_run_group_tests_name("step", tests, NULL, NULL);
}
