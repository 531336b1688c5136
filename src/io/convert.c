#include "io/convert.h"

#include "io/show.h"

#include <stdlib.h>
#include <string.h>

typedef struct Renaming {
  const char *from, *to;
  size_t length;
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
    }
    check_stmts(c, stmt->body);
    check_stmts(c, stmt->other);
  }
}

static void check_variable(Conversion *c, const Name *name) {
  const Type *type = name->type;
  const bool is_array = type->kind == TYPE_ARRAY;
  const Type *element = is_array ? type->element : type;
  if (element->kind != TYPE_INT)
    refuse(c, name->place, "TChecker's variables are integers and arrays of them");
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
    if (net->clocks.items[i].initial)
      refuse(c, net->clocks.items[i].place, "TChecker's clocks start with 0");
  for (uint32_t i = 0; i < net->channels.size; i++)
    if (net->channels.items[i].urgent)
      refuse(c, net->channels.items[i].place, "TChecker's language has no urgent channels");
  if (net->priority.is_used)
    refuse(c, net->origin.place, "TChecker's language has no priorities");
  if (net->hooks.before_stmts || net->hooks.after_stmts)
    refuse(c, net->origin.place, "TChecker's language has no `before_update` and `after_update`");
  for (LocationId i = 0; i < net->locations.size; i++)
    check_expr(c, net->locations.items[i].invariant_expr);
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

static void add_name(Conversion *c, const char *name) {
  Text made = {.mem = c->net->mem};
  bool changed = false;
  for (const char *at = name; *at; at++) {
    changed |= !is_word(*at);
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
  for (uint32_t i = 0; i < c->names.size; i++)
    if (!strcmp(c->names.items[i].to, text_chars(&made))) {
      text_add_char(&made, '_');
      changed = true;
    }
  const Renaming renaming = {name, arena_text(&c->arena, text_chars(&made), made.size),
                             strlen(name)};
  text_release(&made);
  (void)changed;
  vec_push(c->net->mem, &c->names, renaming);
}

static int longer_first(const void *a, const void *b) {
  const size_t x = ((const Renaming *)a)->length, y = ((const Renaming *)b)->length;
  return (x < y) - (x > y);
}

static void gather_names(Conversion *c) {
  const Net *net = c->net;
  for (uint32_t i = 0; i < net->processes.size; i++)
    add_name(c, net->processes.items[i].name);
  for (uint32_t i = 0; i < net->variables.size; i++)
    add_name(c, net->variables.items[i].name);
  for (uint32_t i = 0; i < net->clocks.size; i++)
    add_name(c, net->clocks.items[i].name);
  for (uint32_t i = 0; i < net->events.size; i++)
    add_name(c, net->events.items[i].name);
  qsort(c->names.items, c->names.size, sizeof *c->names.items, longer_first);
}

// The text with the new names; only those with other characters than words have are looked for
// outside words.
static void rename_all(Conversion *c, Text *out, const char *text) {
  for (const char *at = text; *at;) {
    const Renaming *found = NULL;
    if (at == text || !is_word(at[-1]))
      for (uint32_t i = 0; i < c->names.size && !found; i++) {
        const Renaming *r = &c->names.items[i];
        const bool ends = !is_word(r->from[r->length - 1]) || !is_word(at[r->length]);
        if (*at == *r->from && !strncmp(at, r->from, r->length) && ends &&
            strspn(r->from, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") !=
                r->length)
          found = r;
      }
    text_add(out, found ? found->to : "");
    if (!found)
      text_add_char(out, *at);
    at += found ? found->length : 1;
  }
}

bool convert_to_tchecker(Text *out, const Net *net, Report *report) {
  Conversion c = {.net = net, .report = report, .arena = {.mem = net->mem}};
  check_features(&c);
  if (!report_failed(report)) {
    Text shown = {.mem = net->mem};
    gather_names(&c);
    show_model(&shown, net);
    rename_all(&c, out, text_chars(&shown));
    text_release(&shown);
  }
  vec_release(net->mem, &c.names);
  arena_release(&c.arena);
  return !report_failed(report);
}
