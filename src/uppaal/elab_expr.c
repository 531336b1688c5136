// Expressions. A value is data, or a sum of clocks and data (`x - y + 3`), which a comparison
// turns into a clock test, or the name of something else.
#include "uppaal/elaborate.h"

#include <string.h>

static const Value bad = {.kind = VALUE_BAD};

static Value data(const Expr *expr) {
  return expr ? (Value){.kind = VALUE_DATA, .expr = expr} : bad;
}

static const Type *leaf(const Type *type) {
  while (type->kind == TYPE_ARRAY)
    type = type->element;
  return type;
}

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

static Value symbol_value(Elaborator *e, const Symbol *symbol, Place place) {
  switch (symbol->kind) {
  case SYMBOL_CONSTANT:
  case SYMBOL_STORAGE:
    return symbol->expr ? stored(moved(e, symbol->expr, place)) : bad;
  case SYMBOL_CHANNEL:
    return stored(
        expr_storage(e->arena, place, EXPR_VAR, symbol->name, symbol->info.type, symbol->base));
  case SYMBOL_PROCESSES:
    if (symbol->processes->param_count == 0)
      return (Value){.kind = VALUE_PROCESS, .process = &symbol->processes->entries[0]};
    return (Value){.kind = VALUE_PROCESSES, .symbol = symbol};
  case SYMBOL_REFUSED:
    elab_refuse(e, place, symbol->info.refused);
    return bad;
  case SYMBOL_FUNCTION:
    elab_fail(e, place, "the function `%s` needs arguments: `%s(...)`", symbol->name,
              symbol->name);
    return bad;
  case SYMBOL_MAKER:
    elab_fail(e, place, "`%s` is a template, not a process of the system", symbol->name);
    return bad;
  case SYMBOL_TYPE:
    elab_fail(e, place, "`%s` is a type; a value is needed here", symbol->name);
    return bad;
  case SYMBOL_LOCATION:
    break;
  }
  elab_fail(e, place, "the location `%s` can be used in queries only, as `Process.%s`",
            symbol->name, symbol->name);
  return bad;
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
  if (!strncmp(name, "M_", 2) || !strncmp(name, "DBL_", 4) || !strncmp(name, "FLT_", 4)) {
    Symbol *symbol = ARENA_NEW(e->arena, Symbol);
    *symbol = (Symbol){.kind = SYMBOL_REFUSED, .name = name};
    symbol->info.refused = "floating point numbers (`double`)";
    return symbol;
  }
  return NULL;
}

static Value name_value(Elaborator *e, Scope *scope, const Tree *node) {
  if (!node->name)
    return bad;
  const Symbol *symbol = scope_find(scope, node->name);
  if (!symbol)
    symbol = elab_predeclared(e, node->name, node->place);
  if (symbol)
    return symbol_value(e, symbol, node->place);
  if (!strcmp(node->name, "cost"))
    elab_refuse(e, node->place, "prices (`cost`)");
  else
    elab_fail(e, node->place, "`%s` is not declared", node->name);
  return bad;
}

// Processes: P, P(i, j).

static Value process_at(Elaborator *e, Scope *scope, const Symbol *symbol, const Tree *node) {
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
    if (value < type->min || value > type->max) {
      elab_fail(e, arg->place, "there is no process `%s` with %d as parameter", symbol->name,
                (int)value);
      return bad;
    }
    at = at * (uint64_t)((int64_t)type->max - type->min + 1) + (uint32_t)(value - type->min);
  }
  if (k != set->param_count) {
    elab_fail(e, node->place, "`%s` has %u free parameters, not %u", symbol->name,
              (unsigned)set->param_count, (unsigned)k);
    return bad;
  }
  return (Value){.kind = VALUE_PROCESS, .process = &set->entries[at]};
}

static const Symbol *find_in_process(const ProcessEntry *process, const char *name) {
  const Symbol *symbol = scope_find_here(process->scope, name);
  return symbol ? symbol : scope_find_here(process->scope->parent, name);
}

static Value process_part(Elaborator *e, const ProcessEntry *process, const Tree *node) {
  const Symbol *symbol = find_in_process(process, node->name);
  const char *name = e->net->processes.items[process->id].name;
  if (!symbol) {
    elab_fail(e, node->place, "process `%s` has no location, variable or clock `%s`", name,
              node->name);
    return bad;
  }
  if (symbol->kind != SYMBOL_LOCATION)
    return symbol_value(e, symbol, node->place);
  Text text = {.mem = e->mem};
  text_addf(&text, "%s.%s", name, node->name);
  const char *shown = arena_text(e->arena, text_chars(&text), text.size);
  text_release(&text);
  return data(expr_at(e->arena, node->place, shown, e->net->location_slot + process->id,
                      (int32_t)symbol->base));
}

