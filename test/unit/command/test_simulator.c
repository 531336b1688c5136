#define _POSIX_C_SOURCE 200809L
#include "command/simulator.h"

#include "commands.h"

// What the prompt prints for these lines.
static int obey(Tarn *tarn, const char *lines, const char *format) {
  commands_file("lines", lines);
  assert_non_null(freopen("lines", "r", stdin));
  assert_int_equal(tarn_simulate(tarn, NULL), 0);
  commands_begin();
  const int status = simulator_run(tarn, format, 1);
  commands_end();
  return status;
}

static Tarn *read_small(void) {
  Tarn *tarn = tarn_init();
  assert_int_equal(tarn_read_text(tarn, COMMANDS_SMALL, "tchecker"), 0);
  return tarn;
}

static const char *last_of(const char *text, const char *part) {
  const char *last = NULL;
  for (const char *at = strstr(text, part); at; at = strstr(at + 1, part))
    last = at;
  return last;
}

static void test_steps(void **state) {
  (void)state;
  Tarn *tarn = read_small();
  assert_int_equal(obey(tarn, "0 9/2\n0\nq\n0\n", "text"), 0);
  commands_print(commands_out, "9/2");
  assert_non_null(strstr(commands_out, "P.C"));
  // Back, forward again, and time alone.
  assert_int_equal(obey(tarn, "0\nb\n", "text"), 0);
  assert_true(last_of(commands_out, "P.A") > last_of(commands_out, "P.B"));
  assert_int_equal(obey(tarn, "0\nb\ng 1\n", "text"), 0);
  assert_true(last_of(commands_out, "P.B") > last_of(commands_out, "P.A"));
  assert_int_equal(obey(tarn, "d 5/3\n", "text"), 0);
  commands_print(commands_out, "5/3");
  assert_int_equal(obey(tarn, "r 5\n", "json"), 0);
  commands_print(commands_err, "after 2 of 5 steps");
  assert_int_equal(commands_out[0], '{');
  tarn_release(tarn);
}

// Mistakes are told and change nothing.
static void test_mistakes(void **state) {
  (void)state;
  Tarn *tarn = read_small();
  assert_int_equal(obey(tarn, "7\n0 9\nd 7\nb\ng\nd\ns\nx\n\n", "text"), 0);
  assert_null(strstr(commands_out, "P.B"));
  commands_print(commands_err, "which step?");
  commands_print(commands_err, "which delay?");
  commands_print(commands_err, "which file?");
  commands_print(commands_err, "this is the beginning");
  commands_print(commands_err, "take transition N");
  tarn_release(tarn);
}

static void test_save(void **state) {
  (void)state;
  static char text[1 << 16];
  Tarn *tarn = read_small();
  assert_int_equal(obey(tarn, "0\ns run.json\ns run.html\ns missing/run.json\n", "text"), 0);
  commands_print(commands_err, "saved: run.json");
  commands_print(commands_err, "missing/run.json: the run could not be written");
  commands_read("run.json", text, sizeof text);
  assert_int_equal(text[0], '{');
  commands_read("run.html", text, sizeof text);
  commands_print(text, "<html");
  tarn_release(tarn);
}

COMMANDS_MAIN("simulator", cmocka_unit_test(test_steps), cmocka_unit_test(test_mistakes),
              cmocka_unit_test(test_save))
