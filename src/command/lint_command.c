#include "command/lint_command.h"

#include "command/command_line.h"
#include "command/interrupt.h"

#include <stdlib.h>

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
  tarn_set(command->tarn, "time-limit", "10");
  int status = command_line_parse(command, "lint", argc, argv, 1);
  if (!status)
    status = command_read_model(command, !command->task_count);
  if (!status) {
    interrupt_watch(command);
    status = lint(command);
  }
  return status;
}
