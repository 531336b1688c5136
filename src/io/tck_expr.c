#include "io/tck_expr.h"

// "if" formula "then" sum "else" sum ")", after "("
static Term conditional(TckParser *parser, uint32_t begin) {
  tck_advance(parser);
  const Term test = tck_formula(parser);
  tck_expect_word(parser, "then", "the condition of `if`");
  const Term yes = tck_sum(parser);
  tck_expect_word(parser, "else", "the value of `then`");
  const Term no = tck_sum(parser);
  tck_expect(parser, TOKEN_RPAREN, "the value of `else`");
  return term_choose(parser, begin, &test, &yes, &no);
}

// "(" formula ")" | conditional
static Term parenthesized(TckParser *parser) {
  const uint32_t begin = parser->token.offset;
  tck_advance(parser);
  if (!tck_enter(parser))
    return term_none(parser);
  Term term;
  if (tck_at_word(parser, "if")) {
    term = conditional(parser, begin);
  } else {
    term = tck_formula(parser);
    if (parser->token.kind != TOKEN_RPAREN)
      tck_fail_token(parser, "an operator or `)`");
    tck_advance(parser);
    term.begin = begin;
    term.end = parser->end;
  }
  tck_leave(parser);
  return term;
}

// NUMBER; with its sign, because only so the least integer can be written
static Term number(TckParser *parser, uint32_t begin, bool negative) {
  const Token token = parser->token;
  const int64_t value = negative ? -token.value : token.value;
  tck_advance(parser);
  if (value < INT32_MIN || value > INT32_MAX) {
    char quoted[LEXER_QUOTE];
    tck_fail(parser, begin, "the number %s is too large; numbers are between %d and %d",
             lexer_quote(parser->lexer.source, begin, token.offset + token.length, quoted),
             INT32_MIN, INT32_MAX);
    return term_none(parser);
  }
  const uint32_t end = token.offset + token.length;
  if (parser->token.offset == end && parser->token.kind == TOKEN_BAD &&
      parser->lexer.source->text[end] == '.') {
    tck_fail(parser, end, "numbers are whole; use a finer unit of time, in which they all are");
    return term_none(parser);
  }
  return term_leaf(parser, TERM_INT,
                   expr_const(parser->arena, tck_place(parser, begin), (int32_t)value), begin);
}

// storage = NAME [ "[" sum "]" ]
Term tck_storage(TckParser *parser) {
  const Token token = parser->token;
  tck_advance(parser);
  const Term term = parser->resolve(parser, token);
  if (parser->token.kind != TOKEN_LBRACKET)
    return term;
  if (term.kind == TERM_COND)
    tck_fail(parser, parser->token.offset, "`%s` cannot be indexed: it is not an array",
             tck_token_text(parser, token));
  tck_advance(parser);
  if (!tck_enter(parser))
    return term_none(parser);
  const Term index = tck_sum(parser);
  tck_expect(parser, TOKEN_RBRACKET, "the index");
  tck_leave(parser);
  return report_failed(parser->report) ? term_none(parser) : term_element(parser, &term, &index);
}

// "true" | "false"
static Term truth(TckParser *parser) {
  const uint32_t begin = parser->token.offset;
  const bool value = tck_at_word(parser, "true");
  tck_advance(parser);
  return term_leaf(parser, TERM_COND, expr_const(parser->arena, tck_place(parser, begin), value),
                   begin);
}

static Term no_primary(TckParser *parser) {
  const Token token = parser->token;
  if (tck_at_word(parser, "deadlock"))
    tck_fail(parser, token.offset,
             "`deadlock` is not supported yet; a query can ask for locations, labels, variables "
             "and clocks");
  else if (tck_at_word(parser, "if"))
    tck_fail(parser, token.offset,
             "an `if` term needs parentheses, as in `(if i == 0 then 1 else 2)`");
  else if (token.kind == TOKEN_NAME)
    tck_fail(parser, token.offset, "expected a number or a name, found the reserved word `%s`",
             tck_token_text(parser, token));
  else
    tck_fail_token(parser, "a number or a name");
  return term_none(parser);
}

// primary = NUMBER | storage | parenthesized | truth
static Term primary(TckParser *parser) {
  if (parser->token.kind == TOKEN_NUMBER)
    return number(parser, parser->token.offset, false);
  if (parser->token.kind == TOKEN_LPAREN)
    return parenthesized(parser);
  if (parser->query && (tck_at_word(parser, "true") || tck_at_word(parser, "false")))
    return truth(parser);
  if (parser->token.kind == TOKEN_NAME && !tck_is_keyword(parser, parser->token))
    return tck_storage(parser);
  return no_primary(parser);
}

