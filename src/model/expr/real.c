// Distributions use only uniform numbers and keep nothing between calls, so that a run is a
// function of its stream. Inverse functions where there are any, otherwise rejection: gamma by
// Marsaglia and Tsang (2000), normal by Marsaglia's polar method, Poisson by products of uniforms
// in pieces of at most PIECE.
#include "model/expr/real.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

static const char no_number[] = "the result of an operation is not a number";
static const char zero_divisor[] = "a number is divided by zero";
static const char too_large[] = "a number does not fit in an integer of 32 bits";
static const char not_random[] = "random numbers are for statistical queries";
static const char bad_parameter[] = "a distribution has a parameter that is not positive, or "
                                    "bounds that are not an interval";

// clang-format off
// name, arguments, result
#define FUNCTIONS(F)                                                                             \
  F(acos, 1, REAL)                                                                               \
  F(acosh, 1, REAL) F(asin, 1, REAL) F(asinh, 1, REAL) F(atan, 1, REAL) F(atan2, 2, REAL) F(     \
      atanh, 1, REAL) F(cbrt, 1, REAL) F(ceil, 1, REAL) F(copysign, 2, REAL) F(cos, 1, REAL)     \
      F(cosh, 1, REAL) F(erf, 1, REAL) F(erfc, 1, REAL) F(exp, 1, REAL) F(exp2, 1, REAL)         \
          F(expm1, 1, REAL) F(fabs, 1, REAL) F(fdim, 2, REAL) F(fint, 1, INT) F(floor, 1, REAL)  \
              F(fma, 3, REAL) F(fmax, 2, REAL) F(fmin, 2, REAL) F(fmod, 2, REAL)                 \
                  F(fpclassify, 1, INT) F(hypot, 2, REAL) F(ilogb, 1, INT) F(isfinite, 1, BOOL)  \
                      F(isinf, 1, BOOL) F(isnan, 1, BOOL) F(isnormal, 1, BOOL)                   \
                          F(isunordered, 2, BOOL) F(ldexp, 2, REAL) F(lgamma, 1, REAL)           \
                              F(ln, 1, REAL) F(log, 1, REAL) F(log10, 1, REAL) F(log1p, 1, REAL) \
                                  F(log2, 1, REAL) F(logb, 1, REAL) F(nextafter, 2, REAL)        \
                                      F(normal, 2, REAL) F(pow, 2, REAL) F(random, 1, REAL) F(   \
                                          random_arcsine, 2, REAL) F(random_beta, 2, REAL)       \
                                          F(random_gamma, 2, REAL) F(random_normal, 2, REAL)     \
                                              F(random_poisson, 1, REAL) F(random_tri, 3, REAL)  \
                                                  F(random_weibull, 2, REAL) F(round, 1, REAL)   \
                                                      F(signbit, 1, BOOL) F(sin, 1, REAL)        \
                                                          F(sinh, 1, REAL) F(sqrt, 1, REAL)      \
                                                              F(tan, 1, REAL) F(tanh, 1, REAL)   \
                                                                  F(tgamma, 1, REAL)             \
                                                                      F(trunc, 1, REAL)

// clang-format on

typedef enum Id {
#define F(name, count, result) ID_##name,
  FUNCTIONS(F)
#undef F
      ID_COUNT
} Id;

static bool is_draw(Id id) { return real_functions[id].draws; }

#define IS_DRAW(id) ((id) == ID_normal || ((id) >= ID_random && (id) <= ID_random_weibull))
const RealFunction real_functions[] = {
#define F(name, count, result) {#name, count, REAL_RESULT_##result, IS_DRAW(ID_##name)},
    FUNCTIONS(F)
#undef F
};

static int by_name(const void *name, const void *function) {
  return strcmp(name, ((const RealFunction *)function)->name);
}

bool real_find(const char *name, uint32_t *function) {
  const RealFunction *found =
      bsearch(name, real_functions, ID_COUNT, sizeof *real_functions, by_name);
  if (found)
    *function = (uint32_t)(found - real_functions);
  return found;
}

