#include "language/tchecker/tck_pretty.h"

#include "language/tchecker/lexer.h"

#include <string.h>

typedef struct Pretty {
  Text *out;
  const Source *source;
  Token last;       // TOKEN_NEWLINE before the first of a line
  uint32_t end;     // of the last token
  bool in_braces;   // attributes
  bool in_value;    // behind the colon of a key
  bool was_operand; // the token before the last one ended an operand
} Pretty;

static bool ends_operand(TokenKind kind) {
  return kind == TOKEN_NAME || kind == TOKEN_NUMBER || kind == TOKEN_RPAREN ||
         kind == TOKEN_RBRACKET;
}

static bool is_sign(TokenKind kind) {
  return kind == TOKEN_MINUS || kind == TOKEN_PLUS || kind == TOKEN_NOT;
}

// Words of statements that a parenthesis or an operand follows.
static bool is_spaced(const Pretty *p, Token token) {
  static const char *const words[] = {"if", "while", "local", "nop", "then", "else", "do"};
  for (size_t k = 0; k < sizeof words / sizeof *words; k++)
    if (token.length == strlen(words[k]) &&
        !memcmp(p->source->text + token.offset, words[k], token.length))
      return true;
  return false;
}

static bool wants_blank(const Pretty *p, Token b) {
  const Token a = p->last;
  const bool was_apart = b.offset > p->end;
  if (!p->in_braces)
    return was_apart && a.kind != TOKEN_COLON && b.kind != TOKEN_COLON && a.kind != TOKEN_AT &&
           b.kind != TOKEN_AT && b.kind != TOKEN_LBRACE && b.kind != TOKEN_QUESTION;
  if (a.kind == TOKEN_LBRACE || b.kind == TOKEN_RBRACE || a.kind == TOKEN_LPAREN ||
      b.kind == TOKEN_RPAREN || a.kind == TOKEN_LBRACKET || b.kind == TOKEN_RBRACKET ||
      b.kind == TOKEN_COMMA || b.kind == TOKEN_SEMICOLON)
    return false;
  if (b.kind == TOKEN_COLON) // of a key: close to it
    return p->in_value;
  if (a.kind == TOKEN_BAD || b.kind == TOKEN_BAD)
    return was_apart;
  if (is_sign(a.kind) && !p->was_operand) // a prefix
    return was_apart && is_sign(b.kind);
  if (b.kind == TOKEN_LPAREN && a.kind == TOKEN_NAME)
    return is_spaced(p, a);
  return b.kind != TOKEN_LBRACKET || !ends_operand(a.kind);
}

static void add_token(Pretty *p, Token token) {
  if (p->last.kind == TOKEN_NEWLINE) {
    if (p->in_braces && token.kind != TOKEN_RBRACE)
      text_add(p->out, "  ");
  } else if (wants_blank(p, token)) {
    text_add_char(p->out, ' ');
  }
  text_add_bytes(p->out, p->source->text + token.offset, token.length);
  p->was_operand = ends_operand(p->last.kind) && p->last.kind != TOKEN_NEWLINE;
  if (p->in_braces && token.kind == TOKEN_COLON)
    p->in_value = !p->in_value;
  if (token.kind == TOKEN_LBRACE) {
    p->in_braces = true;
    p->in_value = false;
  } else if (token.kind == TOKEN_RBRACE) {
    p->in_braces = false;
  }
}

// A comment between the last token and the next one.
static void add_comment(Pretty *p, uint32_t end) {
  const char *text = p->source->text;
  const char *mark = memchr(text + p->end, '#', end - p->end);
  if (!mark)
    return;
  const uint32_t begin = (uint32_t)(mark - text);
  while (end > begin && lexer_is_blank(text[end - 1]))
    end--;
  uint32_t blanks = begin - p->end;
  if (p->last.kind == TOKEN_NEWLINE)
    blanks = 0;
  else if (!blanks || memchr(text + p->end, '\t', blanks))
    blanks = 2;
  for (uint32_t i = 0; i < blanks; i++)
    text_add_char(p->out, ' ');
  text_add_bytes(p->out, text + begin, end - begin);
}

void tck_pretty_print(Text *out, const Source *source) {
  Pretty p = {.out = out, .source = source, .last = {.kind = TOKEN_NEWLINE}};
  Lexer lexer;
  const uint32_t begin = report_text_begin(source);
  text_add_bytes(out, source->text, begin);
  p.end = begin;
  const size_t start = out->size;
  lexer_init(&lexer, source, begin, (uint32_t)source->size, true);
  uint32_t newlines = 0;
  size_t line = start; // where the present line of the output begins
  for (;;) {
    const Token token = lexer_next(&lexer);
    const uint32_t gap_end = token.kind == TOKEN_END ? (uint32_t)source->size : token.offset;
    const bool has_comment = memchr(source->text + p.end, '#', gap_end - p.end);
    const bool is_text = has_comment || (token.kind != TOKEN_NEWLINE && token.kind != TOKEN_END);
    if (is_text && out->size > start && out->size == line)
      for (; newlines > 1; newlines = 1) // one blank line of several
        text_add_char(out, '\n');
    add_comment(&p, gap_end);
    if (token.kind == TOKEN_END)
      break;
    if (token.kind == TOKEN_NEWLINE) {
      newlines = out->size > line ? 1 : newlines + 1;
      if (out->size > line)
        text_add_char(out, '\n');
      line = out->size;
    } else {
      add_token(&p, token);
    }
    p.last = token;
    p.end = token.offset + token.length;
  }
  if (out->size > line)
    text_add_char(out, '\n');
}
