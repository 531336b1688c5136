// Confidence intervals for a probability, from x hits in n runs, and for a mean.
//
// Quantiles are found by bisection on the incomplete beta function; all digits that are printed
// (6) are right up to 10^8 runs.
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct Interval {
  double low, high;
} Interval;

// The incomplete beta function I_x(a, b): the probability that a variable of law Beta(a, b) is
// at most x. Its inverse in x.
double confidence_beta(double a, double b, double x);
double confidence_beta_quantile(double a, double b, double probability);

// The two-sided interval of Clopper and Pearson (CP34), with alpha/2 on each side. Its confidence
// is at least 1 - alpha if n was fixed before.
Interval confidence_clopper_pearson(uint64_t hits, uint64_t runs, double alpha);

// Whether neither end of that interval is farther than epsilon from hits / runs. Faster than to
// make the interval.
bool confidence_is_narrow(uint64_t hits, uint64_t runs, double alpha, double epsilon);

// A confidence sequence (Rob70): with probability 1 - alpha the interval holds the probability
// after every number of runs at once. So one may look at it at any time and stop when one likes.
Interval confidence_sequence(uint64_t hits, uint64_t runs, double alpha);

// A mean and its interval. Values are added one after the other (Welford's recurrence).
typedef struct Sample {
  uint64_t count;
  double mean, squares; // sum of squared distances from the mean
  double least, most;
} Sample;

void confidence_add(Sample *, double value);
// Half the width of Student's interval of the mean; 0 with fewer than two values.
double confidence_student(const Sample *, double alpha);
