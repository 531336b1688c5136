#include "language/tchecker/tck_parser.h"

#include <string.h>

void tck_start(TckParser *parser, const Source *source, uint32_t begin, uint32_t end,
               bool lines) {
  lexer_init(&parser->lexer, source, begin, end, lines);
  parser->lexer.has_comments = parser->query;
  parser->end = begin;
  parser->nesting = 0;
  parser->token = lexer_next(&parser->lexer);
}

void tck_advance(TckParser *parser) {
  parser->end = parser->token.offset + parser->token.length;
  parser->token = lexer_next(&parser->lexer);
}

bool tck_accept(TckParser *parser, TokenKind kind) {
  if (parser->token.kind != kind)
    return false;
  tck_advance(parser);
  return true;
}

bool tck_at_word(const TckParser *parser, const char *word) {
  return lexer_token_is(&parser->lexer, parser->token, word);
}

bool tck_accept_word(TckParser *parser, const char *word) {
  if (!tck_at_word(parser, word))
    return false;
  tck_advance(parser);
  return true;
}

static void fail_after(TckParser *parser, const char *expected, const char *after) {
  Text text = {.mem = parser->arena->mem};
  text_addf(&text, "%s after %s", expected, after);
  tck_fail_token(parser, text.chars);
  text_release(&text);
}

void tck_expect(TckParser *parser, TokenKind kind, const char *after) {
  if (!tck_accept(parser, kind))
    fail_after(parser, lexer_kind_name(kind), after);
}

void tck_expect_word(TckParser *parser, const char *word, const char *after) {
  if (tck_accept_word(parser, word))
    return;
  char quoted[LEXER_QUOTE];
  const Source source = {.text = word, .size = strlen(word)};
  fail_after(parser, lexer_quote(&source, 0, (uint32_t)source.size, quoted), after);
}

void tck_expect_end(TckParser *parser) {
  const TokenKind kind = parser->token.kind;
  if (kind == TOKEN_RPAREN || kind == TOKEN_RBRACKET)
    tck_fail(parser, parser->token.offset, "%s closes nothing", lexer_kind_name(kind));
  else if (kind != TOKEN_END)
    tck_fail_token(parser, "an operator or the end");
}

bool tck_is_keyword(const TckParser *parser, Token token) {
  static const char *const model[] = {"if", "then", "else",  "end", "while",
                                      "do", "nop",  "local", NULL};
  static const char *const query[] = {"if",    "then", "else",  "and",      "or", "not",
                                      "imply", "true", "false", "deadlock", NULL};
  for (const char *const *word = parser->query ? query : model; *word; word++)
    if (lexer_token_is(&parser->lexer, token, *word))
      return true;
  return false;
}

const char *tck_token_text(TckParser *parser, Token token) {
  return arena_text(parser->arena, parser->lexer.source->text + token.offset, token.length);
}

Place tck_place(const TckParser *parser, uint32_t offset) {
  return (Place){parser->lexer.source, offset};
}

bool tck_enter(TckParser *parser) {
  if (parser->nesting < TCK_MAX_NESTING) {
    parser->nesting++;
    return true;
  }
  tck_fail(parser, parser->token.offset,
           "nested more than %d deep; take it apart with variables or more edges",
           TCK_MAX_NESTING);
  return false;
}

void tck_leave(TckParser *parser) { parser->nesting--; }

void tck_fail(TckParser *parser, uint32_t offset, const char *format, ...) {
  if (!report_failed(parser->report)) {
    Text text = {.mem = parser->arena->mem};
    va_list args;
    va_start(args, format);
    text_addv(&text, format, args);
    va_end(args);
    report_error(parser->report, tck_place(parser, offset), "%s", text_chars(&text));
    text_release(&text);
  }
  parser->lexer.offset = parser->lexer.end;
  parser->token = (Token){.kind = TOKEN_END, .offset = parser->lexer.end};
}

void tck_warn(TckParser *parser, uint32_t offset, const char *format, ...) {
  if (parser->report->warning_count >= TCK_MAX_WARNINGS)
    return;
  Text text = {.mem = parser->arena->mem};
  va_list args;
  va_start(args, format);
  text_addv(&text, format, args);
  va_end(args);
  report_warning(parser->report, tck_place(parser, offset), "%s", text_chars(&text));
  text_release(&text);
}

