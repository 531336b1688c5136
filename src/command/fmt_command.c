#define _POSIX_C_SOURCE 200809L
#include "command/fmt_command.h"

#include "command/command_line.h"

#include <stdlib.h>
#include <string.h>

// Lays out one file, in place; standard input goes to standard output.
static int format_file(Command *command, const char *path) {
  char *text = NULL;
  size_t size = 0;
  FILE *memory = open_memstream(&text, &size);
  if (!memory)
    return command_fail("out of memory");
  const int changed = tarn_format(command->tarn, memory, path);
  const bool failed = fclose(memory);
  int status = STATUS_OK;
  if (failed)
    status = command_fail("out of memory");
  else if (changed < 0)
    status = command_fail_with(command->tarn);
  else if (command->only_checks && changed)
    status = (printf("%s\n", path), STATUS_NOT_SATISFIED);
  else if (!command->only_checks && !strcmp(path, "-"))
    fwrite(text, 1, size, stdout); // a failure is noticed in the end
  else if (!command->only_checks && changed)
    status = command_put_file(path, text, size);
  free(text);
  return status;
}

// The worst status of all files.
int fmt_command(Command *command, int argc, char **argv) {
  int status = command_line_parse(command, "fmt", argc, argv, 0);
  if (!status && !command->model)
    return command_fail("which FILE? see `tarn help fmt`");
  for (int i = 0; i < command->word_count && status != STATUS_ERROR; i++) {
    const int one = format_file(command, argv[i]);
    status = one > status ? one : status;
  }
  return status;
}
