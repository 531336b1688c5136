// Whole transitions of many clocks in 16 bits against the separate operations.
#include "dbm/kernel/longstep.h"

#include "base/random.h"
#include "sanitized.h"
#include "steps.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { CASES = RANDOM_CASES(1000), MAX_CONSTRAINTS = 6, ENTRIES = STEP_LONG * STEP_LONG };

typedef struct Fixture {
  Random random;
  int max;      // constant of constraints and bounds
  int farthest; // constant in the source
  _Alignas(DBM_ALIGN) Bound source[ENTRIES], cut[ENTRIES], result[ENTRIES];
  bool is_empty;
  _Alignas(64) char from[ENTRIES * sizeof(int16_t) + PACKED_SLACK];
  Constraint guard[MAX_CONSTRAINTS], invariant[MAX_CONSTRAINTS];
  ClockId origin[STEP_LONG];
  int32_t lower[STEP_LONG], upper[STEP_LONG];
  char room[4 * (STEP_LONG + 8) * sizeof(int16_t)];
  PackedBounds bounds;
  int16_t image[ENTRIES + STEP_MAX];
  Step step;
} Fixture;

static Bound random_bound(Random *random, int from, int to) {
  return bound_make(random_between(random, from, to), random_below(random, 3) == 0);
}

static Constraint single_constraint(Random *random, uint32_t n, int max, bool is_upper) {
  const ClockId x = 1 + random_below(random, n - 1);
  return is_upper ? (Constraint){x, 0, bound_le(random_between(random, 0, max))}
                  : (Constraint){0, x, random_bound(random, -max, 0)};
}

// What searches meet: time passes, clocks are reset, constraints hold.
static void random_zone(Random *random, Bound *d, uint32_t n, int max) {
  dbm_zero(d, n);
  dbm_up(d, n);
  for (uint32_t i = 0; i < 2 * n && n > 1; i++) {
    const Constraint c = single_constraint(random, n, max, random_below(random, 2));
    const ClockId x = 1 + random_below(random, n - 1);
    switch (random_below(random, 5)) {
    case 0:
      dbm_up(d, n);
      break;
    case 1:
      dbm_assign(d, n, x, 0);
      break;
    case 2:
      dbm_free(d, n, x);
      break;
    default:
      if (dbm_meets(d, n, c))
        assert_true(dbm_constrain(&(Mem){0}, d, n, c));
    }
  }
}

static bool fits(const Bound *d, uint32_t n, Bound least, Bound max) {
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = 0; j < n; j++) {
      const Bound b = d[i * dbm_stride(n) + j];
      if (b != BOUND_INF && (b > max || b < least))
        return false;
    }
  return true;
}

static void choose_bounds(Fixture *f, uint32_t k) {
  Random *random = &f->random;
  const uint32_t missing = 1 + random_below(random, 6);
  for (size_t i = 0; i < sizeof f->room; i++) // behind the last clock: anything
    f->room[i] = (char)random_below(random, 256);
  for (uint32_t x = 0; x < k; x++) {
    f->lower[x] =
        random_below(random, missing) ? random_between(random, 0, f->max) : CLOCK_NO_BOUND;
    f->upper[x] =
        random_below(random, missing) ? random_between(random, 0, f->max) : CLOCK_NO_BOUND;
  }
  f->lower[0] = f->upper[0] = 0;
  f->bounds = (PackedBounds){.lower = f->lower, .upper = f->upper};
  packed_bounds_init(&f->bounds, f->room, k, false);
  packed_bounds(&f->bounds, k);
}

// Most clocks keep their neighbours; some are reset, left out or any other.
static void choose_origins(Fixture *f, uint32_t n, uint32_t k) {
  Random *random = &f->random;
  const uint32_t rare = 1 + random_below(random, 20);
  ClockId next = 0;
  for (uint32_t i = 0; i < STEP_LONG; i++) {
    f->origin[i] = !i || i >= k || next >= n ? 0 : next;
    next++;
    if (i && random_below(random, rare) == 0) {
      f->origin[i] = random_below(random, 2) ? random_below(random, n) : 0;
      next = random_below(random, 2) ? next : 1 + random_below(random, n);
    }
  }
}

