// Federations against their points: a point is in the difference if it is in the one and not in
// the other.
#include "dbm/federation.h"

#include "sample_zones.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { ROUNDS = 4000, POINTS = 60, CONSTANT = 5, MAX_CLOCKS = 4 };

// Anywhere, in halves.
static void any_point(Random *random, uint32_t n, int64_t *point) {
  for (uint32_t x = 0; x < n; x++)
    point[x] = x ? random_between(random, 0, 4 * CONSTANT) : 0;
}

static void make(Federation *f, Mem *mem, Random *random, uint32_t n, uint32_t count) {
  federation_init(f, mem, n);
  for (uint32_t i = 0; i < count; i++) {
    Zone zone;
    random_zone(&zone, random, n, CONSTANT);
    federation_add(f, zone.d);
  }
}

static bool has_past(const Federation *f, uint32_t n, const int64_t *point) {
  for (int64_t d = 0; d <= 8 * CONSTANT; d++) {
    int64_t later[MAX_CLOCKS + 1] = {0};
    for (uint32_t x = 1; x < n; x++)
      later[x] = 2 * point[x] + d; // quarters, so that open intervals are met
    if (federation_contains(f, later, 4))
      return true;
  }
  return false;
}

static void check_disjoint(const Federation *f, const int64_t *point) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < f->count; i++)
    count += dbm_contains(federation_zone(f, i), f->n, point, 2);
  assert_true(count <= 1);
}

static void test_operations(void **unused) {
  (void)unused;
  Random random;
  random_seed(&random, 19);
  Mem mem = {0};
  for (int round = 0; round < ROUNDS; round++) {
    const uint32_t n = 2 + (uint32_t)random_below(&random, MAX_CLOCKS - 1);
    Federation a, b, difference, common, past, alone;
    make(&a, &mem, &random, n, 1 + (uint32_t)random_below(&random, 3));
    make(&b, &mem, &random, n, 1 + (uint32_t)random_below(&random, 3));
    make(&difference, &mem, &random, n, 0);
    make(&common, &mem, &random, n, 0);
    make(&past, &mem, &random, n, 0);
    make(&alone, &mem, &random, n, 1);
    federation_copy(&difference, &a);
    federation_copy(&common, &a);
    federation_copy(&past, &a);
    federation_subtract_all(&difference, &b);
    federation_subtract_all(&alone, &b);
    federation_intersect(&common, federation_zone(&b, 0));
    federation_down(&past);
    bool met = false;
    for (int i = 0; i < POINTS; i++) {
      int64_t point[MAX_CLOCKS + 1];
      any_point(&random, n, point);
      const bool in_a = federation_contains(&a, point, 2),
                 in_b = federation_contains(&b, point, 2);
      const bool in_first = dbm_contains(federation_zone(&b, 0), n, point, 2);
      assert_int_equal(federation_contains(&difference, point, 2), in_a && !in_b);
      assert_int_equal(federation_contains(&common, point, 2), in_a && in_first);
      assert_int_equal(federation_contains(&past, point, 2), has_past(&a, n, point));
      check_disjoint(&alone, point);
      met |= in_a && in_first;
    }
    assert_true(!met || federation_meets(&a, federation_zone(&b, 0)));
    assert_int_equal(federation_meets(&a, federation_zone(&b, 0)), common.count != 0);
    for (uint32_t i = 0; i < difference.count; i++)
      assert_true(dbm_is_tight(federation_zone(&difference, i), n));
    federation_release(&a);
    federation_release(&b);
    federation_release(&difference);
    federation_release(&common);
    federation_release(&past);
    federation_release(&alone);
  }
  assert_int_equal(mem.bytes, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_operations)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
