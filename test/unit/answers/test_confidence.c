// Confidence intervals: tables, results that UPPAAL recorded, and the coverage of sequences.
#include "answers/statistics/confidence.h"
#include "answers/statistics/stopping.h"
#include "base/philox.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void assert_near(double a, double b, double tolerance) {
  if (!(fabs(a - b) <= tolerance))
    fail_msg("%.12g instead of %.12g", a, b);
}

static void test_beta(void **state) {
  (void)state;
  assert_near(confidence_beta(1, 1, 0.3), 0.3, 1e-14);
  assert_near(confidence_beta(2, 3, 0.4), 0.5248, 1e-13); // 1 - sum of a binomial
  assert_near(confidence_beta(0.5, 0.5, 0.5), 0.5, 1e-14);
  assert_near(confidence_beta_quantile(2, 3, 0.5248), 0.4, 1e-13);
  assert_near(confidence_beta_quantile(1, 4000000, 0.975), 9.22219e-07, 5e-13);
  for (double a = 0.5; a < 2e6; a *= 7) // I_x(a, b) = 1 - I_1-x(b, a)
    for (double b = 0.5; b < 2e6; b *= 11)
      for (double x = 0.03; x < 1; x += 0.1)
        assert_near(confidence_beta(a, b, x) + confidence_beta(b, a, 1 - x), 1, 1e-8);
}

// Student's quantiles at 0.975, from the usual table.
static void test_student(void **state) {
  (void)state;
  static const struct {
    unsigned degrees;
    double t;
  } table[] = {{1, 12.7062}, {2, 4.30265}, {9, 2.26216}, {49, 2.00958}, {999, 1.96234}};
  for (unsigned k = 0; k < sizeof table / sizeof *table; k++) {
    const unsigned n = table[k].degrees + 1;
    const Sample sample = {.count = n, .squares = (double)(n - 1) * n}; // so that s/sqrt(n) is 1
    assert_near(confidence_student(&sample, 0.05), table[k].t, 5e-5);
  }
}

static void test_sample(void **state) {
  (void)state;
  Sample sample = {0};
  confidence_add(&sample, 5);
  assert_near(confidence_student(&sample, 0.05), 0, 0);
  confidence_add(&sample, -1), confidence_add(&sample, 2);
  assert_near(sample.mean, 2, 1e-15);
  assert_near(sample.squares, 18, 1e-14);
  assert_near(sample.least, -1, 0), assert_near(sample.most, 5, 0);
}

static void assert_printed(double value, const char *text) {
  char printed[32];
  snprintf(printed, sizeof printed, "%g", value);
  assert_string_equal(printed, text);
}

static void test_clopper_pearson(void **state) {
  (void)state;
  assert_printed(confidence_clopper_pearson(0, 72, 0.05).high, "0.0499441");
  assert_printed(confidence_clopper_pearson(72, 72, 0.05).low, "0.950056");
  assert_printed(confidence_clopper_pearson(0, 528, 0.01).high, "0.00998451");
  const Interval few = confidence_clopper_pearson(33, 4000000, 0.05);
  assert_printed(few.low, "5.67893e-06"), assert_printed(few.high, "1.1586e-05");
  const Interval many = confidence_clopper_pearson(2994167, 4000000, 0.05);
  assert_printed(many.low, "0.748116"), assert_printed(many.high, "0.748967");
}

// The fast test is the slow one.
static void test_narrow(void **state) {
  (void)state;
  for (unsigned n = 1; n < 3000; n += 1 + n / 5)
    for (unsigned x = 0; x <= n; x += 1 + n / 9)
      for (double alpha = 0.25; alpha > 1e-4; alpha /= 5)
        for (double epsilon = 0.4; epsilon > 0.004; epsilon *= 0.7) {
          const Interval interval = confidence_clopper_pearson(x, n, alpha);
          const double share = (double)x / n;
          const bool is_narrow = fmax(interval.high - share, share - interval.low) <= epsilon;
          assert_int_equal(confidence_is_narrow(x, n, alpha, epsilon), is_narrow);
        }
}

