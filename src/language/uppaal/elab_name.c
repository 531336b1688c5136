// Names in expressions: variables, constants, processes, and their parts.
#include "language/uppaal/advice.h"
#include "language/uppaal/elab_real.h"
#include "model/expr/real.h"

#include <string.h>

// Storage or a part of it, as a value.
static Value stored(const Expr *expr) {
  if (expr->type->kind == TYPE_CLOCK)
    return (Value){.kind = VALUE_CLOCKS, .plus = expr};
  if (leaf(expr->type)->kind == TYPE_CHANNEL)
    return (Value){.kind = VALUE_CHANNEL, .expr = expr};
  return data(expr);
}

static Expr *moved(Elaborator *e, const Expr *expr, Place place) {
  Expr *copy = ARENA_NEW(e->arena, Expr);
  *copy = *expr;
  copy->place = place;
  return copy;
}

// The parts of a struct with clocks; without data only clocks and arrays of them have one.
static Value record(const Expr *rest, const Expr *clocks) {
  if (!clocks)
    return stored(rest);
  if (!rest && leaf(clocks->type)->kind == TYPE_CLOCK)
    return stored(clocks);
  return (Value){.kind = VALUE_RECORD, .expr = rest, .plus = clocks};
}

// A query about a clock whose rates the model ignores, as nothing else depends on it.
static bool is_without_rates(const Elaborator *e, const Expr *clocks) {
  bool is_rated = false;
  for (uint32_t k = 0; e->is_query && e->is_rated && clocks && clocks->kind == EXPR_CLOCK &&
                       !elab_is_ignored(clocks) && k < clocks->type->slots;
       k++)
    is_rated |= e->is_rated[clocks->base + k];
  return is_rated;
}

Value elab_symbol_value(Elaborator *e, const Symbol *symbol, Place place) {
  switch (symbol->kind) {
  case SYMBOL_CONSTANT:
  case SYMBOL_STORAGE:
    if (is_without_rates(e, symbol->clocks ? symbol->clocks : symbol->expr))
      return elab_bad(e, place, "symbolic queries cannot depend on the rates that `%s` has",
                      symbol->name);
    if (symbol->clocks)
      return record(symbol->expr ? moved(e, symbol->expr, place) : NULL,
                    moved(e, symbol->clocks, place));
    return symbol->expr ? stored(moved(e, symbol->expr, place)) : bad;
  case SYMBOL_CHANNEL:
    return stored(
        expr_storage(e->arena, place, EXPR_VAR, symbol->name, symbol->info.type, symbol->base));
  case SYMBOL_PROCESSES:
    if (symbol->processes->param_count == 0)
      return (Value){.kind = VALUE_PROCESS, .process = &symbol->processes->entries[0]};
    return (Value){.kind = VALUE_PROCESSES, .symbol = symbol};
  case SYMBOL_REFUSED:
    if (symbol->info.has_real)
      elab_obstacle(e, place, elab_real_obstacle);
    else
      elab_refuse(e, place, symbol->info.refused);
    return bad;
  case SYMBOL_FUNCTION:
    return elab_bad(e, place, "the function `%s` needs arguments: `%s(...)`", symbol->name,
                    symbol->name);
  case SYMBOL_MAKER:
    return elab_bad(e, place, "`%s` is a template, not a process of the system", symbol->name);
  case SYMBOL_TYPE:
    return elab_bad(e, place, "`%s` is a type; a value is needed here", symbol->name);
  case SYMBOL_LOCATION:
    break;
  }
  return elab_bad(e, place, "the location `%s` can be used in queries only, as `Process.%s`",
                  symbol->name, symbol->name);
}

static const struct {
  const char *name;
  int32_t low, high; // a type, unless they are equal
} predeclared[] = {
    {"INT8_MIN", INT8_MIN, INT8_MIN},    {"INT8_MAX", INT8_MAX, INT8_MAX},
    {"UINT8_MAX", UINT8_MAX, UINT8_MAX}, {"INT16_MIN", INT16_MIN, INT16_MIN},
    {"INT16_MAX", INT16_MAX, INT16_MAX}, {"UINT16_MAX", UINT16_MAX, UINT16_MAX},
    {"INT32_MIN", INT32_MIN, INT32_MIN}, {"INT32_MAX", INT32_MAX, INT32_MAX},
    {"int8_t", INT8_MIN, INT8_MAX},      {"uint8_t", 0, UINT8_MAX},
    {"int16_t", INT16_MIN, INT16_MAX},   {"uint16_t", 0, UINT16_MAX},
    {"int32_t", INT32_MIN, INT32_MAX},
};

