// Expressions and statements as text: what is written is read back as the same tree, with no
// parentheses that are not needed.
#include "reading.h"

static void edge(Reading *r, const char *attribute, const char *text) {
  char model[2000];
  snprintf(model, sizeof model, PREAMBLE "edge:P:A:B:a{%s: %s}\n", attribute, text);
  reading_accept(r, model);
}

static void test_expressions(void **state) {
  (void)state;
  static const char *const texts[] = {
      "i + j * 2 > 3",  "(i + j) * 2 > 3",     "i - (j - 1) == 0",
      "i - j - 1 == 0", "!(i == 1 && j == 2)", "-i < j",
      "i % 2 == 0",     "v[i] == v[j + 1]",    "x < 3 && i == 0",
      "x - y <= 2",     "x == i + 1",          "(if i == 1 then 2 else 3) > j"};
  for (uint32_t k = 0; k < sizeof texts / sizeof *texts; k++) {
    Reading r;
    edge(&r, "provided", texts[k]);
    expr_print(&r.text, r.net.edges.items[0].guard.expr);
    assert_string_equal(text_chars(&r.text), texts[k]);
    reading_release(&r);
  }
}

static void test_statements(void **state) {
  (void)state;
  static const char *const texts[] = {"i = j + 1; x = 0", "x = y + 3",
                                      "if i > 0 then i = i - 1 else i = 1; j = 2 end",
                                      "while i < 3 do i = i + 1 end", "local k = 2; i = k"};
  for (uint32_t k = 0; k < sizeof texts / sizeof *texts; k++) {
    Reading r;
    edge(&r, "do", texts[k]);
    stmt_print(&r.text, r.net.edges.items[0].update.stmts);
    assert_string_equal(text_chars(&r.text), texts[k]);
    reading_release(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_expressions),
                                     cmocka_unit_test(test_statements)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
