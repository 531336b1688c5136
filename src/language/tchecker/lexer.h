// Lexer: cuts a part of a source into tokens. It knows no keywords and no grammar; the
// readers of declarations, expressions, statements and queries all stand on it.
//
// Blanks are skipped, and so are newlines unless the lexer is told that lines matter. Any byte is
// accepted: a byte that starts no token becomes a TOKEN_BAD, which the reader refuses.
#pragma once

#include "base/report.h"

#include <string.h>

// Each token with the way it is shown in messages.
#define TOKENS(T)                                                                                \
  T(END, "the end")                                                                              \
  T(NEWLINE, "the end of the line")                                                              \
  T(NAME, "a name")                                                                              \
  T(NUMBER, "a number")                                                                          \
  T(BAD, "a stray byte")                                                                         \
  T(EQ, "`==`")                                                                                  \
  T(NE, "`!=`")                                                                                  \
  T(LE, "`<=`")                                                                                  \
  T(GE, "`>=`")                                                                                  \
  T(AND, "`&&`")                                                                                 \
  T(OR, "`||`")                                                                                  \
  T(LT, "`<`")                                                                                   \
  T(GT, "`>`")                                                                                   \
  T(ASSIGN, "`=`")                                                                               \
  T(NOT, "`!`")                                                                                  \
  T(PLUS, "`+`")                                                                                 \
  T(MINUS, "`-`")                                                                                \
  T(TIMES, "`*`")                                                                                \
  T(DIVIDE, "`/`")                                                                               \
  T(MODULO, "`%`")                                                                               \
  T(LPAREN, "`(`")                                                                               \
  T(RPAREN, "`)`")                                                                               \
  T(LBRACKET, "`[`")                                                                             \
  T(RBRACKET, "`]`")                                                                             \
  T(LBRACE, "`{`")                                                                               \
  T(RBRACE, "`}`")                                                                               \
  T(SEMICOLON, "`;`")                                                                            \
  T(COMMA, "`,`")                                                                                \
  T(COLON, "`:`")                                                                                \
  T(AT, "`@`")                                                                                   \
  T(QUESTION, "`?`")

typedef enum TokenKind {
#define T(name, shown) TOKEN_##name,
  TOKENS(T)
#undef T
      TOKEN_COUNT
} TokenKind;

typedef struct Token {
  TokenKind kind;
  uint32_t offset, length; // in the source
  int64_t value;           // numbers; those beyond LEXER_MAX_NUMBER are cut to it
} Token;

#define LEXER_MAX_NUMBER (((int64_t)1 << 48) + 1) // more than any number may be

typedef struct Lexer {
  const Source *source;
  uint32_t offset, end; // what is still to be read
  bool lines;           // newlines are tokens, and `#` starts a comment up to the next one
  bool has_comments;    // /* ... */, of queries
} Lexer;

// Where the comment, as in C, ends that begins here; 0: none does.
uint32_t lexer_comment(const char *text, uint32_t begin, uint32_t end);
void lexer_init(Lexer *, const Source *, uint32_t begin, uint32_t end, bool lines);
Token lexer_next(Lexer *);

const char *lexer_kind_name(TokenKind);
static inline bool lexer_is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

// Whether the token is this name, which is not empty. Readers ask this for word after word.
static inline bool lexer_token_is(const Lexer *lexer, Token token, const char *name) {
  const char *text = lexer->source->text + token.offset;
  return token.kind == TOKEN_NAME && token.length && *text == *name &&
         !strncmp(text, name, token.length) && strlen(name) == token.length;
}

// Source text in messages: on one line, cut if it is long, in backquotes. The result is in
// the buffer.
enum { LEXER_QUOTE = 64 };
const char *lexer_quote(const Source *, uint32_t begin, uint32_t end, char buffer[LEXER_QUOTE]);
// The same for one token, which may be none at all: "the end", "byte 0xC3".
const char *lexer_show(const Lexer *, Token, char buffer[LEXER_QUOTE]);
