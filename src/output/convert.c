#include "output/convert.h"

#include "language/tchecker/tck_writer.h"

#include <stdlib.h>
#include <string.h>

typedef struct Renaming {
  const char *from, *to;
  size_t length;
  bool is_stored; // a variable or a clock: expressions have it
} Renaming;

typedef struct Conversion {
  const Net *net;
  Report *report;
  Arena arena;
  VEC(Renaming) names;
} Conversion;

__attribute__((format(printf, 3, 4))) static void refuse(Conversion *c, Place place,
                                                         const char *format, ...) {
  va_list args;
  va_start(args, format);
  report_errors(c->report, place, format, args);
  va_end(args);
}

static void check_number(Conversion *c, const Expr *expr) {
  if (expr && (expr->kind == EXPR_NOT || expr->kind == EXPR_AND ||
               (expr->kind >= EXPR_EQ && expr->kind <= EXPR_GE)))
    refuse(c, expr->place,
           "TChecker's conditions are not numbers: write `n > 0 ? b = 1 : b = 0`");
}

static void check_expr(Conversion *c, const Expr *expr) {
  if (!expr)
    return;
  const ExprKind kind = expr->kind;
  if (kind == EXPR_CALL || kind == EXPR_FORALL || kind == EXPR_EXISTS || kind == EXPR_SUM ||
      kind == EXPR_TABLE || kind == EXPR_ASSIGN || kind == EXPR_COND || kind == EXPR_FIELD ||
      (kind >= EXPR_MIN && kind <= EXPR_SHR)) {
    refuse(c, expr->place,
           "TChecker's language has no functions, quantifiers, constants in tables, "
           "bit operators, `<?`, `>?`, `?:`, structs and assignments inside expressions");
    return;
  }
  if (kind == EXPR_OR)
    refuse(c, expr->place, "TChecker's conditions are conjunctions: write an edge for each case");
  if (kind == EXPR_INDEX && expr->a->type->first != 0)
    refuse(c, expr->place, "TChecker's arrays begin with 0");
  if ((kind >= EXPR_ADD && kind <= EXPR_SHR) || (kind >= EXPR_EQ && kind <= EXPR_GE) ||
      kind == EXPR_NEG) {
    check_number(c, expr->a);
    check_number(c, expr->b);
  }
  check_expr(c, expr->a);
  check_expr(c, expr->b);
  check_expr(c, expr->c);
}

static void check_stmts(Conversion *c, const Stmt *stmt) {
  for (; stmt; stmt = stmt->next) {
    if (stmt->kind == STMT_CALL || stmt->kind == STMT_DO || stmt->kind == STMT_ASSERT)
      refuse(c, stmt->place, "TChecker's language has no functions");
    else {
      check_expr(c, stmt->target);
      check_expr(c, stmt->source);
      check_expr(c, stmt->value);
      if (stmt->kind == STMT_ASSIGN)
        check_number(c, stmt->value);
    }
    check_stmts(c, stmt->body);
    check_stmts(c, stmt->other);
  }
}

// Other words of the language are told from names by their places.
static void check_name(Conversion *c, const Name *name) {
  if (!strcmp(name->name, "then") || !strcmp(name->name, "end"))
    refuse(c, name->place, "`%s` is a word of TChecker's language: give it another name",
           name->name);
}

static void check_variable(Conversion *c, const Name *name) {
  const Type *type = name->type;
  const bool is_array = type->kind == TYPE_ARRAY;
  const Type *element = is_array ? type->element : type;
  if (element->kind != TYPE_INT)
    refuse(c, name->place, "TChecker's variables are integers and arrays of them");
  check_name(c, name);
  if (name->is_meta)
    refuse(c, name->place, "TChecker's language has no meta variables");
  for (uint32_t k = 1; k < type->slots; k++)
    if (name->initial[k] != name->initial[0]) {
      refuse(c, name->place, "the elements of a TChecker array have one initial value");
      break;
    }
}

static void check_features(Conversion *c) {
  const Net *net = c->net;
  for (uint32_t i = 0; i < net->variables.size; i++)
    check_variable(c, &net->variables.items[i]);
  for (uint32_t i = 0; i < net->clocks.size; i++)
    check_name(c, &net->clocks.items[i]);
  for (uint32_t i = 0; i < net->clocks.size; i++)
    if (net->clocks.items[i].initial)
      refuse(c, net->clocks.items[i].place, "TChecker's clocks start with 0");
  for (uint32_t i = 0; i < net->channels.size; i++)
    if (net->channels.items[i].urgent)
      refuse(c, net->channels.items[i].place, "TChecker's language has no urgent channels");
  if (net->priority.is_used)
    refuse(c, net->origin.place, "TChecker's language has no priorities");
  if (net->hooks.before_stmts || net->hooks.after_stmts)
    refuse(c, net->origin.place, "TChecker's language has no `before_update` and `after_update`");
  for (LocationId i = 0; i < net->locations.size; i++) {
    check_expr(c, net->locations.items[i].invariant_expr);
    if (net->locations.items[i].clock_rate_count)
      refuse(c, net->locations.items[i].clock_rates[0].place,
             "TChecker's language has no stopwatches");
  }
  for (EdgeId i = 0; i < net->edges.size; i++) {
    const Edge *edge = &net->edges.items[i];
    check_expr(c, edge->guard_expr);
    check_stmts(c, edge->update_stmts);
    for (uint32_t k = 0; edge->guard_expr && k < net->channels.size; k++)
      if (net->channels.items[k].broadcast && net->channels.items[k].receive == edge->event)
        refuse(c, edge->place, "in TChecker's language receivers of broadcasts have no guards");
  }
}

