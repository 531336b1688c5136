#define _POSIX_C_SOURCE 200809L
#include "command/command_line.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// Where options are kept that the command itself looks at, also some of the engine's. A flag is a
// bool, others are their values.
#define FLAG(name, field)                                                                        \
  { name, true, offsetof(Command, field) }
#define VALUE(name, field)                                                                       \
  { name, false, offsetof(Command, field) }
static const struct {
  const char *name;
  bool is_flag;
  size_t at;
} fields[] = {FLAG("check", only_checks),
              FLAG("dot", dot),
              FLAG("explain", explain),
              FLAG("full", full),
              FLAG("json", json),
              FLAG("list", list),
              FLAG("progress", progress),
              FLAG("proved", proved),
              FLAG("queries", queries),
              FLAG("quiet", quiet),
              FLAG("stats", stats),
              FLAG("symmetry", symmetry),
              FLAG("monotone", monotone),
              FLAG("resume", resume),
              VALUE("csv", csv),
              VALUE("evidence", evidence),
              VALUE("jobs", jobs),
              VALUE("threshold", threshold),
              VALUE("total-time-limit", total_time_limit),
              VALUE("certificate", certificate),
              VALUE("format", format),
              VALUE("from", from),
              VALUE("graph", graph),
              VALUE("html", html),
              VALUE("junit", junit),
              VALUE("report", proved_report),
              VALUE("run", run),
              VALUE("seed", seed),
              VALUE("steps", steps),
              VALUE("time-limit", time_limit),
              VALUE("trace", trace),
              VALUE("traces", traces),
              VALUE("goal", goal),
              VALUE("operators", operators),
              VALUE("compare", compare),
              VALUE("write", write),
              VALUE("processes", processes),
              VALUE("require", require),
              VALUE("to", to),
              VALUE("output", output),
              VALUE("root", root),
              VALUE("memory-limit", memory_limit),
              VALUE("port", port),
              VALUE("request-limit", request_limit),
              VALUE("output-limit", output_limit)};

static void keep(Command *command, const TarnOption *option, const char *value) {
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
    void *at = (char *)command + fields[i].at;
    if (*fields[i].name != *option->name || strcmp(fields[i].name, option->name) ||
        fields[i].is_flag != !option->argument)
      continue;
    if (fields[i].is_flag)
      *(bool *)at = true;
    else
      *(const char **)at = value;
  }
  if (!strcmp(option->name, "define"))
    command->defines[command->define_count++] = value;
  if (!strcmp(option->name, "query") || !strcmp(option->name, "labels"))
    command->tasks[command->task_count++] =
        (Task){.text = value, .is_labels = *option->name == 'l'};
}

static bool find_option(const char *command, const char *name, size_t length, char letter,
                        TarnOption *option) {
  for (size_t i = 0; !tarn_command_option(command, i, option); i++)
    if (letter ? option->letter == letter
               : strlen(option->name) == length && !strncmp(option->name, name, length))
      return true;
  return false;
}

// One option, at argv[*i]: --name value, --name=value, -x value, -xvalue.
static int parse_option(Command *command, const char *name, int argc, char **argv, int *i) {
  const char *argument = argv[*i];
  const bool is_long = argument[1] == '-';
  const char *word = argument + (is_long ? 2 : 1);
  const size_t length = is_long ? strcspn(word, "=") : 1;
  TarnOption option;
  if (!find_option(name, word, length, is_long ? 0 : *word, &option)) {
    // The library knows the nearest name.
    if (is_long && tarn_command_set(command->tarn, name, word, ""))
      return command_fail_with(command->tarn);
    return command_fail("%s has no option %s; see `tarn help %s`", name, argument, name);
  }
  const char *value = NULL;
  if (is_long && word[length])
    value = word + length + 1;
  else if (!is_long && word[1])
    value = word + 1;
  if (!option.argument && value)
    return command_fail("--%s takes no value", option.name);
  if (option.argument && !value) {
    if (*i + 1 >= argc)
      return command_fail("--%s needs a value: %s", option.name, option.argument);
    value = argv[++*i];
  }
  if (value && !*value && !strcmp(option.argument, "NAME=VALUE"))
    return command_fail("--%s needs NAME=VALUE, such as N=5", option.name);
  if (value && !*value && !strcmp(option.argument, "FILE"))
    return command_fail("--%s needs the name of a file", option.name);
  keep(command, &option, value);
  command->settings[command->setting_count++] = (Setting){option.name, value};
  return tarn_command_set(command->tarn, name, option.name, value)
             ? command_fail_with(command->tarn)
             : 0;
}

static bool is_same(const char *one, const char *other) {
  struct stat a, b;
  return !stat(one, &a) && !stat(other, &b) && S_ISREG(a.st_mode) && a.st_dev == b.st_dev &&
         a.st_ino == b.st_ino;
}

// What a command writes must not be what it reads.
static int check_outputs(const Command *command, const char *name) {
  for (int i = 0; i < command->setting_count; i++) {
    const Setting *setting = &command->settings[i];
    TarnOption option;
    const bool is_read = !strcmp(setting->name, "from") || !strcmp(setting->name, "trace");
    if (is_read || !setting->value ||
        !find_option(name, setting->name, strlen(setting->name), 0, &option) ||
        strcmp(option.argument, "FILE") != 0)
      continue;
    for (int k = 0; k < command->word_count; k++)
      if (is_same(setting->value, command->words[k]))
        return command_fail("--%s %s: this file is read; name another one", setting->name,
                            setting->value);
  }
  return 0;
}

int command_line_parse(Command *command, const char *name, int argc, char **argv, int max) {
  bool only_names = false;
  int count = 0;
  command->tasks = calloc((size_t)argc + 1, sizeof *command->tasks);
  command->defines = calloc((size_t)argc + 1, sizeof *command->defines);
  command->settings = calloc((size_t)argc + 1, sizeof *command->settings);
  command->words = argv;
  if (!command->tasks || !command->defines || !command->settings)
    return command_fail("out of memory");
  for (int i = 0; i < argc; i++) {
    if (!only_names && !strcmp(argv[i], "--")) {
      only_names = true;
    } else if (!only_names && argv[i][0] == '-' && argv[i][1]) {
      const int status = parse_option(command, name, argc, argv, &i);
      if (status)
        return status;
    } else if (max && count == max) {
      return command_fail("one MODEL at a time; quote a query that contains blanks");
    } else {
      argv[count++] = argv[i];
    }
  }
  command->model = count ? argv[0] : NULL;
  command->word_count = count;
  if (!count && max)
    return command_fail("which MODEL? see `tarn help %s`", name);
  return check_outputs(command, name);
}
