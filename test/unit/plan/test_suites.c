// Test suites of a session: certificates of what is unreachable, limits, pages.
#include "plan/suites.h"

#include "sessions.h"

#include <stdio.h>
#include <unistd.h>

// C to D is impossible, and so is B to C after itself.
#define MODEL                                                                                    \
  "system:s\nevent:a\nclock:1:x\nprocess:P\nlocation:P:A{initial:}\nlocation:P:B{}\n"            \
  "location:P:C{}\nedge:P:A:B:a{do: x=0}\nedge:P:B:A:a{}\nedge:P:B:C:a{provided: x<0}\n"

static bool says(Tarn *tarn, const char *format, const char *words) {
  Text text = {.mem = &tarn->mem};
  const bool found = suites_write(tarn, &text, format) && strstr(text_chars(&text), words);
  text_release(&text);
  return found;
}

static bool accepts(Tarn *tarn, const char *path) {
  const int result = tarn_certify(tarn, path);
  remove(path);
  return result == 1;
}

static void test_certificates(void **unused) {
  (void)unused;
  Tarn *tarn = sessions_read(MODEL);
  assert_int_equal(tarn_set(tarn, "certificate", "suites.proof"), 0);
  assert_int_equal(suites_run(tarn, "edges"), 0);
  assert_true(says(tarn, "text", "1 unreachable; the certificate suites.proof was checked"));
  assert_true(accepts(tarn, "suites.proof"));
  assert_non_null(strstr(tarn_finding(tarn), "takes the edge below"));
  assert_int_equal(suites_run(tarn, "pairs"), 0);
  assert_true(says(tarn, "text", "the certificates suites.proof-1 to 1 were checked"));
  assert_true(says(tarn, "json", "\"before\""));
  assert_true(accepts(tarn, "suites.proof-1"));
  assert_non_null(strstr(tarn_finding(tarn), "P.A -> B (a), B -> C (a)"));
  tarn_release(tarn);
}

static void test_page(void **unused) {
  (void)unused;
  Tarn *tarn = sessions_read(MODEL);
  assert_false(says(tarn, "html", ""));
  assert_int_equal(suites_run(tarn, "edges"), 0);
  assert_true(says(tarn, "html", "<html"));
  assert_int_equal(suites_run(tarn, "loops"), -1);
  tarn_release(tarn);
}

static int stop(void *state) {
  (void)state;
  return 1;
}

// Whoever interrupts has runs to what was found.
static void test_limits(void **unused) {
  (void)unused;
  Tarn *tarn = sessions_generate("fischer", "9", NULL);
  assert_int_equal(tarn_set(tarn, "time-limit", "0.2"), 0);
  assert_int_equal(suites_run(tarn, "edges"), 0);
  assert_true(says(tarn, "text", "edges covered"));
  assert_int_equal(tarn_set(tarn, "time-limit", "0"), 0);
  tarn_set_terminate(tarn, NULL, stop);
  assert_int_equal(suites_run(tarn, "pairs"), 0);
  assert_true(says(tarn, "text", "undecided, interrupted"));
  tarn_release(tarn);
}

// Nothing is said to be unreachable where there are no states at all: there is no proof of that.
static void test_nothing(void **unused) {
  (void)unused;
  Tarn *tarn = sessions_read("system:s\nevent:a\nclock:1:x\nprocess:P\n"
                             "location:P:A{initial: : invariant: x >= 1}\nlocation:P:B{}\n"
                             "edge:P:A:B:a{}\n");
  const char *const goals[] = {"edges", "locations", "pairs"};
  for (size_t i = 0; i < sizeof goals / sizeof *goals; i++) {
    assert_int_equal(suites_run(tarn, goals[i]), -1);
    assert_non_null(strstr(tarn_error(tarn), "there is no initial state"));
  }
  tarn_release(tarn);
}

SESSIONS_MAIN("suites", cmocka_unit_test(test_certificates), cmocka_unit_test(test_page),
              cmocka_unit_test(test_limits), cmocka_unit_test(test_nothing))
