#define _POSIX_C_SOURCE 200809L
#include "plan/refuse.h"

#include "sessions.h"

#include <unistd.h>

static const char *reason(Tarn *tarn, const char *query) {
  Check check;
  sessions_begin(&check, tarn, query);
  if (!refuse(&check))
    return NULL;
  assert_int_equal(check.answer->verdict, VERDICT_REFUSED);
  assert_int_equal(tarn->verdict, VERDICT_REFUSED);
  return check.answer->reason;
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
  tarn_set(tarn, "certificate", "proof.txt");
  assert_non_null(strstr(reason(tarn, "E<> P.A"), "no certificates"));
  tarn_release(tarn);
}

static void test_unwritable(void **state) {
  (void)state;
  Tarn *tarn = sessions_read(SESSIONS_SMALL);
  assert_true(refuse_unwritable(tarn));
  tarn_set(tarn, "certificate", "/nonexistent/proof.txt");
  assert_false(refuse_unwritable(tarn));
  tarn_release(tarn);
}

// The folder for checkpoints is made; if it cannot be, that is known before the search.
static void test_checkpoint(void **state) {
  (void)state;
  char folder[] = "/tmp/tarn-refuse-XXXXXX";
  assert_non_null(mkdtemp(folder));
  assert_int_equal(rmdir(folder), 0);
  Tarn *tarn = sessions_read(SESSIONS_SMALL);
  tarn_set(tarn, "checkpoint", folder);
  assert_true(refuse_unwritable(tarn));
  assert_true(refuse_unwritable(tarn)); // now it is there
  assert_int_equal(rmdir(folder), 0);
  tarn_set(tarn, "checkpoint", "/nonexistent/saved");
  assert_false(refuse_unwritable(tarn));
  assert_non_null(strstr(tarn_error(tarn), "/nonexistent/saved: this folder cannot be made"));
  tarn_release(tarn);
}

SESSIONS_MAIN("refuse", cmocka_unit_test(test_small), cmocka_unit_test(test_wide),
              cmocka_unit_test(test_unwritable), cmocka_unit_test(test_checkpoint))
