#include "language/tchecker/tck_term.h"

Term term_leaf(const TckParser *parser, TermKind kind, const Expr *expr, uint32_t begin) {
  return (Term){.kind = kind, .expr = expr, .begin = begin, .end = parser->end, .depth = 1};
}

Term term_storage(const Expr *storage, Token token) {
  const TypeKind type = storage->type->kind;
  const TermKind kind = type == TYPE_INT     ? TERM_INT
                        : type == TYPE_CLOCK ? TERM_CLOCK
                                             : TERM_ARRAY;
  return (Term){.kind = kind,
                .expr = storage,
                .begin = token.offset,
                .end = token.offset + token.length,
                .depth = 1};
}

Term term_none(TckParser *parser) {
  const uint32_t offset = parser->token.offset;
  return term_leaf(parser, TERM_INT, expr_const(parser->arena, tck_place(parser, offset), 0),
                   offset);
}

static Place place_of(const TckParser *parser, const Term *term) {
  return tck_place(parser, term->begin);
}

static const char *quote(const TckParser *parser, const Term *term, char buffer[LEXER_QUOTE]) {
  return lexer_quote(parser->lexer.source, term->begin, term->end, buffer);
}

static bool is_clocky(const Term *term) {
  return term->kind == TERM_CLOCK || term->kind == TERM_DIFF || term->kind == TERM_SUM;
}

// The result of an operator: extent and depth from its operands.
static Term join(TckParser *parser, TermKind kind, const Expr *expr, const Term *a,
                 const Term *b) {
  Term term = {.kind = kind, .expr = expr, .begin = a->begin, .end = parser->end};
  term.depth = 1 + (a->depth > b->depth ? a->depth : b->depth);
  term.has_clock = a->has_clock || b->has_clock;
  if (term.depth > TCK_MAX_DEPTH)
    tck_fail(parser, term.begin,
             "more than %d operators in a row; take it apart with variables or more edges",
             TCK_MAX_DEPTH);
  return term;
}

static void refuse_array(TckParser *parser, const Term *term) {
  const char *name = term->expr->name;
  tck_fail(parser, term->begin, "`%s` is an array; say which element, `%s[0]` to `%s[%u]`", name,
           name, name, term->expr->type->count - 1);
}

// Only clocks can be compared with, or set to, numbers beyond 32 bits.
static void refuse_wide(TckParser *parser, const Term *term) {
  char quoted[LEXER_QUOTE];
  tck_fail(parser, term->begin, "the number %s is too large; numbers are between %d and %d",
           quote(parser, term, quoted), INT32_MIN, INT32_MAX);
}

const Expr *term_bound(TckParser *parser, const Term *term, const char *where) {
  if (!term->wide)
    return term_integer(parser, term, where);
  char quoted[LEXER_QUOTE];
  if (term->wide >= LEXER_MAX_NUMBER || term->wide <= -LEXER_MAX_NUMBER)
    tck_fail(
        parser, term->begin,
        "the number %s is too large; clocks are compared with numbers, and set to numbers, of "
        "at most %lld: use a coarser unit of time",
        quote(parser, term, quoted), (long long)CODE_MAX_WIDE);
  return expr_time(parser->arena, place_of(parser, term), term->wide);
}

const Expr *term_integer(TckParser *parser, const Term *term, const char *where) {
  if (term->wide)
    refuse_wide(parser, term);
  if (term->kind == TERM_INT || (term->kind == TERM_COND && parser->query && !term->has_clock))
    return term->expr;
  char quoted[LEXER_QUOTE];
  const char *shown = quote(parser, term, quoted);
  if (term->kind == TERM_ARRAY)
    refuse_array(parser, term);
  else if (term->kind == TERM_COND && term->has_clock)
    tck_fail(parser, term->begin, "%s compares a clock, which is not allowed in %s", shown,
             where);
  else if (term->kind == TERM_COND)
    tck_fail(parser, term->begin,
             "%s is a condition, not a number; in %s write `(if condition then 1 else 0)`", shown,
             where);
  else
    tck_fail(parser, term->begin, "%s %s a clock, which is not allowed in %s", shown,
             term->kind == TERM_CLOCK ? "is" : "contains", where);
  return expr_const(parser->arena, place_of(parser, term), 0);
}

// An integer is made a condition explicitly, so that trees are easy to understand.
const Expr *term_condition(TckParser *parser, const Term *term) {
  const Place place = place_of(parser, term);
  if (term->wide)
    refuse_wide(parser, term);
  if (term->kind == TERM_COND)
    return term->expr;
  if (term->kind == TERM_INT)
    return expr_binary(parser->arena, place, EXPR_NE, term->expr,
                       expr_const(parser->arena, place, 0));
  char quoted[LEXER_QUOTE];
  if (term->kind == TERM_ARRAY)
    refuse_array(parser, term);
  else
    tck_fail(parser, term->begin, "%s is %s, not a condition; compare it with a number",
             quote(parser, term, quoted),
             term->kind == TERM_CLOCK  ? "a clock"
             : term->kind == TERM_DIFF ? "a difference of clocks"
                                       : "a sum with a clock");
  return expr_const(parser->arena, place, 0);
}

