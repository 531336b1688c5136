// Sequential tests of hypotheses on probabilities (Wal47). A test is fed one result after the
// other until it decides.
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef enum Decision { DECISION_OPEN, DECISION_ACCEPTED, DECISION_REJECTED } Decision;

// The parameters that UPPAAL has, with its names.
typedef struct TestParameters {
  double alpha, beta;              // probabilities of a wrong rejection and a wrong acceptance
  double lower_delta, upper_delta; // half widths of the indifference region
  double u0, u1;                   // the same for comparisons, as a ratio of odds
  double epsilon;                  // comparisons: a difference that does not matter
} TestParameters;

// A probability ratio test. The hypothesis that is accepted or rejected is `p >= bound`.
typedef struct RatioTest {
  double hit, miss;      // what a result adds to the logarithm of the ratio
  double accept, reject; // at or below, at or above
  double ratio;
  uint64_t runs, hits;
  Decision decision;
} RatioTest;

// The region of indifference is [bound - lower_delta, bound + upper_delta]. Where it would leave
// [0, 1] it is cut half way to the end. `p >= 0` is accepted without a run.
void sequential_start(RatioTest *, double bound, const TestParameters *);
Decision sequential_add(RatioTest *, bool hit);

// Compares two probabilities by pairs of independent runs: accepted is `p1 >= p2`. Only pairs
// with different results count: such a pair has its hit on the first side with probability u / (1
// + u), where u is the ratio of the odds.
typedef struct Comparison {
  RatioTest test; // of the pairs that differ
  double alpha, epsilon;
  uint64_t pairs, first_hits, second_hits;
  bool is_close; // accepted because the two differ by at most epsilon
} Comparison;

void sequential_compare(Comparison *, const TestParameters *);
Decision sequential_add_pair(Comparison *, bool first, bool second);
