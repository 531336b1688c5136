// Minimal forms of random zones against naive versions on whole matrices.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "minimal_zones.h"

enum { CASES = 100000 };

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
  static MinimalFixture f;
  minimal_begin(&f, 1);
  for (int c = 0; c < CASES; c++) {
    Zone zone, back;
    minimal_choose_n(&f);
    minimal_choose_zone(
        &f, &zone, c % 100 ? minimal_maxima[random_below(&f.random, 5)] : ZONE_CONSTANT_MAX / 8);
    memset(f.string, c & 1 ? 0 : -1, sizeof f.string); // what is there before does not matter
    const size_t size = minimal_make(&f.room, f.string, zone.d, f.n);
    assert_int_equal(f.string[size], c & 1 ? 0 : -1);
    assert_true(size <= minimal_max_bytes(f.n));
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
  static MinimalFixture f;
  minimal_begin(&f, 2);
  for (int c = 0; c < 2000; c++) {
    Zone zone;
    f.n = 2 + random_below(&f.random, ZONE_MAX - 1);
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_round_trip),
      cmocka_unit_test(test_size),
  };
  return cmocka_run_group_tests_name("minimal", tests, NULL, NULL);
}