// unary = "-" unary | primary
static Term unary(TckParser *parser) {
  const uint32_t begin = parser->token.offset;
  if (!tck_accept(parser, TOKEN_MINUS))
    return primary(parser);
  if (parser->token.kind == TOKEN_NUMBER)
    return number(parser, begin, true);
  if (!tck_enter(parser))
    return term_none(parser);
  const Term operand = unary(parser);
  tck_leave(parser);
  return term_negate(parser, begin, &operand);
}

// product = unary { ("*" | "/" | "%") unary }
static Term product(TckParser *parser) {
  Term term = unary(parser);
  for (;;) {
    const TokenKind sign = parser->token.kind;
    if (sign != TOKEN_TIMES && sign != TOKEN_DIVIDE && sign != TOKEN_MODULO)
      return term;
    tck_advance(parser);
    const Term right = unary(parser);
    term = term_product(parser, &term, sign, &right);
  }
}

// sum = product { ("+" | "-") product }
Term tck_sum(TckParser *parser) {
  Term term = product(parser);
  for (;;) {
    const TokenKind sign = parser->token.kind;
    if (sign != TOKEN_PLUS && sign != TOKEN_MINUS)
      return term;
    tck_advance(parser);
    const Term right = product(parser);
    term = term_sum(parser, &term, sign, &right);
  }
}

static bool accept_relation(TckParser *parser, ExprKind *op) {
  switch (parser->token.kind) {
  case TOKEN_EQ:
    *op = EXPR_EQ;
    break;
  case TOKEN_NE:
    *op = EXPR_NE;
    break;
  case TOKEN_LT:
    *op = EXPR_LT;
    break;
  case TOKEN_LE:
    *op = EXPR_LE;
    break;
  case TOKEN_GT:
    *op = EXPR_GT;
    break;
  case TOKEN_GE:
    *op = EXPR_GE;
    break;
  default:
    return false;
  }
  tck_advance(parser);
  return true;
}

// comparison = sum [ relation sum [ relation sum ] ]
static Term comparison(TckParser *parser) {
  const Term first = tck_sum(parser);
  ExprKind op, next, more;
  if (!accept_relation(parser, &op))
    return first;
  const Term second = tck_sum(parser);
  const Term left = term_compare(parser, &first, op, &second);
  const uint32_t offset = parser->token.offset;
  if (!accept_relation(parser, &next))
    return left;
  if ((op != EXPR_LT && op != EXPR_LE) || (next != EXPR_LT && next != EXPR_LE))
    tck_fail(parser, offset,
             "only `<` and `<=` can be combined, as in `1 < x <= 5`; else write `&&` between two "
             "comparisons");
  const Term third = tck_sum(parser);
  const Term right = term_compare(parser, &second, next, &third);
  const uint32_t last = parser->token.offset;
  if (accept_relation(parser, &more))
    tck_fail(parser, last, "only two comparisons can be combined; write `&&` before the third");
  return term_connect(parser, &left, EXPR_AND, &right);
}

static bool accept_either(TckParser *parser, TokenKind sign, const char *word) {
  return tck_accept(parser, sign) || (parser->query && tck_accept_word(parser, word));
}

// negation = ("!" | "not") negation | comparison
static Term negation(TckParser *parser) {
  const uint32_t begin = parser->token.offset;
  if (!accept_either(parser, TOKEN_NOT, "not"))
    return comparison(parser);
  if (!tck_enter(parser))
    return term_none(parser);
  const Term operand = negation(parser);
  tck_leave(parser);
  return term_not(parser, begin, &operand);
}

// conjunction = negation { ("&&" | "and") negation }
static Term conjunction(TckParser *parser) {
  Term term = negation(parser);
  while (accept_either(parser, TOKEN_AND, "and")) {
    const Term right = negation(parser);
    term = term_connect(parser, &term, EXPR_AND, &right);
  }
  return term;
}

// disjunction = conjunction { ("||" | "or") conjunction }
static Term disjunction(TckParser *parser) {
  Term term = conjunction(parser);
  while (parser->query && accept_either(parser, TOKEN_OR, "or")) {
    const Term right = conjunction(parser);
    term = term_connect(parser, &term, EXPR_OR, &right);
  }
  return term;
}

// formula = disjunction [ "imply" formula ]
Term tck_formula(TckParser *parser) {
  const Term left = disjunction(parser);
  if (!parser->query || !tck_accept_word(parser, "imply") || !tck_enter(parser))
    return left;
  const Term right = tck_formula(parser);
  tck_leave(parser);
  const Term premise = term_not(parser, left.begin, &left);
  return term_connect(parser, &premise, EXPR_OR, &right);
}
