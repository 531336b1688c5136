#include "analysis/diagonallimits.h"

#include "reading.h"

#define MODEL                                                                                    \
  "system:s\nevent:a\nclock:1:x\nclock:1:y\nclock:1:z\nclock:1:u\nint:1:0:3:0:i\n"               \
  "process:P\nlocation:P:A{initial:}\n"

// The clocks as a mask of 1 x, 2 y, 4 z, 8 u; -1 as gap: refused.
static void assert_limits(const char *edges, uint32_t mask, int32_t difference, int32_t max) {
  Reading r;
  char text[2048];
  snprintf(text, sizeof text, MODEL "%s", edges);
  reading_accept(&r, text);
  ClockBounds bounds;
  DiagonalLimits diagonals;
  assert_true(clockbounds_compute(&bounds, &r.arena, &r.net, NULL, &r.report));
  const bool found =
      diagonallimits_compute(&diagonals, &r.arena, &r.net, NULL, &bounds, &r.report);
  assert_int_equal(found, difference >= 0);
  if (found) {
    uint32_t clocks = 0;
    for (uint32_t i = 0; i < diagonals.count; i++)
      clocks |= 1u << (diagonals.clocks[i] - 1);
    for (ClockIndex x = 1; x <= 4; x++)
      assert_int_equal(diagonals.contains[x], clocks >> (x - 1) & 1);
    assert_int_equal(clocks, mask);
    assert_int_equal(diagonals.difference, difference);
    assert_int_equal(diagonals.max, max);
  }
  reading_release(&r);
}

static void test_limits(void **state) {
  (void)state;
  assert_limits("edge:P:A:A:a{provided: x<=9}\n", 0, 0, 0);
  assert_limits("edge:P:A:A:a{provided: x-y<=-3}\n", 3, 3, 3);
  assert_limits("edge:P:A:A:a{provided: x-y<=-3 && x>=7 && z<=50}\n", 3, 3, 7);
  assert_limits("edge:P:A:A:a{provided: x-y<=i+2 : do: x=4}\n", 3, 5, 9);
  assert_limits("edge:P:A:A:a{provided: x-y<=3 : do: x=z;u=x}\n", 7, 3, 3);
  assert_limits("edge:P:A:A:a{provided: x-y<=3 : do: x=z+2;z=0}\n", 7, 7, 9);
  assert_limits("edge:P:A:A:a{provided: x-y<=3 : do: x=x+1}\n", 0, -1, 0);
  assert_limits("edge:P:A:A:a{provided: x-y<=3 : do: x=z+1;z=x}\n", 0, -1, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_limits)};
  return cmocka_run_group_tests_name("diagonals", tests, NULL, NULL);
}
