#include "language/query_reader.h"

#include "language/query_grammar.h"
#include "language/tchecker/tck_expr.h"
#include "language/uppaal/uppaal.h"
#include "model/queryhint.h"

#include <string.h>

static const Net *net_of(const TckParser *parser) { return *(const Net *const *)parser->context; }

static const Name *find_name(const Name *names, uint32_t count, const char *name) {
  for (uint32_t i = 0; i < count; i++)
    if (!strcmp(names[i].name, name))
      return &names[i];
  return NULL;
}

// P.l, in the arena.
static const char *location_name(Arena *arena, const Net *net, const Location *location) {
  Text text = {.mem = arena->mem};
  text_addf(&text, "%s.%s", net->processes.items[location->process].name, location->name);
  const char *name = arena_text(arena, text.chars, text.size);
  text_release(&text);
  return name;
}

static const Expr *at_location(TckParser *parser, Place place, LocationId id) {
  const Net *net = net_of(parser);
  const Location *location = &net->locations.items[id];
  return expr_at(parser->arena, place, location_name(parser->arena, net, location),
                 net->location_slot + location->process, (int32_t)location->index);
}

static bool carries(const Location *location, LabelId label) {
  for (uint32_t i = 0; i < location->labels.size; i++)
    if (location->labels.items[i] == label)
      return true;
  return false;
}

// A balanced disjunction, so that a label of thousands of locations makes no deep tree.
static const Expr *any_of(TckParser *parser, Place place, const LocationId *ids, uint32_t count) {
  if (count == 1)
    return at_location(parser, place, ids[0]);
  const Expr *left = any_of(parser, place, ids, count / 2);
  const Expr *right = any_of(parser, place, ids + count / 2, count - count / 2);
  return expr_binary(parser->arena, place, EXPR_OR, left, right);
}

static Term label_term(TckParser *parser, Token token, LabelId label) {
  const Net *net = net_of(parser);
  const Place place = tck_place(parser, token.offset);
  VEC(LocationId) ids = {0};
  for (LocationId id = 0; id < net->locations.size; id++)
    if (carries(&net->locations.items[id], label))
      vec_push(parser->arena->mem, &ids, id);
  Term term = term_leaf(parser, TERM_COND, NULL, token.offset);
  term.expr =
      ids.size ? any_of(parser, place, ids.items, ids.size) : expr_const(parser->arena, place, 0);
  for (uint32_t n = ids.size; n > 1; n = (n + 1) / 2)
    term.depth++;
  vec_release(parser->arena->mem, &ids);
  return term;
}

// Names may contain dots, so `a.b.c` can be location b.c of process a or c of a.b. Returns
// how many there are, and the last of them.
static unsigned find_location(TckParser *parser, const char *name, LocationId *id) {
  const Net *net = net_of(parser);
  unsigned count = 0;
  for (const char *dot = strchr(name, '.'); dot; dot = strchr(dot + 1, '.')) {
    const char *process_name = arena_text(parser->arena, name, (size_t)(dot - name));
    const ProcessId process = net_find_process(net, process_name);
    const LocationId location =
        process == NET_NONE ? NET_NONE : net_find_location(net, process, dot + 1);
    if (location == NET_NONE)
      continue;
    *id = location;
    count++;
  }
  return count;
}

// The nearest of all names that a query can use.
static const char *nearest_name(TckParser *parser, const char *name) {
  const Net *net = net_of(parser);
  Nearest nearest = {0};
  for (uint32_t i = 0; i < net->variables.size; i++)
    text_consider(&nearest, name, net->variables.items[i].name);
  for (uint32_t i = 0; i < net->clocks.size; i++)
    text_consider(&nearest, name, net->clocks.items[i].name);
  for (uint32_t i = 0; i < net->labels.size; i++)
    text_consider(&nearest, name, net->labels.items[i].name);
  for (uint32_t i = 0; i < net->locations.size; i++)
    text_consider(&nearest, name, location_name(parser->arena, net, &net->locations.items[i]));
  return nearest.name;
}

