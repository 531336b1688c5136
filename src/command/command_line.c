#include "command/command_line.h"

#include <stdlib.h>
#include <string.h>

static bool find_option(const char *name, size_t length, char letter, TarnOption *option) {
  for (size_t i = 0; !tarn_option(i, option); i++)
    if (letter ? option->letter == letter
               : strlen(option->name) == length && !strncmp(option->name, name, length))
      return true;
  return false;
}

// The command's own options; the engine's go to tarn_set.
static int apply(Command *command, const TarnOption *option, const char *value) {
  if (!strcmp(option->name, "certificate"))
    command->certificate = value;
  if (!strcmp(option->name, "graph"))
    command->graph = value;
  if (!strcmp(option->name, "time-limit"))
    command->time_limit = atof(value);
  if (!strcmp(option->name, "explain"))
    command->explain = true;
  if (!strcmp(option->name, "trace"))
    command->is_traced = strcmp(value, "none");
  if (option->is_engine)
    return tarn_set(command->tarn, option->name, value) ? command_fail_with(command->tarn) : 0;
  if (!strcmp(option->name, "query") || !strcmp(option->name, "labels"))
    command->tasks[command->task_count++] =
        (Task){.text = value, .is_labels = *option->name == 'l'};
  else if (!strcmp(option->name, "json"))
    command->json = true;
  else if (!strcmp(option->name, "full"))
    command->full = true;
  else if (!strcmp(option->name, "stats"))
    command->stats = true;
  else if (!strcmp(option->name, "progress"))
    command->progress = true;
  else if (!strcmp(option->name, "quiet"))
    command->quiet = true;
  else if (!strcmp(option->name, "html"))
    command->html = value;
  else if (!strcmp(option->name, "junit"))
    command->junit = value;
  return 0;
}

// One option, at argv[*i]: --name value, --name=value, -x value, -xvalue.
static int parse_option(Command *command, int argc, char **argv, int *i) {
  const char *argument = argv[*i];
  const bool is_long = argument[1] == '-';
  const char *name = argument + (is_long ? 2 : 1);
  const size_t length = is_long ? strcspn(name, "=") : 1;
  TarnOption option;
  if (!find_option(name, length, is_long ? 0 : *name, &option)) {
    // The library knows the nearest name.
    if (is_long && tarn_set(command->tarn, name, ""))
      return command_fail_with(command->tarn);
    return command_fail("there is no option %s; see `tarn help options`", argument);
  }
  const char *value = NULL;
  if (is_long && name[length])
    value = name + length + 1;
  else if (!is_long && name[1])
    value = name + 1;
  if (!option.argument && value) {
    return command_fail("--%s takes no value", option.name);
  }
  if (option.argument && !value) {
    if (*i + 1 >= argc) {
      return command_fail("--%s needs a value: %s", option.name, option.argument);
    }
    value = argv[++*i];
  }
  if (value && !*value && !strcmp(option.argument, "FILE")) {
    return command_fail("--%s needs the name of a file", option.name);
  }
  return apply(command, &option, value);
}

int command_line_parse(Command *command, int argc, char **argv) {
  bool only_names = false;
  for (int i = 0; i < argc; i++) {
    if (!only_names && !strcmp(argv[i], "--")) {
      only_names = true;
    } else if (!only_names && argv[i][0] == '-' && argv[i][1]) {
      const int status = parse_option(command, argc, argv, &i);
      if (status)
        return status;
    } else if (command->model) {
      return command_fail("one MODEL at a time; quote a query that contains blanks");
    } else {
      command->model = argv[i];
    }
  }
  return command->model ? 0 : command_fail("which MODEL? see `tarn help`");
}
