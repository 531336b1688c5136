// Queries. What is not symbolic is recognised by its first words, so that the answer can say what
// it is.
#include "language/uppaal/uppaal.h"

#include "language/query_grammar.h"
#include "language/uppaal/elab_real.h"
#include "language/uppaal/statistical_query.h"
#include "model/queryhint.h"

#include <stdio.h>
#include <string.h>

typedef struct Reader {
  Parser parser;
  Elaborator e;
  bool is_no_query; // it begins as none
  bool is_foreign;  // a kind that is not supported: the message says so
} Reader;

static bool at_text(const Parser *p, const char *word) {
  return p->token.kind == UT_NAME && p->token.length == strlen(word) &&
         !memcmp(p->source->text + p->token.offset, word, p->token.length);
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

static bool refuse_beginning(void *reader, bool has_arrow) {
  Reader *r = reader;
  Parser *p = &r->parser;
  const bool is_indexed = parser_ahead(p, 1)->kind == '[';
  const char *what = has_arrow && is_indexed ? NULL : other_kind(p); // A[0] == 1 --> q
  // `A[p U q]` may be of another language; those that have a word of their own are known.
  r->is_foreign = what && !is_indexed;
  r->is_no_query = what || !has_arrow;
  if (parser_at(p, UT_END))
    parser_fail(p, parser_place(p), "this is not a query, only a comment");
  else if (what)
    parser_fail(p, parser_place(p), "%s are not supported: symbolic and statistical queries are",
                what);
  else if (!has_arrow)
    parser_fail(p, parser_place(p),
                "this is not a query: one begins with `E<>` (can it happen?) or `A[]` (does it "
                "always hold?)");
  return p->panic;
}

static const void *parse_part(void *reader, const QueryPart *part) {
  Parser *p = &((Reader *)reader)->parser;
  char sign[8];
  while (p->token.offset < part->begin && !parser_at(p, UT_END))
    parser_next(p);
  const Tree *tree = parse_expr(p);
  if (at_text(p, "under"))
    parser_fail(p, parser_place(p),
                "strategies are not supported: symbolic and statistical queries are");
  if (!part->until) {
    parser_accept(p, ';');
    parser_expect_end(p);
  } else if (p->token.offset != part->end || parser_at(p, UT_END)) {
    snprintf(sign, sizeof sign, "`%s`", part->until);
    parser_expect(p, UT_END, sign); // which never is
  }
  return tree;
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
    elab_fail(e, place, "a query must not change variables%s",
              place.source && place.source->text[place.offset] == '=' ? "; to compare, write `==`"
                                                                      : "");
  if (expr && kind != QUERY_REACH && kind != QUERY_INVARIANT &&
      expr_has_kind(expr, EXPR_DEADLOCK))
    elab_fail(e, place, "`deadlock` can be asked for with `E<>` and `A[]` only");
}

// What is asked for in a list: a clock or an integer, or a condition of `buchi`. NULL after an
// error.
static const Expr *list_item(Elaborator *e, QueryKind kind, const Value *value, Place place) {
  const bool is_data = value->kind == VALUE_DATA && value->expr->type->kind == TYPE_INT;
  const bool is_clock =
      value->kind == VALUE_CLOCKS && value->plus && !value->minus && !value->expr;
  if (kind == QUERY_BUCHI ? is_data && !expr_has_clock_test(value->expr) : is_data)
    return value->expr;
  if (kind != QUERY_BUCHI && is_clock && elab_is_ignored(value->plus))
    elab_fail(e, place, "%s", elab_hybrid_obstacle);
  else if (kind != QUERY_BUCHI && is_clock)
    return elab_fixed_clock(e, value->plus);
  else if (value->kind != VALUE_BAD)
    elab_fail(e, place,
              kind == QUERY_BUCHI ? "a condition without clocks is needed here"
                                  : "a clock or an integer is needed here");
  return NULL;
}

static const Expr *make_part(void *reader, const QueryPart *part, const void *parsed) {
  Elaborator *e = &((Reader *)reader)->e;
  const Tree *node = parsed;
  const bool is_value = part->role == QUERY_VALUE;
  const Value value = is_value ? elab_value(e, e->processes, node) : (Value){0};
  const Expr *expr = is_value ? list_item(e, part->kind, &value, node->place)
                              : elab_condition(e, e->processes, node);
  check_constants(e, node->place);
  if (expr)
    check_expr(e, part->kind, is_value ? value.expr : expr, node->place);
  return expr;
}

// What is not understood may be of another query language: then that is all there is to say.
static void hint_at_other_words(const Source *source, uint32_t begin, uint32_t end, bool is_begun,
                                Report *report) {
  size_t at;
  const char *text = source->text + begin, *hint = is_begun
                                                       ? queryhint_find(text, end - begin, &at)
                                                       : queryhint_begin(text, end - begin, &at);
  if (!hint)
    return;
  report_clear(report);
  report_error(report, (Place){source, begin + (uint32_t)at}, "%s", hint);
}

static Elaborator new_elaborator(const Net *net, Arena *arena, Frame *frame, Report *report) {
  const Uppaal *uppaal = net->origin.uppaal;
  return (Elaborator){.net = uppaal->net,
                      .scalar_sets = uppaal->net->origin.scalar_sets,
                      .mem = arena->mem,
                      .arena = arena,
                      .report = report,
                      .document = &uppaal->document,
                      .globals = uppaal->globals,
                      .system = uppaal->system,
                      .processes = uppaal->processes,
                      .frame = frame,
                      .is_query = true,
                      .is_full = uppaal->net->reading.is_statistical,
                      .is_rated = uppaal->is_rated,
                      .is_constraint = true};
}

// Why the symbolic queries of a model are refused.
static bool report_obstacles(const Net *net, Report *report) {
  if (!net->origin.obstacles)
    return false;
  text_add(&report->error, net->origin.obstacles);
  return true;
}

static bool read_statistical(Query *query, Reader *r, Arena *arena, Frame *frame, const Net *net,
                             Place place, uint32_t end) {
  const Net *full = uppaal_statistical(net, arena, r->parser.report);
  r->is_foreign = true; // no hint to other languages
  if (!full)
    return false;
  query_grammar_begin(query, arena, place, end);
  query->kind = QUERY_STATISTICAL;
  r->e = new_elaborator(full, arena, frame, r->parser.report);
  query->statistical = statistical_query(&r->parser, &r->e);
  return query->statistical;
}

static const Expr *make_nothing(void *reader, const QueryPart *part, const void *parsed) {
  (void)reader, (void)part, (void)parsed;
  return NULL;
}

bool uppaal_query_parse(Query *query, Arena *arena, const Source *source, uint32_t begin,
                        uint32_t end, Report *report) {
  static const QueryLanguage language = {parse_part, make_nothing, refuse_beginning, true};
  Names names;
  names_init(&names, arena);
  Reader r = {.parser = {.arena = arena, .report = report, .names = &names}};
  parser_begin(&r.parser, source, begin, end, TOKEN_QUERY);
  const bool is_symbolic = !statistical_begins(&r.parser);
  const bool ok = is_symbolic && query_grammar_read(query, arena, (Place){source, begin}, end,
                                                    &language, &r, report);
  if (is_symbolic && !ok && !r.is_foreign)
    hint_at_other_words(source, begin, end, !r.is_no_query, report);
  parser_end(&r.parser);
  return ok;
}

bool uppaal_query(Query *query, Arena *arena, const Net *net, const Source *source,
                  uint32_t begin, uint32_t end, Report *report) {
  static const QueryLanguage language = {parse_part, make_part, refuse_beginning, true};
  Names names = net->origin.uppaal->names; // new names, which nothing is called, stay with it
  names.arena = arena;
  names_copy(&names);
  Frame frame = {0};
  const Place place = {source, begin};
  Reader r = {.parser = {.arena = arena, .report = report, .names = &names},
              .e = new_elaborator(net, arena, &frame, report)};
  parser_begin(&r.parser, source, begin, end, TOKEN_QUERY);
  bool ok = false;
  if (statistical_begins(&r.parser))
    ok = read_statistical(query, &r, arena, &frame, net, place, end);
  else if (!report_obstacles(net, report))
    ok = query_grammar_read(query, arena, place, end, &language, &r, report);
  if (!ok && !r.is_foreign && !r.e.failures && !net->origin.obstacles)
    hint_at_other_words(source, begin, end, !r.is_no_query, report);
  parser_end(&r.parser);
  vec_release(arena->mem, &r.e.reported);
  vec_release(arena->mem, &r.e.warned);
  vec_release(arena->mem, &r.e.codes);
  return ok;
}