static uint32_t choose_constraints(Fixture *f, Constraint *list, uint32_t n, bool is_upper) {
  const uint32_t count = n > 1 ? random_below(&f->random, MAX_CONSTRAINTS) : 0;
  for (uint32_t c = 0; c < count; c++)
    list[c] = single_constraint(&f->random, n, f->max, is_upper || random_below(&f->random, 2));
  return count;
}

static void choose_source(Fixture *f, uint32_t n) {
  Random *random = &f->random;
  do
    random_zone(random, f->source, n, f->farthest);
  while (!fits(f->source, n, -32767, 32765));
  for (size_t i = 0; i < sizeof f->from; i++)
    f->from[i] = (char)random_below(random, 256);
  char behind[PACKED_SLACK];
  f->step.format = PACKED_16;
  memcpy(behind, f->from + packed_bytes(n, f->step.format), sizeof behind);
  packed_write(f->from, f->source, n, f->step.format);
  memcpy(f->from + packed_bytes(n, f->step.format), behind, sizeof behind);
}

static void choose_step(Fixture *f, uint32_t n, uint32_t k) {
  Random *random = &f->random;
  Step *step = &f->step;
  *step = (Step){.from = f->from,
                 .n = n,
                 .guard = f->guard,
                 .origin = f->origin,
                 .k = k,
                 .invariant = f->invariant,
                 .image = f->image};
  choose_source(f, n);
  choose_origins(f, n, k);
  choose_bounds(f, k);
  step->guard_count = choose_constraints(f, f->guard, n, false);
  step->invariant_count = choose_constraints(f, f->invariant, k, true);
  if (n == k && random_below(random, 3) == 0)
    step->origin = NULL;
  step->can_delay = random_below(random, 4);
  step->bounds = random_below(random, 4) ? &f->bounds : NULL;
}

// The same, operation by operation.
static void work_out(Fixture *f) {
  dbm_copy(f->cut, f->source, f->step.n);
  f->is_empty = !steps_work_out(&f->step, f->cut, f->result, f->lower, f->upper);
}

// Whether it was refused.
static bool compare(Fixture *f) {
  const uint32_t k = f->step.k;
  for (uint32_t i = 0; i < STEP_MAX; i++)
    f->image[k * k + i] = 0;
  work_out(f);
  const StepResult result = longstep_run(&f->step);
  if (result == STEP_REFUSED)
    return true;
  assert_int_equal(result, f->is_empty ? STEP_EMPTY : STEP_DONE);
  for (uint32_t i = 0; !f->is_empty && i < k; i++)
    for (uint32_t j = 0; j < k; j++)
      assert_int_equal(packed_entry(f->image, PACKED_16, i * k + j),
                       f->result[i * dbm_stride(k) + j]);
  return false;
}

// Mostly two or three vectors, often just so.
static uint32_t random_dimension(Random *random) {
  switch (random_below(random, 8)) {
  case 0:
    return 1 + random_below(random, 16);
  case 1:
    return 1 + random_below(random, STEP_LONG);
  case 2:
    return 16 * (1 + random_below(random, 4)) + random_below(random, 3) - 1;
  default:
    return 17 + random_below(random, 32);
  }
}

static uint32_t count_refused(Fixture *f, int cases) {
  uint32_t refused = 0;
  for (int i = 0; i < cases; i++) {
    const uint32_t n = random_dimension(&f->random);
    const uint32_t k = random_below(&f->random, 2) ? random_dimension(&f->random) : n;
    choose_step(f, n, k);
    refused += compare(f);
  }
  return refused;
}

static void step_is_the_separate_operations(void **state) {
  (void)state;
  static Fixture f;
  random_seed(&f.random, 1);
  const int maxima[] = {3, 20, 60};
  for (int m = 0; m < 3; m++) {
    f.max = f.farthest = maxima[m];
    assert_int_equal(count_refused(&f, CASES), 0);
  }
}

// Whatever the numbers are, a result that is given is right.
static void large_numbers_never_wrap(void **state) {
  (void)state;
  static Fixture f;
  random_seed(&f.random, 2);
  const int farthest[] = {1999, STEP_NEAR / 2, STEP_FAR / 2 + 1, 16381};
  for (int m = 0; m < 4; m++) {
    f.max = STEP_CONSTANT / 2 - 1;
    f.farthest = farthest[m];
    const uint32_t refused = count_refused(&f, CASES);
    assert_true(refused < CASES);
    assert_true(m < 3 || refused > 0);
  }
}

