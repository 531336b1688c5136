// What lint prints: a line for each finding, and JSON.
#include "output/lint_writer.h"

#include "reading.h"

#include <jansson.h>

static void test_formats(void **unused) {
  (void)unused;
  Reading r;
  reading_accept(&r, PREAMBLE);
  Statistics stats = {.visited = 7};
  Lint lint = {.mem = &r.mem, .net = &r.net, .stats = &stats, .stop_reason = "time limit"};
  const Finding one = {LINT_LOCATION, LINT_WARNING, r.net.locations.items[1].place, "P.B", "no"};
  const Finding two = {LINT_QUERY, LINT_UNDECIDED, {0}, "", "a\nb"};
  vec_push(&r.mem, &lint.findings, one);
  vec_push(&r.mem, &lint.findings, two);
  lint_text(&r.text, &lint);
  assert_non_null(strstr(text_chars(&r.text), "model:13:12: warning: no [location]\n"));
  assert_non_null(
      strstr(text_chars(&r.text), "\nundecided: a b [query]\n1 warning, 0 notes, 1 "));
  assert_non_null(strstr(text_chars(&r.text), "cut (time limit) after 7 states"));
  text_clear(&r.text);
  lint_json(&r.text, &lint);
  json_t *object = json_loads(text_chars(&r.text), 0, NULL);
  const json_t *findings = json_object_get(object, "findings");
  assert_int_equal(json_array_size(findings), 2);
  assert_true(json_is_null(json_object_get(json_array_get(findings, 1), "place")));
  assert_true(json_is_false(json_object_get(json_object_get(object, "search"), "complete")));
  assert_int_equal(json_integer_value(json_object_get(object, "warnings")), 1);
  json_decref(object);
  vec_release(&r.mem, &lint.findings);
  reading_release(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_formats)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
