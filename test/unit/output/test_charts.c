// Pictures of statistical answers: well-formed, of bounded size, and without numbers that are
// none.
#include "output/charts.h"

#include "output/estimates.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint32_t count(const char *text, const char *part) {
  uint32_t found = 0;
  for (; (text = strstr(text, part)); text++)
    found++;
  return found;
}

static void check_picture(const Text *text, uint32_t figures) {
  assert_int_equal(count(text_chars(text), "<figure>"), figures);
  assert_int_equal(count(text_chars(text), "</figure>"), figures);
  assert_int_equal(count(text_chars(text), "<svg"), count(text_chars(text), "</svg>"));
  assert_int_equal(count(text_chars(text), "aria-label"), figures);
  assert_null(strstr(text_chars(text), "nan"));
  assert_null(strstr(text_chars(text), "inf"));
}

static Estimate estimate_of(Mem *mem, StatisticalKind kind, uint32_t runs) {
  Estimate estimate = {.mem = mem, .kind = kind, .runs = runs, .parameters.test.alpha = 0.05};
  estimate.texts = mem_alloc(mem, sizeof *estimate.texts * 2);
  estimate.texts[0] = "x < y & z";
  return estimate;
}

static void add_values(Estimate *estimate, uint32_t size, double step) {
  for (uint32_t k = 0; k < size; k++) {
    const RunValue value = {k * step, k};
    const Milestone m = {k + 1, k * step / 2, {0, k * step}};
    confidence_add(&estimate->sample, value.value);
    vec_push(estimate->mem, &estimate->values, value);
    vec_push(estimate->mem, &estimate->milestones, m);
  }
}

// As large for many values as for few; also if all values are the same.
static void test_distribution(void **state) {
  (void)state;
  const uint32_t sizes[] = {1, 2, 50, 200000};
  for (uint32_t i = 0; i < 8; i++) {
    Mem mem = {0};
    Text text = {.mem = &mem};
    Estimate estimate = estimate_of(
        &mem, i < 4 ? STATISTICAL_PROBABILITY : STATISTICAL_EXPECTATION, 2 * sizes[i % 4]);
    add_values(&estimate, sizes[i % 4], i == 2 ? 0 : 0.1);
    charts_write(&text, &estimate);
    check_picture(&text, sizes[i % 4] > 1 ? 3 : 2);
    assert_true(text.size < 100000);
    text_release(&text);
    estimate_release(&estimate);
  }
}

// Texts of the model are escaped; values that are no numbers are left out.
static void test_courses(void **state) {
  (void)state;
  Mem mem = {0};
  Text text = {.mem = &mem};
  Estimate estimate = estimate_of(&mem, STATISTICAL_SIMULATION, 30);
  estimate.value_count = 1;
  for (uint32_t k = 0; k < 30; k++) {
    Course course = {.run = k};
    for (uint32_t i = 0; i < 3000; i++) {
      vec_push(&mem, &course.points, (double)i);
      vec_push(&mem, &course.points, i == 5 ? NAN : i == 6 ? INFINITY : sin(i * 0.7 + k));
    }
    vec_push(&mem, &estimate.courses, course);
  }
  charts_write(&text, &estimate);
  check_picture(&text, 1);
  assert_non_null(strstr(text_chars(&text), "x &lt; y &amp; z"));
  assert_non_null(strstr(text_chars(&text), "18 more runs are not shown"));
  assert_true(text.size < 300000);
  text_release(&text);
  estimate_release(&estimate);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_distribution),
      cmocka_unit_test(test_courses),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
