// Files below a folder are read, others are refused.
#define _GNU_SOURCE // mkdtemp
#include "plan/service/mcp_files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static void test_files(void **state) {
  (void)state;
  char folder[] = "/tmp/tarn-mcp-XXXXXX", path[100];
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/a.xta", folder);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs("clock x;", file);
  fclose(file);
  char link[100];
  snprintf(link, sizeof link, "%s/out", folder);
  assert_int_equal(symlink("/etc", link), 0);
  McpFiles files;
  Mem mem = {0};
  Source source;
  const char *why;
  assert_false(mcp_files_open(&files, "/none/at/all"));
  assert_false(mcp_files_read(&files, "a.xta", &mem, &source, &why));
  assert_true(mcp_files_open(&files, folder));
  assert_true(mcp_files_read(&files, "a.xta", &mem, &source, &why));
  assert_string_equal(source.text, "clock x;");
  static const char *const wrong[] = {"/etc/passwd", "../a.xta", "out/passwd", "b.xta", ".", ""};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    assert_false(mcp_files_read(&files, wrong[i], &mem, &source, &why));
  mcp_files_close(&files);
  mem_release(&mem);
  unlink(path);
  unlink(link);
  rmdir(folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_files)};
  return cmocka_run_group_tests_name("mcp_files", tests, NULL, NULL);
}
