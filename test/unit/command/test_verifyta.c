#define _POSIX_C_SOURCE 200809L
#include "command/verifyta.h"

#include "commands.h"

static char answers[1 << 16]; // of the last run, with the options that it had

static int run(Command *command, int argc, char **argv) {
  const int status = verifyta_run(command->tarn, argc, argv);
  if (!status && strcmp(argv[0], "-h"))
    assert_true(tarn_write_buffer(command->tarn, answers, sizeof answers, "answers", "json") > 0);
  return status;
}

static int verifyta(const char *words) { return commands_run(run, words); }

// The status does not depend on verdicts, but on whether there are some.
static void test_verdicts(void **state) {
  (void)state;
  commands_file("m.xta", COMMANDS_UPPAAL);
  commands_file("two.q", "E<> P.C\nA[] P.A\n");
  commands_file("bad.q", "E<> P.D\n");
  assert_int_equal(verifyta("m.xta two.q"), 0);
  commands_print(commands_out, "Options for the verification");
  commands_print(commands_out, "Verifying formula 1 at");
  commands_print(commands_out, " -- Formula is satisfied.");
  commands_print(commands_out, " -- Formula is NOT satisfied.");
  assert_int_equal(verifyta("-q -u m.xta two.q"), 0);
  assert_null(strstr(commands_out, "Options for"));
  commands_print(commands_out, "States explored");
  assert_int_equal(verifyta("-q m.xta bad.q"), 1);
  commands_print(commands_err, "[error]");
}

static void test_runs(void **state) {
  (void)state;
  commands_file("m.xta", COMMANDS_UPPAAL);
  commands_file("two.q", "E<> P.C\nA[] P.A\n");
  assert_int_equal(verifyta("-t0 m.xta two.q"), 0);
  commands_print(commands_out, "Showing witness trace");
  commands_print(commands_out, "Showing counter example");
  assert_int_equal(verifyta("-t 2 -f run m.xta two.q"), 0);
  assert_int_equal(access("run-1.xtr", R_OK), 0);
  assert_int_equal(access("run-2.xtr", R_OK), 0);
  assert_int_equal(verifyta("-t 0 -f missing/run m.xta two.q"), 1);
}

static void test_options(void **state) {
  (void)state;
  commands_file("m.xta", COMMANDS_UPPAAL);
  commands_file("two.q", "E<> P.C\nA[] P.A\n");
  assert_int_equal(verifyta("-o 2 -r 7 -C -A -H 30 -n 1 -S2 --key 00 m.xta two.q"), 0);
  commands_print(commands_out, "Search order is random depth first");
  commands_print(commands_out, "Seed is 7");
  commands_print(answers, "\"abstraction\": \"none\"");
  commands_print(answers, "\"order\": \"dfs\"");
  commands_print(answers, "\"seed\": 7");
  commands_print(commands_out, "difference bound matrices");
  assert_int_equal(verifyta("-h"), 0);
  commands_print(commands_out, "Usage: verifyta");
  assert_int_equal(verifyta(""), 1);
  assert_int_equal(verifyta("--wrong m.xta"), 1);
  commands_print(commands_err, "there is no option --wrong");
  assert_int_equal(verifyta("m.xta two.q three.q"), 1);
  assert_int_equal(verifyta("m.xta -t"), 1);
  commands_print(commands_err, "a value is missing");
  assert_int_equal(verifyta("missing.xta"), 1);
}

// What is asked for is done, or refused by name.
static void test_refused(void **state) {
  (void)state;
  commands_file("m.xta", COMMANDS_UPPAAL);
  commands_file("two.q", "E<> P.C\nA[] P.A\n");
  assert_int_equal(verifyta("-t0 -X run m.xta two.q"), 1);
  commands_print(commands_err, "-X is not supported: runs are shown with exact times");
  assert_int_equal(verifyta("-t1o1 m.xta two.q"), 1);
  commands_print(commands_err, "-t needs a number from 0 to 2, not `1o1`");
  assert_int_equal(verifyta("-o 3 m.xta two.q"), 1);
  assert_int_equal(verifyta("-uX run m.xta two.q"), 1);
  assert_int_equal(verifyta("--summary=1 m.xta two.q"), 1);
  commands_print(commands_err, "takes no value: --summary=1");
  assert_int_equal(verifyta("--alphabet 0.1 m.xta two.q"), 1);
  commands_print(commands_err, "there is no option --alphabet");
}

static void test_names(void **state) {
  (void)state;
  commands_file("m.xta", COMMANDS_UPPAAL);
  commands_file("two.q", "E<> P.C\nA[] P.A\n");
  assert_int_equal(verifyta("-usCt1 --search-order=2 --seed 7 --extrapolation 1 m.xta two.q"), 0);
  commands_print(commands_out, "Generating shortest trace");
  commands_print(commands_out, "Search order is random depth first");
  commands_print(commands_out, "difference bound matrices");
  commands_print(commands_out, "States explored");
  commands_print(answers, "\"seed\": 7");
  commands_print(answers, "\"abstraction\": \"none\"");
  assert_int_equal(verifyta("--diagnostic 0 m.xta two.q"), 0);
  commands_print(commands_out, "Showing witness trace");
  assert_int_equal(verifyta("--trace=0 m.xta two.q"), 0);
  commands_print(commands_out, "Showing counter example");
  assert_int_equal(verifyta("-f alone m.xta two.q"), 0); // also without -t
  assert_int_equal(access("alone-1.xtr", R_OK), 0);
}

COMMANDS_MAIN("verifyta", cmocka_unit_test(test_verdicts), cmocka_unit_test(test_runs),
              cmocka_unit_test(test_options), cmocka_unit_test(test_refused),
              cmocka_unit_test(test_names))