Symbol *elab_predeclared(Elaborator *e, const char *name, Place place) {
  for (uint32_t k = 0; k < sizeof predeclared / sizeof *predeclared; k++) {
    if (strcmp(predeclared[k].name, name) != 0)
      continue;
    const int32_t low = predeclared[k].low, high = predeclared[k].high;
    Symbol *symbol = ARENA_NEW(e->arena, Symbol);
    *symbol = (Symbol){.kind = low == high ? SYMBOL_CONSTANT : SYMBOL_TYPE, .name = name};
    symbol->expr = expr_const(e->arena, place, low);
    symbol->info.type = low == high ? NULL : type_int(e->arena, low, high);
    return symbol;
  }
  double real;
  if (!real_constant(name, &real))
    return NULL;
  Symbol *symbol = ARENA_NEW(e->arena, Symbol);
  *symbol = (Symbol){.kind = SYMBOL_CONSTANT, .name = name};
  symbol->expr = expr_real(e->arena, place, real);
  return symbol;
}

// In a query: a location of that name is one of a process.
static const Location *find_location(const Elaborator *e, const char *name) {
  for (LocationId l = 0; e->is_query && l < e->net->locations.size; l++)
    if (!strcmp(e->net->locations.items[l].name, name))
      return &e->net->locations.items[l];
  return NULL;
}

// Whether a symbol can stand where a name is missing. No query asks for a template.
static bool is_fit(const Elaborator *e, const Symbol *s, HintKind kind) {
  switch (kind) {
  case HINT_TYPES:
    return s->kind == SYMBOL_TYPE;
  case HINT_FUNCTIONS: // or processes with parameters, in queries
    return s->kind == SYMBOL_FUNCTION || (e->is_query && s->kind == SYMBOL_PROCESSES);
  case HINT_TEMPLATES:
    return s->kind == SYMBOL_MAKER && s->maker->template && !s->maker->instance;
  case HINT_ITEMS:
    return s->kind == SYMBOL_MAKER;
  case HINT_VALUES:
    break;
  }
  return s->kind != SYMBOL_TYPE && s->kind != SYMBOL_MAKER;
}

bool elab_finds_template(const Elaborator *e, const char *name) {
  for (const TemplateNode *t = e->document ? e->document->templates : NULL; t; t = t->next)
    if (t->name && !strcmp(t->name, name))
      return true;
  return false;
}

bool elab_finds_instance(const Elaborator *e, const char *name) {
  for (const DeclNode *d = e->document ? e->document->system_decls : NULL; d; d = d->next)
    if (d->kind == DECL_INSTANCE && d->name && !strcmp(d->name, name))
      return true;
  return false;
}

// Of names that are equally near, the one that was declared last: buckets have no order.
static void consider(Nearest *nearest, const Elaborator *e, const Scope *scope, const char *name,
                     HintKind kind) {
  Nearest best = {0};
  uint32_t order = 0;
  for (uint32_t b = 0; b <= scope->mask; b++)
    for (const Symbol *s = scope->buckets[b]; s; s = s->next) {
      Nearest this = {0};
      if (is_fit(e, s, kind))
        text_consider(&this, name, s->name);
      if (!this.name || (best.name && (this.distance > best.distance ||
                                       (this.distance == best.distance && s->order < order))))
        continue;
      best = this;
      order = s->order;
    }
  if (best.name)
    text_consider(nearest, name, best.name);
}

static const char *did_you_mean(Elaborator *e, const char *name) {
  if (!name)
    return "";
  Text text = {.mem = e->mem};
  text_addf(&text, "; did you mean `%s`?", name);
  return arena_keep(e->arena, &text);
}

const char *elab_hint(Elaborator *e, const Scope *scope, const Scope *last, const char *name,
                      HintKind kind) {
  Nearest nearest = {0};
  for (; scope; scope = scope == last ? NULL : scope->parent)
    consider(&nearest, e, scope, name, kind);
  return did_you_mean(e, nearest.name);
}

const char *elab_nearest_location(Elaborator *e, const TemplateNode *template, const char *name) {
  Nearest nearest = {0};
  for (const LocationNode *l = template->locations; l; l = l->next)
    if (l->name)
      text_consider(&nearest, name, l->name);
  return did_you_mean(e, nearest.name);
}

static const Symbol *find_in_process(const ProcessEntry *process, const char *name) {
  const Symbol *symbol = scope_find_here(process->scope, name);
  return symbol ? symbol : scope_find_here(process->scope->parent, name);
}

