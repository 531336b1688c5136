#include "search/space/trail.h"

// cmocka wants these before itself.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void assert_path(const Trail *trail, Mem *mem, uint32_t ref, uint32_t count,
                        const uint32_t *expected) {
  TrailSteps steps = {0};
  assert_int_equal(trail_steps(&trail, 1, trail_newest(trail, ref), UINT32_MAX, mem, &steps), 0);
  assert_int_equal(steps.size, count);
  for (uint32_t i = 0; i < count; i++)
    assert_int_equal(steps.items[i].ordinal, expected[i]);
  vec_release(mem, &steps);
}

// Node 1 is reached from 0, then 2 from 1, then 1 anew from 2: its way goes through itself.
static void test_circle(void **state) {
  (void)state;
  Mem mem = {0};
  Trail trail;
  trail_init(&trail, &mem, true);
  trail_reach(&trail, 0, 7);
  trail_take(&trail, 0);
  trail_reach(&trail, 1, 3);
  trail_take(&trail, 1);
  trail_reach(&trail, 2, SPACE_DELAY);
  assert_path(&trail, &mem, 2, 3, (uint32_t[]){SPACE_DELAY, 3, 7});
  trail_take(&trail, 2);
  trail_reach(&trail, 1, 5);
  assert_path(&trail, &mem, 1, 4, (uint32_t[]){5, SPACE_DELAY, 3, 7});
  assert_path(&trail, &mem, 2, 3, (uint32_t[]){SPACE_DELAY, 3, 7});
  trail_take(&trail, 1);
  trail_reach(&trail, 3, 0);
  assert_path(&trail, &mem, 3, 5, (uint32_t[]){0, 5, SPACE_DELAY, 3, 7});
  mem_release(&mem);
}

static void test_off(void **state) {
  (void)state;
  Mem mem = {0};
  Trail trail;
  trail_init(&trail, &mem, false);
  trail_reach(&trail, 0, 7);
  trail_take(&trail, 0);
  trail_reach(&trail, 1, 7);
  mem_release(&mem);
  assert_path(&trail, &mem, 1, 0, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_circle), cmocka_unit_test(test_off)};
  return cmocka_run_group_tests_name("trail", tests, NULL, NULL);
}
