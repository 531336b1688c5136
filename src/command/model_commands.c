#define _POSIX_C_SOURCE 200809L
#include "command/model_commands.h"

#include "command/command_line.h"

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

int show_command(Command *command, int argc, char **argv) {
  int status = command_line_parse(command, "show", argc, argv, 1);
  if (status)
    return status;
  const char *run = command->trace;
  if (command->dot + command->symmetry + command->queries + (run != NULL) > 1)
    return command_fail("only one of --dot, --symmetry, --queries and --trace");
  if ((command->html || command->full) && (!run || (command->html && command->full)))
    return command_fail("--html or --full, not both, with --trace");
  status = command_try_writing(command->html);
  if (!status)
    status = command_read_model(command, command->queries);
  if (status)
    return status;
  if (command->queries)
    return show_queries(command->tarn);
  if (run && tarn_read_runs(command->tarn, run))
    return command_give_up(command->tarn);
  if (command->html)
    return command_write_answers(command, command->html, "html");
  const char *what = run ? "answer" : command->symmetry ? "symmetry" : "model";
  return tarn_write(command->tarn, stdout, what,
                    command->dot    ? "dot"
                    : command->full ? "full"
                                    : "text")
             ? command_give_up(command->tarn)
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
    status = command_give_up(command->tarn);
  else if (tarn_read_text(command->tarn, text, "tchecker") ||
           tarn_write(command->tarn, stdout, "model", "xta"))
    status = command_give_up(command->tarn);
  free(text);
  return status;
}

int gen_command(Command *command, int argc, char **argv) {
  const int status = command_line_parse(command, "gen", argc, argv, 0);
  if (status)
    return status;
  if (!command->model && !command->list)
    return command_fail("which family? `tarn gen --list` shows them");
  if (!command->list && command->format && !strcmp(command->format, "xta"))
    return gen_xta(command, command->word_count, argv);
  return tarn_generate(command->tarn, stdout, command->list ? NULL : command->model,
                       command->word_count - 1, (const char *const *)(argv + 1))
             ? command_give_up(command->tarn)
             : STATUS_OK;
}

int convert_command(Command *command, int argc, char **argv) {
  int status = command_line_parse(command, "convert", argc, argv, 1);
  if (!status)
    status = command_try_writing(command->output);
  if (!status)
    status = command_read_model(command, command->to);
  if (status)
    return status;
  const bool is_uppaal = !strcmp(tarn_language(command->tarn), "uppaal");
  const char *format = command->to ? command->to : is_uppaal ? "tck" : "xta";
  if (!strcmp(format, "tck"))
    format = "tchecker";
  if (!command->output)
    return tarn_write(command->tarn, stdout, "model", format) ? command_give_up(command->tarn)
                                                              : STATUS_OK;
  char *text = NULL; // a model that cannot be written leaves the file as it is
  size_t size = 0;
  FILE *memory = open_memstream(&text, &size);
  if (!memory)
    return command_fail("out of memory");
  const bool failed = tarn_write(command->tarn, memory, "model", format);
  fclose(memory);
  status =
      failed ? command_give_up(command->tarn) : command_put_file(command->output, text, size);
  free(text);
  return status;
}
