#include "language/tchecker/tck_expr.h"

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
    Term term = term_none(parser);
    term.begin = begin;
    term.end = token.offset + token.length;
    term.wide = value;
    return term;
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

// The value of a name that a quantifier binds; NULL if it does not.
static const TckBinding *find_binding(TckParser *parser, Token token) {
  const TckBinding *binding = parser->bindings;
  while (binding && !lexer_token_is(&parser->lexer, token, binding->name))
    binding = binding->outer;
  return binding;
}

// Whether there is a name `P2.l` or, with a line, `P_2.l`; then the term.
static bool resolve_member(TckParser *parser, Token process, int32_t number, const char *member,
                           const char *line, Term *term) {
  Text name = {.mem = parser->arena->mem};
  text_addf(&name, "%s%s%d%s", tck_token_text(parser, process), line, number, member);
  Source *source = ARENA_NEW(parser->arena, Source);
  *source = *parser->lexer.source;
  source->text = arena_text(parser->arena, name.chars, name.size);
  source->size = name.size;
  text_release(&name);
  TckParser inner = *parser;
  Report report;
  report_init(&report, parser->arena->mem);
  inner.report = &report;
  tck_start(&inner, source, 0, (uint32_t)source->size, false);
  *term = inner.resolve(&inner, inner.token);
  const bool found = !report_failed(&report);
  report_release(&report);
  term->begin = process.offset;
  term->end = parser->end;
  return found;
}

// NAME "(" sum ")" NAME, after NAME; the last name begins with a dot
static Term member(TckParser *parser, Token process) {
  tck_advance(parser);
  if (!tck_enter(parser))
    return term_none(parser);
  const Term index = tck_sum(parser);
  tck_leave(parser);
  const Expr *at = term_integer(parser, &index, "the number of a process");
  int32_t number;
  tck_expect(parser, TOKEN_RPAREN, "the number of a process");
  if (!expr_is_const(at, &number))
    tck_fail(parser, index.begin,
             "the number of a process must be a constant or bound by "
             "`forall`, `exists` or `sum`");
  else if (number < 0) // the name would end before the sign
    tck_fail(parser, index.begin, "there is no process with a number below 0");
  const bool has_dot =
      parser->token.kind == TOKEN_BAD && parser->lexer.source->text[parser->token.offset] == '.';
  if (!has_dot)
    tck_fail_token(parser, "`.` and a name, as in `P(1).idle`,");
  tck_advance(parser);
  if (parser->token.kind != TOKEN_NAME)
    tck_fail_token(parser, "a name after `.`");
  if (report_failed(parser->report))
    return term_none(parser);
  Text name = {.mem = parser->arena->mem};
  text_addf(&name, ".%s", tck_token_text(parser, parser->token));
  const char *rest = arena_text(parser->arena, name.chars, name.size);
  text_release(&name);
  tck_advance(parser);
  Term term;
  if (!resolve_member(parser, process, number, rest, "", &term) &&
      !resolve_member(parser, process, number, rest, "_", &term)) {
    const char *stem = tck_token_text(parser, process);
    tck_fail(parser, process.offset, "there is neither `%s%d%s` nor `%s_%d%s`", stem, number,
             rest, stem, number, rest);
    return term_none(parser);
  }
  return term;
}

