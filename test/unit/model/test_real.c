// Operators, functions and distributions of real numbers. Distributions: mean and variance of
// many draws.
#include "model/expr/real.h"

#include "base/random.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static double call(const char *name, double a, double b, double c) {
  uint32_t function;
  double result = NAN;
  const double args[3] = {a, b, c};
  if (!real_find(name, &function))
    fail_msg("there is no function %s", name);
  assert_null(real_call(function, args, NULL, &result));
  return result;
}

static void test_functions(void **state) {
  (void)state;
  static const struct {
    const char *name;
    double a, b, c, value;
  } cases[] = {
      {"acos", 1, 0, 0, 0},
      {"acosh", 1, 0, 0, 0},
      {"asin", 1, 0, 0, 1.5707963267948966},
      {"asinh", 0, 0, 0, 0},
      {"atan", 1, 0, 0, 0.78539816339744831},
      {"atan2", 1, -1, 0, 2.3561944901923448},
      {"atanh", 0.5, 0, 0, 0.54930614433405489},
      {"cbrt", -27, 0, 0, -3},
      {"ceil", -2.5, 0, 0, -2},
      {"copysign", 3, -0.0, 0, -3},
      {"cos", 0, 0, 0, 1},
      {"cosh", 0, 0, 0, 1},
      {"erf", 1, 0, 0, 0.84270079294971487},
      {"erfc", 1, 0, 0, 0.15729920705028513},
      {"exp", 1, 0, 0, 2.7182818284590451},
      {"exp2", 10, 0, 0, 1024},
      {"expm1", 1e-10, 0, 0, 1.00000000005e-10},
      {"fabs", -2.5, 0, 0, 2.5},
      {"fdim", 5, 3, 0, 2},
      {"fint", -2.7, 0, 0, -2},
      {"floor", -2.7, 0, 0, -3},
      {"fma", 2, 3, 4, 10},
      {"fmax", 2, 3, 0, 3},
      {"fmin", 2, 3, 0, 2},
      {"fmod", 7.5, 2, 0, 1.5},
      {"fpclassify", 1.5, 0, 0, 4},
      {"hypot", 3, 4, 0, 5},
      {"ilogb", 1000, 0, 0, 9},
      {"isfinite", 1, 0, 0, 1},
      {"isinf", INFINITY, 0, 0, 1},
      {"isnan", 1, 0, 0, 0},
      {"isnormal", DBL_MIN / 2, 0, 0, 0},
      {"isunordered", 1, 2, 0, 0},
      {"ldexp", 1.5, 4, 0, 24},
      {"lgamma", 5, 0, 0, 3.1780538303479458},
      {"ln", 2.718281828459045, 0, 0, 1},
      {"log", 100, 0, 0, 2}, // base 10
      {"log10", 1000, 0, 0, 3},
      {"log1p", 1e-10, 0, 0, 9.9999999995e-11},
      {"log2", 8, 0, 0, 3},
      {"logb", 1000, 0, 0, 9},
      {"nextafter", 1, 2, 0, 1 + DBL_EPSILON},
      {"pow", 2, 10, 0, 1024},
      {"round", 2.5, 0, 0, 3}, // away from zero
      {"round", -2.5, 0, 0, -3},
      {"signbit", -1, 0, 0, 1},
      {"sin", 1.5707963267948966, 0, 0, 1},
      {"sinh", 0, 0, 0, 0},
      {"sqrt", 16, 0, 0, 4},
      {"tan", 0, 0, 0, 0},
      {"tanh", 0, 0, 0, 0},
      {"tgamma", 5, 0, 0, 24},
      {"trunc", -2.7, 0, 0, -2},
  };
  for (uint32_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    const double found = call(cases[k].name, cases[k].a, cases[k].b, cases[k].c);
    if (fabs(found - cases[k].value) > 1e-14 * fabs(cases[k].value))
      fail_msg("%s is %.17g, not %.17g", cases[k].name, found, cases[k].value);
  }
  uint32_t function;
  assert_false(real_find("abs", &function));
  assert_false(real_find("nothing", &function));
}