static bool is_word(char ch) {
  return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || (ch >= '0' && ch <= '9') ||
         ch == '_';
}

// Words of TChecker's language that UPPAAL's lets one use as names.
static bool is_reserved(const char *name) {
  static const char *const words[] = {"system", "process", "event", "location", "edge",
                                      "sync",   "then",    "end",   "nop",      "local"};
  for (uint32_t k = 0; k < sizeof words / sizeof *words; k++)
    if (!strcmp(name, words[k]))
      return true;
  return false;
}

static bool is_taken(const Conversion *c, const char *name) {
  for (uint32_t i = 0; i < c->names.size; i++)
    if (!strcmp(c->names.items[i].to, name))
      return true;
  return false;
}

static void add_name(Conversion *c, const char *name, bool is_stored) {
  Text made = {.mem = c->net->mem};
  if (*name >= '0' && *name <= '9') // of a file
    text_add_char(&made, '_');
  for (const char *at = name; *at; at++) {
    if (is_word(*at))
      text_add_char(&made, *at);
    else if (*at == '!')
      text_add(&made, "_out");
    else if (*at == '?')
      text_add(&made, "_in");
    else if (*at == '-')
      text_add_char(&made, 'm');
    else if (*at != ')' && *at != ']')
      text_add_char(&made, '_');
  }
  while (is_reserved(text_chars(&made)) || is_taken(c, text_chars(&made)))
    text_add_char(&made, '_');
  const Renaming renaming = {name, arena_text(&c->arena, text_chars(&made), made.size),
                             strlen(name), is_stored};
  text_release(&made);
  vec_push(c->net->mem, &c->names, renaming);
}

// The same name may be that of locations in several processes, and of other things.
static void add_location_name(Conversion *c, const char *name) {
  bool is_plain = !is_reserved(name);
  for (const char *at = name; *at && is_plain; at++)
    is_plain = is_word(*at);
  for (uint32_t i = 0; i < c->names.size && !is_plain; i++)
    is_plain = !strcmp(c->names.items[i].from, name);
  if (!is_plain)
    add_name(c, name, false);
}

static int longer_first(const void *a, const void *b) {
  const size_t x = ((const Renaming *)a)->length, y = ((const Renaming *)b)->length;
  return (x < y) - (x > y);
}

static void gather_names(Conversion *c) {
  const Net *net = c->net;
  for (uint32_t i = 0; i < net->processes.size; i++)
    add_name(c, net->processes.items[i].name, false);
  for (uint32_t i = 0; i < net->variables.size; i++)
    add_name(c, net->variables.items[i].name, true);
  for (uint32_t i = 0; i < net->clocks.size; i++)
    add_name(c, net->clocks.items[i].name, true);
  for (uint32_t i = 0; i < net->events.size; i++)
    add_name(c, net->events.items[i].name, false);
  for (uint32_t i = 0; i < net->locations.size; i++)
    add_location_name(c, net->locations.items[i].name);
  qsort(c->names.items, c->names.size, sizeof *c->names.items, longer_first);
}

// Whether a word of the language stands here: at the beginning of a line, or as the key of an
// attribute, which follows `{` or ` : `.
static bool is_keyword(const char *text, const char *at) {
  if (at == text || at[-1] == '\n' || at[-1] == '{')
    return true;
  return at - text >= 3 && !strncmp(at - 3, " : ", 3);
}

// The text with the new names.
static void rename_all(Conversion *c, Text *out, const char *text) {
  bool is_inside = false; // of the attributes
  for (const char *at = text; *at;) {
    const Renaming *found = NULL;
    is_inside = *at != '\n' && (is_inside || *at == '{');
    if (!is_keyword(text, at) && !is_word(at[-1]))
      for (uint32_t i = 0; i < c->names.size && !found; i++) {
        const Renaming *r = &c->names.items[i];
        const bool ends = !is_word(r->from[r->length - 1]) || !is_word(at[r->length]);
        if (*at == *r->from && (r->is_stored || !is_inside) && !strncmp(at, r->from, r->length) &&
            ends)
          found = r;
      }
    text_add(out, found ? found->to : "");
    if (!found)
      text_add_char(out, *at);
    at += found ? found->length : 1;
  }
}

// The name of a file may be anything.
static void add_system(Conversion *c, Text *out) {
  const char *name = c->net->origin.name;
  text_add(out, "system:");
  if (*name >= '0' && *name <= '9')
    text_add_char(out, '_');
  for (const char *at = name; *at; at++)
    text_add_char(out, is_word(*at) ? *at : '_');
  if (!*name || is_reserved(name))
    text_add_char(out, '_');
}

// A view without the rates that only queries could notice: TChecker's language has none.
static Net without_rates(Conversion *c) {
  Net view = *c->net;
  view.invalid_is_error = false; // it is read as what it is written as
  view.locations.items = arena_copy(&c->arena, c->net->locations.items,
                                    c->net->locations.size * sizeof *c->net->locations.items);
  for (LocationId i = 0; i < view.locations.size; i++)
    view.locations.items[i].unread_rate_count = 0;
  return view;
}

bool convert_to_tchecker(Text *out, const Net *net, Report *report) {
  Conversion c = {.net = net, .report = report, .arena = {.mem = net->mem}};
  check_features(&c);
  if (!report_failed(report)) {
    Text shown = {.mem = net->mem};
    const Net view = without_rates(&c);
    gather_names(&c);
    tck_write(&shown, &view);
    add_system(&c, out);
    rename_all(&c, out, strchr(text_chars(&shown), '\n'));
    text_release(&shown);
  }
  vec_release(net->mem, &c.names);
  arena_release(&c.arena);
  return !report_failed(report);
}
