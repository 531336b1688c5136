#define _POSIX_C_SOURCE 200809L
#include "command/fmt_command.h"

#include "commands.h"

static void test_fmt(void **state) {
  (void)state;
  commands_file("a.xta", "clock   x ;\n");
  commands_file("b.xta", "clock x;\n");
  assert_int_equal(commands_run(fmt_command, "--check a.xta b.xta"), STATUS_NOT_SATISFIED);
  assert_string_equal(commands_out, "a.xta\n");
  assert_int_equal(commands_run(fmt_command, "a.xta b.xta"), STATUS_OK);
  assert_int_equal(commands_run(fmt_command, "--check a.xta b.xta"), STATUS_OK);
  assert_int_equal(commands_run(fmt_command, "c.xta"), STATUS_ERROR);
  assert_int_equal(commands_run(fmt_command, ""), STATUS_ERROR);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_fmt)};
  return cmocka_run_group_tests(tests, commands_enter, commands_leave);
}
