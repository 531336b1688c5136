// Lines from the terminal. Where libedit is installed they can be edited and have a history; it
// is loaded when the prompt begins, as other commands do not need it.
#ifndef TARN_LINE_EDITOR_H
#define TARN_LINE_EDITOR_H

typedef struct LineEditor {
  char *(*read)(const char *prompt); // NULL: lines are read as they come
  int (*remember)(const char *line);
} LineEditor;

// For lines of the standard input.
void line_editor_init(LineEditor *);

// The next line, to be freed; NULL at the end.
char *line_editor_next(const LineEditor *);

#endif
