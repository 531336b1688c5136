// What is said to people who write as in other languages.
#include "language/uppaal/advice.h"

// cmocka wants these before itself.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

// The hint for token `at` of a text.
static const char *hint(const char *text, uint32_t at, const char *what) {
  Mem mem = {0};
  UTokens tokens = {0};
  const Source source = {.name = "text", .text = text, .size = strlen(text)};
  token_scan(&tokens, &mem, &source, 0, (uint32_t)source.size, TOKEN_MODEL);
  assert_true(at < tokens.size);
  const char *found = advice_find(&source, &tokens, at, what);
  vec_release(&mem, &tokens);
  return found;
}

static void test_rules(void **state) {
  (void)state;
  static const struct {
    const char *text;
    uint32_t at;
    const char *what, *hint;
  } cases[] = {
      {"int[3] a;", 3, "`,` and the upper end of the range", "a range has two ends"},
      {"if n > 0", 1, "`(`", "the condition stands in parentheses"},
      {"a = 1; switch (n) { }", 8, "`;`", "there is no `switch`: write `if`"},
      {"state a; b;", 3, "`state`, `trans` or `}`", "locations are separated by `,`"},
      {"sync a!?", 3, "`;`", "an edge has one synchronisation"},
      {"bool guard;", 1, "the name of a variable", "that is a word of the language"},
      {"bool 2a;", 1, "the name of a variable", "a name begins with a letter"},
      {"count mod 2", 1, "`;`", "write `%`"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const char *found = hint(cases[i].text, cases[i].at, cases[i].what);
    assert_non_null(found);
    assert_ptr_equal(strstr(found, cases[i].hint), found);
  }
  assert_null(hint("a b", 1, "`;`"));
  assert_null(hint("", 0, "`;`"));
  assert_null(hint("then", 0, "a declaration"));
}

static void test_names(void **state) {
  (void)state;
  assert_string_equal(advice_name("True"), "; write `true`");
  assert_string_equal(advice_name("true"), "");
  assert_string_equal(advice_name(""), "");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_rules), cmocka_unit_test(test_names)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
