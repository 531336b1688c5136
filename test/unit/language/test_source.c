#define _XOPEN_SOURCE 700
#include "language/source.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static void test_file(void **state) {
  (void)state;
  char path[] = "/tmp/tarn-source-XXXXXX";
  const int file = mkstemp(path);
  assert_true(file >= 0);
  assert_int_equal(write(file, "a\0b\n", 4), 4);
  close(file);
  Mem mem = {0};
  Report report = {0};
  report_init(&report, &mem);
  Source source;
  assert_true(source_read(&source, &mem, path, 1 << 20, &report));
  assert_string_equal(source.name, path);
  assert_int_equal(source.size, 4);
  assert_memory_equal(source.text, "a\0b\n", 4);
  unlink(path);
  assert_false(source_read(&source, &mem, path, 1 << 20, &report));
  assert_non_null(strstr(report.error.chars, "No such file"));
  report_clear(&report);
  assert_false(source_read(&source, &mem, "/", 1 << 20, &report)); // opens, but has no bytes
  assert_non_null(strstr(report.error.chars, "directory"));
  mem_release(&mem);
}

static void test_limits(void **unused) {
  (void)unused;
  Mem mem = {0};
  Report report;
  Source source;
  report_init(&report, &mem);
  assert_false(source_read(&source, &mem, "/dev/zero", 1 << 20, &report));
  assert_non_null(strstr(text_chars(&report.error), "/dev/zero: more than 1 MiB are not read"));
  report_clear(&report);
  assert_true(source_is_writable("/dev/null", &report));
  assert_false(source_is_writable("/nowhere/at/all", &report));
  assert_non_null(strstr(text_chars(&report.error), "/nowhere/at/all: cannot be written"));
  report_clear(&report);
  char path[] = "/tmp/tarn-source-XXXXXX";
  const int file = mkstemp(path);
  assert_true(write(file, "text", 4) == 4);
  close(file);
  assert_true(source_is_writable(path, &report)); // and stays as it is
  assert_true(source_read(&source, &mem, path, 4, &report));
  assert_string_equal(source.text, "text");
  unlink(path);
  assert_true(source_is_writable(path, &report)); // and is not left behind
  assert_int_equal(access(path, F_OK), -1);
  mem_release(&mem);
}

// Evidence is text, or begins like a certificate.
static void test_evidence(void **unused) {
  (void)unused;
  Mem mem = {0};
  Report report;
  report_init(&report, &mem);
  for (int is_one = 0; is_one < 2; is_one++) {
    static const char bytes[] = "tarn certificate 1\n\0\1\2";
    const char *const from = is_one ? bytes : bytes + 1;
    const size_t size = sizeof bytes - (is_one ? 0 : 1);
    char path[] = "/tmp/tarn-source-XXXXXX";
    const int file = mkstemp(path);
    assert_true(write(file, from, size) == (ssize_t)size);
    close(file);
    Source source;
    assert_int_equal(source_read(&source, &mem, path, SOURCE_MAX_EVIDENCE, &report), is_one);
    assert_int_equal(!strstr(text_chars(&report.error), "this is not text"), is_one);
    if (is_one)
      assert_memory_equal(source.text, from, size);
    report_clear(&report);
    unlink(path);
  }
  mem_release(&mem);
}

// What is no text in UTF-8 is not read in part: a query would end at the first zero.
static void test_foreign(void **unused) {
  (void)unused;
  static const struct {
    const char *bytes;
    size_t size;
    const char *message; // NULL: it is read
  } cases[] = {{"\x1f\x8b\x08", 3, ": this is compressed"},
               {"E<> P.A\0 && false", 17, ": this is not text, or it is in UTF-16"},
               {"\xff\xfe/\0/\0", 6, ": this is not text, or it is in UTF-16"},
               {"\xff\xfe<\0n\0", 6, NULL},
               {"", 0, NULL},
               {"\xe9", 1, NULL}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Mem mem = {0};
    Report report;
    report_init(&report, &mem);
    char path[] = "/tmp/tarn-source-XXXXXX";
    const int file = mkstemp(path);
    assert_true(write(file, cases[i].bytes, cases[i].size) == (ssize_t)cases[i].size);
    close(file);
    Source source;
    assert_int_equal(source_read(&source, &mem, path, SOURCE_MAX_MODEL, &report),
                     !cases[i].message);
    if (cases[i].message)
      assert_non_null(strstr(text_chars(&report.error), cases[i].message));
    unlink(path);
    mem_release(&mem);
  }
}

// A link to a file that is not there stays, and the file is not made.
static void test_link(void **unused) {
  (void)unused;
  Mem mem = {0};
  Report report;
  report_init(&report, &mem);
  char folder[] = "/tmp/tarn-source-XXXXXX", link[64], target[64];
  assert_non_null(mkdtemp(folder));
  snprintf(link, sizeof link, "%s/link", folder);
  snprintf(target, sizeof target, "%s/target", folder);
  assert_int_equal(symlink(target, link), 0);
  assert_true(source_is_writable(link, &report));
  assert_int_equal(access(target, F_OK), -1);
  assert_int_equal(unlink(link), 0);
  assert_int_equal(rmdir(folder), 0);
  mem_release(&mem);
}

// Where memory ends the file is closed.
static void test_memory(void **unused) {
  (void)unused;
  Mem mem = {.limit = 1 << 18};
  Report report;
  report_init(&report, &mem);
  const int before = dup(0);
  close(before);
  jmp_buf escape;
  mem.escape = &escape;
  if (!setjmp(escape)) {
    Source source;
    source_read(&source, &mem, "/dev/zero", 1 << 20, &report);
    fail();
  }
  assert_true(mem.escape == &escape);
  const int after = dup(0);
  close(after);
  assert_int_equal(after, before);
  mem_release(&mem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_file),     cmocka_unit_test(test_limits),
      cmocka_unit_test(test_evidence), cmocka_unit_test(test_foreign),
      cmocka_unit_test(test_link),     cmocka_unit_test(test_memory)};
  return cmocka_run_group_tests_name("source", tests, NULL, NULL);
}
