// Interned clock bounds against plain arrays.
#include "search/space/levels.h"

#include "dbm/stored/packed.h"

#include "base/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { MAX = 10, CASES = 20000 };

typedef struct Row {
  int32_t lower[MAX], upper[MAX];
} Row;

static int32_t random_bound(Random *random) {
  return random_below(random, 3) ? random_between(random, 0, 3) : CLOCK_NO_BOUND;
}

static Row random_row(Random *random, uint32_t k) {
  Row row = {{0}, {0}};
  for (uint32_t x = 1; x < k; x++) {
    row.lower[x] = random_bound(random);
    row.upper[x] = random_bound(random);
  }
  return row;
}

static bool is_none(const Row *row, uint32_t k) {
  for (uint32_t x = 1; x < k; x++)
    if (row->lower[x] >= 0 || row->upper[x] >= 0)
      return false;
  return true;
}

static void check(const LevelTable *table, LevelsRef ref, const Row *row, uint32_t k) {
  assert_int_equal(!ref, is_none(row, k));
  if (!ref)
    return;
  const PackedBounds *levels = levels_bounds(table, ref);
  assert_memory_equal(levels->lower, row->lower, k * sizeof(int32_t));
  assert_memory_equal(levels->upper, row->upper, k * sizeof(int32_t));
  assert_true(levels->is_small);
}

static int32_t larger(int32_t a, int32_t b) { return a > b ? a : b; }

static void test_find_and_join(void **state) {
  (void)state;
  Mem mem = {0};
  Random random;
  random_seed(&random, 1);
  LevelTable table;
  levels_init(&table, &mem, MAX);
  for (int c = 0; c < CASES; c++) {
    const uint32_t k = 1 + random_below(&random, c % 2 ? 3 : MAX);
    const Row a = random_row(&random, k), b = random_row(&random, k);
    const LevelsRef one = levels_find(&table, k, a.lower, a.upper);
    const LevelsRef two = levels_find(&table, k, b.lower, b.upper);
    check(&table, one, &a, k);
    check(&table, two, &b, k);
    assert_int_equal(levels_find(&table, k, a.lower, a.upper), one);
    Row joined = {{0}, {0}};
    for (uint32_t x = 1; x < k; x++) {
      joined.lower[x] = larger(a.lower[x], b.lower[x]);
      joined.upper[x] = larger(a.upper[x], b.upper[x]);
    }
    check(&table, levels_join(&table, one, two), &joined, k);
  }
  mem_release(&mem);
}

static void test_negative(void **state) {
  (void)state;
  Mem mem = {0};
  LevelTable table;
  levels_init(&table, &mem, 2);
  const int32_t lower[] = {0, -3}, upper[] = {0, -1};
  assert_int_equal(levels_find(&table, 2, lower, upper), 0);
  mem_release(&mem);
}

// Clocks of the target go back to their origins, less the offset.
static void test_back(void **state) {
  (void)state;
  Mem mem = {0};
  Random random;
  random_seed(&random, 2);
  LevelTable table;
  levels_init(&table, &mem, MAX);
  for (int c = 0; c < CASES; c++) {
    const uint32_t k = 1 + random_below(&random, MAX), from = 1 + random_below(&random, MAX);
    ClockId origin[MAX] = {0};
    int32_t offset[MAX] = {0};
    const bool has_offset = random_below(&random, 2);
    const Row target = random_row(&random, k);
    Row source = {{0}, {0}};
    for (uint32_t x = 1; x < from; x++)
      source.lower[x] = source.upper[x] = CLOCK_NO_BOUND;
    for (uint32_t i = 1; i < k; i++) {
      origin[i] = random_below(&random, from);
      offset[i] = has_offset ? random_between(&random, -2, 2) : 0;
      if (!origin[i])
        continue;
      int32_t *l = &source.lower[origin[i]], *u = &source.upper[origin[i]];
      if (target.lower[i] >= 0 && target.lower[i] - offset[i] >= 0)
        *l = larger(*l, target.lower[i] - offset[i]);
      if (target.upper[i] >= 0 && target.upper[i] - offset[i] >= 0)
        *u = larger(*u, target.upper[i] - offset[i]);
    }
    const WayRef way = levels_way(&table, k, from, origin, has_offset ? offset : NULL);
    assert_true(way > 0);
    assert_int_equal(levels_way(&table, k, from, origin, has_offset ? offset : NULL), way);
    const LevelsRef ref = levels_find(&table, k, target.lower, target.upper);
    const LevelsRef back = levels_back(&table, ref, way);
    check(&table, back, &source, from);
  }
  mem_release(&mem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_find_and_join),
      cmocka_unit_test(test_negative),
      cmocka_unit_test(test_back),
  };
  return cmocka_run_group_tests_name("levels", tests, NULL, NULL);
}
