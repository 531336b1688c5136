// The engine that is chosen, and options that do not go together.
#include "plan/choice.h"

#include "reading.h"

// Two processes with nothing in common, and two that share all they do.
#define TWO                                                                                      \
  "system:s\nprocess:P\nprocess:Q\nclock:1:x\nclock:1:y\nlocation:P:A{initial:}\n"               \
  "location:Q:A{initial:}\n"
#define LOOSE                                                                                    \
  TWO "event:a\nevent:b\nedge:P:A:A:a{provided: x>=1 : do: x=0}\n"                               \
      "edge:Q:A:A:b{provided: y>=1 : do: y=0}\n"
#define TIGHT                                                                                    \
  TWO "event:a\nedge:P:A:A:a{provided: x>=1 : do: x=0}\n"                                        \
      "edge:Q:A:A:a{provided: y>=1 : do: y=0}\nsync:P@a:Q@a\n"

static Engine chosen(const char *model, const char *name, const char *value) {
  Reading r;
  reading_accept(&r, model);
  Options options;
  options_init(&options);
  if (name)
    assert_true(options_set(&options, name, value, &r.report));
  const Engine engine = choice_engine(&options, &r.mem, &r.net, NULL);
  reading_release(&r);
  return engine;
}

static void test_engine(void **state) {
  (void)state;
  assert_int_equal(chosen(LOOSE, NULL, NULL), ENGINE_LOCAL);
  assert_int_equal(chosen(TIGHT, NULL, NULL), ENGINE_ZONES);
  assert_int_equal(chosen(LOOSE, "engine", "zones"), ENGINE_ZONES);
  assert_int_equal(chosen(TIGHT, "engine", "local"), ENGINE_LOCAL);
  assert_int_equal(chosen(TIGHT, "engine", "darts"), ENGINE_DARTS);
  // What says how to search, or needs global zones; and what does not.
  assert_int_equal(chosen(LOOSE, "order", "stages"), ENGINE_ZONES);
  assert_int_equal(chosen(LOOSE, "abstraction", "alu"), ENGINE_ZONES);
  assert_int_equal(chosen(LOOSE, "graph", "file"), ENGINE_ZONES);
  assert_int_equal(chosen(LOOSE, "certificate", "file"), ENGINE_LOCAL);
  assert_int_equal(chosen(LOOSE, "trace", "concrete"), ENGINE_LOCAL);
  assert_int_equal(chosen(LOOSE, "time-limit", "5"), ENGINE_LOCAL);
  assert_int_equal(chosen(LOOSE "edge:P:A:A:a{provided: x-y>=1}\n", NULL, NULL), ENGINE_ZONES);
}

static bool has_hint(const char *model, const char *engine, uint64_t visited) {
  Reading r;
  reading_accept(&r, model);
  Options options;
  options_init(&options);
  options_set(&options, "engine", engine, &r.report);
  const char *hint = choice_hint(&options, &r.mem, &r.net, visited);
  if (hint)
    assert_non_null(strstr(hint, *engine == 'z' ? "--engine local" : "--engine zones"));
  reading_release(&r);
  return hint;
}

static void test_hint(void **state) {
  (void)state;
  assert_true(has_hint(LOOSE, "zones", CHOICE_LEAST_VISITED));
  assert_false(has_hint(LOOSE, "local", CHOICE_LEAST_VISITED));
  assert_true(has_hint(TIGHT, "local", CHOICE_LEAST_VISITED));
  assert_false(has_hint(TIGHT, "zones", CHOICE_LEAST_VISITED));
  assert_false(has_hint(TIGHT, "points", CHOICE_LEAST_VISITED));
  assert_false(has_hint(LOOSE, "zones", CHOICE_LEAST_VISITED - 1));
}

static bool possible(const char *name, const char *value, const char *other, const char *second) {
  Mem mem = {0};
  Report report;
  report_init(&report, &mem);
  Options options;
  options_init(&options);
  assert_true(options_set(&options, name, value, &report));
  assert_true(options_set(&options, other, second, &report));
  const bool result = choice_is_possible(&options, &report);
  assert_int_equal(result, !report_failed(&report));
  mem_release(&mem);
  return result;
}

static void test_possible(void **state) {
  (void)state;
  assert_true(possible("engine", "zones", "bounds", "fly"));
  assert_false(possible("engine", "local", "bounds", "fly"));
  assert_false(possible("engine", "local", "delay", "before"));
  assert_true(possible("engine", "local", "threads", "2"));
  assert_false(possible("seed", "1", "threads", "2"));
  assert_false(possible("seed", "1", "threads", "0"));
  assert_true(possible("engine", "darts", "threads", "2"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_engine),
      cmocka_unit_test(test_hint),
      cmocka_unit_test(test_possible),
  };
  return cmocka_run_group_tests_name("choice", tests, NULL, NULL);
}
