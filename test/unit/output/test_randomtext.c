// Random runs as text and as JSON.
#include "output/randomtext.h"

#include "random_runs.h"

#include <jansson.h>

static const RandomText how = {.query = "E[<=5; 9](max: d)", .has_value = true};

static void expect(const Text *text, const char *part) {
  if (!strstr(text_chars(text), part))
    fail_msg("\"%s\" is not in:\n%s", part, text_chars(text));
}

static void test_text(void **state) {
  (void)state;
  Recorded r;
  char end[80];
  recorded_begin(&r, how.query, 3);
  Text text = {.mem = &r.asking.tarn->mem};
  randomtext_write(&text, r.asking.query->net, &r.run, &how);
  expect(&text, "run 3 of seed 1, E[<=5; 9](max: d):\n      P.s,Q.s\n      d=0.5  n=0  x=0  w=0");
  expect(&text, "   1  at ");
  snprintf(end, sizeof end, "the end: the value is %g\n", r.run.value);
  expect(&text, end);
  const size_t brief = text.size;
  RandomText full = how;
  full.is_full = true, full.has_value = false, full.has_outcome = true;
  text_clear(&text);
  randomtext_write(&text, r.asking.query->net, &r.run, &full);
  assert_true(text.size > brief);
  expect(&text, r.run.is_satisfied ? "the end: satisfied" : "the end: not satisfied");
  text_release(&text);
  recorded_release(&r);
}

// Exact numbers are fractions, others are numbers.
static void test_json(void **state) {
  (void)state;
  Recorded r;
  recorded_begin(&r, how.query, 3);
  Text text = {.mem = &r.asking.tarn->mem};
  for (int exact = 0; exact < 2; exact++) {
    r.run.tolerance = exact ? 0 : 1e-6;
    text_clear(&text);
    randomtext_json(&text, r.asking.query->net, &r.run, &how);
    json_t *root = json_loads(text_chars(&text), 0, NULL);
    assert_non_null(root);
    assert_string_equal(json_string_value(json_object_get(root, "kind")), "random run");
    assert_string_equal(json_string_value(json_object_get(root, "query")), how.query);
    const json_t *steps = json_object_get(root, "steps");
    assert_int_equal(json_array_size(steps), r.run.step_count);
    const json_t *time = json_object_get(json_array_get(steps, 1), "time");
    assert_true(exact ? json_is_string(time) : json_is_real(time));
    json_decref(root);
  }
  text_release(&text);
  recorded_release(&r);
}

SESSIONS_MAIN("randomtext", cmocka_unit_test(test_text), cmocka_unit_test(test_json))
