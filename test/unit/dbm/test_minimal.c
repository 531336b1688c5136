// Minimal forms of random zones against naive versions on whole matrices.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "dbm/simulation.h"
#include "dbm/stored/minimal_cover.h"
#include "sample_zones.h"

enum { CASES = 100000, PAIRS = 150000, STRING_MOST = 4096 };

typedef struct Fixture {
  Random random;
  _Alignas(64) char memory[65536];
  MinimalRoom room;
  char string[STRING_MOST], other[STRING_MOST];
  uint32_t n;
  int32_t lower[ZONE_STRIDE], upper[ZONE_STRIDE];
} Fixture;

static const int mosts[] = {3, 10, 60, 8000, 1000000};

static void begin(Fixture *f, uint64_t seed) {
  assert_true(minimal_room_bytes(ZONE_MOST) <= sizeof f->memory);
  assert_true(minimal_most_bytes(ZONE_MOST) <= STRING_MOST);
  random_seed(&f->random, seed);
  minimal_init(&f->room, f->memory, ZONE_MOST);
}

static void choose_n(Fixture *f) {
  f->n = 1 + random_below(&f->random, random_below(&f->random, 3) ? 9 : ZONE_MOST);
}

// Some clocks follow others at a fixed distance, more often than chance would have it.
static void tie_clocks(Fixture *f, Zone *zone) {
  for (uint32_t x = 1; x < f->n; x++) {
    const uint32_t y = random_below(&f->random, f->n);
    if (y != x && random_below(&f->random, 3) == 0)
      dbm_assign_clock(zone->d, f->n, x, y, random_between(&f->random, 0, 3));
  }
}

static void choose_zone(Fixture *f, Zone *zone, int most) {
  random_zone(zone, &f->random, f->n, most);
  if (random_below(&f->random, 3) == 0)
    tie_clocks(f, zone);
}

static bool in_one_class(const Zone *zone, uint32_t i, uint32_t j) {
  return bound_sum(zone_get(zone, i, j), zone_get(zone, j, i)) == BOUND_LE_ZERO;
}

static bool is_first(const Zone *zone, uint32_t i) {
  for (uint32_t j = 0; j < i; j++)
    if (in_one_class(zone, i, j))
      return false;
  return true;
}

// The constraints of the minimal form, by definition.
static uint32_t naive_count(const Zone *zone) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < zone->n; i++)
    for (uint32_t j = 0; j < zone->n; j++) {
      const Bound b = zone_get(zone, i, j);
      bool follows = i == j || b == BOUND_INF || (!i && b == BOUND_LE_ZERO);
      for (uint32_t k = 0; k < zone->n && !follows; k++)
        follows = k != i && k != j && is_first(zone, k) &&
                  bound_sum(zone_get(zone, i, k), zone_get(zone, k, j)) <= b;
      count += !follows && is_first(zone, i) && is_first(zone, j);
    }
  return count;
}

// The field `count` of a string, found by the description in the header file.
static uint32_t string_count(const char *string, const Zone *zone) {
  const uint8_t *bytes = (const uint8_t *)string;
  uint32_t firsts = 0, bits = 0, at = 8, count = 0;
  for (uint32_t i = 0; i < zone->n; i++)
    firsts += is_first(zone, i);
  while ((firsts - 1) >> bits)
    bits++;
  assert_int_equal(bytes[0] >> 7, firsts < zone->n);
  if (firsts < zone->n)
    at += 5 + zone->n - 1 + (zone->n - firsts) * (bits + (bytes[1] & 31));
  for (uint32_t b = 0; b < 2 * bits; b++, at++)
    count |= (uint32_t)(bytes[at / 8] >> at % 8 & 1) << b;
  return count;
}

static void test_round_trip(void **state) {
  (void)state;
  static Fixture f;
  begin(&f, 1);
  for (int c = 0; c < CASES; c++) {
    Zone zone, back;
    choose_n(&f);
    choose_zone(&f, &zone, c % 100 ? mosts[random_below(&f.random, 5)] : ZONE_CONSTANT_MOST / 8);
    memset(f.string, c & 1 ? 0 : -1, sizeof f.string); // what is there before does not matter
    const size_t size = minimal_make(&f.room, f.string, zone.d, f.n);
    assert_int_equal(f.string[size], c & 1 ? 0 : -1);
    assert_true(size <= minimal_most_bytes(f.n));
    assert_int_equal(minimal_bytes(f.string, f.n), size);
    assert_int_equal(string_count(f.string, &zone), naive_count(&zone));
    naive_universal(&back, f.n);
    minimal_read(&f.room, back.d, f.n, f.string);
    assert_true(naive_equal(&back, &zone));
    assert_int_equal(minimal_make(&f.room, f.other, back.d, f.n), size);
    assert_memory_equal(f.string, f.other, size);
  }
}

