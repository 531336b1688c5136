// Embedded files: all lines are there, as they are in the source tree.
#include "base/embedded.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void test_lines(void **state) {
  (void)state;
  for (const EmbeddedFile *file = embedded_files; file->name; file++) {
    assert_ptr_equal(embedded_lines(file->name), file->lines);
    for (const char *line = file->lines; *line; line = embedded_next(line))
      assert_int_equal(strcspn(line, "\n") + 1, strlen(line));
  }
}

static void test_quotes(void **state) { // quotes and backslashes survive
  (void)state;
  Mem mem = {0};
  Text text = {.mem = &mem};
  embedded_add(&text, "json.txt");
  assert_non_null(strstr(text_chars(&text), "\"satisfied\""));
  text_clear(&text);
  embedded_add(&text, "page.js");
  assert_non_null(strchr(text_chars(&text), '\\'));
  text_release(&text);
  assert_int_equal(mem.bytes, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_lines), cmocka_unit_test(test_quotes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
