#define _POSIX_C_SOURCE 200809L
#include "command/command_line.h"

#include "commands.h"

static Task tasks[20];
static Command last;

static int parse(Command *command, int argc, char **argv) {
  static char kept[20][100]; // the words go
  command->tasks = tasks;
  const int status = command_line_parse(command, argc, argv);
  for (int i = 0; i < command->task_count; i++)
    tasks[i].text = strcpy(kept[i], tasks[i].text);
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
  assert_true(last.time_limit == 2.5);
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
  refuse("-x m", "there is no option -x");
  refuse("--ordr bfs m", "order"); // the nearest one
  refuse("--order sideways m", "sideways");
}

// What is the engine's goes to the library.
static void test_engine(void **state) {
  (void)state;
  char certificate[] = "--certificate=proof", limit[] = "--time-limit", seconds[] = "7",
       model[] = "m";
  char *argv[] = {certificate, limit, seconds, model, NULL};
  Command command = {.tarn = tarn_init(), .tasks = tasks};
  assert_int_equal(command_line_parse(&command, 4, argv), 0);
  assert_string_equal(command.certificate, "proof");
  assert_true(command.time_limit == 7);
  tarn_read_text(command.tarn, COMMANDS_SMALL, "tchecker");
  tarn_check(command.tarn, "E<> P.C");
  char text[1 << 14];
  assert_true(tarn_write_buffer(command.tarn, text, sizeof text, "answers", "json") > 0);
  commands_print(text, "\"time-limit\": 7");
  tarn_release(command.tarn);
}

COMMANDS_MAIN("command_line", cmocka_unit_test(test_forms), cmocka_unit_test(test_mistakes),
              cmocka_unit_test(test_engine))
