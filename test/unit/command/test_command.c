#define _POSIX_C_SOURCE 200809L
#include "command/command.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char said[2000];

// What `messages` look like on the standard error.
static void say(const char *messages) {
  FILE *file = tmpfile();
  const int kept = dup(STDERR_FILENO);
  fflush(stderr);
  dup2(fileno(file), STDERR_FILENO);
  command_say(messages);
  fflush(stderr);
  dup2(kept, STDERR_FILENO);
  close(kept);
  rewind(file);
  said[fread(said, 1, sizeof said - 1, file)] = '\0';
  fclose(file);
}

static void test_say(void **state) {
  (void)state;
  say("no such file\n");
  assert_string_equal(said, "tarn: no such file\n");
  say("m.tck:3:5: wrong\n  x < \n    ^\nm.tck:4:1: wrong again\n");
  assert_string_equal(said,
                      "tarn: m.tck:3:5: wrong\n  x < \n    ^\ntarn: m.tck:4:1: wrong again\n");
  say("m.tck:3:5: warning: odd\nwith --strict a warning is an error\n");
  assert_string_equal(said, "tarn: m.tck:3:5: warning: odd\n"
                            "tarn: with --strict a warning is an error\n");
  say("m.tck:3:5: fails\nafter this run:\n      P.A\n");
  assert_string_equal(said, "tarn: m.tck:3:5: fails\nafter this run:\n      P.A\n");
}

static void test_writing(void **state) {
  (void)state;
  char path[] = "/tmp/tarn_test_command_XXXXXX";
  const int file = mkstemp(path);
  assert_true(file >= 0);
  assert_int_equal(command_try_writing(path), 0);
  assert_int_equal(command_try_writing(NULL), 0);
  close(file);
  unlink(path);
  assert_int_equal(command_try_writing(path), 0);
  assert_int_not_equal(access(path, F_OK), 0); // nothing is left behind
  char link[64];
  snprintf(link, sizeof link, "%s-link", path);
  assert_int_equal(symlink(path, link), 0);
  assert_int_equal(command_try_writing(link), 0);
  assert_int_not_equal(access(path, F_OK), 0);
  assert_int_equal(unlink(link), 0); // which is still there
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_say), cmocka_unit_test(test_writing)};
  return cmocka_run_group_tests_name("command", tests, NULL, NULL);
}