// In a query: the first process that has something of that name. Buckets have no order.
static const char *owner_of(const Elaborator *e, const char *name) {
  ProcessId first = NET_NONE;
  for (uint32_t b = 0; e->is_query && b <= e->processes->mask; b++)
    for (const Symbol *s = e->processes->buckets[b]; s; s = s->next)
      if (s->processes->count && s->processes->entries[0].id < first &&
          scope_find_here(s->processes->entries[0].scope, name))
        first = s->processes->entries[0].id;
  return first == NET_NONE ? NULL : e->net->processes.items[first].name;
}

// Whether both are one name in one line: that is one mistake.
static bool is_same_line(const Tree *a, const Tree *b) {
  if (!a || a->place.source != b->place.source || !a->place.source ||
      strcmp(a->name, b->name) != 0)
    return false;
  const uint32_t from = a->place.offset < b->place.offset ? a->place.offset : b->place.offset,
                 to = a->place.offset < b->place.offset ? b->place.offset : a->place.offset;
  return !memchr(a->place.source->text + from, '\n', to - from);
}

static void fail_undeclared(Elaborator *e, const Scope *scope, const Tree *node) {
  const char *advice = advice_name(node->name), *owner = owner_of(e, node->name);
  if (is_same_line(e->undeclared, node)) {
    e->failures++;
    return;
  }
  e->undeclared = node;
  if (owner)
    elab_fail(e, node->place, "`%s` is not declared here; write `%s.%s`", node->name, owner,
              node->name);
  else
    elab_fail(e, node->place, "`%s` is not declared%s", node->name,
              *advice ? advice : elab_hint(e, scope, NULL, node->name, HINT_VALUES));
}

Value elab_name_value(Elaborator *e, Scope *scope, const Tree *node) {
  if (!node->name)
    return bad;
  const Symbol *symbol = scope_find(scope, node->name);
  if (!symbol)
    symbol = elab_predeclared(e, node->name, node->place);
  if (symbol)
    return elab_symbol_value(e, symbol, node->place);
  const Location *location = find_location(e, node->name);
  if (!strcmp(node->name, "cost"))
    elab_refuse(e, node->place, "prices (`cost`)");
  else if (location)
    elab_fail(e, node->place, "`%s` is not declared; write `%s.%s` for the location", node->name,
              e->net->processes.items[location->process].name, node->name);
  else if (!e->is_query &&
           (elab_finds_instance(e, node->name) || elab_finds_template(e, node->name)))
    elab_fail(e, node->place,
              "`%s` is a process: only queries can use what it has; share a variable instead",
              node->name);
  else
    fail_undeclared(e, scope, node);
  return bad;
}

// Processes: P, P(i, j).

Value elab_process_at(Elaborator *e, Scope *scope, const Symbol *symbol, const Tree *node) {
  const ProcessSet *set = symbol->processes;
  uint32_t k = 0;
  uint64_t at = 0;
  for (const Tree *arg = node->b; arg; arg = arg->next, k++) {
    const Expr *expr = elab_int(e, scope, arg);
    int32_t value;
    if (!expr)
      return bad;
    if (!expr_is_const(expr, &value)) {
      e->needs_constants = true; // the quantifier expands itself, then it is one
      return bad;
    }
    if (k >= set->param_count)
      continue;
    const Type *type = set->params[k];
    if (value < type->min || value > type->max)
      return elab_bad(e, arg->place, "there is no process `%s` with %d as parameter",
                      symbol->name, (int)value);
    at = at * (uint64_t)((int64_t)type->max - type->min + 1) + (uint32_t)(value - type->min);
  }
  if (k != set->param_count)
    return elab_bad(e, node->place, "`%s` takes %u argument%s, not %u", symbol->name,
                    (unsigned)set->param_count, set->param_count == 1 ? "" : "s", (unsigned)k);
  return (Value){.kind = VALUE_PROCESS, .process = &set->entries[at]};
}

static Value process_part(Elaborator *e, const ProcessEntry *process, const Tree *node) {
  const Symbol *symbol = find_in_process(process, node->name);
  const char *name = e->net->processes.items[process->id].name;
  if (!symbol)
    return elab_bad(
        e, node->place, "process `%s` has no location, variable or clock `%s`%s", name,
        node->name,
        !strcmp(node->name, "deadlock") ? ": `deadlock` is asked of the whole system"
        : !strcmp(node->name, "location")
            ? ": the number of the present location is not supported; name the location"
            : elab_hint(e, process->scope, process->scope->parent, node->name, HINT_VALUES));
  if (symbol->kind != SYMBOL_LOCATION)
    return elab_symbol_value(e, symbol, node->place);
  Text text = {.mem = e->mem};
  text_addf(&text, "%s.%s", name, node->name);
  const char *shown = arena_keep(e->arena, &text);
  return data(expr_at(e->arena, node->place, shown, e->net->location_slot + process->id,
                      (int32_t)symbol->base));
}

