// Offset matrices against naive ones: every action of random walks, the minima of the
// synchronised valuations, constraints between clocks.
#include "offsets.h"

static void test_actions(void **state) {
  (void)state;
  Random random;
  random_seed(&random, 1);
  int steps = 0, refused = 0;
  for (int i = 0; i < 1500; i++) {
    static Walk walk;
    walk_start(&walk, &random, random_below(&random, OFFSET_CLOCKS + 1),
               1 + random_below(&random, OFFSET_TIMES));
    for (int s = 0; s < 12; s++)
      if (walk_step(&walk, &random))
        steps++;
      else
        refused++;
  }
  assert_true(steps > 5000 && refused > 500);
}

// The synchronised zone by adding equalities, or nothing if there is none.
static bool synchronise_naive(Zone *zone, const Walk *walk) {
  const OffsetShape *shape = &walk->shape;
  *zone = walk->naive;
  for (uint32_t p = 1; p < shape->times; p++) {
    naive_tighten(zone, (Constraint){shape->first_time, shape->first_time + p, BOUND_LE_ZERO});
    naive_tighten(zone, (Constraint){shape->first_time + p, shape->first_time, BOUND_LE_ZERO});
  }
  return naive_close(zone);
}

static void compare_minima(const Walk *walk, int *empty) {
  const OffsetShape *shape = &walk->shape;
  Bound low[16], high[16];
  static Bound zone[16 * 16];
  Zone naive;
  const bool exists = synchronise_naive(&naive, walk);
  assert_int_equal(offset_minima(walk->d, shape, low, high), exists);
  *empty += !exists;
  if (!exists)
    return;
  offset_synchronise(zone, walk->d, shape, low, high);
  const uint32_t t = shape->first_time, stride = dbm_stride(shape->clocks + 1);
  for (uint32_t x = 0; x < shape->clocks; x++) {
    assert_int_equal(low[x], zone_get(&naive, x, t));
    assert_int_equal(high[x], zone_get(&naive, t, x));
    for (uint32_t y = 0; y < shape->clocks; y++)
      assert_int_equal(zone[(y + 1) * stride + x + 1], zone_get(&naive, x, y));
  }
  assert_true(dbm_is_tight(zone, shape->clocks + 1));
}

static void test_minima(void **state) {
  (void)state;
  Random random;
  random_seed(&random, 2);
  int empty = 0;
  for (int i = 0; i < 1500; i++) {
    static Walk walk;
    walk_start(&walk, &random, random_below(&random, OFFSET_CLOCKS + 1),
               1 + random_below(&random, OFFSET_TIMES));
    for (int s = 0; s < 8; s++) {
      walk_step(&walk, &random);
      compare_minima(&walk, &empty);
    }
  }
  assert_true(empty > 100);
}

static void test_constrain(void **state) {
  (void)state;
  Random random;
  random_seed(&random, 3);
  int cut = 0;
  for (int i = 0; i < 800; i++) {
    static Walk walk;
    walk_start(&walk, &random, 2 + random_below(&random, 6), 2);
    for (int s = 0; s < 6; s++)
      walk_step(&walk, &random);
    const uint32_t x = random_below(&random, walk.shape.clocks);
    const uint32_t y = (x + 1) % walk.shape.clocks;
    const Constraint c = {x, y, bound_le(random_between(&random, -4, 4))};
    naive_tighten(&walk.naive, c);
    const bool exists = naive_close(&walk.naive);
    assert_int_equal(offset_constrain(walk.d, &walk.shape, c), exists);
    if (exists)
      walk_compare(&walk);
    cut += exists;
  }
  assert_true(cut > 100);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_actions),
                                     cmocka_unit_test(test_minima),
                                     cmocka_unit_test(test_constrain)};
  return cmocka_run_group_tests_name("offset", tests, NULL, NULL);
}
