// The lexer: each kind of token, words, comments, and what depends on the mode.
#include "language/uppaal/token.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void assert_kinds(const char *text, TokenMode mode, const int *kinds) {
  Mem mem = {0};
  UTokens tokens = {0};
  const Source source = {.name = "text", .text = text, .size = strlen(text)};
  token_scan(&tokens, &mem, &source, 0, (uint32_t)source.size, mode);
  uint32_t k = 0;
  for (; kinds[k]; k++) {
    assert_true(k < tokens.size);
    assert_int_equal(tokens.items[k].kind, kinds[k]);
  }
  assert_int_equal(k + 1, tokens.size);
  assert_int_equal(tokens.items[k].kind, UT_END);
  vec_release(&mem, &tokens);
  assert_int_equal(mem.bytes, 0);
}

#define KINDS(...) ((const int[]){__VA_ARGS__, 0})

static void test_kinds(void **state) {
  (void)state;
  assert_kinds("", TOKEN_MODEL, (const int[]){0});
  assert_kinds("a1 _b$ 12 1.5 2e-3 \"s\"", TOKEN_MODEL,
               KINDS(UT_NAME, UT_NAME, UT_NUMBER, UT_DOUBLE, UT_DOUBLE, UT_STRING));
  assert_kinds("<?>?<<=>>=:= =!=**++--", TOKEN_MODEL,
               KINDS(UT_MIN, UT_MAX, UT_SET_SHL, UT_SET_SHR, UT_SET, UT_SET, UT_NE, UT_POWER,
                     UT_INC, UT_DEC));
  assert_kinds("x' [1]", TOKEN_MODEL, KINDS(UT_NAME, '\'', '[', UT_NUMBER, ']'));
  assert_kinds("-> -u-> a.b", TOKEN_MODEL, KINDS(UT_ARROW, UT_UARROW, UT_NAME, '.', UT_NAME));
  assert_kinds("a // b\n/* c\n*/ d /* e", TOKEN_MODEL, KINDS(UT_NAME, UT_NAME, UT_BAD));
  assert_kinds("@", TOKEN_MODEL, KINDS(UT_BAD));
  assert_kinds("\xd1\x85\xe2\x89\xa4 x", TOKEN_MODEL, KINDS(UT_BAD, UT_BAD, UT_NAME));
}

static void test_modes(void **state) {
  (void)state;
  assert_kinds("i-->0", TOKEN_MODEL, KINDS(UT_NAME, UT_DEC, '>', UT_NUMBER));
  assert_kinds("p --> q", TOKEN_QUERY, KINDS(UT_NAME, UT_LEADS_TO, UT_NAME));
  assert_kinds("x =< 3", TOKEN_OLD, KINDS(UT_NAME, UT_LE, UT_NUMBER));
  assert_kinds("x =< 3", TOKEN_MODEL, KINDS(UT_NAME, UT_SET, '<', UT_NUMBER));
}

// Each word is found, which needs the list to be sorted.
static void test_words(void **state) {
  (void)state;
  static const char *const words[] = {
#define W(word) #word,
      UPPAAL_WORDS(W)
#undef W
  };
  for (uint32_t k = 0; k < sizeof words / sizeof *words; k++) {
    Mem mem = {0};
    UTokens tokens = {0};
    const Source source = {.name = "text", .text = words[k], .size = strlen(words[k])};
    token_scan(&tokens, &mem, &source, 0, (uint32_t)source.size, TOKEN_MODEL);
    assert_int_equal(tokens.items[0].word, k + 1);
    vec_release(&mem, &tokens);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_kinds), cmocka_unit_test(test_modes),
                                     cmocka_unit_test(test_words)};
  return cmocka_run_group_tests_name("token", tests, NULL, NULL);
}
