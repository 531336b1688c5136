#define _POSIX_C_SOURCE 200809L
#include "command/watch_command.h"

#include "commands.h"

// What it prints is tested in test/service.sh; it ends only when it is told to.
static void test_usage(void **state) {
  (void)state;
  assert_int_equal(commands_run(watch_command, ""), STATUS_ERROR);
  assert_int_equal(commands_run(watch_command, "--dot m.tck"), STATUS_ERROR);
}

COMMANDS_MAIN("watch_command", cmocka_unit_test(test_usage))
