#define _POSIX_C_SOURCE 200809L
#include "command/progress.h"

#include "commands.h"

static const char *poll_once(Command *command) {
  commands_begin();
  progress_poll(command);
  commands_end();
  return commands_err;
}

// Lines come when it is time for one, and then more and more seldom.
static void test_lines(void **state) {
  (void)state;
  Command command = {.tarn = tarn_init(), .progress = true, .query = 2, .query_count = 5};
  tarn_read_text(command.tarn, COMMANDS_SMALL, "tchecker");
  tarn_check(command.tarn, NULL);
  commands_begin(); // no terminal
  progress_begin(&command);
  commands_end();
  const double first = command.interval;
  assert_string_equal(poll_once(&command), ""); // the search took no second
  command.shown = -10;                          // as if the last line were of long ago
  command.time_limit = "100";
  commands_print(poll_once(&command), "query 2 of 5, 0.0 s: 3 visited, 3 stored, 0 waiting");
  commands_print(commands_err, "% of the time");
  assert_int_equal(commands_err[strlen(commands_err) - 1], '\n');
  assert_true(command.interval > first);
  assert_string_equal(poll_once(&command), "");
  command.shown = -10;
  command.query_count = 1;
  assert_null(strstr(poll_once(&command), "query"));
  command.shown = -10;
  command.progress = false;
  assert_string_equal(poll_once(&command), "");
  progress_begin(&command);
  assert_true(command.shown == 0);
  tarn_release(command.tarn);
}

// Only a line of a terminal is taken back.
static void test_clear(void **state) {
  (void)state;
  Command command = {.has_progress_line = true};
  commands_begin();
  progress_clear(&command);
  progress_clear(&command);
  commands_end();
  assert_string_equal(commands_err, "\r\033[K");
}

COMMANDS_MAIN("progress", cmocka_unit_test(test_lines), cmocka_unit_test(test_clear))
