#include "language/uppaal/statistical_query.h"

#include "language/uppaal/elab_real.h"

#include <math.h>
#include <string.h>

typedef struct Asking {
  Parser *p;
  Elaborator *e;
} Asking;

static bool is_text(const Parser *p, const UToken *token, const char *word) {
  return token->kind == UT_NAME && token->length == strlen(word) &&
         !memcmp(p->source->text + token->offset, word, token->length);
}

static bool at_text(const Parser *p, const char *word) { return is_text(p, &p->token, word); }

static bool accept_text(Parser *p, const char *word) {
  const bool is_there = at_text(p, word);
  if (is_there)
    parser_next(p);
  return is_there;
}

static bool at_pair(const Parser *p, int first, int second) {
  return parser_at(p, first) && parser_ahead(p, 1)->kind == second;
}

static bool accept_pair(Parser *p, int first, int second) {
  const bool is_there = at_pair(p, first, second);
  for (int k = 0; is_there && k < 2; k++)
    parser_next(p);
  return is_there;
}

bool statistical_begins(const Parser *p) {
  const int next = parser_ahead(p, 1)->kind;
  return (at_text(p, "Pr") && (next == '[' || next == '(')) || at_text(p, "simulate") ||
         (at_text(p, "E") && next == '[' && parser_ahead(p, 2)->kind != ']');
}

// Values.

static void *make(Asking *a, const void *value, size_t size) {
  void *copy = arena_alloc(a->e->arena, size);
  memcpy(copy, value, size);
  return copy;
}

// What was elaborated before is right: then there is something to look at.
static bool is_fine(const Asking *a) { return !a->p->panic && !a->e->failures; }

static void check(Asking *a, const Expr *expr, Place place) {
  Elaborator *e = a->e;
  if (e->needs_constants && !e->failures)
    elab_fail(e, place,
              "the parameters of a process, as in `P(i).x`, must be constants or bound by a "
              "quantifier: no variable can choose a process");
  if (e->frame->has_effects)
    elab_fail(e, place, "a query must not change variables");
  if (expr && expr_has_kind(expr, EXPR_DEADLOCK))
    elab_fail(e, place, "`deadlock` can be asked for with `E<>` and `A[]` only");
}

static const Expr *condition(Asking *a, const Tree *node) {
  if (a->p->panic)
    return NULL;
  const Expr *expr = elab_condition(a->e, a->e->processes, node);
  check(a, expr, node->place);
  return expr;
}

// A number that is known now.
static double constant(Asking *a, const Tree *node) {
  Elaborator *e = a->e;
  if (a->p->panic)
    return 0;
  const Expr *expr = elab_number(e, e->processes, node);
  double real = 0;
  int32_t value = 0;
  if (!expr || expr_is_real(expr, &real))
    return real;
  if (expr->type->kind == TYPE_REAL)
    elab_fail(e, node->place, "this must be a constant, known before the system runs");
  else
    elab_constant(e, expr, &value);
  return value;
}

static uint64_t count(Asking *a, const Tree *node, const char *what) {
  const double number = constant(a, node);
  if (!a->p->panic && !a->e->failures && (number < 1 || number != floor(number)))
    elab_fail(a->e, node->place, "%s must be a positive integer", what);
  return number >= 1 ? (uint64_t)number : 0;
}

// Bounds.

static void clock_bound(Asking *a, const Tree *node, RunBound *bound) {
  Elaborator *e = a->e;
  if (node->kind != NODE_BINARY || node->op != EXPR_LE) {
    elab_fail(e, node->place, "the bound of runs is `<= T`, `x <= T` or `# <= N`");
    return;
  }
  const Value clock = elab_value(e, e->processes, node->a);
  bound->limit = constant(a, node->b);
  if (clock.kind == VALUE_BAD)
    return;
  const Expr *fixed = clock.kind == VALUE_CLOCKS && clock.plus && !clock.minus && !clock.expr
                          ? elab_fixed_clock(e, clock.plus)
                          : NULL;
  if (!fixed || fixed->kind != EXPR_CLOCK)
    elab_fail(e, node->a->place, "a clock is needed here, with constant indices");
  else
    bound->clock = fixed->base;
}

