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

static void compare_minima(const Walk *walk, int *empty) {
  const OffsetShape *shape = &walk->shape;
  Bound low[16];
  Zone naive;
  const bool exists = walk_synchronise_naive(&naive, walk);
  offset_low(walk->d, shape, low);
  assert_int_equal(offset_can_meet(walk->d, shape, low, walk->ceilings, walk->ceiling_count),
                   exists);
  *empty += !exists;
  for (uint32_t i = 0; exists && i < shape->clock_rows; i++)
    assert_int_equal(low[walk->rows[i]], zone_get(&naive, walk->rows[i], shape->first_time));
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
    if (walk.shape.clock_rows < 2)
      continue;
    const uint32_t at = random_below(&random, walk.shape.clock_rows);
    const uint32_t x = walk.rows[at], y = walk.rows[(at + 1) % walk.shape.clock_rows];
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