static Value dot_value(Elaborator *e, Scope *scope, const Tree *node) {
  const Value record = elab_value(e, scope, node->a);
  if (record.kind == VALUE_BAD)
    return bad;
  if (record.kind == VALUE_PROCESS)
    return process_part(e, record.process, node);
  if (record.kind == VALUE_PROCESSES) {
    elab_fail(e, node->place, "`%s` stands for several processes: write `%s(0).%s`",
              record.symbol->name, record.symbol->name, node->name);
    return bad;
  }
  const Field *field =
      record.kind == VALUE_DATA ? type_field(record.expr->type, node->name) : NULL;
  if (!field) {
    elab_fail(e, node->place, "there is no field `%s`", node->name);
    return bad;
  }
  return stored(expr_field(e->arena, node->place, record.expr, field));
}

static Value index_value(Elaborator *e, Scope *scope, const Tree *node) {
  const Value array = elab_value(e, scope, node->a);
  const Expr *index = elab_int(e, scope, node->b);
  if (array.kind == VALUE_BAD || !index)
    return bad;
  if (!array.expr || array.kind == VALUE_CLOCKS || array.expr->type->kind != TYPE_ARRAY) {
    elab_fail(e, node->a->place, "this is not an array");
    return bad;
  }
  if (!expr_is_storage(array.expr)) {
    elab_fail(e, node->a->place, "only stored arrays can be indexed");
    return bad;
  }
  int32_t value;
  const Type *type = array.expr->type;
  if (expr_is_const(index, &value) && (uint32_t)value - (uint32_t)type->first >= type->count &&
      array.kind == VALUE_CHANNEL) {
    elab_fail(e, node->b->place, "the index %d is outside the array", (int)value);
    return bad;
  }
  return stored(expr_index(e->arena, node->place, array.expr, index));
}

// Sums of clocks.

static Value negated(Elaborator *e, Place place, Value a) {
  const Expr *expr = a.expr ? expr_unary(e->arena, place, EXPR_NEG, a.expr) : NULL;
  return (Value){.kind = a.kind, .expr = expr, .plus = a.minus, .minus = a.plus};
}

static const Expr *offset_sum(Elaborator *e, Place place, const Expr *a, const Expr *b) {
  return a && b ? expr_binary(e->arena, place, EXPR_ADD, a, b) : a ? a : b;
}

static bool same_clock(const Expr *a, const Expr *b) {
  return a->kind == EXPR_CLOCK && b->kind == EXPR_CLOCK && a->base == b->base;
}

static Value clock_sum(Elaborator *e, Place place, Value a, Value b) {
  const Expr *plus[2] = {a.plus, b.plus}, *minus[2] = {a.minus, b.minus};
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < 2; k++)
      if (plus[i] && minus[k] && same_clock(plus[i], minus[k]))
        plus[i] = minus[k] = NULL;
  if ((plus[0] && plus[1]) || (minus[0] && minus[1])) {
    elab_fail(e, place, "only a clock or the difference of two clocks can be compared");
    return bad;
  }
  return (Value){.kind = VALUE_CLOCKS,
                 .expr = offset_sum(e, place, a.expr, b.expr),
                 .plus = plus[0] ? plus[0] : plus[1],
                 .minus = minus[0] ? minus[0] : minus[1]};
}

static ExprKind mirrored(ExprKind op) {
  static const ExprKind ops[] = {EXPR_EQ, EXPR_NE, EXPR_GT, EXPR_GE, EXPR_LT, EXPR_LE};
  return ops[op - EXPR_EQ];
}

static Value clock_comparison(Elaborator *e, const Tree *node, Value a, Value b) {
  ExprKind op = node->op;
  const Value sum = clock_sum(e, node->place, a, negated(e, node->place, b));
  if (sum.kind == VALUE_BAD)
    return bad;
  const Expr *zero = expr_const(e->arena, node->place, 0);
  const Expr *bound = sum.expr ? expr_unary(e->arena, node->place, EXPR_NEG, sum.expr) : zero;
  if (!sum.plus && !sum.minus)
    return data(expr_binary(e->arena, node->place, op, zero, bound));
  if (!sum.plus) { // -x op c is x mirrored(op) -c
    op = mirrored(op);
    bound = sum.expr ? sum.expr : zero;
  }
  return data(expr_clock_test(e->arena, node->place, sum.plus ? sum.plus : sum.minus,
                              sum.plus ? sum.minus : NULL, op, bound));
}