bool real_constant(const char *name, double *value) {
  static const struct {
    const char *name;
    double value;
  } constants[] = {
      {"M_PI", 3.14159265358979323846},
      {"M_PI_2", 1.57079632679489661923},
      {"M_PI_4", 0.78539816339744830962},
      {"M_E", 2.7182818284590452354},
      {"M_LOG2E", 1.4426950408889634074},
      {"M_LOG10E", 0.43429448190325182765},
      {"M_LN2", 0.69314718055994530942},
      {"M_LN10", 2.30258509299404568402},
      {"M_1_PI", 0.31830988618379067154},
      {"M_2_PI", 0.63661977236758134308},
      {"M_2_SQRTPI", 1.12837916709551257390},
      {"M_SQRT2", 1.41421356237309504880},
      {"M_SQRT1_2", 0.70710678118654752440},
      {"FLT_MIN", (double)FLT_MIN},
      {"FLT_MAX", (double)FLT_MAX},
      {"DBL_MIN", DBL_MIN},
      {"DBL_MAX", DBL_MAX},
  };
  for (uint32_t k = 0; k < sizeof constants / sizeof *constants; k++)
    if (!strcmp(constants[k].name, name)) {
      *value = constants[k].value;
      return true;
    }
  return false;
}

const char *real_operate(RealOp op, double a, double b, double *result) {
  switch (op) {
  case REAL_ADD:
    *result = a + b;
    break;
  case REAL_SUB:
    *result = a - b;
    break;
  case REAL_MUL:
    *result = a * b;
    break;
  case REAL_DIV:
    if (b == 0)
      return zero_divisor;
    *result = a / b;
    break;
  case REAL_MIN:
    *result = a < b ? a : b;
    break;
  default:
    *result = a > b ? a : b;
    break;
  }
  return isnan(*result) ? no_number : NULL;
}

bool real_compare(RealOp op, double a, double b) {
  switch (op) {
  case REAL_EQ:
    return a == b;
  case REAL_NE:
    return a != b;
  case REAL_LT:
    return a < b;
  case REAL_LE:
    return a <= b;
  case REAL_GT:
    return a > b;
  default:
    return a >= b;
  }
}

// Distributions.

static double uniform(const RealDraws *draws) { return draws->uniform(draws->context); }

static double open_uniform(const RealDraws *draws) { // in (0, 1]
  return 1 - uniform(draws);
}

static double standard_normal(const RealDraws *draws) {
  for (;;) {
    const double x = 2 * uniform(draws) - 1, y = 2 * uniform(draws) - 1, s = x * x + y * y;
    if (s > 0 && s < 1)
      return x * sqrt(-2 * log(s) / s);
  }
}

// A shape below 1 is raised by 1, and the result cut by a power of a uniform number.
static double standard_gamma(const RealDraws *draws, double shape) {
  const double boost = shape < 1 ? pow(open_uniform(draws), 1 / shape) : 1;
  const double d = (shape < 1 ? shape + 1 : shape) - 1.0 / 3, c = 1 / sqrt(9 * d);
  for (;;) {
    const double x = standard_normal(draws), t = 1 + c * x, v = t * t * t;
    if (v > 0 && log(open_uniform(draws)) < 0.5 * x * x + d - d * v + d * log(v))
      return boost * d * v;
  }
}

// Events of a Poisson process up to `mean`. Above PIECE, gamma times jump over half of the rest.
static double poisson(const RealDraws *draws, double mean) {
  enum { PIECE = 30 };
  double count = 0;
  while (mean > PIECE) {
    const double jump = floor(mean * 7 / 8), time = standard_gamma(draws, jump);
    if (time > mean) { // of jump - 1 events before `time`, each is before `mean` independently
      for (double k = 1; k < jump; k++)
        count += uniform(draws) * time < mean;
      return count;
    }
    count += jump;
    mean -= time;
  }
  const double limit = exp(-mean);
  for (double product = open_uniform(draws); product > limit; product *= open_uniform(draws))
    count++;
  return count;
}

static double triangle(const RealDraws *draws, double from, double mode, double till) {
  const double u = uniform(draws), split = (mode - from) / (till - from);
  return u < split ? from + sqrt(u * (till - from) * (mode - from))
                   : till - sqrt((1 - u) * (till - from) * (till - mode));
}

