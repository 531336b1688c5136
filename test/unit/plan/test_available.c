// The memory that is available: something, and less under a limit of the process.
#define _POSIX_C_SOURCE 200809L
#include "plan/available.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static void test_available(void **unused) {
  (void)unused;
  assert_true(available_memory() > 1 << 20);
}

// In a child: the limit stays for good.
static void test_limit(void **unused) {
  (void)unused;
#ifdef __SANITIZE_ADDRESS__
  skip(); // the sanitizer's own memory does not fit into the limit
#endif
  const pid_t child = fork();
  if (!child) {
    const struct rlimit limit = {(rlim_t)1 << 30, (rlim_t)1 << 30};
    // A limit of the address space is of no use under the sanitizers.
    _exit(setrlimit(RLIMIT_DATA, &limit) || available_memory() >= (size_t)1 << 30);
  }
  int status;
  waitpid(child, &status, 0);
  assert_true(WIFEXITED(status) && !WEXITSTATUS(status));
}

static void write_file(const char *folder, const char *name, const char *text) {
  char path[100];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

static uint64_t left_in(const char *root, const char *max, const char *used, const char *stat) {
  char inner[100];
  snprintf(inner, sizeof inner, "%s/a", root);
  write_file(inner, "max", max);
  write_file(inner, "current", used);
  write_file(inner, "memory.stat", stat);
  return available_in_group(root, "/a", "max", "current");
}

// Copies of files in memory are given up when memory is needed: they do not count as used.
static void test_group(void **unused) {
  (void)unused;
  char root[] = "/tmp/tarn-group-XXXXXX", command[100];
  assert_non_null(mkdtemp(root));
  snprintf(command, sizeof command, "mkdir %s/a", root);
  assert_int_equal(system(command), 0);
  assert_true(left_in(root, "max\n", "5\n", "") == UINT64_MAX);
  assert_int_equal(left_in(root, "1000\n", "400\n", "anon 100\n"), 600);
  assert_int_equal(left_in(root, "1000\n", "1000\n", "anon 100\ninactive_file 700\nz 1\n"), 700);
  assert_int_equal(
      left_in(root, "1000\n", "900\n", "a 1\ninactive_file 7\ntotal_inactive_file 300\n"), 400);
  assert_int_equal(left_in(root, "1000\n", "1200\n", "anon 100\ninactive_file 100\n"), 0);
  write_file(root, "max", "2000\n"); // of the group around it
  write_file(root, "current", "1900\n");
  assert_int_equal(left_in(root, "1000\n", "400\n", "anon 100\n"), 100);
  snprintf(command, sizeof command, "rm -r %s", root);
  assert_int_equal(system(command), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_available),
                                     cmocka_unit_test(test_limit), cmocka_unit_test(test_group)};
  return cmocka_run_group_tests_name("available", tests, NULL, NULL);
}