static RunBound run_bound(Asking *a) {
  Parser *p = a->p;
  RunBound bound = {.kind = RUN_BOUND_TIME};
  parser_expect(p, '[', "`[` and the bound of runs");
  const Place place = parser_place(p);
  const bool counts = parser_at(p, UT_BAD) && p->source->text[p->token.offset] == '#';
  if (counts)
    parser_next(p);
  if (counts || parser_at(p, UT_LE)) {
    parser_expect(p, UT_LE, "`<=`");
    bound.kind = counts ? RUN_BOUND_STEPS : RUN_BOUND_TIME;
    bound.limit = constant(a, parse_expr(p));
  } else {
    const Tree *node = parse_expr(p);
    bound.kind = RUN_BOUND_CLOCK;
    if (!p->panic)
      clock_bound(a, node, &bound);
  }
  if (is_fine(a) && !(bound.limit >= 0))
    elab_fail(a->e, place, "the bound of runs is negative");
  if (parser_accept(p, ';'))
    bound.runs = count(a, parse_expr(p), "the number of runs");
  parser_expect(p, ']', "`]`");
  return bound;
}

// Paths.

static const Expr *goal(Asking *a, PathQuery *path) {
  const uint32_t begin = a->p->token.offset;
  const Expr *expr = condition(a, parse_expr(a->p));
  const uint32_t end = a->p->token.offset;
  if (is_fine(a) && end > begin)
    path->goal_text = arena_text(a->e->arena, a->p->source->text + begin, end - begin);
  return expr;
}

static PathQuery path_query(Asking *a) {
  Parser *p = a->p;
  PathQuery path = {.bound = run_bound(a)};
  parser_expect(p, '(', "`(`");
  if (accept_pair(p, '<', '>') || accept_pair(p, '[', ']')) {
    path.kind = p->tokens.items[p->at - 1].kind == '>' ? PATH_EVENTUALLY : PATH_ALWAYS;
    path.goal = goal(a, &path);
  } else {
    path.kind = PATH_UNTIL;
    path.hold = condition(a, parse_expr(p));
    if (!accept_text(p, "U"))
      parser_expect(p, UT_END, "`U`"); // which never is
    path.goal = goal(a, &path);
  }
  parser_expect(p, ')', "`)`");
  return path;
}

// Formulas of metric interval temporal logic.

static const Mitl *mitl(Asking *a);

static bool is_temporal_at(const Parser *p, uint32_t k) {
  const UToken *token = k ? parser_ahead(p, k) : &p->token, *next = parser_ahead(p, k + 1);
  return (token->kind == '<' && next->kind == '>') || (token->kind == '[' && next->kind == ']') ||
         ((is_text(p, token, "U") || is_text(p, token, "R")) && next->kind == '[') ||
         (is_text(p, token, "X") && (next->kind == '(' || next->kind == UT_NAME));
}

// Whether the parentheses that begin at a token ahead have such a formula in them.
static bool is_temporal(const Parser *p, uint32_t from) {
  int depth = 0;
  for (uint32_t k = from;; k++) {
    const UToken *token = k ? parser_ahead(p, k) : &p->token;
    depth += token->kind == '(';
    depth -= token->kind == ')';
    if (token->kind == UT_END || !depth)
      return false;
    if (is_temporal_at(p, k))
      return true;
  }
}

static const Mitl *new_mitl(Asking *a, Mitl value) { return make(a, &value, sizeof value); }

static const Mitl *truth(Asking *a, Place place, bool is_true) {
  Expr *expr = expr_const(a->e->arena, place, is_true);
  expr->type = type_bool(a->e->arena);
  return new_mitl(a, (Mitl){.kind = MITL_ATOM, .atom = expr, .place = place});
}

static void interval(Asking *a, Mitl *formula) {
  Parser *p = a->p;
  parser_expect(p, '[', "`[` and an interval of time");
  formula->low = constant(a, parse_expr(p));
  parser_expect(p, ',', "`,`");
  formula->high = constant(a, parse_expr(p));
  parser_expect(p, ']', "`]`");
  if (is_fine(a) && !(formula->low >= 0 && formula->low <= formula->high))
    elab_fail(a->e, formula->place, "the interval is empty, or begins before 0");
}

