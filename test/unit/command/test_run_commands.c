#define _POSIX_C_SOURCE 200809L
#include "command/run_commands.h"

#include "command/check_command.h"
#include "commands.h"

// Evidence that is rejected is an answer; what is none is an error.
static void test_certify(void **state) {
  (void)state;
  commands_file("m.tck", COMMANDS_SMALL);
  assert_int_equal(commands_run(check_command, "-q A[]_n<3 --certificate proof m.tck"),
                   STATUS_OK);
  assert_int_equal(commands_run(certify_command, "m.tck proof"), STATUS_OK);
  commands_print(commands_out, "A[] n<3");
  // The same for a model that reaches n == 3.
  commands_file("other.tck", COMMANDS_SMALL "edge:P:C:A:a{do: x=0}\n");
  assert_int_equal(commands_run(certify_command, "other.tck proof"), STATUS_NOT_SATISFIED);
  assert_int_equal(commands_run(certify_command, "m.tck missing"), STATUS_ERROR);
  assert_int_equal(commands_run(certify_command, "m.tck"), STATUS_ERROR);
  assert_int_equal(commands_run(certify_command, "--fast m.tck proof"), STATUS_ERROR);
  commands_print(commands_err, "certify has no option `fast`");
}

static void test_simulate(void **state) {
  (void)state;
  commands_file("m.tck", COMMANDS_SMALL);
  assert_int_equal(commands_run(simulate_command, "--steps 2 m.tck"), STATUS_OK);
  commands_print(commands_out, "P.C");
  assert_int_equal(commands_run(simulate_command, "--steps 5 m.tck"), STATUS_OK);
  commands_print(commands_err, "after 2 of 5 steps");
  assert_int_equal(commands_run(simulate_command, "--steps 2 --json m.tck"), STATUS_OK);
  commands_file("run.json", commands_out);
  // From its end nothing happens any more.
  assert_int_equal(commands_run(simulate_command, "--from run.json --steps 1 m.tck"), STATUS_OK);
  commands_print(commands_err, "after 0 of 1 steps");
  assert_int_equal(commands_run(simulate_command, "--steps two m.tck"), STATUS_ERROR);
  assert_int_equal(commands_run(simulate_command, "--steps 1 --seed -1 m.tck"), STATUS_ERROR);
  assert_int_equal(commands_run(simulate_command, "--html page.html m.tck"), STATUS_ERROR);
  assert_int_equal(commands_run(simulate_command, "--steps 1 --html page.html m.tck"), STATUS_OK);
  assert_int_equal(access("page.html", R_OK), 0);
}

COMMANDS_MAIN("run_commands", cmocka_unit_test(test_certify), cmocka_unit_test(test_simulate))
