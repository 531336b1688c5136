// The matrix kernel against naive versions and sampled points.
#include "dbm/dbm.h"

#include "sample_zones.h"
#include "sanitized.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { ZONES = 40000, CONSTANTS = 12 };

// One random zone with its dimension, and what goes with it in most tests.
typedef struct Case {
  Random random;
  Zone zone, old;
  uint32_t n;
} Case;

static void case_seed(Case *c, uint64_t seed) {
  memset(c, 0, sizeof *c);
  random_seed(&c->random, seed);
}

// Constants are small mostly (collisions), sometimes large.
static int case_next(Case *c, uint32_t least_clocks) {
  const int max = random_below(&c->random, 4) ? CONSTANTS : 100000;
  c->n = 1 + least_clocks + random_below(&c->random, ZONE_MAX - least_clocks);
  random_zone(&c->zone, &c->random, c->n, max);
  c->old = c->zone;
  return max;
}

static ClockId case_clock(Case *c) { return 1 + random_below(&c->random, c->n - 1); }

// Tight, and padding still infinite, which keeps the numbers there from running away.
static void assert_sound(const Zone *zone) {
  assert_true(dbm_is_tight(zone->d, zone->n));
  for (uint32_t i = 0; i < zone->n; i++)
    for (uint32_t j = zone->n; j < dbm_stride(zone->n); j++)
      assert_int_equal(zone_get(zone, i, j), BOUND_INF);
}

// Points of the old zone, of the new one, any points, and their neighbours.
static void case_point(Case *c, int max, int64_t *point) {
  switch (random_below(&c->random, 3)) {
  case 0:
    random_point_in(&c->old, &c->random, point);
    break;
  case 1:
    random_point_in(&c->zone, &c->random, point);
    break;
  default:
    random_point(&c->random, c->n, max, point);
  }
  if (random_below(&c->random, 2))
    random_nudge(&c->random, c->n, point);
}

// Whether point + t * direction is in the zone for some real t with t * sign >= 0; direction has
// entries 0 and 1.
static bool meets_line(const Zone *zone, const int64_t *point, const bool *direction, int sign) {
  int64_t low = sign > 0 ? 0 : -(INT64_C(1) << 50), high = sign < 0 ? 0 : INT64_C(1) << 50;
  bool low_open = false, high_open = false;
  for (uint32_t i = 0; i < zone->n; i++)
    for (uint32_t j = 0; j < zone->n; j++) {
      const Bound b = zone_get(zone, i, j);
      if (b == BOUND_INF)
        continue;
      const bool open = bound_is_strict(b);
      const int64_t room = (int64_t)bound_constant(b) * ZONE_SCALE - (point[i] - point[j]);
      if (direction[i] == direction[j] && (open ? room <= 0 : room < 0))
        return false;
      if (direction[i] && !direction[j] && (room < high || (room == high && open)))
        high = room, high_open = open;
      if (!direction[i] && direction[j] && (-room > low || (-room == low && open)))
        low = -room, low_open = open;
    }
  return low < high || (low == high && !low_open && !high_open);
}

static void test_bounds(void **state) {
  (void)state;
  assert_true(bound_lt(3) < bound_le(3) && bound_le(3) < bound_lt(4));
  assert_true(bound_lt(-3) < bound_le(-3) && bound_le(-3) < bound_lt(-2));
  assert_int_equal(bound_le(0), BOUND_LE_ZERO);
  assert_int_equal(bound_lt(0), BOUND_LT_ZERO);
  for (int a = -4; a <= 4; a++)
    for (int b = -4; b <= 4; b++)
      for (int strict = 0; strict < 4; strict++) {
        const Bound x = bound_make(a, strict & 1), y = bound_make(b, strict & 2);
        assert_int_equal(bound_constant(x), a);
        assert_int_equal(bound_sum(x, y), bound_make(a + b, strict));
        assert_int_equal(bound_shift(x, b), bound_make(a + b, strict & 1));
        assert_int_equal(bound_negate(x), bound_make(-a, !(strict & 1)));
      }
  assert_int_equal(bound_sum(BOUND_INF, bound_le(-5)), BOUND_INF);
  assert_int_equal(bound_sum(bound_lt(-BOUND_MAX), BOUND_INF), BOUND_INF);
  assert_int_equal(bound_shift(BOUND_INF, -5), BOUND_INF);
  assert_true(bound_sum(bound_le(BOUND_MAX), bound_le(BOUND_MAX)) < BOUND_INF);
}