// What people write who know other languages; NULL if the token is none of that.
// Signs of other keyboards.
static const char *meant_sign(const TckParser *parser) {
  static const struct {
    const char *sign, *meant;
  } signs[] = {{"\xe2\x89\xa4", "<="}, {"\xe2\x89\xa5", ">="}, {"\xe2\x89\xa0", "!="},
               {"\xe2\x88\xa7", "&&"}, {"\xc2\xac", "!"},      {"\xe2\x88\x92", "-"},
               {"\xe2\x80\x93", "-"}};
  const char *text = parser->lexer.source->text + parser->token.offset;
  for (size_t k = 0; parser->token.kind == TOKEN_BAD && k < sizeof signs / sizeof *signs; k++)
    if (!strncmp(text, signs[k].sign, strlen(signs[k].sign)))
      return signs[k].meant;
  return NULL;
}

static const char *foreign_advice(const TckParser *parser) {
  static const char no_disjunction[] =
      "is not part of the language: the conditions of a model are conjunctions; write one edge "
      "for each case instead";
  const Token token = parser->token;
  const char *text = parser->lexer.source->text + token.offset;
  const char before = token.offset ? text[-1] : ' ';
  if (token.kind == TOKEN_ASSIGN && before && strchr("+-*/%", before))
    return "does not go with an operator; write the assignment in full, as in `i = i + 1`";
  if (parser->query && token.kind == TOKEN_ASSIGN && text[1] == '>')
    return "is not an operator here; write `imply`";
  if (parser->query && token.kind == TOKEN_GT && before == '-')
    return "does not go with `-`; write `imply` for implication, or `p --> q` for \"leads to\"";
  if (parser->query && lexer_token_is(&parser->lexer, token, "U"))
    return "(until) is not supported; write `p --> q`, or `A<> q` and `A[] (p or q)`";
  if (token.kind == TOKEN_ASSIGN)
    return "assigns; write `==` to compare";
  if (token.kind == TOKEN_PLUS && before == '+')
    return "does not go with `+`; write the assignment in full, as in `i = i + 1`";
  if (token.kind == TOKEN_OR || lexer_token_is(&parser->lexer, token, "or"))
    return no_disjunction;
  if (token.kind == TOKEN_BAD && *text == '|')
    return parser->query ? "is not an operator; write `||`" : no_disjunction;
  if (token.kind == TOKEN_BAD && *text == '&')
    return "is not an operator; write `&&`";
  if (lexer_token_is(&parser->lexer, token, "and") && !parser->query)
    return "belongs to queries; write `&&`";
  if (lexer_token_is(&parser->lexer, token, "AND") ||
      lexer_token_is(&parser->lexer, token, "And"))
    return parser->query ? "is not an operator; write `and`" : "is not an operator; write `&&`";
  if (parser->query && (lexer_token_is(&parser->lexer, token, "implies") ||
                        lexer_token_is(&parser->lexer, token, "Imply")))
    return "is not an operator; write `imply`";
  if (parser->query && (lexer_token_is(&parser->lexer, token, "OR") ||
                        lexer_token_is(&parser->lexer, token, "Or")))
    return "is not an operator; write `or`";
  if (token.kind == TOKEN_QUESTION)
    return "is not an operator; write `(if condition then term else term)`";
  return NULL;
}

void tck_fail_token(TckParser *parser, const char *expected) {
  char found[LEXER_QUOTE];
  const char *shown = lexer_show(&parser->lexer, parser->token, found);
  const char *advice = foreign_advice(parser), *meant = meant_sign(parser);
  const TokenKind kind = parser->token.kind;
  if (!strncmp(expected, "an operator", 11) && (kind == TOKEN_COMMA || kind == TOKEN_SEMICOLON))
    advice = "joins no conditions; write `&&`";
  if (meant)
    tck_fail(parser, parser->token.offset, "this is not an operator: write `%s`", meant);
  else if (advice)
    tck_fail(parser, parser->token.offset, "%s %s", shown, advice);
  else
    tck_fail(parser, parser->token.offset, "expected %s, found %s", expected, shown);
}

const char *tck_hint(TckParser *parser, const char *nearest) {
  if (!nearest)
    return "";
  Text text = {.mem = parser->arena->mem};
  text_addf(&text, "; did you mean `%s`?", nearest);
  const char *hint = arena_text(parser->arena, text.chars, text.size);
  text_release(&text);
  return hint;
}
