// Queries. What is not symbolic is recognised by its first words, so that the answer can say what
// it is.
#include "language/uppaal/uppaal.h"

#include "language/uppaal/language.h"
#include "model/queryhint.h"

#include <string.h>

static bool at_text(const Parser *p, const char *word) {
  return p->token.kind == UT_NAME && p->token.length == strlen(word) &&
         !memcmp(p->source->text + p->token.offset, word, p->token.length);
}

// A and E with <> or [], as tokens behind each other; false if it is something else.
static bool path_quantifier(Parser *p, QueryKind *kind) {
  const bool exists = at_text(p, "E"), always = at_text(p, "A");
  const int first = parser_ahead(p, 1)->kind, second = parser_ahead(p, 2)->kind;
  const bool diamond = first == '<' && second == '>', box = first == '[' && second == ']';
  if ((!exists && !always) || (!diamond && !box))
    return false;
  *kind = exists ? (diamond ? QUERY_REACH : QUERY_POSSIBLY)
                 : (box ? QUERY_INVARIANT : QUERY_EVENTUALLY);
  for (int k = 0; k < 3; k++)
    parser_next(p);
  return true;
}

static const char *other_kind(const Parser *p) {
  static const struct {
    const char *word, *what;
  } kinds[] = {{"Pr", "statistical queries"},
               {"simulate", "simulations"},
               {"simulation", "simulations"},
               {"control", "games"},
               {"control_t", "games"},
               {"E_control", "games"},
               {"strategy", "strategies"},
               {"saveStrategy", "strategies"},
               {"loadStrategy", "strategies"},
               {"minE", "learning of strategies"},
               {"maxE", "learning of strategies"},
               {"minPr", "learning of strategies"},
               {"maxPr", "learning of strategies"},
               {"sat", "scenarios"},
               {"scenario", "scenarios"}};
  for (uint32_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
    if (at_text(p, kinds[k].word))
      return kinds[k].what;
  if (at_text(p, "E") && parser_ahead(p, 1)->kind == '[')
    return "statistical queries";
  if (at_text(p, "A") && parser_ahead(p, 1)->kind == '[')
    return "games";
  return NULL;
}

static Elaborator new_elaborator(const Net *net, Arena *arena, Report *report, Frame *frame) {
  const Uppaal *uppaal = net->origin.uppaal;
  return (Elaborator){.net = uppaal->net,
                      .mem = arena->mem,
                      .arena = arena,
                      .report = report,
                      .document = &uppaal->document,
                      .globals = uppaal->globals,
                      .system = uppaal->system,
                      .processes = uppaal->processes,
                      .frame = frame,
                      .is_query = true};
}

// The parts of a query as parsed.
typedef struct Parts {
  const Tree *formula, *other, *list;
  bool is_foreign; // a kind that is not supported: the message says so
} Parts;

// ("sup" | "inf" | "bounds") [ "{" expr "}" ] ":" list | "buchi" ":" list
static bool list_query(Parser *p, Query *query, Parts *parts) {
  const bool is_sup = at_text(p, "sup"), is_inf = at_text(p, "inf");
  const bool is_buchi = at_text(p, "buchi");
  const int next = parser_ahead(p, 1)->kind;
  if ((!is_sup && !is_inf && !is_buchi && !at_text(p, "bounds")) ||
      (next != ':' && (next != '{' || is_buchi)))
    return false;
  query->kind = is_sup ? QUERY_SUP : is_inf ? QUERY_INF : is_buchi ? QUERY_BUCHI : QUERY_BOUNDS;
  parser_next(p);
  if (parser_accept(p, '{')) {
    parts->formula = parse_expr(p);
    parser_expect(p, '}', "`}`");
  }
  parser_expect(p, ':', "`:`");
  parts->list = parse_list(p);
  return true;
}

// The token `-->`, here or later; NULL if there is none.
static const UToken *leads_to(Parser *p) {
  for (uint32_t k = 0;; k++) {
    const UToken *token = k ? parser_ahead(p, k) : &p->token;
    if (token->kind == UT_LEADS_TO)
      return token;
    if (token->kind == UT_END)
      return NULL;
  }
}

// ("A[]" | "E<>" | "A<>" | "E[]") expr | expr "-->" expr | list_query
static void parse_query(Parser *p, Query *query, Parts *parts) {
  const Place place = parser_place(p);
  if (parser_at(p, UT_END)) {
    parser_fail(p, place, "this is no query, only a comment");
    return;
  }
  if (list_query(p, query, parts))
    return;
  const UToken *arrow = leads_to(p);
  if (path_quantifier(p, &query->kind)) {
    if (arrow)
      parser_fail(
          p, (Place){place.source, arrow->offset},
          "`p --> q` is a query by itself: nothing like `A<>` or a bracket goes around it");
    else
      parts->formula = parse_expr(p);
  } else {
    const bool is_array = arrow && parser_ahead(p, 1)->kind == '['; // A[0] == 1 --> q
    const char *what = is_array ? NULL : other_kind(p);
    // `A[p U q]` may be of another language; those that have a word of their own are known.
    parts->is_foreign = what && parser_ahead(p, 1)->kind != '[';
    if (what) {
      parser_fail(p, place, "%s are not supported: only symbolic queries are", what);
      return;
    }
    if (!arrow) {
      parser_fail(p, place,
                  "this is no query: one begins with `E<>` (can it happen?) or `A[]` (does it "
                  "always hold?)");
      return;
    }
    parts->formula = parse_expr(p);
    parser_expect(p, UT_LEADS_TO, "`-->`");
    query->kind = QUERY_LEADS_TO;
    parts->other = parse_expr(p);
  }
  if (at_text(p, "under"))
    parser_fail(p, parser_place(p), "strategies are not supported: only symbolic queries are");
}

// `P(v)` asks the quantifiers around it for a constant. Where none binds `v` nothing was said
// yet.
static void check_constants(Elaborator *e, Place place) {
  if (e->needs_constants && !e->failures)
    elab_fail(e, place,
              "the parameters of a process, as in `P(i).x`, must be constants or bound by a "
              "quantifier: no variable can choose a process");
}

// What no formula and no value may be. `expr` is NULL where that is a clock.
static void check_expr(Elaborator *e, QueryKind kind, const Expr *expr, Place place) {
  if (e->frame->has_effects)
    elab_fail(e, place, "a query must not change variables");
  if (expr && kind != QUERY_REACH && kind != QUERY_INVARIANT && expr_has_deadlock(expr))
    elab_fail(e, place, "`deadlock` can be asked for with `E<>` and `A[]` only");
}

static const Expr *formula(Elaborator *e, const Uppaal *uppaal, QueryKind kind,
                           const Tree *node) {
  if (!node)
    return NULL;
  const Expr *expr = elab_condition(e, uppaal->processes, node);
  check_constants(e, node->place);
  if (expr)
    check_expr(e, kind, expr, node->place);
  return expr;
}

// A clock in an array or a struct, as the clock that it is. Returns what it was given if an index
// depends on variables.
static const Expr *fixed_clock(Elaborator *e, const Expr *clock) {
  const Expr *expr = clock;
  uint32_t offset = 0;
  for (; expr->kind == EXPR_INDEX || expr->kind == EXPR_FIELD; expr = expr->a) {
    const Type *array = expr->a->type;
    int32_t index;
    if (expr->kind == EXPR_FIELD) {
      offset += expr->base;
      continue;
    }
    if (!expr_is_const(expr->b, &index))
      return clock;
    const uint32_t element = (uint32_t)index - (uint32_t)array->first;
    if (element >= array->count) {
      elab_fail(e, expr->b->place, "the index %d is outside the array", (int)index);
      return clock;
    }
    offset += element * array->element->slots;
  }
  const uint32_t id = expr->base + offset;
  return expr->kind == EXPR_CLOCK ? expr_storage(e->arena, clock->place, EXPR_CLOCK,
                                                 e->net->clock_names[id], clock->type, id)
                                  : clock;
}

// What is asked for in a list: a clock or an integer, or a condition of `buchi`. NULL after an
// error.
static const Expr *list_item(Elaborator *e, QueryKind kind, const Value *value, Place place) {
  const bool is_data = value->kind == VALUE_DATA && value->expr->type->kind == TYPE_INT;
  const bool is_clock =
      value->kind == VALUE_CLOCKS && value->plus && !value->minus && !value->expr;
  if (kind == QUERY_BUCHI ? is_data && !expr_has_clock_test(value->expr) : is_data)
    return value->expr;
  if (kind != QUERY_BUCHI && is_clock)
    return fixed_clock(e, value->plus);
  if (value->kind != VALUE_BAD)
    elab_fail(e, place,
              kind == QUERY_BUCHI ? "a condition without clocks is needed here"
                                  : "a clock or an integer is needed here");
  return NULL;
}

static void elaborate_list(Query *query, Elaborator *e, const Uppaal *uppaal, const Tree *list) {
  uint32_t count = 0;
  for (const Tree *n = list; n; n = n->next)
    count++;
  const Expr **exprs = ARENA_ARRAY(e->arena, const Expr *, count);
  uint32_t k = 0;
  for (const Tree *n = list; n; n = n->next, k++) {
    const Value value = elab_value(e, uppaal->processes, n);
    exprs[k] = list_item(e, query->kind, &value, n->place);
    check_constants(e, n->place);
    if (exprs[k])
      check_expr(e, query->kind, value.expr, n->place);
  }
  query->values = exprs;
  query->value_count = count;
}

// The text without blanks around it.
static const char *trimmed(Arena *arena, const Source *source, uint32_t begin, uint32_t end) {
  while (begin < end && strchr(" \t\r\n", source->text[begin]))
    begin++;
  while (end > begin && strchr(" \t\r\n", source->text[end - 1]))
    end--;
  return arena_text(arena, source->text + begin, end - begin);
}

// What is not understood may be of another query language: then that is all there is to say.
static void hint_at_other_words(const Source *source, uint32_t begin, uint32_t end,
                                Report *report) {
  size_t at;
  const char *hint = queryhint_find(source->text + begin, end - begin, &at);
  if (!hint)
    return;
  report_clear(report);
  report_error(report, (Place){source, begin + (uint32_t)at}, "%s", hint);
}

bool uppaal_query(Query *query, Arena *arena, const Net *net, const Source *source,
                  uint32_t begin, uint32_t end, Report *report) {
  const Uppaal *uppaal = net->origin.uppaal;
  *query = (Query){.place = {source, begin}, .text = trimmed(arena, source, begin, end)};
  Names names = uppaal->names; // new names, which nothing is called, stay with the query
  names.arena = arena;
  names_copy(&names);
  Parser parser = {.arena = arena, .report = report, .names = &names};
  Parts parts = {0};
  parser_begin(&parser, source, begin, end, TOKEN_QUERY);
  parse_query(&parser, query, &parts);
  parser_accept(&parser, ';');
  parser_expect_end(&parser);
  parser_end(&parser);
  if (report_failed(report)) {
    if (!parts.is_foreign)
      hint_at_other_words(source, begin, end, report);
    return false;
  }
  Frame frame = {0};
  Elaborator e = new_elaborator(net, arena, report, &frame);
  query->formula = formula(&e, uppaal, query->kind, parts.formula);
  query->conclusion = formula(&e, uppaal, query->kind, parts.other);
  if (parts.list)
    elaborate_list(query, &e, uppaal, parts.list);
  vec_release(e.mem, &e.reported);
  vec_release(e.mem, &e.warned);
  vec_release(e.mem, &e.codes);
  return !report_failed(report);
}
