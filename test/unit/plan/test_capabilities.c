#include "plan/capabilities.h"

#include "sessions.h"

static const char *reason(Tarn *tarn, const char *text) {
  Check check;
  sessions_begin(&check, tarn, text);
  const Query *query = text ? &check.query : NULL;
  const Request request = {check.net, query, text ? &check.goal : NULL, &tarn->options, false,
                           false,     false};
  return capabilities_refusal(&request);
}

static void test_small(void **state) {
  (void)state;
  Tarn *tarn = sessions_read(SESSIONS_SMALL);
  assert_null(reason(tarn, NULL));
  assert_null(reason(tarn, "E<> P.C"));
  assert_null(reason(tarn, "A[] not deadlock"));
  assert_null(reason(tarn, "A<> P.C"));
  tarn_set(tarn, "engine", "local");
  assert_non_null(strstr(reason(tarn, "A[] not deadlock"), "engine zones"));
  tarn_release(tarn);
}

static void test_wide(void **state) {
  (void)state;
  Tarn *tarn = sessions_read("system:s\nevent:a\nclock:1:x\nprocess:P\nlocation:P:A{initial:}\n"
                             "edge:P:A:A:a{provided: x>100000000001 && x<3}\n");
  assert_null(reason(tarn, "E<> P.A"));
  assert_non_null(strstr(reason(tarn, "A<> P.A"), "only `E<>` and `A[]`"));
  assert_non_null(strstr(reason(tarn, "A[] not deadlock"), "only `E<>` and `A[]`"));
  tarn_set(tarn, "trace", "symbolic");
  assert_non_null(strstr(reason(tarn, "E<> P.A"), "no symbolic runs"));
  tarn_set(tarn, "trace", "none");
  tarn_set(tarn, "certificate", "/dev/null");
  assert_null(reason(tarn, "E<> P.A"));
  tarn_release(tarn);
}

static bool possible(const char *name, const char *value, const char *other, const char *second) {
  Mem mem = {0};
  Report report;
  report_init(&report, &mem);
  Options options;
  options_init(&options);
  assert_true(options_set(&options, name, value, &report));
  assert_true(options_set(&options, other, second, &report));
  const bool result = !capabilities_conflict(&options);
  mem_release(&mem);
  return result;
}

static void test_possible(void **state) {
  (void)state;
  assert_true(possible("engine", "zones", "bounds", "fly"));
  assert_false(possible("engine", "local", "bounds", "fly"));
  assert_false(possible("engine", "local", "delay", "before"));
  assert_false(possible("engine", "local", "graph", "graph.dot"));
  assert_true(possible("engine", "local", "threads", "2"));
  assert_false(possible("seed", "1", "threads", "2"));
  assert_false(possible("seed", "1", "threads", "0"));
  assert_true(possible("engine", "darts", "threads", "2"));
  assert_true(possible("engine", "darts", "order", "dfs"));
  assert_false(possible("engine", "darts", "order", "rank"));
  assert_false(possible("engine", "points", "abstraction", "alu"));
  assert_true(possible("engine", "zones", "order", "rank"));
}

static void test_bounds(void **state) {
  (void)state;
  Options options;
  options_init(&options);
  options.engine = ENGINE_ZONES;
  for (int a = ABSTRACTION_ALU; a <= ABSTRACTION_NONE; a++) {
    options.abstraction = a;
    const bool stores_plain = a <= ABSTRACTION_CLOSURE_LU_PLUS || a == ABSTRACTION_NONE;
    options.bounds = BOUNDS_LAZY;
    assert_true(!capabilities_conflict(&options) == stores_plain);
    options.bounds = BOUNDS_LOCAL;
    assert_null(capabilities_conflict(&options));
  }
}

SESSIONS_MAIN("capabilities", cmocka_unit_test(test_small), cmocka_unit_test(test_wide),
              cmocka_unit_test(test_possible), cmocka_unit_test(test_bounds))
