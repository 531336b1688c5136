#include "plan/handle.h"

#include "plan/decide.h"
#include "plan/load.h"
#include "sessions.h"

// Calls share what was read: the query is parsed once.
static void test_read_once(void **state) {
  (void)state;
  Tarn *tarn = sessions_read(SESSIONS_SMALL);
  char text[] = " E<> P.C ";
  TarnQuery *asked = handle_new(tarn, text, false), *labels = handle_new(tarn, "far", true);
  memset(text, 'x', sizeof text - 1); // the handle has a copy
  assert_int_equal(asked->net_number, 0);
  assert_int_equal(decide_read(tarn, asked), 0);
  assert_int_equal(decide_read(tarn, labels), 0);
  assert_int_equal(labels->goal.clause_count, 1);
  const Expr *formula = asked->query.formula;
  assert_int_equal(decide_plan(tarn, asked), 0);
  assert_int_equal(decide(tarn, asked), TARN_SATISFIED);
  assert_int_equal(decide(tarn, asked), TARN_SATISFIED);
  assert_ptr_equal(asked->query.formula, formula);
  // What was read is used: if it were another query, another one would be answered.
  asked->query.kind = QUERY_INVARIANT;
  assert_int_equal(decide(tarn, asked), TARN_NOT_SATISFIED);
  handle_clear(asked);
  assert_int_equal(decide(tarn, asked), TARN_SATISFIED);
  tarn_release(tarn);
}

// Each call repeats the warnings, once.
static void test_warnings(void **state) {
  (void)state;
  Tarn *tarn = sessions_read(SESSIONS_SMALL "location:P:D{labels: n}\n");
  TarnQuery *asked = handle_new(tarn, "E<> n == 1", false);
  for (int i = 0; i < 3; i++) {
    assert_true((i ? decide : decide_read)(tarn, asked) >= 0);
    const char *said = strstr(tarn_warnings(tarn), "as well as a label");
    assert_non_null(said);
    assert_null(strstr(said + 1, "as well as a label"));
  }
  tarn_release(tarn);
}

// A query with constants that need another unit of time has another network; other queries keep
// theirs.
static void test_units(void **state) {
  (void)state;
  Tarn *tarn = sessions_read("system:s\nevent:a\nclock:1:x\nprocess:P\nlocation:P:A{initial:}\n"
                             "edge:P:A:A:a{provided: x>=1000}\n");
  TarnQuery *small = handle_new(tarn, "E<> P.A && x >= 1000", false),
            *large = handle_new(tarn, "E<> P.A && x >= 10000000000", false);
  assert_int_equal(decide_read(tarn, small), 0);
  assert_ptr_equal(small->model, tarn->net);
  assert_int_equal(decide_read(tarn, large), 0);
  assert_int_equal(net_unit(large->model), 1000);
  assert_int_equal(net_unit(tarn->net), 1);
  assert_int_equal(decide(tarn, small), TARN_SATISFIED);
  assert_int_equal(decide(tarn, large), TARN_SATISFIED);
  assert_int_equal(decide(tarn, large), TARN_SATISFIED);
  assert_int_equal(decide(tarn, small), TARN_SATISFIED);
  tarn_release(tarn);
}

// A call that fails leaves a handle that can be used again.
static void test_failure(void **state) {
  (void)state;
  Tarn *tarn = sessions_read(SESSIONS_SMALL);
  TarnQuery *asked = handle_new(tarn, "E<> P.D", false);
  assert_int_equal(decide_read(tarn, asked), -1);
  assert_int_equal(decide(tarn, asked), -1);
  assert_non_null(strstr(tarn_error(tarn), "no location `D`"));
  asked = handle_new(tarn, "E<> P.C", false);
  tarn_set(tarn, "certificate", "/nonexistent/folder/file");
  assert_int_equal(decide(tarn, asked), -1); // after it was read
  assert_int_equal(asked->net_number, 0);
  tarn_set(tarn, NULL, NULL);
  assert_int_equal(decide(tarn, asked), TARN_SATISFIED);
  tarn_release(tarn);
  tarn = sessions_generate("fischer", "12", NULL);
  tarn_set(tarn, "symmetry", "off");
  tarn_set(tarn, "memory-limit", "1");
  asked = handle_new(tarn, "A[] true", false);
  assert_int_equal(decide(tarn, asked), TARN_UNDECIDED);
  assert_int_equal(decide(tarn, asked), TARN_UNDECIDED);
  assert_int_equal(decide_read(tarn, asked), 0);
  const Expr *formula = asked->query.formula;
  assert_int_equal(decide(tarn, asked), TARN_UNDECIDED); // what was read before stays
  assert_ptr_equal(asked->query.formula, formula);
  assert_int_equal(asked->net_number, tarn->net_number);
  tarn_release(tarn);
}

static void test_own(void **state) {
  (void)state;
  Tarn *tarn = sessions_read(SESSIONS_SMALL);
  const Source source = {.name = "m.q", .text = "E<> P.C ;\n E<> P.D ", .size = 19};
  handle_add(tarn, &source, 0, 7, "F", "m.q:1");
  handle_add(tarn, &source, 10, 19, NULL, NULL);
  TarnQuery *first = tarn->queries.items[0], *second = tarn->queries.items[1];
  assert_string_equal(second->text, "E<> P.D");
  assert_ptr_equal(handle_own(tarn, first->text), first);
  assert_null(handle_own(tarn, "E<> P.C"));
  assert_int_equal(decide(tarn, first), TARN_SATISFIED);
  assert_int_equal(tarn_is_expected(tarn), 0);
  assert_int_equal(decide(tarn, second), TARN_REFUSED);
  assert_memory_equal(tarn_reason(tarn), "m.q:2:6: ", 9);
  tarn_release(tarn);
}

// A handle keeps its mistake: calls repeat it and do not read the query again.
static void test_mistake(void **state) {
  (void)state;
  Tarn *tarn = sessions_read(SESSIONS_SMALL);
  TarnQuery *wrong = tarn_query_new(tarn, "E<> P.nowhere"),
            *good = tarn_query_new(tarn, "E<> P.C");
  assert_null(tarn_query_error(wrong));
  for (int i = 0; i < 3; i++) {
    assert_int_equal((i == 1 ? decide_plan : i ? decide : decide_read)(tarn, wrong), -1);
    assert_non_null(strstr(tarn_query_error(wrong), "has no location `nowhere`"));
    assert_string_equal(tarn_query_error(wrong), tarn_error(tarn));
    assert_int_equal(tarn_check_query(tarn, good), TARN_SATISFIED);
    assert_null(tarn_query_error(good));
  }
  wrong->source.text = good->text; // it is not looked at any more
  assert_int_equal(decide(tarn, wrong), -1);
  tarn_query_release(tarn, wrong);
  tarn_release(tarn);
}

SESSIONS_MAIN("handle", cmocka_unit_test(test_mistake), cmocka_unit_test(test_read_once),
              cmocka_unit_test(test_warnings), cmocka_unit_test(test_units),
              cmocka_unit_test(test_failure), cmocka_unit_test(test_own))
