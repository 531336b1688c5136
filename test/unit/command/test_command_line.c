#define _POSIX_C_SOURCE 200809L
#include "command/command_line.h"

#include "commands.h"

static Task tasks[20];
static Command last;
static const char *name = "check";

static int parse(Command *command, int argc, char **argv) {
  static char kept[20][100]; // the words go
  const int status = command_line_parse(command, name, argc, argv, 1);
  for (int i = 0; i < command->task_count; i++) {
    tasks[i] = command->tasks[i];
    tasks[i].text = strcpy(kept[i], tasks[i].text);
  }
  if (command->time_limit)
    command->time_limit = strcpy(kept[18], command->time_limit);
  if (command->steps)
    command->steps = strcpy(kept[17], command->steps);
  last = *command;
  last.model = command->model ? strcpy(kept[19], command->model) : NULL;
  return status;
}

static void test_forms(void **state) {
  (void)state;
  assert_int_equal(commands_run(parse, "-q one -qtwo --query three --query=fo=ur -l a,b "
                                       "--json --time-limit=2.5 m.tck"),
                   0);
  const char *const texts[] = {"one", "two", "three", "fo=ur", "a,b"};
  assert_int_equal(last.task_count, 5);
  for (int i = 0; i < 5; i++) {
    assert_string_equal(tasks[i].text, texts[i]);
    assert_int_equal(tasks[i].is_labels, i == 4);
  }
  assert_true(last.json && !last.stats && !last.quiet);
  assert_string_equal(last.time_limit, "2.5");
  assert_string_equal(last.model, "m.tck");
  assert_int_equal(commands_run(parse, "--stats --quiet --progress -"), 0);
  assert_true(last.stats && last.quiet && last.progress && !last.json);
  assert_string_equal(last.model, "-"); // the standard input
  assert_int_equal(commands_run(parse, "-- --json"), 0);
  assert_string_equal(last.model, "--json");
  assert_false(last.json);
}

static void refuse(const char *words, const char *message) {
  assert_int_equal(commands_run(parse, words), STATUS_ERROR);
  commands_print(commands_err, message);
}

static void test_mistakes(void **state) {
  (void)state;
  refuse("", "which MODEL?");
  refuse("a b", "one MODEL at a time");
  refuse("--json=yes m", "--json takes no value");
  refuse("m --query", "--query needs a value");
  refuse("--html= m", "--html needs the name of a file");
  refuse("-x m", "check has no option -x");
  refuse("--ordr bfs m", "order"); // the nearest one
  refuse("--order sideways m", "sideways");
}

// What is the engine's goes to the library.
static void test_engine(void **state) {
  (void)state;
  char certificate[] = "--certificate=proof", limit[] = "--time-limit", seconds[] = "7",
       model[] = "m";
  char *argv[] = {certificate, limit, seconds, model, NULL};
  Command command = {.tarn = tarn_init()};
  assert_int_equal(command_line_parse(&command, "check", 4, argv, 1), 0);
  assert_ptr_equal(argv[0], model);
  assert_string_equal(command.certificate, "proof");
  assert_string_equal(command.time_limit, "7");
  tarn_read_text(command.tarn, COMMANDS_SMALL, "tchecker");
  tarn_check(command.tarn, "E<> P.C");
  char text[1 << 14];
  assert_true(tarn_write_buffer(command.tarn, text, sizeof text, "answers", "json") > 0);
  commands_print(text, "\"time-limit\": 7");
  tarn_release(command.tarn);
  free(command.tasks);
  free(command.defines);
  free(command.settings);
}

// Options of one name may differ from command to command.
static void test_commands(void **state) {
  (void)state;
  name = "simulate";
  assert_int_equal(commands_run(parse, "--steps 7 --full m.tck"), 0);
  assert_true(last.full && !strcmp(last.steps, "7"));
  refuse("--steps many m", "--steps needs a whole number");
  refuse("--stepz 7 m", "simulate has no option `stepz`; did you mean `steps`?");
  refuse("--order bfs m", "simulate has no option `order`");
  name = "show";
  assert_int_equal(commands_run(parse, "--symmetry --trace run.json m.tck"), 0);
  assert_true(last.symmetry);
  refuse("--symmetry=on m", "--symmetry takes no value");
  name = "lint";
  refuse("-l a m", "lint has no option -l; see `tarn help lint`");
  name = "check";
  assert_int_equal(commands_run(parse, "--symmetry on m.tck"), 0);
  assert_false(last.symmetry);
}

COMMANDS_MAIN("command_line", cmocka_unit_test(test_forms), cmocka_unit_test(test_mistakes),
              cmocka_unit_test(test_engine), cmocka_unit_test(test_commands))
