#include "language/tchecker/lexer.h"

// cmocka wants these before itself.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

// The kinds of all tokens of a text, as they are shown.
static void check_kinds(const char *text, bool lines, const TokenKind *kinds) {
  const Source source = {.name = "text", .text = text, .size = strlen(text)};
  Lexer lexer;
  lexer_init(&lexer, &source, 0, (uint32_t)source.size, lines);
  for (;; kinds++) {
    const Token token = lexer_next(&lexer);
    assert_string_equal(lexer_kind_name(token.kind), lexer_kind_name(*kinds));
    if (token.kind == TOKEN_END)
      return;
  }
}

#define KINDS(text, lines, ...)                                                                  \
  check_kinds(text, lines, (const TokenKind[]){__VA_ARGS__, TOKEN_END})

static void test_signs(void **unused) {
  (void)unused;
  KINDS("== != <= >= && || < > = ! + - * / %", false, TOKEN_EQ, TOKEN_NE, TOKEN_LE, TOKEN_GE,
        TOKEN_AND, TOKEN_OR, TOKEN_LT, TOKEN_GT, TOKEN_ASSIGN, TOKEN_NOT, TOKEN_PLUS, TOKEN_MINUS,
        TOKEN_TIMES, TOKEN_DIVIDE, TOKEN_MODULO);
  KINDS("()[]{};,:@?", false, TOKEN_LPAREN, TOKEN_RPAREN, TOKEN_LBRACKET, TOKEN_RBRACKET,
        TOKEN_LBRACE, TOKEN_RBRACE, TOKEN_SEMICOLON, TOKEN_COMMA, TOKEN_COLON, TOKEN_AT,
        TOKEN_QUESTION);
  // The longest sign wins; `--` is no sign.
  KINDS("<==>", false, TOKEN_LE, TOKEN_ASSIGN, TOKEN_GT);
  KINDS("3--1", false, TOKEN_NUMBER, TOKEN_MINUS, TOKEN_MINUS, TOKEN_NUMBER);
  KINDS("a&b", false, TOKEN_NAME, TOKEN_BAD, TOKEN_NAME);
}

static void test_names_and_numbers(void **unused) {
  (void)unused;
  const Source source = {.name = "text", .text = "_a.b9 12x 99999999999999999999 0", .size = 32};
  Lexer lexer;
  lexer_init(&lexer, &source, 0, 32, false);
  Token token = lexer_next(&lexer);
  assert_true(lexer_token_is(&lexer, token, "_a.b9"));
  assert_false(lexer_token_is(&lexer, token, "_a.b"));
  token = lexer_next(&lexer);
  assert_int_equal(token.kind, TOKEN_NUMBER);
  assert_int_equal(token.value, 12);
  token = lexer_next(&lexer);
  assert_true(lexer_token_is(&lexer, token, "x"));
  token = lexer_next(&lexer);
  assert_int_equal(token.length, 20);
  assert_true(token.value == LEXER_MAX_NUMBER);
  assert_int_equal(lexer_next(&lexer).kind, TOKEN_NUMBER);
  assert_int_equal(lexer_next(&lexer).kind, TOKEN_END);
  assert_int_equal(lexer_next(&lexer).kind, TOKEN_END);
}

static void test_lines(void **unused) {
  (void)unused;
  KINDS(" a\r\n\tb # c\n#d", true, TOKEN_NAME, TOKEN_NEWLINE, TOKEN_NAME, TOKEN_NEWLINE);
  KINDS(" a\r\n\tb\n", false, TOKEN_NAME, TOKEN_NAME);
  KINDS("# only", true, TOKEN_END);
  KINDS("a # b", false, TOKEN_NAME, TOKEN_BAD, TOKEN_NAME);
}

// A part of a source ends where it is told to, also in the middle of a word or a sign.
static void test_part(void **unused) {
  (void)unused;
  const Source source = {.name = "text", .text = "abc<=d", .size = 6};
  Lexer lexer;
  lexer_init(&lexer, &source, 1, 4, false);
  Token token = lexer_next(&lexer);
  assert_int_equal(token.offset, 1);
  assert_int_equal(token.length, 2);
  assert_int_equal(lexer_next(&lexer).kind, TOKEN_LT);
  token = lexer_next(&lexer);
  assert_int_equal(token.kind, TOKEN_END);
  assert_int_equal(token.offset, 4);
}

static void test_any_byte(void **unused) {
  (void)unused;
  for (int byte = 0; byte < 256; byte++) {
    const char text[] = {(char)byte, 0};
    const Source source = {.name = "text", .text = text, .size = 1};
    Lexer lexer;
    char shown[LEXER_QUOTE];
    lexer_init(&lexer, &source, 0, 1, byte % 2);
    const Token token = lexer_next(&lexer);
    assert_true(token.kind < TOKEN_COUNT);
    assert_true(strlen(lexer_show(&lexer, token, shown)) < LEXER_QUOTE);
    assert_int_equal(lexer_next(&lexer).kind, TOKEN_END);
  }
}

static void test_quote(void **unused) {
  (void)unused;
  char shown[LEXER_QUOTE], text[300];
  Source source = {.name = "text", .text = "x  <\n\t3", .size = 7};
  assert_string_equal(lexer_quote(&source, 0, 7, shown), "`x < 3`");
  memset(text, 'y', 299);
  text[299] = 0;
  source = (Source){.name = "text", .text = text, .size = 299};
  const char *quoted = lexer_quote(&source, 0, 299, shown);
  assert_true(strlen(quoted) < LEXER_QUOTE);
  assert_non_null(strstr(quoted, "yyy...`"));
  Lexer lexer;
  source = (Source){.name = "text", .text = "\xC3\xA9$", .size = 3};
  lexer_init(&lexer, &source, 0, 3, false);
  assert_string_equal(lexer_show(&lexer, lexer_next(&lexer), shown), "byte 0xC3");
  lexer_next(&lexer);
  assert_string_equal(lexer_show(&lexer, lexer_next(&lexer), shown), "`$`");
  assert_string_equal(lexer_show(&lexer, lexer_next(&lexer), shown), "the end");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_signs),    cmocka_unit_test(test_names_and_numbers),
      cmocka_unit_test(test_lines),    cmocka_unit_test(test_part),
      cmocka_unit_test(test_any_byte), cmocka_unit_test(test_quote),
  };
  return cmocka_run_group_tests_name("lexer", tests, NULL, NULL);
}