const Expr *term_condition_without_clocks(TckParser *parser, const Term *term,
                                          const char *where) {
  char quoted[LEXER_QUOTE];
  if (term->has_clock)
    tck_fail(parser, term->begin, "%s compares a clock, which is not allowed in %s",
             quote(parser, term, quoted), where);
  return term_condition(parser, term);
}

Term term_negate(TckParser *parser, uint32_t begin, const Term *a) {
  const Expr *operand = term_integer(parser, a, "the operand of `-`");
  Term term = join(parser, TERM_INT,
                   expr_unary(parser->arena, tck_place(parser, begin), EXPR_NEG, operand), a, a);
  term.begin = begin;
  return term;
}

Term term_not(TckParser *parser, uint32_t begin, const Term *a) {
  char quoted[LEXER_QUOTE];
  if (a->has_clock && !parser->query)
    tck_fail(parser, begin,
             "%s compares a clock, which cannot be negated in a model; write the opposite "
             "comparison",
             quote(parser, a, quoted));
  const Expr *operand = a->kind == TERM_INT ? a->expr : term_condition(parser, a);
  Term term = join(parser, TERM_COND,
                   expr_unary(parser->arena, tck_place(parser, begin), EXPR_NOT, operand), a, a);
  term.begin = begin;
  return term;
}

static Term arithmetic(TckParser *parser, const Term *a, ExprKind op, const Term *b,
                       const char *where) {
  const Expr *left = term_integer(parser, a, where), *right = term_integer(parser, b, where);
  return join(parser, TERM_INT, expr_binary(parser->arena, place_of(parser, a), op, left, right),
              a, b);
}

// Clock and integer, in either order; a sum may be added to again.
static Term add_to_clock(TckParser *parser, const Term *a, const Term *b) {
  const Term *clock = is_clocky(a) ? a : b, *rest = is_clocky(a) ? b : a;
  char quoted[LEXER_QUOTE];
  if (is_clocky(rest))
    tck_fail(parser, a->begin, "clocks cannot be added to each other");
  else if (clock->kind == TERM_DIFF)
    tck_fail(parser, a->begin,
             "%s is a difference of clocks, to which nothing can be added; write the number on "
             "the other side of the comparison",
             quote(parser, clock, quoted));
  const Expr *added = term_bound(parser, rest, "what is added to a clock");
  if (clock->kind == TERM_SUM && (rest->wide || clock->other->wide))
    refuse_wide(parser, rest);
  if (clock->kind == TERM_SUM)
    added = expr_binary(parser->arena, place_of(parser, a), EXPR_ADD, clock->other, added);
  Term term = join(parser, TERM_SUM, clock->expr, a, b);
  term.other = added;
  return term;
}

static Term subtract_with_clocks(TckParser *parser, const Term *a, const Term *b) {
  char quoted[LEXER_QUOTE];
  if (a->kind == TERM_CLOCK && b->kind == TERM_CLOCK) {
    Term term = join(parser, TERM_DIFF, a->expr, a, b);
    term.other = b->expr;
    return term;
  }
  if (is_clocky(a) && is_clocky(b))
    tck_fail(parser, a->begin,
             "only two single clocks can be compared or subtracted, as in `x - y <= 3`");
  else if (is_clocky(a))
    tck_fail(parser, b->begin,
             "%s cannot be subtracted from a clock; in a comparison write it on the other side, "
             "in an assignment add its negation",
             quote(parser, b, quoted));
  else
    tck_fail(parser, b->begin, "%s contains a clock, which can be subtracted from a clock only",
             quote(parser, b, quoted));
  return term_none(parser);
}

Term term_sum(TckParser *parser, const Term *a, TokenKind sign, const Term *b) {
  const bool clocks = is_clocky(a) || is_clocky(b);
  if (sign == TOKEN_PLUS)
    return clocks ? add_to_clock(parser, a, b) : arithmetic(parser, a, EXPR_ADD, b, "a sum");
  return clocks ? subtract_with_clocks(parser, a, b)
                : arithmetic(parser, a, EXPR_SUB, b, "a difference");
}

Term term_product(TckParser *parser, const Term *a, TokenKind sign, const Term *b) {
  if (sign == TOKEN_TIMES)
    return arithmetic(parser, a, EXPR_MUL, b, "a product");
  int32_t divisor;
  if (b->kind == TERM_INT && expr_is_const(b->expr, &divisor) && !divisor)
    tck_warn(parser, b->begin, "this is a division by zero: an error if it is ever evaluated");
  return arithmetic(parser, a, sign == TOKEN_DIVIDE ? EXPR_DIV : EXPR_MOD, b, "a division");
}

