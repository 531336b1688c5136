// Packed zones: what is written is read again, whole and entry by entry, in every format that
// holds it; bounds as the kernels want them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "dbm/extra.h"
#include "dbm/stored/packed.h"
#include "sample_zones.h"

enum { CASES = 20000, ENTRIES = ZONE_MAX * ZONE_STRIDE + PACKED_SLACK };

static const int maxima[] = {3, 20, 60, 4000, 1000000};

static void test_formats(void **state) {
  (void)state;
  static _Alignas(64) char packed[ENTRIES * sizeof(Bound)];
  uint32_t seen[PACKED_32 + 1] = {0};
  Random random;
  random_seed(&random, 1);
  for (int c = 0; c < CASES; c++) {
    Zone zone, back;
    const uint32_t n = 1 + random_below(&random, ZONE_MAX - 1);
    random_zone(&zone, &random, n, maxima[random_below(&random, 5)]);
    seen[naive_format(&zone)]++;
    for (PackedFormat format = naive_format(&zone); format <= PACKED_32; format++) {
      memset(packed, -1, sizeof packed);
      packed_write(packed, zone.d, n, format);
      for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++)
          assert_int_equal(packed_entry(packed, format, i * n + j), zone_get(&zone, i, j));
      for (uint32_t i = 0; i < PACKED_PADDING; i++)
        assert_int_equal(packed[packed_bytes(n, format) + i], 0);
      naive_universal(&back, n);
      packed_read(back.d, n, packed, format);
      assert_true(naive_equal(&back, &zone));
    }
  }
  assert_true(seen[PACKED_16] > 1000 && seen[PACKED_32] > 1000);
}

// Cutting says whether the zone fits.
static void test_cut(void **state) {
  (void)state;
  static _Alignas(64) int16_t cut[ENTRIES];
  Random random;
  random_seed(&random, 2);
  for (int c = 0; c < CASES; c++) {
    Zone zone;
    const uint32_t n = 1 + random_below(&random, ZONE_MAX - 1);
    random_zone(&zone, &random, n, maxima[random_below(&random, 5)]);
    const PackedFormat format = naive_format(&zone);
    const bool fits = packed_cut(cut, zone.d, n);
    assert_int_equal(fits, format <= PACKED_16);
    for (uint32_t at = 0; at < n * n; at++) {
      const Bound entry = zone_get(&zone, at / n, at % n);
      assert_true(!fits || packed_entry(cut, PACKED_16, at) == entry);
    }
  }
}

static void test_bounds(void **state) {
  (void)state;
  static _Alignas(64) char memory[4096];
  Random random;
  random_seed(&random, 3);
  for (int c = 0; c < CASES; c++) {
    int32_t lower[ZONE_STRIDE], upper[ZONE_STRIDE], max = 0;
    const uint32_t n = 1 + random_below(&random, ZONE_MAX - 1);
    random_bounds(&random, n, maxima[random_below(&random, 5)], lower, upper);
    for (uint32_t x = 0; x < n; x++) {
      max = lower[x] > max ? lower[x] : max;
      max = upper[x] > max ? upper[x] : max;
    }
    PackedBounds bounds = {.lower = lower, .upper = upper};
    assert_true(packed_bounds_bytes(n, false) <= sizeof memory);
    packed_bounds_init(&bounds, memory, n, false);
    packed_bounds(&bounds, n);
    assert_int_equal(bounds.is_small, max <= PACKED_MAX_BOUND);
    for (uint32_t x = 0; x < n && bounds.is_small; x++) {
      assert_true(lower[x] < 0 ? bounds.twice_lower[x] < 0
                               : bounds.twice_lower[x] == 2 * lower[x]);
      assert_int_equal(bounds.use[x], upper[x] < 0 ? INT16_MAX : bound_le(-upper[x]));
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_formats),
      cmocka_unit_test(test_cut),
      cmocka_unit_test(test_bounds),
  };
  return cmocka_run_group_tests_name("packed", tests, NULL, NULL);
}
