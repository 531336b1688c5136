#include "language/uppaal/xta_writer.h"

#include "language/uppaal/xta_parts.h"
#include "model/expr/print.h"
#include "model/stopwatches.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// Words that cannot be names, besides those with other characters than letters, digits and `_`.
static bool is_name(const char *name) {
  static const char *const words[] = {
      "and",      "assign",   "bool",   "broadcast", "chan",   "clock", "commit", "const",
      "default",  "do",       "else",   "exists",    "false",  "for",   "forall", "guard",
      "if",       "imply",    "init",   "int",       "meta",   "not",   "or",     "process",
      "priority", "progress", "return", "scalar",    "select", "state", "struct", "sync",
      "system",   "trans",    "true",   "typedef",   "urgent", "void",  "while"};
  for (uint32_t k = 0; k < sizeof words / sizeof *words; k++)
    if (!strcmp(name, words[k]))
      return false;
  if (*name >= '0' && *name <= '9')
    return false;
  return !name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")];
}

void xta_check_name(Writer *w, const char *name, Place place) {
  if (!is_name(name))
    report_error(w->report, place, "`%s` cannot be a name in UPPAAL's language: rename it", name);
}

// A variable, or a parameter of its type.
void xta_add_variable(Writer *w, const Name *variable) {
  const bool is_array = variable->type->kind == TYPE_ARRAY;
  const Type *type = is_array ? variable->type->element : variable->type;
  text_addf(w->text, "int[%d,%d] %s", (int)type->min, (int)type->max, variable->name);
  if (is_array)
    text_addf(w->text, "[%u]", (unsigned)variable->type->count);
}

// Variables and clocks; TChecker's arrays have one dimension and begin with 0.
static void add_variables(Writer *w) {
  for (uint32_t i = 0; i < w->net->clocks.size; i++) {
    const Name *clock = &w->net->clocks.items[i];
    xta_check_name(w, clock->name, clock->place);
    text_addf(w->text, "clock %s", clock->name);
    if (clock->type->kind == TYPE_ARRAY)
      text_addf(w->text, "[%u]", (unsigned)clock->type->count);
    text_add(w->text, ";\n");
  }
  for (uint32_t i = 0; i < w->net->variables.size; i++) {
    const Name *variable = &w->net->variables.items[i];
    const bool is_array = variable->type->kind == TYPE_ARRAY;
    xta_check_name(w, variable->name, variable->place);
    xta_add_variable(w, variable);
    text_add(w->text, is_array ? " = {" : " = ");
    for (uint32_t k = 0; k < variable->type->slots; k++)
      text_addf(w->text, "%s%d", k ? ", " : "", (int)variable->initial[k]);
    text_add(w->text, is_array ? "};\n" : ";\n");
  }
}

static bool receives_without_guard(const Net *net, const SyncPart *part) {
  for (EdgeId i = 0; i < net->edges.size; i++) {
    const Edge *edge = &net->edges.items[i];
    if (edge->process == part->process && edge->event == part->event && edge->guard_expr)
      return false;
  }
  return true;
}

static void check_sync(Writer *w, const Sync *sync) {
  bool has_weak = false;
  for (uint32_t k = 0; k < sync->parts.size && sync->parts.size > 1; k++)
    has_weak |= sync->parts.items[k].weak;
  for (uint32_t k = 0; k < sync->parts.size; k++) {
    const SyncPart *part = &sync->parts.items[k];
    if (has_weak && (part->weak != (k > 0) || (k && !receives_without_guard(w->net, part))))
      report_error(w->report, sync->place,
                   "UPPAAL has no such broadcast: one sender first, all others weak, and these "
                   "without guards");
  }
}

// A channel is a broadcast if the sender can act alone, or if all that can receive do so.
static bool is_broadcast(const Sync *sync) {
  return sync->parts.size < 2 || sync->parts.items[1].weak || xta_is_joint(sync);
}

static void add_channels(Writer *w) {
  for (uint32_t s = 0; s < w->net->syncs.size; s++) {
    const Sync *sync = &w->net->syncs.items[s];
    check_sync(w, sync);
    text_addf(w->text, "%schan sync_%u; //", is_broadcast(sync) ? "broadcast " : "", (unsigned)s);
    for (uint32_t k = 0; k < sync->parts.size; k++)
      text_addf(w->text, " %s@%s%s", w->net->processes.items[sync->parts.items[k].process].name,
                w->net->events.items[sync->parts.items[k].event].name,
                sync->parts.items[k].weak ? "?" : "");
    text_add_char(w->text, '\n');
  }
}

// Expressions are written as TChecker writes them, which is as UPPAAL does, but for conditions.
static bool has_condition(const Expr *expr) {
  if (!expr)
    return false;
  return expr->kind == EXPR_COND || has_condition(expr->a) || has_condition(expr->b) ||
         has_condition(expr->c);
}