// Of the comparison with its sides exchanged.
static ExprKind mirrored(ExprKind op) {
  switch (op) {
  case EXPR_LT:
    return EXPR_GT;
  case EXPR_LE:
    return EXPR_GE;
  case EXPR_GT:
    return EXPR_LT;
  case EXPR_GE:
    return EXPR_LE;
  default:
    return op;
  }
}

// At least one side has clocks, none of them a sum.
static const Expr *clock_test(TckParser *parser, const Term *a, ExprKind op, const Term *b) {
  static const char where[] = "the number that a clock is compared with";
  const Place place = place_of(parser, a);
  if (!is_clocky(b))
    return expr_clock_test(parser->arena, place, a->expr, a->other, op,
                           term_bound(parser, b, where));
  if (!is_clocky(a))
    return expr_clock_test(parser->arena, place, b->expr, b->other, mirrored(op),
                           term_bound(parser, a, where));
  const Term difference = subtract_with_clocks(parser, a, b);
  if (difference.kind != TERM_DIFF)
    return difference.expr;
  return expr_clock_test(parser->arena, place, difference.expr, difference.other, op,
                         expr_const(parser->arena, place, 0));
}

Term term_compare(TckParser *parser, const Term *a, ExprKind op, const Term *b) {
  if (!is_clocky(a) && !is_clocky(b)) {
    Term term = arithmetic(parser, a, op, b, "a comparison");
    term.kind = TERM_COND;
    return term;
  }
  char quoted[LEXER_QUOTE];
  const Term *sum = a->kind == TERM_SUM ? a : b;
  if (sum->kind == TERM_SUM)
    tck_fail(parser, sum->begin,
             "%s adds to a clock, which is allowed in assignments only; write the number on the "
             "other side of the comparison",
             quote(parser, sum, quoted));
  else if (op == EXPR_NE && !parser->query)
    tck_fail(parser, a->begin,
             "`!=` is not allowed on clocks; write one edge with `<` and one with `>` instead");
  if (report_failed(parser->report))
    return term_none(parser);
  Term term = join(parser, TERM_COND, clock_test(parser, a, op, b), a, b);
  term.has_clock = true;
  return term;
}

Term term_connect(TckParser *parser, const Term *a, ExprKind op, const Term *b) {
  const Expr *left = term_condition(parser, a), *right = term_condition(parser, b);
  return join(parser, TERM_COND, expr_binary(parser->arena, place_of(parser, a), op, left, right),
              a, b);
}

Term term_choose(TckParser *parser, uint32_t begin, const Term *test, const Term *a,
                 const Term *b) {
  const Expr *condition =
      term_condition_without_clocks(parser, test,
                                    "the condition of an `if` term: its value would change as "
                                    "time passes; write one condition for each case");
  const Expr *yes = term_integer(parser, a, "an `if` term");
  const Expr *no = term_integer(parser, b, "an `if` term");
  Term both = join(parser, TERM_INT, NULL, a, b);
  both =
      join(parser, TERM_INT,
           expr_cond(parser->arena, tck_place(parser, begin), condition, yes, no), test, &both);
  both.begin = begin;
  return both;
}

// A constant index is resolved at once, so that what is left is plain storage.
Term term_element(TckParser *parser, const Term *array, const Term *index) {
  const Expr *storage = array->expr;
  const bool is_array = array->kind == TERM_ARRAY;
  const Type *type = is_array ? storage->type->element : storage->type;
  const uint32_t count = is_array ? storage->type->count : 1;
  const Place place = place_of(parser, array);
  const Expr *at = term_integer(parser, index, "an index");
  Term term =
      join(parser, type->kind == TYPE_CLOCK ? TERM_CLOCK : TERM_INT, storage, array, index);
  int32_t value;
  const bool is_const = expr_is_const(at, &value);
  const bool is_outside = is_const && (value < 0 || (uint32_t)value >= count);
  if (is_outside && parser->query) { // which is evaluated in every state
    tck_fail(parser, index->begin, "index %d is outside of `%s`, which has only `%s[%u]`%s",
             value, storage->name, storage->name, count - 1,
             count > 1 ? " and those before it" : "");
    return term_none(parser);
  }
  if (is_outside)
    tck_warn(parser, index->begin,
             "index %d is outside of `%s`, which has only `%s[%u]`%s: an error if it is ever "
             "evaluated",
             value, storage->name, storage->name, count - 1,
             count > 1 ? " and those before it" : "");
  if (!is_const || is_outside) {
    if (!is_array)
      storage = expr_storage(parser->arena, place, storage->kind, storage->name,
                             type_array(parser->arena, type, 0, 1), storage->base);
    term.expr = expr_index(parser->arena, place, storage, at);
  } else if (is_array) {
    Text name = {.mem = parser->arena->mem};
    text_addf(&name, "%s[%d]", storage->name, value);
    term.expr = expr_storage(parser->arena, place, storage->kind,
                             arena_text(parser->arena, name.chars, name.size), type,
                             storage->base + (uint32_t)value);
    text_release(&name);
  }
  return term;
}
