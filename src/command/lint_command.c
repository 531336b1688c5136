#include "command/lint_command.h"

#include "command/command_line.h"
#include "command/interrupt.h"

#include <stdlib.h>
#include <string.h>

// Options of check that mean something here.
static const char *const options[] = {"--query",        "-q",       "--json", "--time-limit",
                                      "--memory-limit", "--strict", "--quiet"};

static bool is_ours(const char *argument) {
  const size_t length = strcspn(argument, "=");
  for (size_t i = 0; i < sizeof options / sizeof *options; i++)
    if (strlen(options[i]) == length && !strncmp(options[i], argument, length))
      return true;
  return argument[0] == '-' && argument[1] == 'q';
}

static int check_options(int argc, char **argv) {
  for (int i = 0; i < argc && strcmp(argv[i], "--"); i++)
    if (argv[i][0] == '-' && argv[i][1] && !is_ours(argv[i]))
      return command_fail("lint has no option %s; see `tarn help lint`", argv[i]);
    else if (argv[i][0] == '-' && argv[i][1] && !strchr(argv[i], '=') &&
             strcmp(argv[i], "--json") && strcmp(argv[i], "--strict") &&
             strcmp(argv[i], "--quiet") && (argv[i][1] == '-' || !argv[i][2]))
      i++; // its value
  return 0;
}

static int lint(Command *command) {
  const char **queries = calloc((size_t)command->task_count + 1, sizeof *queries);
  if (!queries)
    return command_fail("out of memory");
  for (int i = 0; i < command->task_count; i++)
    queries[i] = command->tasks[i].text;
  const int found = tarn_lint(command->tarn, queries, (size_t)command->task_count);
  free(queries);
  if (!command->quiet)
    command_say(tarn_warnings(command->tarn));
  if (found == -1)
    return command_fail_with(command->tarn);
  if (tarn_write(command->tarn, stdout, "lint", command->json ? "json" : "text"))
    return command_fail_with(command->tarn);
  command->has_json = command->json;
  return found > 0 ? STATUS_NOT_SATISFIED : found < 0 ? STATUS_UNDECIDED : STATUS_OK;
}

int lint_command(Command *command, int argc, char **argv) {
  int status = check_options(argc, argv);
  if (status)
    return status;
  command->tasks = calloc((size_t)argc + 1, sizeof *command->tasks);
  if (!command->tasks)
    return command_fail("out of memory");
  tarn_set(command->tarn, "time-limit", "10");
  status = command_line_parse(command, argc, argv);
  if (!status)
    status = command_read_model(command, !command->task_count);
  if (!status) {
    interrupt_watch(command);
    status = lint(command);
  }
  free(command->tasks);
  return status;
}