static void take_source(Fixture *f, uint32_t n) {
  assert_true(fits(f->source, n, -32767, 32765));
  f->step.format = PACKED_16;
  packed_write(f->from, f->source, n, PACKED_16);
  f->step.origin = NULL;
  f->step.guard_count = f->step.invariant_count = 0;
}

// Rows that extrapolation loosens, and whose closure adds up many bounds, each of which is small:
// clocks are near to their neighbours, and not far from others.
static void long_paths_never_wrap(void **state) {
  (void)state;
  static Fixture f;
  random_seed(&f.random, 3);
  uint32_t refused = 0, given = 0;
  for (int c = 0; c < CASES; c++) {
    const uint32_t n = 2 + random_below(&f.random, c % 20 ? 40 : STEP_LONG - 1);
    const int max = f.max = f.farthest = STEP_CONSTANT / 2 - 1;
    choose_step(&f, n, n);
    dbm_universal(f.source, n);
    const int near = random_between(&f.random, 1, max);
    for (uint32_t i = 1; i < n; i++)
      for (uint32_t j = 1; j < n; j++)
        if (i != j)
          f.source[i * dbm_stride(n) + j] =
              i == j + 1 ? random_bound(&f.random, near, max)
                         : random_bound(&f.random, max, max + (int)random_below(&f.random, 2000));
    assert_true(dbm_close(f.source, n));
    take_source(&f, n);
    for (uint32_t x = 1; x < n; x++)
      f.lower[x] = f.upper[x] = random_below(&f.random, 20) ? max : CLOCK_NO_BOUND;
    packed_bounds(&f.bounds, n);
    f.step.bounds = &f.bounds;
    *(compare(&f) ? &refused : &given) += 1;
  }
  assert_true(refused > CASES / 20 && given > CASES / 20);
}

// Differences and guards as large as may be: what is added, what it is added to, and both.
static void far_guards_never_wrap(void **state) {
  (void)state;
  static Fixture f;
  random_seed(&f.random, 4);
  const int max = f.max = STEP_CONSTANT / 2;
  uint32_t refused = 0, given = 0;
  for (int c = 0; c < CASES; c++) {
    const uint32_t n = 4 + random_below(&f.random, 40);
    const ClockId x = 1 + random_below(&f.random, n - 1), y = x == 1 ? 2 : x - 1;
    const ClockId z = x < 3 ? 3 : x - 2;
    f.farthest = 3;
    choose_step(&f, n, n);
    // Either x or y is reset when the others are at this age; others may be so later, too.
    const int age = random_between(&f.random, 0, 16300),
              least = random_between(&f.random, 0, age);
    const bool is_old = random_below(&f.random, 2);
    dbm_zero(f.source, n);
    dbm_up(f.source, n);
    assert_true(dbm_constrain(&(Mem){0}, f.source, n, (Constraint){z, 0, bound_le(age)}));
    assert_true(dbm_constrain(&(Mem){0}, f.source, n, (Constraint){0, z, bound_le(-least)}));
    dbm_assign(f.source, n, is_old ? y : x, 0);
    if (random_below(&f.random, 4))
      dbm_up(f.source, n);
    dbm_free(f.source, n, z);
    assert_true(dbm_constrain(&(Mem){0}, f.source, n,
                              (Constraint){z, 0, random_bound(&f.random, 1, 16300)}));
    take_source(&f, n);
    const int bound = random_between(&f.random, max - 50, max - 1);
    f.guard[0] = random_below(&f.random, 2) ? (Constraint){x, 0, bound_le(bound)}
                                            : (Constraint){0, x, bound_le(-bound)};
    f.guard[1] = (Constraint){0, y, bound_lt(-bound)};
    f.step.guard_count = 1 + random_below(&f.random, 2);
    f.step.bounds = random_below(&f.random, 2) ? &f.bounds : NULL;
    *(compare(&f) ? &refused : &given) += 1;
  }
  assert_true(refused > CASES / 20 && given > CASES / 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(step_is_the_separate_operations),
      cmocka_unit_test(large_numbers_never_wrap),
      cmocka_unit_test(long_paths_never_wrap),
      cmocka_unit_test(far_guards_never_wrap),
  };
  return cmocka_run_group_tests_name("longstep", tests, NULL, NULL);
}