static void fail_unknown(TckParser *parser, Token token, const char *name) {
  const Net *net = net_of(parser);
  const char *dot = strchr(name, '.');
  const char *hint = tck_hint(parser, nearest_name(parser, name));
  const ProcessId whole = net_find_process(net, name);
  const ProcessId prefix =
      dot ? net_find_process(net, arena_text(parser->arena, name, (size_t)(dot - name)))
          : NET_NONE;
  if (whole != NET_NONE)
    tck_fail(parser, token.offset, "`%s` is a process; ask for one of its locations, as in `%s`",
             name, location_name(parser->arena, net, net_location(net, whole, 0)));
  else if (prefix != NET_NONE)
    tck_fail(parser, token.offset, "process `%s` has no location `%s`%s",
             net->processes.items[prefix].name, dot + 1, hint);
  else if (find_name(net->events.items, net->events.size, name))
    tck_fail(parser, token.offset,
             "`%s` is an event; a query can ask for locations, labels, variables and clocks",
             name);
  else
    tck_fail(parser, token.offset,
             "`%s` is neither a location, as in `P.l`, nor a label, a variable or a clock%s",
             name, hint);
}

static void warn_of_double_meaning(TckParser *parser, Token token, const char *taken,
                                   const char *other) {
  tck_warn(parser, token.offset, "`%s` is %s as well as %s; here it is %s",
           tck_token_text(parser, token), taken, other, taken);
}

static Term resolve(TckParser *parser, Token token) {
  const Net *net = net_of(parser);
  const Place place = tck_place(parser, token.offset);
  const char *name = tck_token_text(parser, token);
  const Name *variable = find_name(net->variables.items, net->variables.size, name);
  const Name *clock = find_name(net->clocks.items, net->clocks.size, name);
  const Name *label = find_name(net->labels.items, net->labels.size, name);
  const Name *storage = variable ? variable : clock;
  const char *kind = variable ? "a variable" : clock ? "a clock" : "a location";
  LocationId location = 0;
  const unsigned locations = find_location(parser, name, &location);
  if (storage && locations)
    warn_of_double_meaning(parser, token, kind, "a location");
  if ((storage || locations) && label)
    warn_of_double_meaning(parser, token, kind, "a label");
  if (storage)
    return term_storage(expr_storage(parser->arena, place, variable ? EXPR_VAR : EXPR_CLOCK,
                                     storage->name, storage->type, storage->base),
                        token);
  if (locations == 1)
    return term_leaf(parser, TERM_COND, at_location(parser, place, location), token.offset);
  if (!locations && label)
    return label_term(parser, token, (LabelId)(label - net->labels.items));
  if (locations)
    tck_fail(parser, token.offset,
             "`%s` is a location in more than one way; give one of them a label and ask for that",
             name);
  else
    fail_unknown(parser, token, name);
  return term_none(parser);
}

static TckParser new_parser(Arena *arena, const Net **net, Report *report) {
  return (TckParser){
      .arena = arena, .report = report, .query = true, .resolve = resolve, .context = net};
}

// Words of other queries, and what to do instead; model/queryhint.h knows more.
static const char *const foreign[][2] = {
    {"Pr", "probabilities are not supported; `E<>` asks whether it can happen"},
    {"simulate", "for random runs use the command `tarn simulate`"},
    {"control", "games are not supported"},
    {"strategy", "strategies are not supported"},
    {"minE", "strategies are not supported"},
    {"maxE", "strategies are not supported"},
    {"minPr", "strategies are not supported"},
    {"maxPr", "strategies are not supported"},
};

static void fail_beginning(TckParser *parser) {
  const uint32_t begin = parser->token.offset, end = parser->lexer.end;
  for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
    if (tck_at_word(parser, foreign[i][0]))
      tck_fail(parser, begin, "a query does not begin with `%s`; %s", foreign[i][0],
               foreign[i][1]);
  size_t at;
  const char *text = parser->lexer.source->text + begin,
             *hint = queryhint_begin(text, end - begin, &at);
  if (hint)
    tck_fail(parser, begin + (uint32_t)at, "%s", hint);
  tck_fail(parser, begin,
           "a query begins with `E<>` (can it happen?), `A[]` (does it always hold?), `E[]`, "
           "`A<>`, `sup`, `inf` or `bounds`, or is `p --> q`");
}

static bool refuse_beginning(void *reader, bool has_arrow) {
  if (!has_arrow)
    fail_beginning(reader);
  return !has_arrow;
}