// The sequence holds p at all of 3000 times in 95 % of 400 experiments (it is cautious: 98 %);
// UPPAAL's interval, looked at after every run, does not.
static void test_coverage(void **state) {
  (void)state;
  static const double probabilities[] = {0.5, 0.2, 0.02};
  for (unsigned k = 0; k < 3; k++) {
    const double p = probabilities[k];
    unsigned sequence = 0, pearson = 0;
    for (unsigned i = 0; i < 400; i++) {
      Philox stream;
      philox_start(&stream, k, i);
      unsigned hits = 0;
      bool sequence_holds = true, pearson_holds = true;
      for (unsigned n = 1; n <= 3000; n++) {
        hits += philox_real(&stream) < p;
        if (n % (1 + n / 20))
          continue;
        const Interval a = confidence_sequence(hits, n, 0.05);
        const Interval b = confidence_clopper_pearson(hits, n, 0.05);
        sequence_holds = sequence_holds && a.low <= p && p <= a.high;
        pearson_holds = pearson_holds && b.low <= p && p <= b.high;
      }
      sequence += sequence_holds, pearson += pearson_holds;
    }
    assert_true(sequence >= 380);
    assert_true(pearson < 380);
  }
}

// One field of a line of a table with tabs.
static const char *field(char *line, int number, char *room, size_t size) {
  const char *at = line;
  for (int k = 1; k < number && at; k++)
    at = strchr(at, '\t') ? strchr(at, '\t') + 1 : NULL;
  snprintf(room, size, "%.*s", at ? (int)strcspn(at, "\t\n") : 0, at ? at : "");
  return room;
}

// The interval of a row of the table, as UPPAAL prints it: middle and half width, one end, or
// two.
static void print_interval(char *text, size_t size, unsigned hits, unsigned runs, double alpha,
                           bool is_pair) {
  const Interval i = confidence_clopper_pearson(hits, runs, alpha);
  if (is_pair)
    snprintf(text, size, "[%g,%g] (%g%% CI)", i.low, i.high, 100 * (1 - alpha));
  else if (!hits || hits == runs)
    snprintf(text, size, "%s %g (%g%% CI)", hits ? "≥" : "≤", hits ? i.low : i.high,
             100 * (1 - alpha));
  else
    snprintf(text, size, "%g ± %g (%g%% CI)", (i.low + i.high) / 2, (i.high - i.low) / 2,
             100 * (1 - alpha));
}

// Every result of UPPAAL 5 with a number of runs and of hits, where the table is there.
static void test_recorded(void **state) {
  (void)state;
  char path[4096], line[4096], text[256], room[8][1024];
  const char *shared = getenv("TARN_SHARED");
  snprintf(path, sizeof path, "%s/smc/smc-recorded.tsv", shared ? shared : "");
  FILE *file = shared ? fopen(path, "r") : NULL;
  if (!file) {
    print_message("TARN_SHARED has no results of UPPAAL: nothing is compared with them\n");
    return;
  }
  unsigned rows = 0, stops = 0;
  while (fgets(line, sizeof line, file)) {
    const char *runs_text = field(line, 9, room[0], sizeof *room);
    const char *hits_text = field(line, 10, room[1], sizeof *room);
    const char *recorded = field(line, 5, room[2], sizeof *room);
    if (!strstr(field(line, 13, room[3], sizeof *room), "UPPAAL 5") || !*runs_text || !*hits_text)
      continue;
    const unsigned runs = (unsigned)atoi(runs_text), hits = (unsigned)atoi(hits_text);
    const double alpha = atof(field(line, 11, room[4], sizeof *room));
    const double epsilon = atof(field(line, 12, room[5], sizeof *room));
    const char *bracket = strchr(recorded, '[');
    print_interval(text, sizeof text, hits, runs, alpha, bracket != NULL);
    assert_string_equal(text, bracket ? bracket : recorded);
    rows++;
    const char *query = field(line, 3, room[6], sizeof *room);
    const char *note = field(line, 18, room[7], sizeof *room);
    const char *bound = strchr(query, '['), *end = bound ? strchr(bound, ']') : NULL;
    const bool has_runs = bound && memchr(bound, ';', (size_t)(end - bound));
    if (has_runs || strstr(note, "stale") || strstr(note, "failure") || epsilon <= 0)
      continue;
    const Stopping rule = {.alpha = alpha, .epsilon = epsilon};
    assert_true(stopping_is_due(&rule, hits, runs));
    assert_true((hits < runs && !stopping_is_due(&rule, hits, runs - 1)) ||
                (hits && !stopping_is_due(&rule, hits - 1, runs - 1)));
    stops++;
  }
  fclose(file);
  print_message("%u recorded intervals, %u stopping points\n", rows, stops);
  assert_true(rows > 100 && stops > 50);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_beta),     cmocka_unit_test(test_student),
      cmocka_unit_test(test_sample),   cmocka_unit_test(test_clopper_pearson),
      cmocka_unit_test(test_narrow),   cmocka_unit_test(test_coverage),
      cmocka_unit_test(test_recorded),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
