// Commands that are run as main.c does it, in a folder of their own, for the unit tests of
// src/command: what they print, and their exit status.
#pragma once

#include "command/command.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

// From A over B to C; x is more than 3 on the way to B.
#define COMMANDS_SMALL                                                                           \
  "system:s\nevent:a\nclock:1:x\nint:1:0:3:0:n\nprocess:P\n"                                     \
  "location:P:A{initial: : invariant: x<=5}\nlocation:P:B{}\nlocation:P:C{labels: far}\n"        \
  "edge:P:A:B:a{provided: x>3 : do: x=0; n=n+1}\nedge:P:B:C:a{provided: x>=2}\n"
// The same in UPPAAL's language.
#define COMMANDS_UPPAAL                                                                          \
  "clock x;\nprocess P() {\n state A { x <= 5 }, B, C;\n init A;\n"                              \
  " trans A -> B { guard x > 3; assign x = 0; }, B -> C { guard x >= 2; };\n}\nsystem P;\n"

static char commands_folder[] = "/tmp/tarn-commands-XXXXXX";
static char commands_out[1 << 16], commands_err[1 << 16]; // what was printed last

// All tests of a program run in one folder, which is removed with all files in it.
static inline int commands_enter(void **state) {
  (void)state;
  return !mkdtemp(commands_folder) || chdir(commands_folder);
}

static inline int commands_leave(void **state) {
  (void)state;
  char line[100];
  snprintf(line, sizeof line, "rm -r %s", commands_folder);
  return chdir("/") || system(line);
}

static inline void commands_file(const char *name, const char *text) {
  FILE *file = fopen(name, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

static inline void commands_read(const char *name, char *to, size_t size) {
  FILE *file = fopen(name, "r");
  assert_non_null(file);
  to[fread(to, 1, size - 1, file)] = '\0';
  fclose(file);
}

// Between these two, what is printed goes to commands_out and commands_err.
static int commands_kept[2];

static inline void commands_begin(void) {
  fflush(NULL);
  for (int i = 0; i < 2; i++) {
    commands_kept[i] = dup(1 + i);
    assert_non_null(freopen(i ? ".err" : ".out", "w", i ? stderr : stdout));
  }
}

static inline void commands_end(void) {
  fflush(NULL);
  for (int i = 0; i < 2; i++) {
    dup2(commands_kept[i], 1 + i);
    close(commands_kept[i]);
  }
  commands_read(".out", commands_out, sizeof commands_out);
  commands_read(".err", commands_err, sizeof commands_err);
}

// The exit status of a command with these words, which are separated by blanks; `_` is a blank
// inside of a word.
static inline int commands_run(int (*run)(Command *, int argc, char **argv), const char *words) {
  char text[1000], *argv[40] = {NULL}, *rest = NULL;
  int argc = 0;
  snprintf(text, sizeof text, "%s", words);
  for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
    for (char *c = word; *c; c++)
      *c = *c == '_' ? ' ' : *c;
    argv[argc++] = word;
  }
  Command command = {.tarn = tarn_init()};
  commands_begin();
  const int status = run(&command, argc, argv);
  commands_end();
  tarn_release(command.tarn);
  free(command.tasks);
  free(command.defines);
  free(command.settings);
  return status;
}

static inline void commands_print(const char *text, const char *part) {
  if (!strstr(text, part))
    fail_msg("`%s` is not in `%s`", part, text);
}

#define COMMANDS_MAIN(name, ...)                                                                 \
  int main(void) {                                                                               \
    const struct CMUnitTest tests[] = {__VA_ARGS__};                                             \
    return cmocka_run_group_tests_name(name, tests, commands_enter, commands_leave);             \
  }