static const Mitl *unary(Asking *a) {
  Parser *p = a->p;
  Mitl formula = {.place = parser_place(p)};
  if (!parser_enter(p)) {
    formula.kind = MITL_ATOM;
  } else if (at_pair(p, '<', '>') || at_pair(p, '[', ']')) {
    const bool is_box = parser_at(p, '[');
    formula.kind = is_box ? MITL_RELEASE : MITL_UNTIL;
    accept_pair(p, is_box ? '[' : '<', is_box ? ']' : '>');
    interval(a, &formula);
    formula.a = truth(a, formula.place, !is_box);
    formula.b = mitl(a);
  } else if (at_text(p, "X") && is_temporal_at(p, 0)) {
    parser_next(p);
    formula.kind = MITL_NEXT;
    formula.a = unary(a);
  } else if ((parser_at(p, '!') || parser_at_word(p, WORD_not)) &&
             parser_ahead(p, 1)->kind == '(' && is_temporal(p, 1)) {
    parser_next(p);
    formula.kind = MITL_NOT;
    formula.a = unary(a);
  } else if (parser_at(p, '(') && is_temporal(p, 0)) {
    parser_next(p);
    const Mitl *inner = mitl(a);
    parser_expect(p, ')', "`)`");
    p->depth--;
    return inner;
  } else {
    formula.kind = MITL_ATOM;
    formula.atom = condition(a, parse_operand(p));
  }
  p->depth--;
  return new_mitl(a, formula);
}

static const Mitl *until(Asking *a) {
  Parser *p = a->p;
  const Mitl *left = unary(a);
  Mitl formula = {.place = parser_place(p), .a = left};
  if (!(at_text(p, "U") || at_text(p, "R")) || parser_ahead(p, 1)->kind != '[')
    return left;
  formula.kind = at_text(p, "U") ? MITL_UNTIL : MITL_RELEASE;
  parser_next(p);
  interval(a, &formula);
  formula.b = unary(a);
  return new_mitl(a, formula);
}

static const Mitl *mitl(Asking *a) {
  Parser *p = a->p;
  const Mitl *left = NULL, *either = NULL; // either || left
  for (;;) {
    const Place place = parser_place(p);
    const Mitl *right = until(a);
    left = left ? new_mitl(a, (Mitl){.kind = MITL_AND, .a = left, .b = right, .place = place})
                : right;
    if (parser_accept(p, UT_AND) || parser_accept_word(p, WORD_and))
      continue;
    either = either ? new_mitl(a, (Mitl){.kind = MITL_OR, .a = either, .b = left, .place = place})
                    : left;
    if (!parser_accept(p, UT_OR) && !parser_accept_word(p, WORD_or))
      return either;
    left = NULL;
  }
}

// What is asked for.

static void probability(Asking *a, Statistical *query) {
  Parser *p = a->p;
  parser_next(p);
  if (!parser_at(p, '[')) {
    query->path.kind = PATH_MITL;
    query->path.mitl = mitl(a);
    return;
  }
  query->path = path_query(a);
  query->is_at_most = parser_at(p, UT_LE);
  if (!parser_accept(p, UT_LE) && !parser_accept(p, UT_GE))
    return;
  if (accept_text(p, "Pr")) {
    query->kind = STATISTICAL_COMPARISON;
    query->other = path_query(a);
    if (query->is_at_most) { // a <= b is b >= a
      const PathQuery path = query->path;
      query->path = query->other;
      query->other = path;
      query->is_at_most = false;
    }
    return;
  }
  const Place place = parser_place(p);
  query->kind = STATISTICAL_TEST;
  query->threshold = constant(a, parse_operand(p));
  if (is_fine(a) && !(query->threshold >= 0 && query->threshold <= 1))
    elab_fail(a->e, place, "a probability is between 0 and 1");
}

typedef struct Values {
  VEC(const Expr *) exprs;
  VEC(const char *) texts;
} Values;

static void add_value(Asking *a, Values *values, const Expr *expr, const Text *text) {
  vec_push(a->e->mem, &values->exprs, expr);
  vec_push(a->e->mem, &values->texts, arena_text(a->e->arena, text_chars(text), text->size));
}

// A number; of an array or a struct each element.
static void add_values(Asking *a, Values *values, const Value *value, Place place, Text *text) {
  Elaborator *e = a->e;
  const size_t size = text->size;
  const Expr *whole = value->kind == VALUE_DATA ? value->expr : NULL;
  const Expr *real = elab_as_real(e, value, place);
  if (whole && whole->type->kind == TYPE_INT) {
    add_value(a, values, whole, text);
  } else if (real) {
    add_value(a, values, real, text);
  } else if (whole && (whole->type->kind == TYPE_ARRAY || whole->type->kind == TYPE_STRUCT) &&
             whole->type->slots <= 1000) {
    const Type *type = whole->type;
    for (uint32_t k = 0; k < type->count; k++) {
      const int32_t index = type->first + (int32_t)k;
      const Expr *part =
          type->kind == TYPE_STRUCT
              ? expr_field(e->arena, place, whole, &type->fields[k])
              : expr_index(e->arena, place, whole, expr_const(e->arena, place, index));
      if (type->kind == TYPE_STRUCT)
        text_addf(text, ".%s", type->fields[k].name);
      else
        text_addf(text, "[%d]", (int)index);
      const bool is_clock = part->type->kind == TYPE_CLOCK;
      const Value item = {.kind = is_clock ? VALUE_CLOCKS : VALUE_DATA,
                          .expr = is_clock ? NULL : part,
                          .plus = is_clock ? part : NULL};
      add_values(a, values, &item, place, text);
      text->size = size;
      text->chars[size] = '\0';
    }
  } else if (value->kind != VALUE_BAD) {
    elab_fail(e, place, "a number or a condition is needed here");
  }
}