// x' == 1 says nothing; other rates make a stopwatch or worse.
static Value rate_value(Elaborator *e, Scope *scope, const Tree *node) {
  const Tree *other = node->a->kind == NODE_RATE ? node->b : node->a;
  const Tree *rate = node->a->kind == NODE_RATE ? node->a : node->b;
  if (rate->a->kind == NODE_NAME && rate->a->name && !strcmp(rate->a->name, "cost") &&
      !scope_find(scope, rate->a->name)) {
    elab_refuse(e, node->place, "prices (`cost`)");
    return bad;
  }
  if (other->kind == NODE_NUMBER && other->value == 1 && node->op == EXPR_EQ) {
    Expr *one = expr_const(e->arena, node->place, 1);
    one->type = type_bool(e->arena);
    return data(one);
  }
  elab_refuse(e, node->place, "stopwatches and other clock rates");
  return bad;
}

bool elab_same_type(const Type *a, const Type *b) {
  if (a == b)
    return true;
  if (a->kind != b->kind || a->slots != b->slots)
    return false;
  if (a->kind == TYPE_ARRAY)
    return a->count == b->count && elab_same_type(a->element, b->element);
  if (a->kind == TYPE_STRUCT) {
    for (uint32_t k = 0; k < a->count; k++)
      if (k >= b->count || !elab_same_type(a->fields[k].type, b->fields[k].type))
        return false;
    return a->count == b->count;
  }
  return true;
}

static Value data_operation(Elaborator *e, const Tree *node, const Expr *a, const Expr *b) {
  const bool is_equality = node->op == EXPR_EQ || node->op == EXPR_NE;
  const bool is_scalar = a->type->kind == TYPE_INT && b->type->kind == TYPE_INT;
  if (!is_scalar && !(is_equality && elab_same_type(a->type, b->type) &&
                      leaf(a->type)->kind != TYPE_CLOCK && a->type->kind != TYPE_VOID)) {
    elab_fail(e, node->place,
              is_equality ? "values of different types cannot be compared"
                          : "this operator is for integers");
    return bad;
  }
  const bool is_logical = node->op == EXPR_AND || node->op == EXPR_OR;
  const bool tests = expr_has_clock_test(a) || expr_has_clock_test(b);
  if (tests && !is_logical && !is_equality) {
    elab_fail(e, node->place, "a clock constraint is no number");
    return bad;
  }
  // `xor` compares truths, not numbers.
  return data(expr_binary(e->arena, node->place, node->op, a, b));
}

static Value binary_value(Elaborator *e, Scope *scope, const Tree *node) {
  if (node->a->kind == NODE_RATE || node->b->kind == NODE_RATE)
    return rate_value(e, scope, node);
  const Value a = elab_value(e, scope, node->a), b = elab_value(e, scope, node->b);
  if (a.kind == VALUE_BAD || b.kind == VALUE_BAD)
    return bad;
  const bool comparison = node->op >= EXPR_EQ && node->op <= EXPR_GE;
  const bool is_sum = node->op == EXPR_ADD || node->op == EXPR_SUB;
  if (a.kind > VALUE_CLOCKS || b.kind > VALUE_CLOCKS) {
    elab_fail(e, node->place, "channels and processes have no value");
    return bad;
  }
  if (a.kind == VALUE_DATA && b.kind == VALUE_DATA)
    return data_operation(e, node, a.expr, b.expr);
  const Value *other = a.kind == VALUE_DATA ? &a : &b;
  if (other->kind == VALUE_DATA &&
      (other->expr->type->kind != TYPE_INT || expr_has_clock_test(other->expr))) {
    elab_fail(e, node->place, "a clock is compared with integers and clocks only");
    return bad;
  }
  if (comparison)
    return clock_comparison(e, node, a, b);
  if (is_sum)
    return clock_sum(e, node->place, a, node->op == EXPR_ADD ? b : negated(e, node->place, b));
  elab_fail(e, node->place,
            "a clock can be compared, and numbers and one other clock added and subtracted; "
            "nothing else");
  return bad;
}

