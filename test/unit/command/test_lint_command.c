#define _POSIX_C_SOURCE 200809L
#include "command/lint_command.h"

#include "commands.h"

static int lint(const char *words) { return commands_run(lint_command, words); }

static void test_status(void **state) {
  (void)state;
  commands_file("m.tck", COMMANDS_SMALL "edge:P:B:A:a{provided: n<2 : do: x=0}\n");
  assert_int_equal(lint("-q E<>_P.C m.tck"), STATUS_OK);
  commands_print(commands_out, "0 warnings");
  commands_file("odd.tck", COMMANDS_SMALL "location:P:D{}\nedge:P:D:A:a{}\n");
  assert_int_equal(lint("odd.tck"), STATUS_NOT_SATISFIED);
  commands_print(commands_out, "D");
  assert_int_equal(lint("--json odd.tck"), STATUS_NOT_SATISFIED);
  assert_int_equal(commands_out[0], '{');
  assert_int_equal(lint("-q E<>_P.X m.tck"), STATUS_ERROR);
}

// Options of check that mean nothing here are refused; values of others are no options.
static void test_options(void **state) {
  (void)state;
  commands_file("m.tck", COMMANDS_SMALL "edge:P:B:A:a{provided: n<2 : do: x=0}\n");
  assert_int_equal(lint("--order bfs m.tck"), STATUS_ERROR);
  commands_print(commands_err, "lint has no option `order`; see `tarn help lint`");
  assert_int_equal(lint("--time-limit 5 --memory-limit=100 --quiet -qE<>_P.C -q E<>_P.B m.tck"),
                   STATUS_OK);
  assert_int_equal(lint("--query --order m.tck"), STATUS_ERROR); // a query, a wrong one
  assert_null(strstr(commands_err, "lint has no option"));
}

COMMANDS_MAIN("lint_command", cmocka_unit_test(test_status), cmocka_unit_test(test_options))