static bool are_parameters_good(Id id, const double *a) {
  switch (id) {
  case ID_random:
    return a[0] >= 0;
  case ID_normal:
  case ID_random_normal:
    return a[1] >= 0;
  case ID_random_poisson:
    return a[0] >= 0 && a[0] <= 1e6;
  case ID_random_arcsine:
    return a[0] <= a[1];
  case ID_random_tri:
    return a[0] < a[2] && a[0] <= a[1] && a[1] <= a[2];
  default:
    return a[0] > 0 && a[1] > 0;
  }
}

static const char *draw(Id id, const double *a, const RealDraws *draws, double *result) {
  if (!draws)
    return not_random;
  if (!are_parameters_good(id, a))
    return bad_parameter;
  switch (id) {
  case ID_random:
    *result = a[0] * uniform(draws);
    break;
  case ID_random_arcsine: {
    const double s = sin(1.57079632679489661923 * uniform(draws));
    *result = a[0] + (a[1] - a[0]) * s * s;
    break;
  }
  case ID_random_beta: {
    const double x = standard_gamma(draws, a[0]), y = standard_gamma(draws, a[1]);
    *result = x / (x + y);
    break;
  }
  case ID_random_gamma:
    *result = a[1] * standard_gamma(draws, a[0]);
    break;
  case ID_random_poisson:
    *result = poisson(draws, a[0]);
    break;
  case ID_random_tri:
    *result = triangle(draws, a[0], a[1], a[2]);
    break;
  case ID_random_weibull:
    *result = a[1] * pow(-log(open_uniform(draws)), 1 / a[0]);
    break;
  default: // normal
    *result = a[0] + a[1] * standard_normal(draws);
    break;
  }
  return isfinite(*result) ? NULL : no_number;
}

// Functions.

static double classify(double x) {
  switch (fpclassify(x)) {
  case FP_NAN:
    return 0;
  case FP_INFINITE:
    return 1;
  case FP_ZERO:
    return 2;
  case FP_SUBNORMAL:
    return 3;
  default:
    return 4;
  }
}

static double value_of(Id id, double a, double b, double c) {
  switch (id) {
    // clang-format off
#define C1(name) case ID_##name: return name(a);
#define C2(name) case ID_##name: return name(a, b);
    C1(acos) C1(acosh) C1(asin) C1(asinh) C1(atan) C2(atan2) C1(atanh) C1(cbrt) C1(ceil)
    C2(copysign) C1(cos) C1(cosh) C1(erf) C1(erfc) C1(exp) C1(exp2) C1(expm1) C1(fabs) C2(fdim)
    C1(floor) C2(fmax) C2(fmin) C2(fmod) C2(hypot) C1(ilogb) C1(lgamma) C1(log10) C1(log1p)
    C1(log2) C1(logb) C2(nextafter) C2(pow) C1(round) C1(sin) C1(sinh) C1(sqrt) C1(tan) C1(tanh)
    C1(tgamma) C1(trunc)
    // clang-format on
#undef C1
#undef C2
                        case ID_fint : return trunc(a);
  case ID_fma:
    return fma(a, b, c);
  case ID_fpclassify:
    return classify(a);
  case ID_isfinite:
    return isfinite(a) != 0;
  case ID_isinf:
    return isinf(a) != 0;
  case ID_isnan:
    return isnan(a) != 0;
  case ID_isnormal:
    return isnormal(a) != 0;
  case ID_isunordered:
    return isunordered(a, b) != 0;
  case ID_ldexp:
    return b < -10000 ? ldexp(a, -10000) : b > 10000 ? ldexp(a, 10000) : ldexp(a, (int)b);
  case ID_ln:
    return log(a);
  case ID_log: // base 10
    return log10(a);
  case ID_signbit:
    return signbit(a) != 0;
  default:
    return NAN;
  }
}

const char *real_call(uint32_t function, const double args[3], const RealDraws *draws,
                      double *result) {
  const Id id = (Id)function;
  if (is_draw(id))
    return draw(id, args, draws, result);
  *result = value_of(id, args[0], args[1], args[2]);
  if (isnan(*result))
    return no_number;
  const bool is_int = real_functions[id].result == REAL_RESULT_INT;
  return is_int && (*result < INT32_MIN || *result > INT32_MAX) ? too_large : NULL;
}