// No larger than a packed zone and its header, however dense.
static void test_size(void **state) {
  (void)state;
  static Fixture f;
  begin(&f, 2);
  for (int c = 0; c < 2000; c++) {
    Zone zone;
    f.n = 2 + random_below(&f.random, ZONE_MOST - 1);
    naive_universal(&zone, f.n);
    for (uint32_t i = 0; i < f.n; i++)
      for (uint32_t j = 0; j < f.n; j++)
        if (i != j)
          *zone_at(&zone, i, j) = bound_le(random_between(&f.random, 16, 31));
    for (uint32_t j = 1; j < f.n; j++)
      *zone_at(&zone, 0, j) = BOUND_LE_ZERO;
    assert_true(naive_close(&zone));
    const size_t size = minimal_make(&f.room, f.string, zone.d, f.n);
    assert_true(size <= (size_t)f.n * f.n + 3);
  }
}

// A zone like another: most pairs of random ones say no at the first look.
static void change_zone(Fixture *f, Zone *zone, int most) {
  for (uint32_t turn = random_below(&f->random, 4); f->n > 1 && turn > 0; turn--) {
    const Zone before = *zone;
    const Constraint c = random_constraint(&f->random, f->n, most, true);
    switch (random_below(&f->random, 4)) {
    case 0:
      dbm_up(zone->d, f->n);
      break;
    case 1:
      dbm_free(zone->d, f->n, 1 + random_below(&f->random, f->n - 1));
      break;
    case 2:
      dbm_assign(zone->d, f->n, 1 + random_below(&f->random, f->n - 1), 0);
      break;
    default:
      if (!dbm_constrain(zone->d, f->n, c))
        *zone = before;
    }
  }
}

static bool covers(const Fixture *f, ProbeKind kind, const Zone *big, const Zone *small) {
  if (kind == PROBE_CLOSURE_LU)
    return simulation_closure_lu(big->d, small->d, f->n, f->lower, f->upper);
  return kind == PROBE_INCLUSION ? naive_includes(big, small)
                                 : simulation_alu(big->d, small->d, f->n, f->lower, f->upper);
}

typedef struct Tally {
  uint32_t covers[3][2], is_covered[3][2]; // by answer and truth
} Tally;

static void compare(Fixture *f, ProbeKind kind, Tally *tally) {
  const int most = mosts[random_below(&f->random, 5)];
  Zone zone, other;
  choose_n(f);
  random_bounds(&f->random, f->n, most, f->lower, f->upper);
  choose_zone(f, &zone, most);
  other = zone;
  if (random_below(&f->random, 4))
    change_zone(f, &other, most);
  else
    choose_zone(f, &other, most);
  minimal_make(&f->room, f->string, other.d, f->n);
  const MinimalTest test = {
      .kind = kind, .n = f->n, .zone = zone.d, .lower = f->lower, .upper = f->upper};
  const MinimalAnswer is_big = minimal_covers(&f->room, f->string, &test);
  const MinimalAnswer is_small = minimal_is_covered(&f->room, f->string, &test);
  const bool big = covers(f, kind, &other, &zone), small = covers(f, kind, &zone, &other);
  assert_true(is_big == MINIMAL_DOUBT || (is_big == MINIMAL_YES) == big);
  assert_true(is_small == MINIMAL_DOUBT || (is_small == MINIMAL_YES) == small);
  tally->covers[is_big][big]++;
  tally->is_covered[is_small][small]++;
}

static Tally run(ProbeKind kind, uint64_t seed) {
  static Fixture f;
  Tally tally = {0};
  begin(&f, seed);
  for (int c = 0; c < PAIRS; c++)
    compare(&f, kind, &tally);
  return tally;
}

static void test_inclusion(void **state) {
  (void)state;
  const Tally tally = run(PROBE_INCLUSION, 3);
  assert_int_equal(tally.covers[MINIMAL_DOUBT][0] + tally.covers[MINIMAL_DOUBT][1], 0);
  assert_true(tally.covers[MINIMAL_YES][1] > PAIRS / 10);
  assert_true(tally.is_covered[MINIMAL_NO][0] > tally.is_covered[MINIMAL_DOUBT][0]);
}

static void test_alu(void **state) {
  (void)state;
  const Tally tally = run(PROBE_ALU, 4);
  assert_true(tally.covers[MINIMAL_YES][1] > PAIRS / 10);
  assert_true(tally.covers[MINIMAL_NO][0] > 2 * tally.covers[MINIMAL_DOUBT][0]);
  assert_true(tally.is_covered[MINIMAL_NO][0] > tally.is_covered[MINIMAL_DOUBT][0]);
}

static void test_closure_lu(void **state) {
  (void)state;
  const Tally tally = run(PROBE_CLOSURE_LU, 5);
  assert_true(tally.covers[MINIMAL_YES][1] > PAIRS / 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_round_trip), cmocka_unit_test(test_size),
      cmocka_unit_test(test_inclusion),  cmocka_unit_test(test_alu),
      cmocka_unit_test(test_closure_lu),
  };
  return cmocka_run_group_tests_name("minimal", tests, NULL, NULL);
}
