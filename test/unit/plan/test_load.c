#define _POSIX_C_SOURCE 200809L
#include "plan/load.h"

#include "sessions.h"

#include <unistd.h>

static void test_text(void **state) {
  (void)state;
  Tarn *tarn = sessions_read(SESSIONS_SMALL);
  assert_int_equal(tarn->state, LOADED);
  assert_int_equal(tarn->net->processes.size, 1);
  assert_int_equal(tarn->net->origin.scale.max, 5);
  tarn_release(tarn);
  tarn = tarn_init();
  assert_int_equal(load_text(tarn, "", "pascal"), -1);
  assert_non_null(strstr(tarn_error(tarn), "there is no language `pascal`"));
  tarn_release(tarn);
}

// A read that fails leaves nothing behind but its message, and another one can follow.
static void test_failure(void **state) {
  (void)state;
  Tarn *tarn = tarn_init();
  assert_int_equal(load_text(tarn, "system:s\nprocess:P\nlocation:P:A{initial\n", "tchecker"),
                   -1);
  assert_int_equal(tarn->state, EMPTY);
  assert_int_equal(tarn->net->processes.size, 0);
  assert_true(strlen(tarn_error(tarn)) > 0);
  assert_int_equal(load_copy(tarn, "copy", SESSIONS_SMALL, strlen(SESSIONS_SMALL)), 0);
  assert_string_equal(tarn->source.name, "copy");
  assert_int_equal(load_model(tarn, "/nonexistent/model.tck", true), -1);
  tarn_release(tarn);
}

static void test_queries(void **state) {
  (void)state;
  Tarn *tarn = tarn_init();
  assert_int_equal(load_text(tarn,
                             "process P() { state A; init A; }\nsystem P;\n"
                             "/* no queries */\n",
                             "uppaal"),
                   0);
  assert_int_equal(tarn->queries.size, 0);
  assert_int_equal(load_query_file(tarn, "/nonexistent/model.q", NULL), -1);
  assert_int_equal(tarn_check(tarn, "E<> P.A"), TARN_SATISFIED); // the model is still there
  tarn_release(tarn);
}

// Queries of a file are read when they are checked: each is refused for itself, and what is wrong
// is said with the place in the file.
static void test_query_file(void **state) {
  (void)state;
  char name[] = "/tmp/tarn-test-load-XXXXXX";
  const int file = mkstemp(name);
  assert_true(file >= 0);
  static const char text[] = "# EXPECT: T\nE<> n == 1\nE<> P.A && 1 / n == 1\nE<> P.E\nE<> P.C\n";
  assert_int_equal(write(file, text, sizeof text - 1), sizeof text - 1);
  close(file);
  Tarn *tarn = sessions_read(SESSIONS_SMALL "location:P:D{labels: n}\n");
  assert_int_equal(load_query_file(tarn, name, NULL), 0);
  assert_int_equal(tarn_check(tarn, tarn_query(tarn, 0)), TARN_SATISFIED);
  assert_non_null(strstr(tarn_warnings(tarn), ":2:5: warning: `n` is a variable as well"));
  assert_int_equal(tarn_is_expected(tarn), -1); // UPPAAL's queries have expectations
  assert_int_equal(tarn_check(tarn, tarn_query(tarn, 1)), -1);
  assert_memory_equal(tarn_error(tarn), name, strlen(name));
  assert_non_null(strstr(tarn_error(tarn), ":3:12: a number is divided by zero"));
  assert_int_equal(tarn_check(tarn, tarn_query(tarn, 2)), TARN_REFUSED);
  assert_memory_equal(tarn_reason(tarn), name, strlen(name));
  assert_non_null(strstr(tarn_reason(tarn), ":4:5: process `P` has no location `E`"));
  assert_int_equal(tarn_check(tarn, tarn_query(tarn, 3)), TARN_SATISFIED);
  assert_int_equal(tarn_check(tarn, "E<> P.E"), -1); // no query of the file
  tarn_release(tarn);
  unlink(name);
}

SESSIONS_MAIN("load", cmocka_unit_test(test_text), cmocka_unit_test(test_failure),
              cmocka_unit_test(test_queries), cmocka_unit_test(test_query_file))
