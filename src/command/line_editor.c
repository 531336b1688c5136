#define _POSIX_C_SOURCE 200809L
#include "command/line_editor.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// A static program has them linked in.
char *readline(const char *prompt);
int add_history(const char *line);
void using_history(void);
#pragma weak readline
#pragma weak add_history
#pragma weak using_history

// ISO C has no conversion from a data pointer to a function pointer; POSIX says that they are the
// same.
static void find(void *library, const char *name, void *function, size_t size) {
  void *symbol = dlsym(library, name);
  memcpy(function, &symbol, size);
}

void line_editor_init(LineEditor *editor) {
  void (*begin)(void) = using_history;
  *editor = (LineEditor){readline, add_history};
  if (!isatty(STDIN_FILENO)) {
    *editor = (LineEditor){0};
    return;
  }
  void *library = editor->read ? NULL : dlopen(TARN_LIBEDIT, RTLD_NOW | RTLD_LOCAL);
  if (library) {
    find(library, "readline", &editor->read, sizeof editor->read);
    find(library, "add_history", &editor->remember, sizeof editor->remember);
    find(library, "using_history", &begin, sizeof begin);
  }
  if (!editor->read || !editor->remember)
    *editor = (LineEditor){0};
  else if (begin)
    begin();
}

char *line_editor_next(const LineEditor *editor) {
  char *line = editor->read ? editor->read("> ") : NULL;
  if (editor->read) {
    if (line && *line)
      editor->remember(line);
    return line;
  }
  size_t size = 0;
  if (isatty(STDIN_FILENO))
    fputs("> ", stderr);
  return getline(&line, &size, stdin) < 0 ? free(line), NULL : line;
}