// TChecker's language has larger constants for clocks.
static bool has_large_number(const char *text) {
  for (const char *at = text; *at;) {
    const size_t digits = strspn(at, "0123456789");
    const bool is_name = at > text && (isalnum((unsigned char)at[-1]) || at[-1] == '_');
    if (digits > 9 && !is_name && strtoll(at, NULL, 10) > INT32_MAX)
      return true;
    at += digits ? digits : 1;
  }
  return false;
}

void xta_add_expr(Writer *w, const Expr *expr) {
  if (has_condition(expr))
    report_error(w->report, expr->place, "`if` inside an expression is not converted");
  const size_t begin = w->text->size;
  expr_print(w->text, expr);
  if (has_large_number(text_chars(w->text) + begin))
    report_error(
        w->report, expr->place,
        "numbers of UPPAAL's language are at most 2147483647: use a larger unit of time");
}

// A part of a guard: `value >= limit` or `<=`. Of v + 1 it is one of v, which needs no
// arithmetic.
static void add_bound(Writer *w, const Expr *value, const char *op, int64_t limit, bool any) {
  int32_t constant;
  if ((value->kind == EXPR_ADD || value->kind == EXPR_SUB) &&
      expr_is_const(value->b, &constant)) {
    limit += value->kind == EXPR_ADD ? -(int64_t)constant : constant;
    value = value->a;
  }
  text_addf(w->text, "%s(", any ? " && " : " guard ");
  xta_add_expr(w, value);
  text_addf(w->text, ") %s %" PRId64, op, limit);
}

// The value of an assignment that can leave its range must not depend on those from `before` to
// itself, or to the end of another edge: a guard is evaluated before all of them. Behind `if`,
// `while` and `local` it may depend on anything.
static void check_before(Writer *w, const Stmt *s, const Stmt *before, bool is_plain) {
  for (; before && before != s; before = before->next)
    if (before->kind != STMT_CLOCK_ASSIGN && before->kind != STMT_NOP &&
        (!is_plain || !before->target || xta_depends(s, before)))
      report_error(w->report, s->place,
                   "whether this assignment leaves its range depends on others before it: "
                   "that is not converted");
}

// Range guards of a receiver. The sender's updates come before its own, and one that takes part
// weakly would stay away where its guard does not hold, instead of keeping the sender back.
static void check_receiver(Writer *w, const Edge *edge, const Sync *sync, uint32_t k) {
  const Net *net = w->net;
  const bool is_plain = xta_is_plain(edge->update_stmts);
  for (const Stmt *s = edge->update_stmts; s; s = s->next) {
    if (!xta_can_leave(s) && !xta_can_any_leave(s->body) && !xta_can_any_leave(s->other))
      continue;
    if (sync->parts.items[k].weak)
      report_error(w->report, s->place,
                   "of a process that takes part weakly, assignments that can leave their ranges "
                   "are not converted");
    for (EdgeId i = 0; i < net->edges.size; i++)
      for (uint32_t j = 0; j < k; j++)
        if (net_is_of_part(&net->edges.items[i], &sync->parts.items[j]))
          check_before(w, s, net->edges.items[i].update_stmts, is_plain);
  }
}

// Guards that keep assignments in their ranges.
static bool add_range_guards(Writer *w, const Edge *edge, bool any) {
  for (const Stmt *s = edge->update_stmts; s; s = s->next) {
    if (!xta_can_leave(s))
      continue;
    check_before(w, s, edge->update_stmts, true);
    const Range range = expr_range(s->value);
    if (range.low < s->target->type->min)
      add_bound(w, s->value, ">=", s->target->type->min, any);
    any |= range.low < s->target->type->min;
    if (range.high > s->target->type->max)
      add_bound(w, s->value, "<=", s->target->type->max, any);
    any = true;
  }
  return any;
}

// A conjunct; a disjunction in parentheses.
void xta_add_conjunct(Writer *w, const Expr *expr) {
  text_add(w->text, expr->kind == EXPR_OR ? "(" : "");
  xta_add_expr(w, expr);
  text_add(w->text, expr->kind == EXPR_OR ? ")" : "");
}

// `guard ...` without its end; true if there is one.
bool xta_add_guard(Writer *w, const Edge *edge) {
  if (edge->guard_expr) {
    text_add(w->text, " guard ");
    xta_add_conjunct(w, edge->guard_expr);
  }
  const bool any = edge->guard_expr != NULL;
  if (xta_is_plain(edge->update_stmts))
    return add_range_guards(w, edge, any);
  if (!xta_can_any_leave(edge->update_stmts))
    return any;
  xta_add_trial_call(w, edge, any ? " &&" : " guard");
  return true;
}

static void add_updates(Writer *w, EdgeId id) {
  const Edge *edge = &w->net->edges.items[id];
  const bool plain = xta_is_plain(edge->update_stmts);
  const char *separator = " assign ";
  if (edge->update_stmts && !plain) {
    text_addf(w->text, " assign update_%u()", (unsigned)id);
    separator = ", ";
  }
  for (const Stmt *s = plain ? edge->update_stmts : NULL; s; s = s->next) {
    if (s->kind == STMT_NOP)
      continue;
    text_add(w->text, separator);
    xta_add_assign(w, s);
    separator = ", ";
  }
  if (w->is_located[edge->process] && edge->source != edge->target) {
    text_add(w->text, separator);
    xta_add_where(w, edge->process, "=", edge->target);
    separator = ", ";
  }
  text_add(w->text, *separator == ',' ? "; }" : " }");
}

