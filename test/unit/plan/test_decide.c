#define _XOPEN_SOURCE 700
#include "plan/decide.h"

#include "sessions.h"

#include <unistd.h>

static void test_verdicts(void **state) {
  (void)state;
  Tarn *tarn = sessions_read(SESSIONS_SMALL);
  assert_int_equal(decide(tarn, handle_new(tarn, "E<> P.C", false)), TARN_SATISFIED);
  assert_int_equal(decide(tarn, handle_new(tarn, "A[] P.A", false)), TARN_NOT_SATISFIED);
  assert_int_equal(decide(tarn, handle_new(tarn, "far", true)), TARN_SATISFIED);
  assert_int_equal(decide(tarn, handle_new(tarn, "E[] P.A", false)), TARN_NOT_SATISFIED);
  assert_int_equal(decide(tarn, handle_new(tarn, "sup{P.A}: x", false)), TARN_SATISFIED);
  assert_true(decide(tarn, NULL) >= 0);
  assert_int_equal(tarn->answers.size, 6);
  assert_int_equal(tarn->state, ANSWERED);
  tarn_release(tarn);
}

// An error leaves the session as it was, but for the message.
static void test_errors(void **state) {
  (void)state;
  Tarn *tarn = sessions_read(SESSIONS_SMALL);
  const int engine = tarn->options.engine;
  assert_int_equal(decide(tarn, handle_new(tarn, "E<> P.D", false)), -1);
  assert_non_null(strstr(tarn_error(tarn), "no location `D`"));
  assert_int_equal(tarn->answers.size, 0);
  assert_int_equal(decide_read(tarn, handle_new(tarn, "E<> P.D", false)), -1);
  assert_int_equal(decide_read(tarn, handle_new(tarn, "E<> P.C", false)), 0);
  assert_int_equal(tarn->answers.size, 0);
  assert_int_equal(decide(tarn, handle_new(tarn, "E<> P.C", false)), TARN_SATISFIED);
  assert_int_equal(tarn->options.engine, engine); // what was chosen is not kept
  tarn_release(tarn);
}

static void test_limit(void **state) {
  (void)state;
  Tarn *tarn = sessions_generate("fischer", "12", NULL);
  tarn_set(tarn, "symmetry", "off");
  tarn_set(tarn, "time-limit", "0.05");
  assert_int_equal(decide(tarn, handle_new(tarn, "A[] true", false)), TARN_UNDECIDED);
  assert_string_equal(tarn->answers.items[0]->reason, "time limit");
  tarn_release(tarn);
}

// Seconds are those of the whole query: a run is found at once, the search for a shorter one
// takes all the time there is.
static void test_seconds(void **state) {
  (void)state;
  Tarn *tarn = sessions_generate("fischer", "12", NULL);
  tarn_set(tarn, "symmetry", "off");
  tarn_set(tarn, "time-limit", "0.3");
  tarn_set(tarn, "trace", "concrete");
  tarn_set(tarn, "prefer", "shortest");
  const char *query = "E<> P1.cs && P2.wait && P3.wait && P4.wait && P5.wait && P6.wait && "
                      "P7.wait && P8.wait";
  assert_true(decide(tarn, handle_new(tarn, query, false)) >
              TARN_NOT_SATISFIED); // undecided on a slow machine
  // The time for reading the model counts for the limit.
  assert_true(tarn_statistic(tarn, "seconds") > 0.2);
  assert_true(tarn->answers.items[0]->stats.seconds > 0.2);
  tarn_release(tarn);
}

// A certificate has the nodes of the search that decided: no second one is made for it.
static void test_certificate(void **state) {
  (void)state;
  char path[] = "/tmp/tarn-decide-XXXXXX", bytes[200] = {0};
  const int file = mkstemp(path);
  assert_true(file >= 0);
  close(file);
  Tarn *tarn = sessions_read(SESSIONS_SMALL);
  tarn_set(tarn, "certificate", path);
  assert_int_equal(decide(tarn, handle_new(tarn, "E<> P.C && x < 1", false)), TARN_NOT_SATISFIED);
  FILE *proof = fopen(path, "rb");
  assert_true(fread(bytes, 1, sizeof bytes - 1, proof) > 60);
  fclose(proof);
  remove(path);
  for (size_t i = 0; i + 1 < sizeof bytes; i++)
    bytes[i] = bytes[i] ? bytes[i] : ' ';
  assert_non_null(strstr(bytes, "the search with --engine zones"));
  tarn_release(tarn);
}

SESSIONS_MAIN("decide", cmocka_unit_test(test_verdicts), cmocka_unit_test(test_errors),
              cmocka_unit_test(test_limit), cmocka_unit_test(test_seconds),
              cmocka_unit_test(test_certificate))
