// Answers of statistical queries as lines, JSON, UPPAAL's lines and tables.
#define _POSIX_C_SOURCE 200809L // mkdtemp
#include "output/estimates.h"

#include "asking.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

static void expect_text(Text *text, const char *part) {
  if (!strstr(text_chars(text), part))
    fail_msg("\"%s\" is not in:\n%s", part, text_chars(text));
}

static void begin(Asking *asking, Estimate *estimate, const char *query) {
  asking_begin(asking, ASKING_MODEL, query);
  asking_estimate(asking, estimate, 1);
  estimate_sort(estimate);
  estimates_keep_texts(estimate, asking->query);
}

static void end(Asking *asking, Estimate *estimate, Text *text) {
  text_release(text);
  estimate_release(estimate);
  asking_release(asking);
}

static void test_probability(void **state) {
  (void)state;
  Asking asking;
  Estimate estimate;
  begin(&asking, &estimate, "Pr[<=3; 400](<> P.t)");
  Text text = {.mem = &asking.tarn->mem};
  char line[200];
  snprintf(line, sizeof line, "  estimate    %g, in [%g, %g] (95 %%); %u of 400 runs\n",
           estimate.value, estimate.interval.low, estimate.interval.high,
           (unsigned)estimate.satisfied);
  estimates_text(&text, &estimate);
  expect_text(&text, line);
  expect_text(&text, "  at any time in [");
  expect_text(&text, "see tarn simulate --run ");
  text_clear(&text);
  estimates_uppaal(&text, &estimate);
  snprintf(line, sizeof line, "(%u/400 runs) Pr(<> ", (unsigned)estimate.satisfied);
  expect_text(&text, line);
  assert_true(fabs(estimates_band(&estimate) - sqrt(log(40) / 800)) < 1e-12);
  end(&asking, &estimate, &text);
}

// All bars of the histogram and all shares are those of the values.
static void test_json(void **state) {
  (void)state;
  Asking asking;
  Estimate estimate;
  begin(&asking, &estimate, "E[<=3; 300](max: d)");
  Text text = {.mem = &asking.tarn->mem};
  json_t *root = estimates_json(&estimate);
  assert_string_equal(json_string_value(json_object_get(root, "kind")), "expectation");
  assert_int_equal(json_integer_value(json_object_get(root, "runs")), 300);
  assert_true(json_real_value(json_object_get(root, "lower")) <
              json_real_value(json_object_get(root, "upper")));
  const json_t *distribution = json_object_get(root, "distribution");
  const json_t *bars = json_object_get(json_object_get(distribution, "histogram"), "bars");
  json_int_t sum = 0;
  for (size_t k = 0; k < json_array_size(bars); k++)
    sum += json_integer_value(json_array_get(bars, k));
  assert_int_equal(sum, 300);
  json_decref(root);
  text_clear(&text);
  estimates_uppaal(&text, &estimate);
  expect_text(&text, "(300 runs) E(max) = ");
  end(&asking, &estimate, &text);
}

static void test_decisions(void **state) {
  (void)state;
  Asking asking;
  Estimate estimate;
  begin(&asking, &estimate, "Pr[<=3](<> P.t) >= 0.9");
  Text text = {.mem = &asking.tarn->mem};
  estimates_text(&text, &estimate);
  expect_text(&text, "errors at most 0.05 and 0.05");
  assert_int_equal(estimate.decision, DECISION_REJECTED);
  end(&asking, &estimate, &text);
  begin(&asking, &estimate, "Pr[<=9](<> P.t) >= Pr[<=1](<> P.t)");
  text = (Text){.mem = &asking.tarn->mem};
  estimates_text(&text, &estimate);
  expect_text(&text, "pairs of runs");
  assert_int_equal(estimate.decision, DECISION_ACCEPTED);
  end(&asking, &estimate, &text);
}

static void test_numbers(void **state) {
  (void)state;
  Asking asking;
  Estimate estimate;
  begin(&asking, &estimate, "Pr[<=3; 100](<> P.t)");
  Text text = {.mem = &asking.tarn->mem};
  assert_true(estimates_is_number("runs") && estimates_is_number("upper"));
  assert_false(estimates_is_number("visited"));
  assert_true(estimates_number(&estimate, "runs") == 100);
  assert_true(estimates_number(&estimate, "satisfied") == (double)estimate.satisfied);
  assert_true(estimates_number(&estimate, "lower") == estimate.interval.low);
  assert_true(estimates_number(NULL, "runs") == 0);
  end(&asking, &estimate, &text);
}

static unsigned count_lines(const char *folder, const char *name) {
  char path[200];
  unsigned lines = 0;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "r");
  for (int c = file ? getc(file) : EOF; c != EOF; c = getc(file))
    lines += c == '\n';
  if (file)
    fclose(file);
  unlink(path);
  return lines;
}

static void test_tables(void **state) {
  (void)state;
  Asking asking;
  Estimate estimate;
  char folder[] = "/tmp/tarn-estimates-XXXXXX";
  assert_non_null(mkdtemp(folder));
  begin(&asking, &estimate, "Pr[<=3; 200](<> P.t)");
  Text text = {.mem = &asking.tarn->mem};
  assert_true(estimates_write_data(&estimate, folder, 4, &asking.tarn->report));
  assert_int_equal(count_lines(folder, "4-values.csv"), estimate.satisfied + 1);
  assert_true(count_lines(folder, "4-distribution.csv") > 2);
  assert_true(count_lines(folder, "4-histogram.csv") > 2);
  assert_int_equal(count_lines(folder, "4-convergence.csv"), estimate.milestones.size + 1);
  end(&asking, &estimate, &text);
  begin(&asking, &estimate, "simulate [<=3; 2] { n, w }");
  text = (Text){.mem = &asking.tarn->mem};
  assert_true(estimates_write_data(&estimate, folder, 1, &asking.tarn->report));
  uint32_t points = 1;
  for (uint32_t k = 0; k < estimate.courses.size; k++)
    points += estimate.courses.items[k].points.size / 3;
  assert_int_equal(count_lines(folder, "1-courses.csv"), points);
  assert_int_equal(rmdir(folder), 0);
  end(&asking, &estimate, &text);
}

SESSIONS_MAIN("estimates", cmocka_unit_test(test_probability), cmocka_unit_test(test_json),
              cmocka_unit_test(test_decisions), cmocka_unit_test(test_numbers),
              cmocka_unit_test(test_tables))