static void test_constant_zones(void **state) {
  (void)state;
  for (uint32_t n = 1; n <= ZONE_MAX; n++) {
    Zone zone, other;
    naive_universal(&zone, n), naive_universal(&other, n);
    dbm_universal(other.d, n);
    assert_true(naive_equal(&zone, &other) && dbm_is_universal(other.d, n));
    assert_sound(&other);
    dbm_zero(zone.d, n);
    assert_sound(&zone);
    assert_true(dbm_includes(other.d, zone.d, n));
    assert_int_equal(dbm_is_universal(zone.d, n), n == 1);
    dbm_copy(other.d, zone.d, n);
    assert_true(dbm_equal(other.d, zone.d, n));
    const int64_t point[ZONE_MAX] = {0};
    assert_true(dbm_contains(zone.d, n, point, 1));
  }
}

// The predicates see every entry, and no padding.
static void test_predicates_see_all(void **state) {
  (void)state;
  for (uint32_t n = 1; n <= ZONE_MAX; n++)
    for (uint32_t i = 0; i < n; i++)
      for (uint32_t j = 0; j < dbm_stride(n); j++) {
        Zone zone, other;
        naive_universal(&zone, n);
        other = zone;
        *zone_at(&other, i, j) = bound_lt(-3);
        assert_int_equal(dbm_equal(zone.d, other.d, n), j >= n);
        assert_int_equal(dbm_includes(other.d, zone.d, n), j >= n);
        assert_true(dbm_includes(zone.d, other.d, n));
        assert_int_equal(dbm_is_universal(other.d, n), j >= n);
        if (j < n) {
          *zone_at(&other, i, j) = bound_lt(-BOUND_MAX);
          assert_true(dbm_in_range(other.d, n));
          *zone_at(&other, i, j) = bound_lt(-BOUND_MAX) - 1;
          assert_false(dbm_in_range(other.d, n));
          *zone_at(&other, i, j) = bound_le(BOUND_MAX) + 1;
          assert_false(dbm_in_range(other.d, n));
          *zone_at(&other, i, j) = bound_le(BOUND_MAX);
          assert_true(dbm_in_range(other.d, n));
        }
      }
}

static void test_predicates(void **state) {
  (void)state;
  Case c;
  case_seed(&c, 1);
  for (int k = 0; k < ZONES / 4; k++) {
    const int max = case_next(&c, 0);
    Zone other;
    random_zone(&other, &c.random, c.n, max);
    assert_sound(&c.zone);
    assert_int_equal(dbm_includes(c.zone.d, other.d, c.n), naive_includes(&c.zone, &other));
    assert_int_equal(dbm_equal(c.zone.d, other.d, c.n), naive_equal(&c.zone, &other));
    int64_t point[ZONE_MAX];
    random_point_in(&c.zone, &c.random, point);
    assert_true(naive_contains(&c.zone, point));
    random_nudge(&c.random, c.n, point);
    assert_int_equal(dbm_contains(c.zone.d, c.n, point, ZONE_SCALE),
                     naive_contains(&c.zone, point));
    // An entry made larger, if finite, can be derived again; one made smaller has effects.
    const uint32_t i = random_below(&c.random, c.n), j = random_below(&c.random, c.n);
    const Bound b = zone_get(&c.zone, i, j);
    if (b == BOUND_INF)
      continue;
    *zone_at(&c.zone, i, j) = b + 1;
    Zone closed = c.zone;
    if (i != j)
      assert_int_equal(naive_close(&closed) && naive_equal(&closed, &c.zone) &&
                           zone_get(&c.zone, 0, j) <= BOUND_LE_ZERO,
                       dbm_is_tight(c.zone.d, c.n));
    else
      assert_false(dbm_is_tight(c.zone.d, c.n));
  }
}

static void test_close(void **state) {
  (void)state;
  Case c;
  case_seed(&c, 2);
  int empty = 0;
  for (int k = 0; k < ZONES; k++) {
    case_next(&c, 1);
    naive_universal(&c.zone, c.n);
    const uint32_t count = random_below(&c.random, 2 * c.n);
    for (uint32_t m = 0; m < count; m++)
      naive_tighten(&c.zone, random_constraint(&c.random, c.n, CONSTANTS, true));
    c.old = c.zone;
    const bool result = dbm_close(c.zone.d, c.n);
    empty += !result;
    assert_int_equal(result, naive_close(&c.old));
    if (result) {
      assert_true(naive_equal(&c.zone, &c.old));
      assert_sound(&c.zone);
    }
  }
  assert_in_range(empty, ZONES / 10, ZONES * 9 / 10);
}