static Value unary_value(Elaborator *e, Scope *scope, const Tree *node) {
  if (node->op == EXPR_NOT) {
    const Expr *a = elab_condition(e, scope, node->a);
    return a ? data(expr_unary(e->arena, node->place, EXPR_NOT, a)) : bad;
  }
  const Value a = elab_value(e, scope, node->a);
  if (a.kind == VALUE_CLOCKS)
    return negated(e, node->place, a);
  if (a.kind == VALUE_DATA && a.expr->type->kind == TYPE_INT && !expr_has_clock_test(a.expr))
    return data(expr_unary(e->arena, node->place, EXPR_NEG, a.expr));
  if (a.kind != VALUE_BAD)
    elab_fail(e, node->place, "an integer is needed here");
  return bad;
}

static Value imply_value(Elaborator *e, Scope *scope, const Tree *node) {
  const Expr *a = elab_condition(e, scope, node->a), *b = elab_condition(e, scope, node->b);
  if (!a || !b)
    return bad;
  return data(expr_binary(e->arena, node->place, EXPR_OR,
                          expr_unary(e->arena, node->place, EXPR_NOT, a), b));
}

static Value cond_value(Elaborator *e, Scope *scope, const Tree *node) {
  const Expr *a = elab_condition(e, scope, node->a);
  const Value b = elab_value(e, scope, node->b), c = elab_value(e, scope, node->c);
  if (!a || b.kind == VALUE_BAD || c.kind == VALUE_BAD)
    return bad;
  if (b.kind != VALUE_DATA || c.kind != VALUE_DATA ||
      !elab_same_type(b.expr->type, c.expr->type)) {
    elab_fail(e, node->place, "both branches need values of one type");
    return bad;
  }
  return data(expr_cond(e->arena, node->place, a, b.expr, c.expr));
}

// 2 ** 3 with constants only.
static Value power_value(Elaborator *e, Scope *scope, const Tree *node) {
  int32_t a, b;
  int64_t power = 1;
  if (!elab_constant_int(e, scope, node->a, &a) || !elab_constant_int(e, scope, node->b, &b))
    return bad;
  for (int32_t k = 0; k < b && power <= INT32_MAX && power >= INT32_MIN && k < 64; k++)
    power *= a;
  if (b < 0 || power > INT32_MAX || power < INT32_MIN || (b > 64 && a != 0 && a != 1)) {
    elab_fail(e, node->place, "this power is not an integer of 32 bits");
    return bad;
  }
  return data(expr_const(e->arena, node->place, (int32_t)power));
}

// Quantifiers.

static Symbol *bind(Elaborator *e, Scope *scope, const VarNode *var, SymbolKind kind) {
  return scope_add(e, scope, var->name, var->place, kind);
}

static const Expr *combine(Elaborator *e, const Tree *node, const Expr **items, uint32_t count) {
  const ExprKind op = node->op == EXPR_FORALL   ? EXPR_AND
                      : node->op == EXPR_EXISTS ? EXPR_OR
                                                : EXPR_ADD;
  if (!count) {
    Expr *none = expr_const(e->arena, node->place, node->op == EXPR_FORALL);
    if (node->op != EXPR_SUM)
      none->type = type_bool(e->arena);
    return none;
  }
  // As a balanced tree, which later stages walk recursively.
  for (; count > 1; count = (count + 1) / 2)
    for (uint32_t k = 0; k < count; k += 2)
      items[k / 2] = k + 1 < count
                         ? expr_binary(e->arena, node->place, op, items[k], items[k + 1])
                         : items[k];
  return items[0];
}

static Value expand(Elaborator *e, Scope *scope, const Tree *node, int32_t low, int32_t high) {
  const int64_t count = (int64_t)high - low + 1;
  e->instances += count;
  if (e->instances > ELABORATE_MOST_INSTANCES) {
    elab_fail(e, node->place, "quantifiers make more than %d instances of what they are about",
              ELABORATE_MOST_INSTANCES);
    return bad;
  }
  const Expr **items = ARENA_ARRAY(e->arena, const Expr *, (size_t)count);
  for (int64_t k = 0; k < count; k++) {
    Scope *inner = scope_new(e->arena, scope, 1);
    bind(e, inner, node->var, SYMBOL_CONSTANT)->expr =
        expr_const(e->arena, node->var->place, (int32_t)(low + k));
    items[k] =
        node->op == EXPR_SUM ? elab_int(e, inner, node->a) : elab_condition(e, inner, node->a);
    if (!items[k])
      return bad;
  }
  return data(combine(e, node, items, (uint32_t)count));
}