static void read_value(Asking *a, Values *values) {
  Parser *p = a->p;
  const uint32_t begin = p->token.offset;
  const Tree *node = parse_expr(p);
  if (p->panic)
    return;
  const LabelNode label = parser_label(p, begin);
  Text text = {.mem = a->e->mem};
  text_add_bytes(&text, label.text, label.size);
  const Value value = elab_value(a->e, a->e->processes, node);
  add_values(a, values, &value, node->place, &text);
  check(a, value.kind == VALUE_DATA ? value.expr : NULL, node->place);
  text_release(&text);
}

static void keep_values(Asking *a, Statistical *query, Values *values) {
  query->value_count = values->exprs.size;
  if (query->value_count) {
    query->values =
        make(a, values->exprs.items, sizeof *values->exprs.items * query->value_count);
    query->value_texts =
        make(a, values->texts.items, sizeof *values->texts.items * query->value_count);
  }
  vec_release(a->e->mem, &values->exprs);
  vec_release(a->e->mem, &values->texts);
}

static void expectation(Asking *a, Statistical *query) {
  Parser *p = a->p;
  Values values = {0};
  query->kind = STATISTICAL_EXPECTATION;
  parser_next(p);
  query->path.bound = run_bound(a);
  parser_expect(p, '(', "`(`");
  query->is_min = at_text(p, "min");
  if (!accept_text(p, "max") && !accept_text(p, "min"))
    parser_expect(p, UT_END, "`max:` or `min:`"); // which never is
  parser_expect(p, ':', "`:`");
  const Place place = parser_place(p);
  read_value(a, &values);
  parser_expect(p, ')', "`)`");
  keep_values(a, query, &values);
  if (is_fine(a) && query->value_count != 1)
    elab_fail(a->e, place, "one number is needed here");
}

static void simulation(Asking *a, Statistical *query) {
  Parser *p = a->p;
  Values values = {0};
  uint64_t runs = 0;
  query->kind = STATISTICAL_SIMULATION;
  parser_next(p);
  if (!parser_at(p, '[')) { // the number comes first in older versions
    Tree *node =
        parse_node(p, parser_at(p, UT_NUMBER) ? NODE_NUMBER : NODE_NAME, parser_place(p));
    node->value = (int32_t)p->token.value;
    if (!parser_accept(p, UT_NUMBER))
      node->name = parser_name(p, "`[` or the number of runs");
    runs = count(a, node, "the number of runs");
  }
  query->path.bound = run_bound(a);
  query->path.bound.runs = query->path.bound.runs ? query->path.bound.runs : runs ? runs : 1;
  parser_expect(p, '{', "`{`");
  do {
    read_value(a, &values);
  } while (parser_accept(p, ','));
  parser_expect(p, '}', "`}`");
  keep_values(a, query, &values);
  if (!parser_accept(p, ':'))
    return;
  const Tree *node = parse_expr(p);
  if (parser_accept(p, ':')) {
    query->accepted = count(a, node, "the number of runs to keep");
    node = parse_expr(p);
  }
  query->path.goal = condition(a, node);
}

const Statistical *statistical_query(Parser *p, Elaborator *e) {
  Asking a = {p, e};
  Statistical query = {.kind = STATISTICAL_PROBABILITY, .net = e->net};
  if (at_text(p, "Pr"))
    probability(&a, &query);
  else if (at_text(p, "E"))
    expectation(&a, &query);
  else
    simulation(&a, &query);
  if (at_text(p, "under"))
    parser_fail(p, parser_place(p), "strategies are not supported");
  parser_accept(p, ';');
  parser_expect_end(p);
  return report_failed(p->report) ? NULL : make(&a, &query, sizeof query);
}