// storage = NAME [ "[" sum "]" ] | NAME "(" sum ")" NAME
Term tck_storage(TckParser *parser) {
  const Token token = parser->token;
  tck_advance(parser);
  const TckBinding *binding = find_binding(parser, token);
  if (binding)
    return term_leaf(parser, TERM_INT,
                     expr_const(parser->arena, tck_place(parser, token.offset), binding->value),
                     token.offset);
  if (parser->query && parser->token.kind == TOKEN_LPAREN)
    return member(parser, token);
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

// The terms connected in a balanced tree.
static Term combine(TckParser *parser, ExprKind kind, const Term *terms, uint32_t count) {
  if (count == 1)
    return terms[0];
  const Term left = combine(parser, kind, terms, count / 2);
  const Term right = combine(parser, kind, terms + count / 2, count - count / 2);
  return kind == EXPR_ADD ? term_sum(parser, &left, TOKEN_PLUS, &right)
                          : term_connect(parser, &left, kind, &right);
}

static int32_t constant(TckParser *parser) {
  const Term term = tck_sum(parser);
  const Expr *expr = term_integer(parser, &term, "the range of a variable");
  int32_t value = 0;
  if (!expr_is_const(expr, &value))
    tck_fail(parser, term.begin, "the range of a variable must be constant");
  return value;
}

// The body once for each value; the parser then is behind it.
static Term instances(TckParser *parser, ExprKind kind, TckBinding *binding, int32_t low,
                      int32_t high) {
  const TckParser start = *parser;
  const int64_t count = (int64_t)high - low + 1;
  if (count < 1 || parser->instances + count > TCK_MAX_INSTANCES) {
    tck_fail(parser, start.token.offset,
             count < 1 ? "the range of the variable is empty"
                       : "the variables of this query have too many values");
    return term_none(parser);
  }
  Term *terms = ARENA_ARRAY(parser->arena, Term, (uint32_t)count);
  parser->bindings = binding;
  for (uint32_t i = 0; i < (uint32_t)count; i++) {
    parser->lexer = start.lexer;
    parser->token = start.token;
    parser->instances++;
    binding->value = low + (int32_t)i;
    terms[i] = kind == EXPR_ADD ? tck_sum(parser) : tck_formula(parser);
    if (report_failed(parser->report))
      return term_none(parser);
    if (kind == EXPR_ADD) {
      terms[i].expr = term_integer(parser, &terms[i], "a sum");
      terms[i].kind = TERM_INT;
    }
  }
  parser->bindings = binding->outer;
  return combine(parser, kind, terms, (uint32_t)count);
}

// ("forall" | "exists" | "sum") "(" NAME ":" "int" "[" sum "," sum "]" ")" body
static Term quantified(TckParser *parser) {
  static const char where[] = "the variable: write `forall (i : int[0,3])`";
  const uint32_t begin = parser->token.offset;
  const ExprKind kind = tck_at_word(parser, "forall")   ? EXPR_AND
                        : tck_at_word(parser, "exists") ? EXPR_OR
                                                        : EXPR_ADD;
  tck_advance(parser);
  tck_expect(parser, TOKEN_LPAREN, "the quantifier: write `forall (i : int[0,3])`");
  if (parser->token.kind != TOKEN_NAME)
    tck_fail_token(parser, "the name of a variable");
  TckBinding binding = {tck_token_text(parser, parser->token), 0, parser->bindings};
  tck_advance(parser);
  tck_expect(parser, TOKEN_COLON, where);
  tck_expect_word(parser, "int", where);
  tck_expect(parser, TOKEN_LBRACKET, "`int`");
  const int32_t low = constant(parser);
  tck_expect(parser, TOKEN_COMMA, "the lower end of the range");
  const int32_t high = constant(parser);
  tck_expect(parser, TOKEN_RBRACKET, "the range");
  tck_expect(parser, TOKEN_RPAREN, "the variable");
  if (report_failed(parser->report) || !tck_enter(parser))
    return term_none(parser);
  Term term = instances(parser, kind, &binding, low, high);
  parser->bindings = binding.outer;
  tck_leave(parser);
  if (term.kind == TERM_INT && kind != EXPR_ADD) {
    term.expr = term_condition(parser, &term);
    term.kind = TERM_COND;
  }
  term.begin = begin;
  return term;
}

// These words may name variables, too: a quantifier is followed by a parenthesis.
static bool at_quantifier(const TckParser *parser) {
  Lexer lexer = parser->lexer;
  return parser->query &&
         (tck_at_word(parser, "forall") || tck_at_word(parser, "exists") ||
          tck_at_word(parser, "sum")) &&
         lexer_next(&lexer).kind == TOKEN_LPAREN;
}

static Term deadlock(TckParser *parser) {
  const uint32_t begin = parser->token.offset;
  tck_advance(parser);
  Term term =
      term_leaf(parser, TERM_COND, expr_deadlock(parser->arena, tck_place(parser, begin)), begin);
  term.has_clock = true; // it depends on them
  return term;
}

static Term no_primary(TckParser *parser) {
  const Token token = parser->token;
  if (tck_at_word(parser, "if"))
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
  if (parser->query && tck_at_word(parser, "deadlock"))
    return deadlock(parser);
  if (at_quantifier(parser))
    return quantified(parser);
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