static void test_close_imposes_the_invariant(void **state) {
  (void)state;
  Zone zone, universal;
  naive_universal(&universal, 3);
  naive_universal(&zone, 3);
  for (uint32_t i = 0; i < 3; i++)
    *zone_at(&zone, 0, i) = *zone_at(&zone, i, i) = BOUND_INF;
  assert_true(dbm_close(zone.d, 3));
  assert_true(naive_equal(&zone, &universal));
  *zone_at(&zone, 1, 1) = BOUND_LT_ZERO;
  assert_false(dbm_close(zone.d, 3));
}

static void test_constrain(void **state) {
  (void)state;
  Case c;
  case_seed(&c, 4);
  int empty = 0;
  for (int k = 0; k < ZONES; k++) {
    const int max = case_next(&c, 1);
    const Constraint cut = random_constraint(&c.random, c.n, max, true);
    Zone naive = c.zone;
    naive_tighten(&naive, cut);
    const bool expected = naive_close(&naive);
    empty += !expected;
    assert_int_equal(dbm_meets(c.zone.d, c.n, cut), expected);
    assert_int_equal(dbm_constrain(&(Mem){0}, c.zone.d, c.n, cut), expected);
    if (!expected)
      continue;
    assert_sound(&c.zone);
    assert_true(naive_equal(&c.zone, &naive));
    int64_t point[ZONE_MAX];
    case_point(&c, max, point);
    assert_int_equal(naive_contains(&c.zone, point),
                     naive_contains(&c.old, point) && naive_satisfies(point, cut));
  }
  assert_in_range(empty, ZONES / 20, ZONES * 9 / 10);
}

// Half of the lists are made around a point of the zone, so that they do not empty it.
static uint32_t random_constraints(Case *c, int max, Constraint *list) {
  const uint32_t count = random_below(&c->random, random_below(&c->random, 8) ? 5 : 40);
  const bool around = random_below(&c->random, 2), diagonals = random_below(&c->random, 2);
  int64_t point[ZONE_MAX];
  random_point_in(&c->zone, &c->random, point);
  for (uint32_t m = 0; m < count; m++)
    do
      list[m] = around ? random_constraint_around(&c->random, c->n, max, point)
                       : random_constraint(&c->random, c->n, max, diagonals);
    while (!diagonals && list[m].i && list[m].j);
  return count;
}

static void test_constrain_all(void **state) {
  (void)state;
  Case c;
  case_seed(&c, 5);
  int empty = 0;
  for (int k = 0; k < ZONES; k++) {
    const int max = case_next(&c, 1);
    Constraint list[40];
    const uint32_t count = random_constraints(&c, max, list);
    Zone naive = c.zone;
    bool early = false;
    for (uint32_t m = 0; m < count; m++) {
      early |= !dbm_meets(c.zone.d, c.n, list[m]);
      naive_tighten(&naive, list[m]);
    }
    const bool expected = naive_close(&naive);
    assert_int_equal(dbm_constrain_all(&(Mem){0}, c.zone.d, c.n, list, count), expected);
    empty += !expected && !early;
    if (early)
      assert_true(naive_equal(&c.zone, &c.old));
    if (!expected)
      continue;
    assert_sound(&c.zone);
    assert_true(naive_equal(&c.zone, &naive));
  }
  assert_true(empty > ZONES / 100);
}

static void test_up_and_down(void **state) {
  (void)state;
  Case c;
  case_seed(&c, 6);
  bool all[ZONE_MAX];
  for (uint32_t i = 0; i < ZONE_MAX; i++)
    all[i] = i > 0;
  for (int k = 0; k < ZONES; k++) {
    const int max = case_next(&c, 0);
    const bool up = random_below(&c.random, 2);
    if (up)
      dbm_up(c.zone.d, c.n);
    else
      dbm_down(c.zone.d, c.n);
    assert_sound(&c.zone);
    assert_true(naive_includes(&c.zone, &c.old));
    int64_t point[ZONE_MAX];
    case_point(&c, max, point);
    assert_int_equal(naive_contains(&c.zone, point), meets_line(&c.old, point, all, up ? -1 : 1));
    Zone again = c.zone;
    if (up)
      dbm_up(again.d, c.n);
    else
      dbm_down(again.d, c.n);
    assert_true(naive_equal(&again, &c.zone));
  }
}

