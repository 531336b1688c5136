#include "language/tchecker/lexer.h"

#include <stdio.h>
#include <string.h>

void lexer_init(Lexer *lexer, const Source *source, uint32_t begin, uint32_t end, bool lines) {
  *lexer = (Lexer){.source = source, .offset = begin, .end = end, .lines = lines};
}

// The classes of <ctype.h> depend on the locale; these do not.
static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool starts_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
static bool continues_name(char c) { return starts_name(c) || is_digit(c) || c == '.'; }

uint32_t lexer_comment(const char *text, uint32_t begin, uint32_t end) {
  if (end - begin < 2 || text[begin] != '/' || text[begin + 1] != '*')
    return 0;
  for (uint32_t i = begin + 2; i + 1 < end; i++)
    if (text[i] == '*' && text[i + 1] == '/')
      return i + 2;
  return end;
}

static void skip_blanks(Lexer *lexer) {
  const char *text = lexer->source->text;
  for (; lexer->offset < lexer->end; lexer->offset++) {
    const char c = text[lexer->offset];
    if (c == '#' && lexer->lines) {
      while (lexer->offset + 1 < lexer->end && text[lexer->offset + 1] != '\n')
        lexer->offset++;
    } else if (lexer->has_comments && lexer_comment(text, lexer->offset, lexer->end)) {
      lexer->offset = lexer_comment(text, lexer->offset, lexer->end) - 1;
    } else if (!lexer_is_blank(c) || (c == '\n' && lexer->lines)) {
      return;
    }
  }
}

static Token read_number(const Lexer *lexer) {
  const char *text = lexer->source->text;
  Token token = {.kind = TOKEN_NUMBER, .offset = lexer->offset};
  uint32_t i = lexer->offset;
  for (; i < lexer->end && is_digit(text[i]); i++) {
    token.value = token.value * 10 + (text[i] - '0');
    if (token.value > LEXER_MAX_NUMBER)
      token.value = LEXER_MAX_NUMBER;
  }
  token.length = i - lexer->offset;
  return token;
}

static Token read_name(const Lexer *lexer) {
  uint32_t i = lexer->offset + 1;
  while (i < lexer->end && continues_name(lexer->source->text[i]))
    i++;
  return (Token){.kind = TOKEN_NAME, .offset = lexer->offset, .length = i - lexer->offset};
}

// Signs of one character, by its code; the others are 0.
static const uint8_t signs[128] = {
    ['<'] = TOKEN_LT,       ['>'] = TOKEN_GT,     ['='] = TOKEN_ASSIGN, ['!'] = TOKEN_NOT,
    ['+'] = TOKEN_PLUS,     ['-'] = TOKEN_MINUS,  ['*'] = TOKEN_TIMES,  ['/'] = TOKEN_DIVIDE,
    ['%'] = TOKEN_MODULO,   ['('] = TOKEN_LPAREN, [')'] = TOKEN_RPAREN, ['['] = TOKEN_LBRACKET,
    [']'] = TOKEN_RBRACKET, ['{'] = TOKEN_LBRACE, ['}'] = TOKEN_RBRACE, [';'] = TOKEN_SEMICOLON,
    [','] = TOKEN_COMMA,    [':'] = TOKEN_COLON,  ['@'] = TOKEN_AT,     ['?'] = TOKEN_QUESTION,
    ['\n'] = TOKEN_NEWLINE,
};

// The sign that two characters are; TOKEN_BAD: none.
static TokenKind sign_of_two(char first, char second) {
  if (second == '=')
    return first == '='   ? TOKEN_EQ
           : first == '!' ? TOKEN_NE
           : first == '<' ? TOKEN_LE
           : first == '>' ? TOKEN_GE
                          : TOKEN_BAD;
  if (first != second)
    return TOKEN_BAD;
  return first == '&' ? TOKEN_AND : first == '|' ? TOKEN_OR : TOKEN_BAD;
}

static Token read_sign(const Lexer *lexer) {
  const char *text = lexer->source->text + lexer->offset;
  const unsigned char first = (unsigned char)text[0];
  const TokenKind two =
      lexer->offset + 1 < lexer->end ? sign_of_two(text[0], text[1]) : TOKEN_BAD;
  const TokenKind one =
      first < sizeof signs && signs[first] ? (TokenKind)signs[first] : TOKEN_BAD;
  return (Token){.kind = two != TOKEN_BAD ? two : one,
                 .offset = lexer->offset,
                 .length = two != TOKEN_BAD ? 2 : 1};
}

Token lexer_next(Lexer *lexer) {
  skip_blanks(lexer);
  if (lexer->offset >= lexer->end)
    return (Token){.kind = TOKEN_END, .offset = lexer->end};
  const char c = lexer->source->text[lexer->offset];
  const Token token = is_digit(c)      ? read_number(lexer)
                      : starts_name(c) ? read_name(lexer)
                                       : read_sign(lexer);
  lexer->offset += token.length;
  return token;
}

const char *lexer_kind_name(TokenKind kind) {
  static const char *const names[] = {
#define T(name, shown) shown,
      TOKENS(T)
#undef T
  };
  return names[kind];
}

const char *lexer_quote(const Source *source, uint32_t begin, uint32_t end,
                        char buffer[LEXER_QUOTE]) {
  const char *text = source->text;
  size_t size = 0;
  buffer[size++] = '`';
  for (uint32_t i = begin; i < end; i++) {
    // The last characters are kept free for the dots, the backquote and the NUL.
    if (size >= LEXER_QUOTE - 5) {
      memcpy(buffer + size, "...", 3);
      size += 3;
      break;
    }
    const bool blank = (unsigned char)text[i] <= ' ';
    if (!blank)
      buffer[size++] = (unsigned char)text[i] < 127 ? text[i] : '?';
    else if (i > begin && (unsigned char)text[i - 1] > ' ')
      buffer[size++] = ' ';
  }
  buffer[size++] = '`';
  buffer[size] = 0;
  return buffer;
}

const char *lexer_show(const Lexer *lexer, Token token, char buffer[LEXER_QUOTE]) {
  const unsigned char byte =
      token.length ? (unsigned char)lexer->source->text[token.offset] : (unsigned char)0;
  if (token.kind == TOKEN_END || token.kind == TOKEN_NEWLINE)
    return lexer_kind_name(token.kind);
  if (token.kind != TOKEN_BAD || (byte > ' ' && byte < 127))
    return lexer_quote(lexer->source, token.offset, token.offset + token.length, buffer);
  snprintf(buffer, LEXER_QUOTE, "byte 0x%02X", byte);
  return buffer;
}
