// The engine and the symmetry that are chosen.
#include "plan/choice.h"

#include "sessions.h"

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

// The same, and each action is taken where time cannot pass.
#define STILL                                                                                    \
  "system:s\nprocess:P\nprocess:Q\nclock:1:x\nclock:1:y\n"                                       \
  "location:P:A{initial: : invariant: x<=1}\nlocation:Q:A{initial: : invariant: y<=2}\n"         \
  "event:a\nevent:b\nedge:P:A:A:a{provided: x>=1 : do: x=0}\n"                                   \
  "edge:Q:A:A:b{provided: y>=2 : do: y=0}\n"

static Engine chosen_for(const char *model, const char *query, const char *name,
                         const char *value) {
  Tarn *tarn = sessions_read(model);
  Check check;
  if (name)
    assert_int_equal(tarn_set(tarn, name, value), 0);
  sessions_begin(&check, tarn, query);
  choice_make(&check, &tarn->options);
  const Engine engine = check.choice.engine;
  assert_non_null(check.choice.engine_why);
  assert_non_null(check.choice.symmetry_why);
  tarn_release(tarn);
  return engine;
}

static Engine chosen(const char *model, const char *name, const char *value) {
  return chosen_for(model, NULL, name, value);
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

static void test_still(void **state) {
  (void)state;
  const char *query = "E<> P.A and x == 2";
  assert_int_equal(chosen_for(STILL, query, NULL, NULL), ENGINE_ZONES);
  assert_int_equal(chosen_for(LOOSE, query, NULL, NULL), ENGINE_LOCAL);
  assert_int_equal(chosen_for(STILL, query, "partial-order", "off"), ENGINE_LOCAL);
  assert_int_equal(chosen(STILL, NULL, NULL), ENGINE_LOCAL); // all states are asked for
}

// After so many nodes; of the answer to a query, for an option that is on.
static bool has_hint_for(const char *model, const char *engine, uint64_t visited,
                         const char *query, const char *option) {
  Tarn *tarn = sessions_read(model);
  tarn_set(tarn, "engine", engine);
  if (option)
    assert_int_equal(tarn_set(tarn, option, "yes"), 0);
  assert_true(tarn_check(tarn, query) >= 0);
  Answer *answer = vec_last(&tarn->answers);
  answer->stats.visited = visited;
  const char *hint = choice_hint(answer, &tarn->mem, tarn->net);
  if (hint)
    assert_non_null(strstr(hint, *engine == 'z' ? "--engine local" : "--engine zones"));
  tarn_release(tarn);
  return hint;
}

static bool has_hint(const char *model, const char *engine, uint64_t visited) {
  return has_hint_for(model, engine, visited, NULL, NULL);
}

static void test_hint(void **state) {
  (void)state;
  const uint64_t many = CHOICE_LEAST_VISITED;
  assert_true(has_hint(LOOSE, "zones", CHOICE_LEAST_VISITED));
  assert_false(has_hint(LOOSE, "local", CHOICE_LEAST_VISITED));
  assert_true(has_hint(TIGHT, "local", CHOICE_LEAST_VISITED));
  assert_false(has_hint(TIGHT, "zones", CHOICE_LEAST_VISITED));
  assert_false(has_hint(TIGHT, "points", CHOICE_LEAST_VISITED));
  assert_false(has_hint(LOOSE, "zones", CHOICE_LEAST_VISITED - 1));
  // Local time is no help where it is refused.
  assert_true(has_hint_for(LOOSE, "zones", many, "E<> P.A and x >= 7", NULL));
  assert_false(has_hint_for(LOOSE, "zones", many, "A[] not deadlock", NULL));
  assert_false(has_hint_for(LOOSE, "zones", many, "E<> x - y >= 7", NULL));
  assert_false(has_hint_for(LOOSE, "zones", many, "E[] P.A", NULL));
  assert_false(has_hint_for(LOOSE, "zones", many, "sup: x", NULL));
  assert_false(has_hint_for(LOOSE, "zones", many, NULL, "compact"));
}

// Those of the query are left out: a query about one process tells it apart.
static void test_symmetry(void **state) {
  (void)state;
  Tarn *tarn = sessions_generate("fischer", "4", NULL);
  Check check;
  tarn_set(tarn, "trace", "concrete");
  sessions_begin(&check, tarn, "E<> P1.cs && P2.cs");
  choice_make(&check, &tarn->options);
  const uint32_t named = check.symmetry.count ? check.symmetry.families[0].size : 0;
  sessions_begin(&check, tarn, NULL);
  choice_make(&check, &tarn->options);
  assert_int_equal(check.symmetry.count, 1);
  assert_int_equal(check.symmetry.families[0].size, 4);
  assert_true(named <= 2);
  assert_true(strlen(check.answer->symmetry) > 0);
  tarn_set(tarn, "symmetry", "off");
  sessions_begin(&check, tarn, NULL);
  choice_make(&check, &tarn->options);
  assert_int_equal(check.symmetry.count, 0);
  tarn_release(tarn);
}

static void test_large(void **state) {
  (void)state;
  assert_int_equal(chosen("system:s\nevent:a\nclock:1:x\nprocess:P\nlocation:P:A{initial:}\n"
                          "edge:P:A:A:a{provided: x>100000000001 && x<3}\n",
                          NULL, NULL),
                   ENGINE_WIDE);
}

// Engines that do not know differences of clocks drop the abstraction, unless the user chose it.
static void test_abstraction(void **state) {
  (void)state;
  for (int i = 0; i < 3; i++) {
    Tarn *tarn = sessions_read("system:s\nevent:a\nclock:2:x\nprocess:P\nlocation:P:A{initial:}\n"
                               "edge:P:A:A:a{provided: x[0]-x[1]<3}\n");
    Check check;
    if (i == 2)
      tarn_set(tarn, "abstraction", "am");
    tarn_set(tarn, "engine", i == 1 ? "zones" : "local");
    sessions_begin(&check, tarn, "E<> P.A");
    choice_make(&check, &tarn->options);
    assert_int_equal(check.choice.drops_abstraction, i == 0);
    assert_int_equal(tarn->report.warning_count, i == 0);
    tarn_release(tarn);
  }
}

SESSIONS_MAIN("choice", cmocka_unit_test(test_abstraction), cmocka_unit_test(test_engine),
              cmocka_unit_test(test_still), cmocka_unit_test(test_hint),
              cmocka_unit_test(test_symmetry), cmocka_unit_test(test_large))
