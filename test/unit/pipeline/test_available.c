// The memory that is available: something, and less under a limit of the process.
#define _POSIX_C_SOURCE 200809L
#include "pipeline/available.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
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

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_available),
                                     cmocka_unit_test(test_limit)};
  return cmocka_run_group_tests_name("available", tests, NULL, NULL);
}