// The edge as part k of a synchronisation; NULL: alone.
static void add_edge(Writer *w, EdgeId id, const Sync *sync, uint32_t k, bool *any) {
  const Net *net = w->net;
  const Edge *edge = &net->edges.items[id];
  text_addf(w->text, "%s\n    %s -> %s {", *any ? "," : "",
            net->locations.items[edge->source].name, net->locations.items[edge->target].name);
  *any = true;
  if (sync && k && !xta_is_joint(sync))
    check_receiver(w, edge, sync, k);
  const bool guarded =
      sync && xta_is_joint(sync) ? xta_add_joint_guard(w, edge, sync, k) : xta_add_guard(w, edge);
  text_add(w->text, guarded ? ";" : "");
  if (sync)
    text_addf(w->text, " sync sync_%u%c;", (unsigned)(sync - net->syncs.items), k ? '?' : '!');
  add_updates(w, id);
}

static void add_edges(Writer *w, ProcessId process) {
  const Net *net = w->net;
  bool any = false;
  for (EdgeId i = 0; i < net->edges.size; i++) {
    const Edge *edge = &net->edges.items[i];
    if (edge->process != process)
      continue;
    if (!any)
      text_add(w->text, "  trans");
    bool alone = true;
    for (uint32_t s = 0; s < net->syncs.size; s++)
      for (uint32_t k = 0; k < net->syncs.items[s].parts.size; k++) {
        if (!net_is_of_part(edge, &net->syncs.items[s].parts.items[k]))
          continue;
        alone = false;
        add_edge(w, i, &net->syncs.items[s], k, &any);
      }
    if (alone)
      add_edge(w, i, NULL, 0, &any);
  }
  text_add(w->text, any ? ";\n" : "");
}

// A list of the locations with a mark, if there are any.
static void add_marked(Writer *w, const Process *process, bool committed) {
  bool any = false;
  for (uint32_t i = 0; i < process->location_count; i++) {
    const Location *location = &w->net->locations.items[process->first_location + i];
    if (!(committed ? location->committed : location->urgent))
      continue;
    text_addf(w->text, "%s%s",
              any         ? ", "
              : committed ? "  commit "
                          : "  urgent ",
              location->name);
    any = true;
  }
  text_add(w->text, any ? ";\n" : "");
}

// The invariant of a location, with the rates of clocks.
static void add_invariant(Writer *w, const Location *location) {
  uint32_t count;
  const ClockRate *rates = stopwatches_rates(location, &count);
  if (!location->invariant_expr && !count)
    return;
  text_add(w->text, " { ");
  if (location->invariant_expr)
    xta_add_expr(w, location->invariant_expr);
  for (uint32_t i = 0; i < count; i++) {
    text_add(w->text, i || location->invariant_expr ? " && " : "");
    xta_add_expr(w, rates[i].clock);
    text_add(w->text, "' == ");
    xta_add_expr(w, rates[i].rate);
  }
  text_add(w->text, " }");
}

static void add_process(Writer *w, ProcessId p) {
  const Process *process = &w->net->processes.items[p];
  uint32_t initial = 0;
  const char *first = "";
  xta_check_name(w, process->name, process->place);
  text_addf(w->text, "\nprocess %s() {\n", process->name);
  xta_add_functions(w, p);
  text_add(w->text, "  state ");
  for (uint32_t i = 0; i < process->location_count; i++) {
    const Location *location = &w->net->locations.items[process->first_location + i];
    xta_check_name(w, location->name, location->place);
    text_addf(w->text, "%s%s", i ? ", " : "", location->name);
    add_invariant(w, location);
    if (location->initial) {
      initial++;
      first = location->name;
    }
  }
  text_add(w->text, ";\n");
  add_marked(w, process, true);
  add_marked(w, process, false);
  text_addf(w->text, "  init %s;\n", first);
  add_edges(w, p);
  text_add(w->text, "}\n");
  if (initial != 1)
    report_error(w->report, process->place,
                 "process `%s` has %u initial locations; UPPAAL's have one", process->name,
                 (unsigned)initial);
}

bool xta_write(Text *text, const Net *net, Report *report) {
  Writer w = {.text = text, .net = net, .report = report};
  text_addf(text, "// %s, written by tarn\n", net->origin.name ? net->origin.name : "a network");
  xta_find_located(&w);
  add_variables(&w);
  xta_add_located(&w);
  add_channels(&w);
  for (ProcessId p = 0; p < net->processes.size; p++)
    add_process(&w, p);
  text_add(text, "\nsystem ");
  for (ProcessId p = 0; p < net->processes.size; p++)
    text_addf(text, "%s%s", p ? ", " : "", net->processes.items[p].name);
  text_add(text, ";\n");
  mem_free(net->mem, w.is_located);
  return !report_failed(report);
}