static void test_failures(void **state) {
  (void)state;
  static const struct {
    const char *name;
    double a;
    const char *error;
  } cases[] = {
      {"sqrt", -1, "not a number"},     {"ln", -1, "not a number"},
      {"fint", 3e9, "32 bits"},         {"fint", NAN, "not a number"},
      {"random", 1, "for statistical"}, {"acos", 2, "not a number"},
  };
  for (uint32_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    uint32_t function;
    double result;
    assert_true(real_find(cases[k].name, &function));
    const char *error = real_call(function, (double[3]){cases[k].a}, NULL, &result);
    assert_non_null(error);
    assert_non_null(strstr(error, cases[k].error));
  }
  double result;
  assert_non_null(real_operate(REAL_DIV, 1, 0, &result));
  assert_non_null(real_operate(REAL_SUB, INFINITY, INFINITY, &result));
  assert_null(real_operate(REAL_DIV, 7, 2, &result));
  assert_true(result == 3.5);
}

static void test_operators(void **state) {
  (void)state;
  static const struct {
    RealOp kind;
    double value;
  } cases[] = {{REAL_ADD, 3.5},  {REAL_SUB, -0.5}, {REAL_MUL, 3},
               {REAL_DIV, 0.75}, {REAL_MIN, 1.5},  {REAL_MAX, 2}};
  double result;
  for (uint32_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    assert_null(real_operate(cases[k].kind, 1.5, 2, &result));
    assert_true(result == cases[k].value);
  }
  assert_true(real_compare(REAL_EQ, 2, 2) && !real_compare(REAL_NE, 2, 2));
  assert_true(real_compare(REAL_LT, 1, 2) && real_compare(REAL_LE, 2, 2));
  assert_true(real_compare(REAL_GT, 2, 1) && !real_compare(REAL_GE, 1, 2));
  assert_true(real_constant("M_PI", &result) && fabs(result - 3.141592653589793) < 1e-15);
  assert_true(real_constant("DBL_MAX", &result) && result == DBL_MAX);
  assert_false(real_constant("M_SQRT3", &result));
}

static double uniform(void *context) { return (double)(random_next(context) >> 11) * 0x1p-53; }

static void test_distributions(void **state) {
  (void)state;
  enum { DRAWS = 200000 };
  static const struct {
    const char *name;
    double a, b, c, mean, variance;
  } cases[] = {
      {"random", 6, 0, 0, 3, 3},
      {"normal", 2, 3, 0, 2, 9},
      {"random_normal", -1, 0.5, 0, -1, 0.25},
      {"random_poisson", 0, 0, 0, 0, 0},
      {"random_poisson", 2.5, 0, 0, 2.5, 2.5},
      {"random_poisson", 70, 0, 0, 70, 70},
      {"random_arcsine", 1, 5, 0, 3, 2},
      {"random_beta", 2, 3, 0, 0.4, 0.04},
      {"random_beta", 0.5, 0.5, 0, 0.5, 0.125},
      {"random_gamma", 3, 2, 0, 6, 12},
      {"random_gamma", 0.5, 2, 0, 1, 2},
      {"random_tri", 0, 1, 4, 1.6666666666666667, 0.7222222222222222},
      {"random_weibull", 1, 2, 0, 2, 4},
      {"random_weibull", 2, 1, 0, 0.88622692545275801, 0.21460183660255172},
  };
  Random random;
  random_seed(&random, 7);
  const RealDraws draws = {uniform, &random};
  for (uint32_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    uint32_t function;
    assert_true(real_find(cases[k].name, &function));
    const double args[3] = {cases[k].a, cases[k].b, cases[k].c};
    double sum = 0, squares = 0, value;
    for (int i = 0; i < DRAWS; i++) {
      assert_null(real_call(function, args, &draws, &value));
      sum += value;
      squares += value * value;
    }
    const double mean = sum / DRAWS, variance = squares / DRAWS - mean * mean;
    const double error = 5 * sqrt(cases[k].variance / DRAWS); // five standard deviations
    if (fabs(mean - cases[k].mean) > error + 1e-12)
      fail_msg("%s has the mean %g, not %g", cases[k].name, mean, cases[k].mean);
    if (fabs(variance - cases[k].variance) > 0.03 * cases[k].variance + 1e-12)
      fail_msg("%s has the variance %g, not %g", cases[k].name, variance, cases[k].variance);
  }
  uint32_t function;
  double value;
  assert_true(real_find("random_gamma", &function));
  assert_non_null(real_call(function, (double[3]){-1, 1}, &draws, &value));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_functions), cmocka_unit_test(test_failures),
      cmocka_unit_test(test_operators), cmocka_unit_test(test_distributions)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
