#define _POSIX_C_SOURCE 200809L // mkdtemp
// Certificates are checked when they have been written: what is rejected is not left.
#include "plan/recheck.h"

#include "sessions.h"

#include <stdio.h>
#include <unistd.h>

#define UNREACHABLE "E<> P1.cs && P2.cs"

static bool exists(const char *path) { return !access(path, F_OK); }

static Tarn *write_proof(const char *size, const char *path) {
  Tarn *tarn = sessions_generate("fischer", size, NULL);
  assert_int_equal(tarn_set(tarn, "certificate", path), 0);
  assert_int_equal(tarn_set(tarn, "symmetry", "off"), 0);
  assert_int_equal(tarn_check(tarn, UNREACHABLE), TARN_NOT_SATISFIED);
  assert_true(exists(path));
  return tarn;
}

// The proof of a model is none of another one.
static void test_rejected(void **state) {
  char folder[] = "/tmp/tarn-test-XXXXXX", path[64];
  (void)state;
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/proof", folder);
  Tarn *tarn = write_proof("3", path);
  assert_string_equal(tarn_warnings(tarn), "");
  recheck_certificate(tarn, 10);
  assert_true(exists(path) && !report_failed(&tarn->report));
  assert_int_equal(tarn->report.warning_count, 0);
  tarn_release(tarn);
  tarn = sessions_generate("fischer", "3", "buggy=1");
  assert_int_equal(tarn_set(tarn, "certificate", path), 0);
  recheck_certificate(tarn, 10);
  assert_false(exists(path));
  assert_non_null(strstr(text_chars(&tarn->report.error), "is removed, as the checker rejects"));
  tarn_release(tarn);
  rmdir(folder);
}

static void test_unchecked(void **state) {
  char path[] = "/tmp/tarn-test-XXXXXX";
  (void)state;
  const int descriptor = mkstemp(path);
  assert_true(descriptor >= 0);
  close(descriptor);
  Tarn *tarn = write_proof("8", path); // long enough for the clock to be looked at
  const size_t bytes = tarn->mem.bytes;
  recheck_certificate(tarn, 0);
  assert_non_null(
      strstr(text_chars(&tarn->report.warnings), "unchecked: that would take longer"));
  assert_true(exists(path) && tarn->mem.bytes < bytes + 4096);
  tarn->mem.limit = tarn->mem.bytes + 4096;
  recheck_certificate(tarn, 60);
  assert_non_null(strstr(text_chars(&tarn->report.warnings), "unchecked: there is too little"));
  tarn->mem.limit = 0;
  remove(path);
  assert_int_equal(tarn_set(tarn, "certificate", "/dev/null"), 0);
  recheck_certificate(tarn, 60);
  assert_non_null(strstr(text_chars(&tarn->report.warnings), "it is not in a regular file"));
  tarn_release(tarn);
}

SESSIONS_MAIN("recheck", cmocka_unit_test(test_rejected), cmocka_unit_test(test_unchecked))
