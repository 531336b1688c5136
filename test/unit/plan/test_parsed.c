#include "plan/parsed.h"

#include "plan/decide.h"
#include "plan/load.h"
#include "sessions.h"

// A check takes what tarn_parse read: the query is not parsed again.
static void test_taken(void **state) {
  (void)state;
  Tarn *tarn = sessions_read(SESSIONS_SMALL);
  char text[] = " E<> P.C ";
  assert_int_equal(decide_parse(tarn, text, false), 0);
  assert_int_equal(decide_parse(tarn, "far", true), 0);
  memset(text, 'x', sizeof text - 1); // it is not the caller's words that are kept
  assert_int_equal(tarn->parsed.size, 2);
  Parsed parsed;
  assert_false(parsed_take(tarn, "far", false, &parsed));
  assert_true(parsed_take(tarn, "far", true, &parsed));
  assert_int_equal(parsed.goal.clause_count, 1);
  // What is kept is used: if it were another query, another one would be answered.
  tarn->parsed.items[0].query.kind = QUERY_INVARIANT;
  tarn->parsed.items[0].has_goal = false;
  assert_int_equal(decide(tarn, " E<> P.C ", false), TARN_NOT_SATISFIED);
  assert_int_equal(tarn->parsed.size, 0);
  assert_int_equal(decide(tarn, " E<> P.C ", false), TARN_SATISFIED);
  tarn_release(tarn);
}

// Warnings are said at the check as well, once.
static void test_warnings(void **state) {
  (void)state;
  Tarn *tarn = sessions_read(SESSIONS_SMALL "location:P:D{labels: n}\n");
  assert_int_equal(decide_parse(tarn, "E<> n == 1", false), 0);
  assert_non_null(strstr(tarn_warnings(tarn), "as well as a label"));
  assert_int_equal(decide(tarn, "E<> n == 1", false), TARN_SATISFIED);
  const char *said = strstr(tarn_warnings(tarn), "as well as a label");
  assert_non_null(said);
  assert_null(strstr(said + 1, "as well as a label"));
  tarn_release(tarn);
}

// A query with constants that need another unit of time has another net.
static void test_units(void **state) {
  (void)state;
  Tarn *tarn = sessions_read(SESSIONS_SMALL);
  assert_int_equal(decide_parse(tarn, "E<> P.B && x >= 1000", false), 0);
  assert_int_equal(tarn->parsed.size, 1);
  assert_int_equal(decide_parse(tarn, "E<> x >= 1000000000", false), 0);
  assert_int_equal(tarn->parsed.size, 1);
  tarn_release(tarn);
  tarn = sessions_read("system:s\nevent:a\nclock:1:x\nprocess:P\nlocation:P:A{initial:}\n"
                       "edge:P:A:A:a{provided: x>=1000}\n");
  assert_int_equal(decide_parse(tarn, "E<> P.A && x >= 1000", false), 0);
  assert_int_equal(tarn->parsed.size, 1);
  assert_int_equal(decide_parse(tarn, "E<> P.A && x >= 10000000000", false), 0);
  assert_int_equal(net_unit(&tarn->net), 1000);
  assert_int_equal(tarn->parsed.size, 0);
  assert_int_equal(decide(tarn, "E<> P.A && x >= 1000", false), TARN_SATISFIED);
  tarn_release(tarn);
}

static void test_most(void **state) {
  (void)state;
  Tarn *tarn = sessions_read(SESSIONS_SMALL);
  char text[32];
  for (int i = 0; i <= PARSED_MOST; i++) {
    snprintf(text, sizeof text, "E<> P.C && x > %d", i);
    assert_int_equal(decide_parse(tarn, text, false), 0);
  }
  Parsed parsed;
  assert_int_equal(tarn->parsed.size, PARSED_MOST);
  assert_false(parsed_take(tarn, "E<> P.C && x > 0", false, &parsed));
  assert_true(parsed_take(tarn, text, false, &parsed));
  parsed_forget(tarn);
  assert_int_equal(tarn->parsed.size, 0);
  tarn_release(tarn);
}

SESSIONS_MAIN("parsed", cmocka_unit_test(test_taken), cmocka_unit_test(test_warnings),
              cmocka_unit_test(test_units), cmocka_unit_test(test_most))