static Value quantifier_value(Elaborator *e, Scope *scope, const Tree *node) {
  int32_t low, high;
  if (!node->var->name || !elab_range(e, scope, node->var->type, &low, &high))
    return bad;
  const uint32_t next = e->frame->next;
  const uint32_t local = elab_frame(e, node->place, 1);
  const bool needed = e->needs_constants;
  e->needs_constants = false;
  Scope *inner = scope_new(e->arena, scope, 1);
  bind(e, inner, node->var, SYMBOL_STORAGE)->expr =
      expr_storage(e->arena, node->var->place, EXPR_LOCAL, node->var->name,
                   type_int(e->arena, low, high), local);
  const Expr *body =
      node->op == EXPR_SUM ? elab_int(e, inner, node->a) : elab_condition(e, inner, node->a);
  e->frame->next = next;
  if (e->needs_constants || (body && expr_has_clock_test(body))) {
    e->needs_constants = false;
    const Value value = expand(e, scope, node, low, high);
    e->needs_constants |= needed;
    return value;
  }
  e->needs_constants = needed;
  if (!body)
    return bad;
  return data(expr_quantifier(e->arena, node->place, node->op, local, low, high, body));
}

// Assignments inside expressions.

bool elab_is_assignable(const Expr *expr) {
  while (expr->kind == EXPR_INDEX || expr->kind == EXPR_FIELD)
    expr = expr->a;
  return expr->kind == EXPR_VAR || expr->kind == EXPR_LOCAL || expr->kind == EXPR_REMOTE;
}

bool elab_has_effects(const Expr *expr) {
  if (!expr)
    return false;
  if (expr->kind == EXPR_ASSIGN || expr->kind == EXPR_CALL)
    return true;
  return elab_has_effects(expr->a) || elab_has_effects(expr->b) || elab_has_effects(expr->c);
}

static void note_effect(Elaborator *e, const Expr *target) {
  while (target->kind == EXPR_INDEX || target->kind == EXPR_FIELD)
    target = target->a;
  e->frame->has_effects |= target->kind == EXPR_VAR;
}

// The target twice, for `a[i++] += 1`: the index is computed in the first, kept in a local, and
// read by the second.
const Expr *elab_stable(Elaborator *e, const Expr *target, const Expr **again) {
  if (target->kind != EXPR_INDEX && target->kind != EXPR_FIELD)
    return *again = target;
  const Expr *other;
  const Expr *first = elab_stable(e, target->a, &other);
  Expr *a = ARENA_NEW(e->arena, Expr), *b = ARENA_NEW(e->arena, Expr);
  *a = *b = *target;
  a->a = first;
  b->a = other;
  if (target->kind == EXPR_INDEX && elab_has_effects(target->b)) {
    const Expr *local = expr_storage(e->arena, target->place, EXPR_LOCAL, "index",
                                     target->b->type, elab_frame(e, target->place, 1));
    a->b = expr_assign(e->arena, target->place, local, target->b);
    b->b = local;
  }
  *again = b;
  return a;
}

const Expr *elab_target(Elaborator *e, Scope *scope, const Tree *node) {
  const Value value = elab_value(e, scope, node);
  if (value.kind == VALUE_BAD)
    return NULL;
  if (value.kind != VALUE_DATA || !elab_is_assignable(value.expr)) {
    elab_fail(e, node->place, "this cannot be assigned to");
    return NULL;
  }
  note_effect(e, value.expr);
  return value.expr;
}

const Expr *elab_convert(Elaborator *e, const Expr *expr, const Type *type) {
  if (!type->is_bool || expr->type->is_bool)
    return expr;
  return expr_binary(e->arena, expr->place, EXPR_NE, expr, expr_const(e->arena, expr->place, 0));
}

static Value assign_value(Elaborator *e, Scope *scope, const Tree *node) {
  const Expr *target = elab_target(e, scope, node->a), *again;
  const Expr *value = elab_int(e, scope, node->b);
  if (!target || !value)
    return bad;
  if (target->type->kind != TYPE_INT) {
    elab_fail(e, node->place, "inside an expression only integers can be assigned");
    return bad;
  }
  if (node->op != EXPR_CONST) {
    target = elab_stable(e, target, &again);
    value = expr_binary(e->arena, node->place, node->op, again, value);
  }
  return data(expr_assign(e->arena, node->place, target, elab_convert(e, value, target->type)));
}

