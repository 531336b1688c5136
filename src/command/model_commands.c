#define _POSIX_C_SOURCE 200809L
#include "command/model_commands.h"

#include <stdlib.h>
#include <string.h>

// One on each line, whatever blanks it has inside.
static int show_queries(Tarn *tarn) {
  for (size_t i = 0; i < tarn_query_count(tarn); i++) {
    for (const char *c = tarn_query(tarn, i); *c; c++)
      putchar(strchr("\t\r\n", *c) ? ' ' : *c);
    putchar('\n');
  }
  return STATUS_OK;
}

// show [--dot | --symmetry] MODEL, show --trace RUN [--full | --html FILE] MODEL
int show_command(Command *command, int argc, char **argv) {
  const char *const usage = "usage: tarn show [--dot | --symmetry | --queries | --trace RUN.json "
                            "[--full | --html FILE]] "
                            "MODEL";
  const char *run = NULL;
  bool queries = false;
  for (int i = 0; i < argc; i++)
    if (!strcmp(argv[i], "--dot"))
      command->dot = true;
    else if (!strcmp(argv[i], "--symmetry"))
      command->symmetry = true;
    else if (!strcmp(argv[i], "--queries"))
      queries = true;
    else if (!strcmp(argv[i], "--full"))
      command->full = true;
    else if (!strcmp(argv[i], "--trace") && i + 1 < argc)
      run = argv[++i];
    else if (!strcmp(argv[i], "--html") && i + 1 < argc)
      command->html = argv[++i];
    else if (command->model || (argv[i][0] == '-' && argv[i][1]))
      return command_fail("%s", usage);
    else
      command->model = argv[i];
  if (!command->model || command->dot + command->symmetry + queries + (run != NULL) > 1 ||
      ((command->html || command->full) && !run) || (command->html && command->full))
    return command_fail("%s", usage);
  int status = command_try_writing(command->html);
  if (!status)
    status = command_read_model(command, queries);
  if (status)
    return status;
  if (queries)
    return show_queries(command->tarn);
  if (run && tarn_read_runs(command->tarn, run))
    return command_fail_with(command->tarn);
  if (command->html)
    return command_write_answers(command, command->html, "html");
  const char *what = run ? "answer" : command->symmetry ? "symmetry" : "model";
  return tarn_write(command->tarn, stdout, what,
                    command->dot    ? "dot"
                    : command->full ? "full"
                                    : "text")
             ? command_fail_with(command->tarn)
             : STATUS_OK;
}

// The model goes through memory: written, read, and written in the other language.
static int gen_xta(Command *command, int argc, char **argv) {
  char *text = NULL;
  size_t size = 0;
  FILE *file = open_memstream(&text, &size);
  if (!file)
    return command_fail("out of memory");
  const char *const *arguments = (const char *const *)(argv + 1);
  const bool failed = tarn_generate(command->tarn, file, argv[0], argc - 1, arguments);
  fclose(file);
  int status = STATUS_OK;
  if (failed)
    status = command_fail_with(command->tarn);
  else if (tarn_read_text(command->tarn, text, "tchecker") ||
           tarn_write(command->tarn, stdout, "model", "xta"))
    status = command_fail_with(command->tarn);
  free(text);
  return status;
}

int gen_command(Command *command, int argc, char **argv) {
  const char *format = "tchecker";
  if (argc >= 2 && !strcmp(argv[0], "--format")) {
    format = argv[1];
    argc -= 2;
    argv += 2;
  }
  if (strcmp(format, "tchecker") && strcmp(format, "xta"))
    return command_fail("--format is tchecker or xta");
  if (argc < 1)
    return command_fail("which family? `tarn gen --list` shows them");
  if (!strcmp(format, "xta"))
    return gen_xta(command, argc, argv);
  const char *family = strcmp(argv[0], "--list") ? argv[0] : NULL;
  const char *const *arguments = (const char *const *)(argv + 1);
  return tarn_generate(command->tarn, stdout, family, argc - 1, arguments)
             ? command_fail_with(command->tarn)
             : STATUS_OK;
}

// convert MODEL: in the other language.
int convert_command(Command *command, int argc, char **argv) {
  if (argc != 1 || (argv[0][0] == '-' && argv[0][1]))
    return command_fail("usage: tarn convert MODEL");
  command->model = argv[0];
  const int status = command_read_model(command, false);
  if (status)
    return status;
  const char *format = tarn_refuses(command->tarn) ? "tchecker" : "xta";
  return tarn_write(command->tarn, stdout, "model", format) ? command_fail_with(command->tarn)
                                                            : STATUS_OK;
}