// p is in the new zone iff some value of x puts it into the old one, and x has its new value.
static void test_assign_and_free(void **state) {
  (void)state;
  Case c;
  case_seed(&c, 7);
  for (int k = 0; k < ZONES; k++) {
    const int max = case_next(&c, 1);
    const ClockId x = case_clock(&c);
    const bool forget = random_below(&c.random, 2);
    const int value = random_between(&c.random, 0, random_below(&c.random, 2) ? 0 : max);
    if (forget)
      dbm_free(c.zone.d, c.n, x);
    else
      dbm_assign(c.zone.d, c.n, x, value);
    assert_sound(&c.zone);
    int64_t point[ZONE_MAX];
    case_point(&c, max, point);
    if (random_below(&c.random, 2))
      point[x] = (int64_t)value * ZONE_SCALE;
    bool direction[ZONE_MAX] = {false};
    direction[x] = true;
    const bool was = meets_line(&c.old, point, direction, 0);
    const bool fits = forget || point[x] == (int64_t)value * ZONE_SCALE;
    assert_int_equal(naive_contains(&c.zone, point), was && fits);
  }
}

static void test_assign_clock(void **state) {
  (void)state;
  Case c;
  case_seed(&c, 8);
  for (int k = 0; k < ZONES; k++) {
    const int max = case_next(&c, 1);
    const ClockId x = case_clock(&c), y = random_below(&c.random, c.n);
    const int least = bound_constant(zone_get(&c.zone, 0, y));
    const int add = random_between(&c.random, least, random_below(&c.random, 2) ? 0 : max);
    dbm_assign_clock(c.zone.d, c.n, x, y, add);
    assert_sound(&c.zone);
    int64_t point[ZONE_MAX];
    case_point(&c, max, point);
    const int64_t moved = point[y] + (int64_t)add * ZONE_SCALE;
    if (x == y) {
      int64_t back[ZONE_MAX];
      memcpy(back, point, sizeof point);
      back[x] -= (int64_t)add * ZONE_SCALE;
      assert_int_equal(naive_contains(&c.zone, point), naive_contains(&c.old, back));
      continue;
    }
    if (random_below(&c.random, 2) && moved >= 0)
      point[x] = moved;
    bool direction[ZONE_MAX] = {false};
    direction[x] = true;
    assert_int_equal(naive_contains(&c.zone, point),
                     meets_line(&c.old, point, direction, 0) && point[x] == moved);
  }
}

// Sums at the limits do not wrap; what leaves the range is seen.
static void test_range(void **state) {
  (void)state;
  for (uint32_t n = 3; n <= ZONE_MAX; n += 3) {
    Zone zone;
    naive_universal(&zone, n);
    assert_true(dbm_constrain(&(Mem){0}, zone.d, n, (Constraint){0, 1, bound_le(-BOUND_MAX)}));
    assert_true(dbm_constrain(&(Mem){0}, zone.d, n, (Constraint){2, 0, bound_le(BOUND_MAX)}));
    assert_true(dbm_in_range(zone.d, n) && dbm_is_tight(zone.d, n));
    assert_false(dbm_meets(zone.d, n, (Constraint){1, 2, bound_lt(0)}) &&
                 dbm_constrain(&(Mem){0}, zone.d, n, (Constraint){1, 0, bound_lt(BOUND_MAX)}));
    dbm_up(zone.d, n);
    dbm_assign(zone.d, n, 2, 0);
    dbm_up(zone.d, n);
    assert_true(dbm_constrain(&(Mem){0}, zone.d, n, (Constraint){0, 2, bound_le(-BOUND_MAX)}));
    assert_int_equal(zone_get(&zone, 0, 1), bound_le(-2 * BOUND_MAX));
    assert_false(dbm_in_range(zone.d, n));
  }
}

