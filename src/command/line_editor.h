// Reads lines from the terminal. If libedit is installed, lines can be edited and have a history.
// It is loaded when the prompt begins, because other commands do not need it.
#pragma once

typedef struct LineEditor {
  char *(*read)(const char *prompt); // NULL: lines are read as they come
  int (*remember)(const char *line);
} LineEditor;

// For lines of the standard input.
void line_editor_init(LineEditor *);

// The next line, to be freed; NULL at the end.
char *line_editor_next(const LineEditor *);
