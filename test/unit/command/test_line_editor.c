#define _POSIX_C_SOURCE 200809L
#include "command/line_editor.h"

#include "commands.h"

static void expect(const LineEditor *editor, const char *text) {
  char *line = line_editor_next(editor);
  assert_non_null(line);
  assert_string_equal(line, text);
  free(line);
}

// Without a terminal lines come as they are, also the last one without its end.
static void test_file(void **state) {
  (void)state;
  commands_file("lines", "one\n\nthree 3");
  assert_non_null(freopen("lines", "r", stdin));
  LineEditor editor;
  line_editor_init(&editor);
  assert_null(editor.read);
  expect(&editor, "one\n");
  expect(&editor, "\n");
  expect(&editor, "three 3");
  assert_null(line_editor_next(&editor));
}

static char *two_lines(const char *prompt) {
  static int count;
  assert_string_equal(prompt, "> ");
  return count++ == 2 ? NULL : strdup(count == 1 ? "first" : "");
}

static int remembered;
static int remember(const char *line) {
  assert_string_equal(line, "first");
  return remembered++;
}

// What is typed is remembered, but for empty lines.
static void test_history(void **state) {
  (void)state;
  const LineEditor editor = {two_lines, remember};
  expect(&editor, "first");
  expect(&editor, "");
  assert_null(line_editor_next(&editor));
  assert_int_equal(remembered, 1);
}

COMMANDS_MAIN("line_editor", cmocka_unit_test(test_file), cmocka_unit_test(test_history))