// Zones with constants up to the limit, cut by such a constraint.
static void test_near_range(void **state) {
  (void)state;
  Case c;
  case_seed(&c, 9);
  for (int k = 0; k < ZONES / 4; k++) {
    c.n = 2 + random_below(&c.random, ZONE_MAX - 1);
    random_zone_closed(&c.zone, &c.random, c.n, ZONE_CONSTANT_MAX);
    assert_true(dbm_in_range(c.zone.d, c.n));
    assert_sound(&c.zone);
    int64_t point[ZONE_MAX];
    random_point_in(&c.zone, &c.random, point);
    const Constraint cut = random_constraint_around(&c.random, c.n, ZONE_CONSTANT_MAX, point);
    c.old = c.zone;
    naive_tighten(&c.old, cut);
    assert_true(naive_close(&c.old));
    assert_true(dbm_constrain(&(Mem){0}, c.zone.d, c.n, cut));
    assert_true(naive_equal(&c.zone, &c.old));
    dbm_up(c.zone.d, c.n);
    dbm_assign(c.zone.d, c.n, case_clock(&c), BOUND_MAX);
    assert_sound(&c.zone);
  }
}

// Chains of huge constants, then a cycle: closing must not wrap.
static void test_close_huge(void **state) {
  (void)state;
  for (uint32_t n = 3; n <= ZONE_MAX; n++)
    for (int sign = -1; sign <= 1; sign += 2) {
      Zone zone;
      naive_universal(&zone, n);
      for (uint32_t i = 1; i + 1 < n; i++)
        *zone_at(&zone, i, i + 1) = bound_le(sign * BOUND_MAX);
      assert_true(dbm_close(zone.d, n));
      assert_int_equal(dbm_in_range(zone.d, n), n < 4);
      *zone_at(&zone, n - 1, 1) = bound_lt(-sign * BOUND_MAX);
      assert_int_equal(dbm_close(zone.d, n), sign > 0 && n > 3);
    }
}

// Two diagonals in one list: the second is not applied once the first left the range.
static void test_diagonals_stop_out_of_range(void **state) {
  (void)state;
  Zone zone;
  naive_universal(&zone, 5);
  const Constraint far[] = {{1, 2, bound_le(-BOUND_MAX)}, {3, 4, bound_le(-BOUND_MAX)}};
  assert_true(dbm_constrain_all(&(Mem){0}, zone.d, 5, far, 2));
  assert_true(dbm_in_range(zone.d, 5) && dbm_is_tight(zone.d, 5));
  const Constraint more[] = {{2, 3, bound_le(-BOUND_MAX)}, {4, 3, bound_le(2 * BOUND_MAX)}};
  assert_true(dbm_constrain_all(&(Mem){0}, zone.d, 5, more, 2));
  assert_false(dbm_in_range(zone.d, 5));
  assert_int_equal(zone_get(&zone, 4, 3), BOUND_INF);
}

// The join includes both zones, is tight, and each of its entries is one of theirs.
static void test_join(void **state) {
  (void)state;
  Random random;
  random_seed(&random, 77);
  for (uint32_t round = 0; round < RANDOM_CASES(2000); round++) {
    const uint32_t n = 1 + random_below(&random, 5);
    Zone one, other, joined;
    random_zone(&one, &random, n, 10);
    random_zone(&other, &random, n, 10);
    joined = one;
    dbm_join(joined.d, other.d, n);
    assert_true(dbm_is_tight(joined.d, n));
    assert_true(dbm_includes(joined.d, one.d, n) && dbm_includes(joined.d, other.d, n));
    for (uint32_t i = 0; i < n; i++)
      for (uint32_t j = 0; j < n; j++)
        assert_true(zone_get(&joined, i, j) == zone_get(&one, i, j) ||
                    zone_get(&joined, i, j) == zone_get(&other, i, j));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_bounds),
      cmocka_unit_test(test_constant_zones),
      cmocka_unit_test(test_predicates_see_all),
      cmocka_unit_test(test_predicates),
      cmocka_unit_test(test_close),
      cmocka_unit_test(test_close_imposes_the_invariant),
      cmocka_unit_test(test_constrain),
      cmocka_unit_test(test_constrain_all),
      cmocka_unit_test(test_up_and_down),
      cmocka_unit_test(test_assign_and_free),
      cmocka_unit_test(test_assign_clock),
      cmocka_unit_test(test_range),
      cmocka_unit_test(test_near_range),
      cmocka_unit_test(test_close_huge),
      cmocka_unit_test(test_diagonals_stop_out_of_range),
      cmocka_unit_test(test_join),
  };
  return cmocka_run_group_tests_name("dbm", tests, NULL, NULL);
}
