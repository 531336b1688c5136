// Random runs read back from JSON.
#include "plan/random_reader.h"

#include "output/randomtext.h"
#include "random_runs.h"

#include <jansson.h>

static const RandomText how = {.query = "E[<=5; 9](max: d)", .has_value = true};

static Source source_of(const char *text) {
  return (Source){.name = "run.json", .text = text, .size = strlen(text)};
}

// All numbers come back as they were, exact or not.
static void test_round_trip(void **state) {
  (void)state;
  for (uint64_t number = 0; number < 12; number++) {
    Recorded r;
    RandomRun read;
    recorded_begin(&r, how.query, number);
    const Net *net = r.asking.query->net;
    Arena *arena = &r.asking.check.arena;
    Report *report = &r.asking.tarn->report;
    Text text = {.mem = &r.asking.tarn->mem};
    r.run.tolerance = number % 2 ? 0 : 1e-9;
    randomtext_json(&text, net, &r.run, &how);
    const Source source = source_of(text_chars(&text));
    assert_true(random_reader_is_one(&source));
    assert_string_equal(random_reader_query(&source, arena, report), how.query);
    if (!random_reader_run(&source, arena, net, &read, report))
      fail_msg("%s", text_chars(&report->error));
    assert_int_equal(read.step_count, r.run.step_count);
    assert_true(read.run == number && read.seed == 1 && read.end_time == r.run.end_time);
    assert_true(read.tolerance == r.run.tolerance && read.value == r.run.value);
    for (uint32_t k = 0; k < read.step_count; k++) {
      const RandomStep *a = &read.steps[k], *b = &r.run.steps[k];
      assert_true(a->time == b->time && a->edge_count == b->edge_count);
      assert_true(a->draw_count == b->draw_count);
      assert_memory_equal(a->edges, b->edges, sizeof *a->edges * a->edge_count);
      assert_memory_equal(a->draws, b->draws, sizeof *a->draws * a->draw_count);
      assert_memory_equal(a->state, b->state, sizeof *a->state * net->slots.count);
      assert_memory_equal(a->clocks + 1, b->clocks + 1, sizeof *a->clocks * net->clock_count);
    }
    text_release(&text);
    recorded_release(&r);
  }
}

static void refuse(Recorded *r, const char *text, const char *part) {
  RandomRun read;
  Report *report = &r->asking.tarn->report;
  const Source source = source_of(text);
  report_release(report);
  report_init(report, &r->asking.tarn->mem);
  assert_false(
      random_reader_run(&source, &r->asking.check.arena, r->asking.query->net, &read, report));
  if (!strstr(text_chars(&report->error), part))
    fail_msg("\"%s\" is not in: %s", part, text_chars(&report->error));
}

// The recorded run with another time of its first step.
static void refuse_time(Recorded *r, json_t *time, const char *part) {
  Text text = {.mem = &r->asking.tarn->mem};
  randomtext_json(&text, r->asking.query->net, &r->run, &how);
  json_t *root = json_loads(text_chars(&text), 0, NULL);
  json_object_set_new(json_array_get(json_object_get(root, "steps"), 1), "time", time);
  char *changed = json_dumps(root, 0);
  refuse(r, changed, part);
  free(changed);
  json_decref(root);
  text_release(&text);
}

static void test_refusals(void **state) {
  (void)state;
  Recorded r;
  const Source other = source_of("{\"kind\": \"run\"}");
  const Source blank = source_of("{ \"kind\" :\n\"random run\"");
  assert_false(random_reader_is_one(&other));
  assert_true(random_reader_is_one(&blank));
  recorded_begin(&r, how.query, 1);
  refuse(&r, "{\"kind\":", "not JSON");
  refuse(&r, "{\"kind\":\"random run\"}", "there are no steps");
  refuse_time(&r, json_string("1/3"), "not one of a power of two");
  refuse_time(&r, json_string("9007199254740993"), "too long");
  refuse_time(&r, json_string("x"), "not a number");
  refuse_time(&r, json_string("1/0"), "not a number");
  refuse_time(&r, json_null(), "a number is missing");
  recorded_release(&r);
}

SESSIONS_MAIN("random_reader", cmocka_unit_test(test_round_trip), cmocka_unit_test(test_refusals))
