// The page: the data is JSON inside of it, and nothing that a model says can end the script.
#include "output/page.h"

#include "searching.h"

#include <jansson.h>

static char *page_data(const char *page) {
  const char *from = strstr(page, "id=\"data\">");
  assert_non_null(from);
  from += strlen("id=\"data\">");
  const char *to = strstr(from, "</script>");
  assert_non_null(to);
  char *data = malloc((size_t)(to - from) + 1);
  memcpy(data, from, (size_t)(to - from));
  data[to - from] = 0;
  return data;
}

static void test_data(void **unused) {
  (void)unused;
  Search s;
  const char *const arguments[] = {"3", "buggy=1"};
  search_generate(&s, "fischer", 2, arguments);
  search_ask(&s, "E<> P1.cs && P2.cs");
  assert_true(search_run(&s) && s.result == REACH_GOAL);
  Answer answer = {.query = "E<> P1.cs && P2.cs && x1 < 99 /* </script><!-- */",
                   .verdict = VERDICT_SATISFIED,
                   .has_trace = true};
  assert_true(trace_build(&answer.trace, &s.mem, &s.reading.net, &s.goal, &s.reach, REACH_GOAL,
                          TRACE_CONCRETE, NULL));
  Answer *items[] = {&answer};
  const Answers answers = {items, 1, 1};
  Text page = {.mem = &s.mem};
  page_write(&page, &s.reading.net, &s.options, &answers);
  assert_null(strstr(page.chars, "@DATA@"));
  assert_null(strstr(page.chars, "@SVG@"));
  assert_non_null(strstr(page.chars, "</html>"));
  char *data = page_data(page.chars);
  json_t *root = json_loads(data, 0, NULL);
  assert_non_null(root);
  json_t *result = json_array_get(json_object_get(root, "results"), 0);
  assert_string_equal(json_string_value(json_object_get(result, "query")), answer.query);
  const uint32_t count = answer.trace.run.step_count;
  json_t *run = json_object_get(result, "run"), *enabled = json_object_get(run, "enabled");
  assert_int_equal(json_array_size(json_object_get(run, "zones")), count);
  assert_int_equal(json_array_size(enabled), count);
  for (uint32_t i = 0; i + 1 < count; i++) { // what was taken next is among what was enabled
    json_t *taken = json_array_get(json_object_get(run, "edges"), i + 1), *choice;
    bool found = false;
    size_t k;
    json_array_foreach(json_array_get(enabled, i), k, choice) {
      const size_t number = (size_t)json_integer_value(json_array_get(choice, 0));
      found |= json_equal(json_array_get(json_object_get(run, "transitions"), number), taken);
    }
    assert_true(found);
  }
  assert_null(json_object_get(run, "loop"));
  json_t *net = json_object_get(root, "net");
  assert_int_equal(json_array_size(json_object_get(net, "processes")), 3);
  assert_int_equal(json_array_size(json_object_get(net, "clocks")), 3);
  json_decref(root);
  free(data);
  text_release(&page);
  trace_release(&answer.trace);
  search_release(&s);
}

static void test_empty(void **unused) {
  (void)unused;
  Reading r;
  reading_accept(&r, PREAMBLE);
  Options options;
  options_init(&options);
  const Answers answers = {0};
  page_write(&r.text, &r.net, &options, &answers);
  char *data = page_data(r.text.chars);
  json_t *root = json_loads(data, 0, NULL);
  assert_non_null(root);
  json_decref(root);
  free(data);
  reading_release(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_data),
      cmocka_unit_test(test_empty),
  };
  return cmocka_run_group_tests_name("page", tests, NULL, NULL);
}
