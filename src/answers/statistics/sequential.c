#include "answers/statistics/sequential.h"

#include "answers/statistics/confidence.h"

#include <assert.h>
#include <math.h>

// Tests p >= high against p <= low.
static void start(RatioTest *test, double high, double low, const TestParameters *parameters) {
  assert(low < high);
  *test = (RatioTest){.hit = log(low / high),
                      .miss = log((1 - low) / (1 - high)),
                      .accept = log(parameters->beta / (1 - parameters->alpha)),
                      .reject = log((1 - parameters->beta) / parameters->alpha)};
}

void sequential_start(RatioTest *test, double bound, const TestParameters *parameters) {
  assert(bound >= 0 && bound <= 1);
  start(test, fmin(bound + parameters->upper_delta, (bound + 1) / 2),
        fmax(bound - parameters->lower_delta, bound / 2), parameters);
  if (bound == 0)
    test->decision = DECISION_ACCEPTED;
}

// At the bound 1 a miss decides: the logarithm is infinite.
Decision sequential_add(RatioTest *test, bool hit) {
  test->runs++;
  test->hits += hit;
  test->ratio += hit ? test->hit : test->miss;
  if (test->ratio <= test->accept)
    test->decision = DECISION_ACCEPTED;
  else if (test->ratio >= test->reject)
    test->decision = DECISION_REJECTED;
  return test->decision;
}

void sequential_compare(Comparison *comparison, const TestParameters *parameters) {
  *comparison = (Comparison){.alpha = parameters->alpha, .epsilon = parameters->epsilon};
  start(&comparison->test, parameters->u1 / (1 + parameters->u1),
        parameters->u0 / (1 + parameters->u0), parameters);
}

Decision sequential_add_pair(Comparison *comparison, bool first, bool second) {
  comparison->pairs++;
  comparison->first_hits += first;
  comparison->second_hits += second;
  if (first != second)
    return sequential_add(&comparison->test, first);
  // The probabilities differ by at most the probability of a pair that differs. Without this rule
  // two events that never happen would be compared for ever.
  if (confidence_sequence(comparison->test.runs, comparison->pairs, comparison->alpha).high <=
      comparison->epsilon) {
    comparison->is_close = true;
    comparison->test.decision = DECISION_ACCEPTED;
  }
  return comparison->test.decision;
}
