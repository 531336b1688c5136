#define _POSIX_C_SOURCE 200809L
#include "command/model_commands.h"

#include "commands.h"

static void test_show(void **state) {
  (void)state;
  commands_file("m.tck", COMMANDS_SMALL);
  commands_file("m.q", "E<> P.C\nA[] n < 3\n");
  assert_int_equal(commands_run(show_command, "m.tck"), STATUS_OK);
  commands_print(commands_out, "x > 3");
  assert_int_equal(commands_run(show_command, "--dot m.tck"), STATUS_OK);
  commands_print(commands_out, "digraph");
  assert_int_equal(commands_run(show_command, "--queries m.tck"), STATUS_OK);
  assert_string_equal(commands_out, "E<> P.C\nA[] n < 3\n");
  static const char *const wrong[] = {"",
                                      "m.tck m.tck",
                                      "--dot --symmetry m.tck",
                                      "--dot",
                                      "--html page.html m.tck",
                                      "--wrong m.tck"};
  static const char *const said[] = {"which MODEL?", "one MODEL", "only one of",
                                     "which MODEL?", "--trace",   "show has no option `wrong`"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    assert_int_equal(commands_run(show_command, wrong[i]), STATUS_ERROR);
    commands_print(commands_err, said[i]);
  }
}

static void test_gen(void **state) {
  (void)state;
  assert_int_equal(commands_run(gen_command, "--list"), STATUS_OK);
  commands_print(commands_out, "fischer");
  assert_int_equal(commands_run(gen_command, "fischer 3"), STATUS_OK);
  commands_print(commands_out, "process:P3");
  assert_int_equal(commands_run(gen_command, "--format xta fischer 3"), STATUS_OK);
  commands_print(commands_out, "system");
  assert_null(strstr(commands_out, "process:"));
  assert_int_equal(commands_run(gen_command, "--format pdf fischer 3"), STATUS_ERROR);
  assert_int_equal(commands_run(gen_command, "fisher 3"), STATUS_ERROR);
  assert_int_equal(commands_run(gen_command, "--format xta fisher 3"), STATUS_ERROR);
  assert_int_equal(commands_run(gen_command, ""), STATUS_ERROR);
}

// There and back: each time it is the other language, and the model can be read.
static void test_convert(void **state) {
  (void)state;
  commands_file("m.tck", COMMANDS_SMALL);
  assert_int_equal(commands_run(convert_command, "m.tck"), STATUS_OK);
  commands_file("there.xta", commands_out);
  assert_int_equal(commands_run(convert_command, "there.xta"), STATUS_OK);
  commands_file("back.tck", commands_out);
  assert_int_equal(commands_run(show_command, "back.tck"), STATUS_OK);
  commands_print(commands_out, "x > 3");
  assert_int_equal(commands_run(convert_command, "--dot m.tck"), STATUS_ERROR);
  assert_int_equal(commands_run(convert_command, "missing.tck"), STATUS_ERROR);
}

COMMANDS_MAIN("model_commands", cmocka_unit_test(test_show), cmocka_unit_test(test_gen),
              cmocka_unit_test(test_convert))
