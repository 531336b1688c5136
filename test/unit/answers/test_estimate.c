// Answers from runs: the same for any number of threads, tests, comparisons, limits, errors.
#include "racing.h"

#define RATES(...) ((const RacingRate[]){__VA_ARGS__, {NULL, NULL, 0}})

static const char *text =
    "int n = 0; process P() { state s; init s; trans s -> s { assign n = n + 1; "
    "}; } system P;";

static EstimateParameters parameters(uint32_t threads) {
  return (EstimateParameters){.test = {.alpha = 0.05,
                                       .beta = 0.05,
                                       .lower_delta = 0.01,
                                       .upper_delta = 0.01,
                                       .u0 = 0.9,
                                       .u1 = 1.1,
                                       .epsilon = 0.05},
                              .seed = 1,
                              .threads = threads};
}

static bool run(Racing *racing, Estimate *estimate, const Statistical *query, uint32_t threads) {
  const char *reason;
  const EstimateParameters p = parameters(threads);
  jmp_buf escape;
  racing->r.mem.escape = &escape;
  if (setjmp(escape))
    return false;
  return estimate_run(estimate, &racing->r.mem, &racing->laws, query, &p, NULL, NULL, &reason,
                      &racing->r.report);
}

static void test_threads(void **state) {
  (void)state;
  Racing racing;
  racing_begin(&racing, text, RATES({"P", "s", 1.5}));
  const Statistical query = {
      .path = {.bound = {.limit = 2}, .goal = racing_condition(&racing, "n >= 3")}};
  Estimate one, other;
  assert_true(run(&racing, &one, &query, 1));
  assert_true(one.is_complete && one.interval.low < 0.5768 && one.interval.high > 0.5768);
  assert_true(one.sequence.low <= one.interval.low && one.sequence.high >= one.interval.high);
  for (uint32_t threads = 2; threads < 6; threads += 3) {
    assert_true(run(&racing, &other, &query, threads));
    assert_int_equal(other.runs, one.runs);
    assert_int_equal(other.satisfied, one.satisfied);
    assert_int_equal(other.steps, one.steps);
    assert_int_equal(other.values.size, one.values.size);
    assert_memory_equal(other.values.items, one.values.items, sizeof(RunValue) * one.values.size);
    assert_true(other.sample.mean == one.sample.mean);
    estimate_release(&other);
  }
  estimate_sort(&one);
  assert_true(estimate_quantile(&one, 0)->value == one.sample.least);
  assert_true(estimate_quantile(&one, 1)->value == one.sample.most);
  Histogram histogram;
  estimate_histogram(&one, &histogram);
  uint64_t sum = 0;
  for (uint32_t k = 0; k < histogram.count; k++)
    sum += histogram.bars[k];
  assert_int_equal(sum, one.satisfied);
  assert_int_equal(histogram.count, (uint32_t)ceil(sqrt((double)one.satisfied)));
  mem_free(&racing.r.mem, histogram.bars);
  estimate_release(&one);
  racing_release(&racing);
}

static void test_kinds(void **state) {
  (void)state;
  Racing racing;
  racing_begin(&racing, text, RATES({"P", "s", 1.5}));
  const PathQuery three = {.bound = {.limit = 2}, .goal = racing_condition(&racing, "n >= 3")};
  const PathQuery four = {.bound = {.limit = 2}, .goal = racing_condition(&racing, "n >= 4")};
  Estimate e;
  const Statistical above = {.kind = STATISTICAL_TEST, .path = three, .threshold = 0.5};
  assert_true(run(&racing, &e, &above, 2) && e.decision == DECISION_ACCEPTED && e.is_complete);
  estimate_release(&e);
  const Statistical below = {
      .kind = STATISTICAL_TEST, .path = three, .threshold = 0.5, .is_at_most = true};
  assert_true(run(&racing, &e, &below, 1) && e.decision == DECISION_REJECTED);
  estimate_release(&e);
  const Statistical larger = {.kind = STATISTICAL_COMPARISON, .path = three, .other = four};
  assert_true(run(&racing, &e, &larger, 2) && e.decision == DECISION_ACCEPTED);
  assert_true(e.satisfied > e.other_satisfied);
  estimate_release(&e);
  const Statistical smaller = {.kind = STATISTICAL_COMPARISON, .path = four, .other = three};
  assert_true(run(&racing, &e, &smaller, 1) && e.decision == DECISION_REJECTED);
  estimate_release(&e);
  const Expr *n = racing_condition(&racing, "n >= 0")->a;
  const Statistical mean = {.kind = STATISTICAL_EXPECTATION,
                            .path = {.bound = {.limit = 10, .runs = 4000}},
                            .values = &n,
                            .value_count = 1};
  assert_true(run(&racing, &e, &mean, 2) && e.runs == 4000);
  assert_true(e.interval.low < 15 && e.interval.high > 15);
  estimate_release(&e);
  const Statistical courses = {.kind = STATISTICAL_SIMULATION,
                               .path = {.bound = {.limit = 10, .runs = 3}},
                               .values = &n,
                               .value_count = 1};
  assert_true(run(&racing, &e, &courses, 2) && e.courses.size == 3);
  assert_true(e.courses.items[0].points.size % 2 == 0);
  estimate_release(&e);
  racing_release(&racing);
}

static const char *give_up(void *context, const Estimate *estimate) {
  return estimate->runs >= *(uint64_t *)context ? "enough" : NULL;
}

// A limit leaves what is known.
static void test_ends(void **state) {
  (void)state;
  Racing racing;
  racing_begin(&racing, text, RATES({"P", "s", 1.5}));
  const Statistical query = {.path = {.bound = {.limit = 2, .runs = 100000000},
                                      .goal = racing_condition(&racing, "n >= 3")}};
  Estimate e;
  const char *reason;
  uint64_t enough = 4000;
  const EstimateParameters p = parameters(1);
  assert_true(estimate_run(&e, &racing.r.mem, &racing.laws, &query, &p, give_up, &enough, &reason,
                           &racing.r.report));
  assert_string_equal(reason, "enough");
  assert_true(!e.is_complete && e.runs >= 4000 && e.interval.low < 0.5768);
  estimate_release(&e);
  racing_release(&racing);
}

// By value, and by run where values are equal; also below 0 and without end.
static void test_sort(void **state) {
  (void)state;
  static const double values[] = {3,      -1,        0,    0.5, -0.0,  INFINITY, 3, -1e300,
                                  5e-324, -INFINITY, -0.5, 0,   1e300, 3,        2, -1};
  enum { COUNT = sizeof values / sizeof *values };
  Mem mem = {0};
  Estimate estimate = {.mem = &mem};
  for (uint32_t round = 0; round < 200; round++)
    for (uint32_t k = 0; k < COUNT; k++) {
      const RunValue value = {values[k] * (round % 2 ? 1 : round), estimate.values.size};
      vec_push(&mem, &estimate.values, value);
    }
  for (uint32_t k = 0; k < estimate.values.size; k++)
    if (isnan(estimate.values.items[k].value))
      estimate.values.items[k].value = 7;
  estimate_sort(&estimate);
  for (uint32_t k = 1; k < estimate.values.size; k++) {
    const RunValue *a = &estimate.values.items[k - 1], *b = a + 1;
    assert_true(a->value < b->value || (a->value == b->value && a->run < b->run));
  }
  estimate_release(&estimate);
  assert_int_equal(mem.bytes, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_threads), cmocka_unit_test(test_kinds),
                                     cmocka_unit_test(test_ends), cmocka_unit_test(test_sort)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
