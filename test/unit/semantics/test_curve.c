// Differential equations: solutions that are known, and those that end.
#include "semantics/stochastic/curve.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static bool oscillate(void *context, const double *values, double *derivatives) {
  (void)context;
  derivatives[0] = values[1];
  derivatives[1] = -values[0];
  return true;
}

static void test_oscillator(void **state) {
  (void)state;
  Mem mem = {0};
  Curve curve;
  curve_init(&curve, &mem, 2, 1e-10, oscillate, NULL);
  curve_start(&curve, (double[]){0, 1});
  assert_true(curve_reach(&curve, 20));
  assert_true(curve.pieces.size < 2000);
  for (double t = 0; t < 20; t += 0.037) {
    double values[2];
    curve_at(&curve, t, values);
    assert_true(fabs(values[0] - sin(t)) < 1e-7 && fabs(values[1] - cos(t)) < 1e-7);
    assert_true(curve_next(&curve, t) > t);
  }
  mem_release(&mem);
}

// x' = x^2 from 1 has no solution beyond 1.
static bool explode(void *context, const double *values, double *derivatives) {
  (void)context;
  derivatives[0] = values[0] * values[0];
  return true;
}

static bool refuse(void *context, const double *values, double *derivatives) {
  (void)context;
  derivatives[0] = 1;
  return values[0] < 3;
}

static void test_ends(void **state) {
  (void)state;
  Mem mem = {0};
  Curve curve;
  curve_init(&curve, &mem, 1, 1e-10, explode, NULL);
  curve_start(&curve, (double[]){1});
  assert_true(curve_reach(&curve, 0.9));
  assert_false(curve_reach(&curve, 2));
  curve_init(&curve, &mem, 1, 1e-10, refuse, NULL);
  curve_start(&curve, (double[]){0});
  assert_true(curve_reach(&curve, 1));
  assert_false(curve_reach(&curve, 5));
  mem_release(&mem);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_oscillator),
                                     cmocka_unit_test(test_ends)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
