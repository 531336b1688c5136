#include "answers/statistics/confidence.h"

#include <assert.h>
#include <math.h>

// The continued fraction of the incomplete beta function, by Lentz's method. It converges fast
// for x < (a + 1) / (a + b + 2): after about sqrt(max(a, b)) terms.
static double fraction(double a, double b, double x) {
  const double tiny = 1e-300;
  double c = 1, d = 1 - (a + b) * x / (a + 1);
  d = 1 / (fabs(d) < tiny ? tiny : d);
  double value = d;
  for (int m = 1; m < 1000000; m++) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 + even * d, c = 1 + even / c;
    d = 1 / (fabs(d) < tiny ? tiny : d), c = fabs(c) < tiny ? tiny : c;
    value *= d * c;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 + odd * d, c = 1 + odd / c;
    d = 1 / (fabs(d) < tiny ? tiny : d), c = fabs(c) < tiny ? tiny : c;
    value *= d * c;
    if (fabs(d * c - 1) < 1e-15)
      break;
  }
  return value;
}

double confidence_beta(double a, double b, double x) {
  assert(a > 0 && b > 0);
  if (x <= 0 || x >= 1)
    return x >= 1;
  const double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
  if (x < (a + 1) / (a + b + 2))
    return front * fraction(a, b, x) / a;
  return 1 - front * fraction(b, a, 1 - x) / b;
}

double confidence_beta_quantile(double a, double b, double probability) {
  double low = 0, high = 1;
  for (int k = 0; k < 1100 && high - low > 1e-15 * high; k++) {
    const double middle = (low + high) / 2;
    if (confidence_beta(a, b, middle) < probability)
      low = middle;
    else
      high = middle;
  }
  return (low + high) / 2;
}

Interval confidence_clopper_pearson(uint64_t hits, uint64_t runs, double alpha) {
  assert(hits <= runs);
  const double x = (double)hits, n = (double)runs;
  Interval result = {0, 1};
  if (hits) // the closed form, where there is one
    result.low =
        hits == runs ? pow(alpha / 2, 1 / n) : confidence_beta_quantile(x, n - x + 1, alpha / 2);
  if (hits < runs)
    result.high =
        hits ? confidence_beta_quantile(x + 1, n - x, 1 - alpha / 2) : 1 - pow(alpha / 2, 1 / n);
  return result;
}

// The upper end is at most p if at most `hits` hits have probability at most alpha/2 under p.
static bool is_upper_end_below(uint64_t hits, uint64_t runs, double alpha, double p) {
  if (p >= 1 || hits == runs)
    return true;
  return confidence_beta((double)(hits + 1), (double)(runs - hits), p) >= 1 - alpha / 2;
}

bool confidence_is_narrow(uint64_t hits, uint64_t runs, double alpha, double epsilon) {
  if (!runs)
    return false;
  const double share = (double)hits / (double)runs;
  // A lower bound of the half width that costs nothing: the interval is always wider than
  // sqrt(p (1 - p) / n), the normal one at alpha = 0.317, and alpha is below that.
  if (alpha < 0.3 && epsilon * epsilon * (double)runs < share * (1 - share))
    return false;
  return is_upper_end_below(hits, runs, alpha, share + epsilon) &&
         is_upper_end_below(runs - hits, runs, alpha, 1 - share + epsilon);
}

// The logarithm of the mixture martingale at p: the likelihood under the Beta(1/2, 1/2) mixture
// of probabilities over the likelihood under p. By Ville's inequality it exceeds 1/alpha at some
// time with probability at most alpha, if p is the true one.
static double evidence(double mixture, double hits, double misses, double p) {
  return mixture - (hits > 0 ? hits * log(p) : 0) - (misses > 0 ? misses * log1p(-p) : 0);
}

// The point between `inside`, where the evidence is low, and the end at which it is infinite.
static double crossing(double mixture, double x, double y, double inside, double end,
                       double limit) {
  for (int k = 0; k < 200 && fabs(end - inside) > 1e-15; k++) {
    const double middle = (inside + end) / 2;
    if (evidence(mixture, x, y, middle) < limit)
      inside = middle;
    else
      end = middle;
  }
  return inside;
}

Interval confidence_sequence(uint64_t hits, uint64_t runs, double alpha) {
  assert(hits <= runs);
  Interval result = {0, 1};
  if (!runs)
    return result;
  const double x = (double)hits, y = (double)(runs - hits);
  const double share = x / (x + y), limit = -log(alpha);
  const double mixture = lgamma(x + 0.5) + lgamma(y + 0.5) - lgamma(x + y + 1) - 2 * lgamma(0.5);
  if (hits)
    result.low = crossing(mixture, x, y, share, 0, limit);
  if (hits < runs)
    result.high = crossing(mixture, x, y, share, 1, limit);
  return result;
}

void confidence_add(Sample *sample, double value) {
  const double distance = value - sample->mean;
  sample->least = sample->count && sample->least < value ? sample->least : value;
  sample->most = sample->count && sample->most > value ? sample->most : value;
  sample->count++;
  sample->mean += distance / (double)sample->count;
  sample->squares += distance * (value - sample->mean);
}

double confidence_student(const Sample *sample, double alpha) {
  if (sample->count < 2 || sample->squares <= 0)
    return 0;
  const double n = (double)sample->count;
  const double y = confidence_beta_quantile(0.5, (n - 1) / 2, 1 - alpha);
  const double t = sqrt((n - 1) * y / (1 - y));
  return t * sqrt(sample->squares / (n - 1) / n);
}