// ++a, and a++ as (a = a + 1) - 1.
static Value step_value(Elaborator *e, Scope *scope, const Tree *node) {
  const Expr *target = elab_target(e, scope, node->a), *again;
  if (!target)
    return bad;
  if (target->type->kind != TYPE_INT) {
    elab_fail(e, node->place, "only integers can be counted up and down");
    return bad;
  }
  const Expr *one = expr_const(e->arena, node->place, 1);
  target = elab_stable(e, target, &again);
  const Expr *value = expr_binary(e->arena, node->place, node->op, again, one);
  const Expr *assign = expr_assign(e->arena, node->place, target, value);
  const ExprKind back = node->op == EXPR_ADD ? EXPR_SUB : EXPR_ADD;
  return data(node->value ? expr_binary(e->arena, node->place, back, assign, one) : assign);
}

static Value call_value(Elaborator *e, Scope *scope, const Tree *node) {
  if (node->a->kind == NODE_NAME && node->a->name) {
    const Symbol *symbol = scope_find(scope, node->a->name);
    if (symbol && symbol->kind == SYMBOL_PROCESSES)
      return process_at(e, scope, symbol, node);
  }
  const Expr *expr = elab_call(e, scope, node);
  return expr ? data(expr) : bad;
}

Value elab_value(Elaborator *e, Scope *scope, const Tree *node) {
  switch (node->kind) {
  case NODE_NUMBER: {
    Expr *expr = expr_const(e->arena, node->place, node->value);
    if (node->is_bool)
      expr->type = type_bool(e->arena);
    return data(expr);
  }
  case NODE_DOUBLE:
    elab_refuse(e, node->place, "floating point numbers (`double`)");
    return bad;
  case NODE_STRING:
    elab_refuse(e, node->place, "strings");
    return bad;
  case NODE_NAME:
    return name_value(e, scope, node);
  case NODE_INDEX:
    return index_value(e, scope, node);
  case NODE_DOT:
    return dot_value(e, scope, node);
  case NODE_CALL:
    return call_value(e, scope, node);
  case NODE_RATE:
    elab_refuse(e, node->place, "stopwatches and other clock rates");
    return bad;
  case NODE_UNARY:
    return unary_value(e, scope, node);
  case NODE_BINARY:
    return binary_value(e, scope, node);
  case NODE_IMPLY:
    return imply_value(e, scope, node);
  case NODE_POWER:
    return power_value(e, scope, node);
  case NODE_COND:
    return cond_value(e, scope, node);
  case NODE_ASSIGN:
    return assign_value(e, scope, node);
  case NODE_STEP:
    return step_value(e, scope, node);
  case NODE_QUANTIFY:
    return quantifier_value(e, scope, node);
  case NODE_LIST:
    elab_fail(e, node->place, "a list of values can only initialise a variable");
    return bad;
  case NODE_DEADLOCK:
    break;
  }
  const Symbol *symbol = node->name ? scope_find(scope, node->name) : NULL;
  if (symbol)
    return symbol_value(e, symbol, node->place);
  if (e->is_query)
    return data(expr_deadlock(e->arena, node->place));
  elab_fail(e, node->place, "`deadlock` is for queries");
  return bad;
}

const Expr *elab_data(Elaborator *e, Scope *scope, const Tree *node) {
  const Value value = elab_value(e, scope, node);
  if (value.kind == VALUE_BAD)
    return NULL;
  if (value.kind == VALUE_DATA && !expr_has_clock_test(value.expr) &&
      leaf(value.expr->type)->kind != TYPE_CLOCK)
    return value.expr;
  const bool is_clock = value.kind == VALUE_CLOCKS || value.kind == VALUE_DATA;
  elab_fail(e, node->place,
            is_clock ? "clocks have no integer value: they can only be compared"
                     : "a value is needed here");
  return NULL;
}

const Expr *elab_int(Elaborator *e, Scope *scope, const Tree *node) {
  const Expr *expr = elab_data(e, scope, node);
  if (!expr || expr->type->kind == TYPE_INT)
    return expr;
  elab_fail(e, node->place, "an integer is needed here");
  return NULL;
}

const Expr *elab_condition(Elaborator *e, Scope *scope, const Tree *node) {
  const Value value = elab_value(e, scope, node);
  if (value.kind == VALUE_BAD)
    return NULL;
  if (value.kind == VALUE_DATA && value.expr->type->kind == TYPE_INT)
    return value.expr;
  elab_fail(e, node->place, "a condition is needed here");
  return NULL;
}