static void consider_fields(Nearest *nearest, const Type *type, const char *name) {
  for (uint32_t k = 0; type && type->kind == TYPE_STRUCT && k < type->count; k++)
    text_consider(nearest, name, type->fields[k].name);
}

static void fail_field(Elaborator *e, const Tree *node, const Value *whole) {
  Nearest nearest = {0};
  const bool is_record = whole->kind == VALUE_RECORD;
  const Type *type =
      (is_record || whole->kind == VALUE_DATA) && whole->expr ? whole->expr->type : NULL;
  consider_fields(&nearest, type, node->name);
  consider_fields(&nearest, is_record ? whole->plus->type : NULL, node->name);
  if (is_record || (type && type->kind == TYPE_STRUCT))
    elab_fail(e, node->place, "there is no field `%s`%s", node->name,
              did_you_mean(e, nearest.name));
  else
    elab_fail(e, node->place, "this is not a struct: it has no field `%s`", node->name);
}

Value elab_dot_value(Elaborator *e, Scope *scope, const Tree *node) {
  const Value whole = elab_value(e, scope, node->a);
  if (whole.kind == VALUE_BAD)
    return bad;
  if (whole.kind == VALUE_PROCESS)
    return process_part(e, whole.process, node);
  if (whole.kind == VALUE_PROCESSES)
    return elab_bad(e, node->place, "`%s` stands for several processes: write `%s(0).%s`",
                    whole.symbol->name, whole.symbol->name, node->name);
  const bool is_record = whole.kind == VALUE_RECORD, is_data = whole.kind == VALUE_DATA;
  const Field *field =
      (is_record || is_data) && whole.expr ? type_field(whole.expr->type, node->name) : NULL;
  const Field *timed = is_record ? type_field(whole.plus->type, node->name) : NULL;
  if (!field && !timed) {
    fail_field(e, node, &whole);
    return bad;
  }
  return record(field ? expr_field(e->arena, node->place, whole.expr, field) : NULL,
                timed ? expr_field(e->arena, node->place, whole.plus, timed) : NULL);
}

static void warn_of_index(Elaborator *e, const Tree *node, const Type *type) {
  Text text = {.mem = e->mem};
  text_addf(&text, "the indices are %d .. %d: an error if this is ever evaluated",
            (int)type->first, (int)(type->first + (int32_t)type->count - 1));
  elab_warn(e, node->b->place, text_chars(&text));
  text_release(&text);
}

Value elab_index_value(Elaborator *e, Scope *scope, const Tree *node) {
  const Value array = elab_value(e, scope, node->a);
  const Expr *index = elab_int(e, scope, node->b);
  if (array.kind == VALUE_BAD || !index)
    return bad;
  if (array.kind == VALUE_RECORD && array.plus->type->kind == TYPE_ARRAY)
    return record(array.expr ? expr_index(e->arena, node->place, array.expr, index) : NULL,
                  expr_index(e->arena, node->place, array.plus, index));
  if (!array.expr || array.kind == VALUE_CLOCKS || array.kind == VALUE_RECORD ||
      array.expr->type->kind != TYPE_ARRAY) {
    if (array.kind == VALUE_PROCESSES || array.kind == VALUE_PROCESS)
      elab_fail(e, node->a->place,
                array.kind == VALUE_PROCESS ? "`%s` is one process, without an index"
                                            : "a process is chosen in parentheses, as in `%s(0)`",
                node->a->kind == NODE_NAME && node->a->name ? node->a->name : "P");
    else
      elab_fail(e, node->a->place, "this is not an array");
    return bad;
  }
  int32_t value;
  const Type *type = array.expr->type;
  if (expr_is_const(index, &value) && (uint32_t)value - (uint32_t)type->first >= type->count &&
      array.kind == VALUE_CHANNEL)
    return elab_bad(e, node->b->place, "the index %d is outside the array", (int)value);
  if (node->b->kind == NODE_NUMBER && !e->is_query &&
      (uint32_t)node->b->value - (uint32_t)type->first >= type->count)
    warn_of_index(e, node, type);
  return stored(elab_element(e, node->place, array.expr, index));
}

const Expr *elab_fixed_clock(Elaborator *e, const Expr *clock) {
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
  const char *name = e->net->clock_names ? e->net->clock_names[id] : expr->name;
  return expr->kind == EXPR_CLOCK && !elab_is_ignored(expr)
             ? expr_storage(e->arena, clock->place, EXPR_CLOCK, name, clock->type, id)
             : clock;
}
