#define _XOPEN_SOURCE 700
#include "io/source.h"

#include <stdarg.h>
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
  assert_true(source_read(&source, &mem, path, &report));
  assert_string_equal(source.name, path);
  assert_int_equal(source.size, 4);
  assert_memory_equal(source.text, "a\0b\n", 4);
  unlink(path);
  assert_false(source_read(&source, &mem, path, &report));
  assert_non_null(strstr(report.error.chars, "No such file"));
  report_clear(&report);
  assert_false(source_read(&source, &mem, "/", &report)); // opens, but has no bytes
  assert_non_null(strstr(report.error.chars, "directory"));
  mem_release(&mem);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_file)};
  return cmocka_run_group_tests_name("source", tests, NULL, NULL);
}