// formula | clock | sum
static const void *parse_part(void *reader, const QueryPart *part) {
  TckParser *parser = reader;
  const bool is_number = part->role == QUERY_VALUE && part->kind != QUERY_BUCHI;
  const bool is_state = part->kind == QUERY_REACH || part->kind == QUERY_INVARIANT;
  tck_start(parser, parser->lexer.source, part->begin, part->end, false);
  const uint32_t begin = parser->token.offset;
  const Term term = is_number ? tck_sum(parser) : tck_formula(parser);
  const Expr *expr = is_number && term.kind == TERM_CLOCK ? term.expr
                     : is_number ? term_integer(parser, &term, "`sup` and `inf`")
                     : part->role == QUERY_VALUE
                         ? term_condition_without_clocks(parser, &term, "`buchi`")
                         : term_condition(parser, &term);
  tck_expect_end(parser);
  if (!is_state && part->role != QUERY_VALUE && !report_failed(parser->report) &&
      expr_has_kind(expr, EXPR_DEADLOCK))
    tck_fail(parser, begin, "`deadlock` can be asked for with `E<>` and `A[]` only");
  return expr;
}

static bool too_large(const Source *source, Report *report) {
  if (source->size >= UINT32_MAX)
    report_error(report, (Place){source, 0}, "queries of 4 GiB and more are not supported");
  return source->size >= UINT32_MAX;
}

static bool read_range(Query *query, TckParser *parser, const Source *source, uint32_t begin,
                       uint32_t end) {
  static const QueryLanguage language = {.parse = parse_part, .refuse = refuse_beginning};
  tck_start(parser, source, begin, end, false);
  return query_grammar_read(query, parser->arena, (Place){source, begin}, end, &language, parser,
                            parser->report);
}

bool query_read(Query *query, Arena *arena, const Net *net, const Source *source,
                Report *report) {
  return query_read_part(query, arena, net, source, 0, source->size, report);
}

bool query_read_part(Query *query, Arena *arena, const Net *net, const Source *source,
                     size_t begin, size_t end, Report *report) {
  if (too_large(source, report))
    return false;
  TckParser parser = new_parser(arena, &net, report);
  const uint32_t first = (uint32_t)begin, last = (uint32_t)end;
  return net->origin.uppaal ? uppaal_query(query, arena, net, source, first, last, report)
                            : read_range(query, &parser, source, first, last);
}

static Term read_label(TckParser *parser, uint32_t begin, uint32_t end) {
  const Net *net = net_of(parser);
  const char *text = parser->lexer.source->text;
  while (begin < end && lexer_is_blank(text[begin]))
    begin++;
  while (begin < end && lexer_is_blank(text[end - 1]))
    end--;
  const Token token = {TOKEN_NAME, begin, end - begin, 0};
  const char *name = tck_token_text(parser, token);
  const Name *label = find_name(net->labels.items, net->labels.size, name);
  if (label)
    return label_term(parser, token, (LabelId)(label - net->labels.items));
  Nearest nearest = {0};
  for (uint32_t i = 0; i < net->labels.size; i++)
    text_consider(&nearest, name, net->labels.items[i].name);
  if (!*name)
    tck_fail(parser, begin, "a label is missing here; labels are written `a,b`");
  else if (!net->labels.size)
    tck_fail(parser, begin, "no location has the label `%s`: the model has no labels at all",
             name);
  else
    tck_fail(parser, begin, "no location has the label `%s`%s", name,
             tck_hint(parser, nearest.name));
  return term_none(parser);
}

bool query_read_labels(Query *query, Arena *arena, const Net *net, const Source *labels,
                       Report *report) {
  TckParser parser = new_parser(arena, &net, report);
  if (too_large(labels, report))
    return false;
  const uint32_t size = (uint32_t)labels->size;
  tck_start(&parser, labels, 0, size, false);
  Term all = {0};
  for (uint32_t begin = 0, next; begin <= size && !report_failed(report); begin = next + 1) {
    for (next = begin; next < size && labels->text[next] != ',';)
      next++;
    const Term label = read_label(&parser, begin, next);
    all = begin ? term_connect(&parser, &all, EXPR_AND, &label) : label;
  }
  Tree *tree = ARENA_NEW(arena, Tree);
  *tree = (Tree){.kind = NODE_LABELS, .place = {labels, 0}, .value = (int32_t)size};
  *query = (Query){.kind = QUERY_REACH,
                   .formula = all.expr,
                   .tree = tree,
                   .text = arena_text(arena, labels->text, size),
                   .place = {labels, 0}};
  return !report_failed(report);
}
