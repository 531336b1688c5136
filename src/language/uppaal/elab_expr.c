// Expressions. A value is data, or a sum of clocks and data (`x - y + 3`), which a comparison
// turns into a clock test, or the name of something else.
#include "language/uppaal/elab_real.h"

#include <string.h>

// Sums of clocks.

// What was negated once is itself again: `x <= n` goes to the other side and back.
static const Expr *negative(Elaborator *e, Place place, const Expr *a) {
  return !a ? NULL : a->kind == EXPR_NEG ? a->a : expr_unary(e->arena, place, EXPR_NEG, a);
}

static Value negated(Elaborator *e, Place place, Value a) {
  return (Value){
      .kind = a.kind, .expr = negative(e, place, a.expr), .plus = a.minus, .minus = a.plus};
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
  if ((plus[0] && plus[1]) || (minus[0] && minus[1]))
    return bad; // no error: it can be a number
  return (Value){.kind = VALUE_CLOCKS,
                 .expr = offset_sum(e, place, a.expr, b.expr),
                 .plus = plus[0] ? plus[0] : plus[1],
                 .minus = minus[0] ? minus[0] : minus[1]};
}

// Clocks are compared as numbers in statements of statistical models, and where nothing else will
// do.
static Value clock_comparison(Elaborator *e, const Tree *node, Value a, Value b) {
  ExprKind op = node->op;
  const bool is_test = !e->is_full || e->is_constraint;
  const Value sum = is_test ? clock_sum(e, node->place, a, negated(e, node->place, b)) : bad;
  if (sum.kind == VALUE_BAD)
    return elab_real_operation(e, node, &a, &b);
  if (elab_is_ignored(sum.plus) || elab_is_ignored(sum.minus)) {
    elab_obstacle(e, node->place, elab_hybrid_obstacle);
    return bad;
  }
  const Expr *zero = expr_const(e->arena, node->place, 0);
  const Expr *bound = sum.expr ? negative(e, node->place, sum.expr) : zero;
  if (!sum.plus && !sum.minus)
    return data(expr_binary(e->arena, node->place, op, zero, bound));
  if (!sum.plus) { // -x op c is x mirrored(op) -c
    op = expr_mirrored(op);
    bound = sum.expr ? sum.expr : zero;
  }
  return data(expr_clock_test(e->arena, node->place, sum.plus ? sum.plus : sum.minus,
                              sum.plus ? sum.minus : NULL, op, bound));
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

static bool is_truth(const Expr *expr) {
  int32_t value;
  return expr->type->is_bool || (expr_is_const(expr, &value) && (value == 0 || value == 1));
}

static Value data_operation(Elaborator *e, const Tree *node, const Expr *a, const Expr *b) {
  const bool is_equality = node->op == EXPR_EQ || node->op == EXPR_NE;
  const bool is_scalar = a->type->kind == TYPE_INT && b->type->kind == TYPE_INT;
  if (!is_scalar && !(is_equality && elab_same_type(a->type, b->type) &&
                      leaf(a->type)->kind != TYPE_CLOCK && a->type->kind != TYPE_VOID))
    return elab_bad(e, node->place,
                    is_equality && (a->type->kind == TYPE_ARRAY) != (b->type->kind == TYPE_ARRAY)
                        ? "an array is not a number: choose an element, as in `a[0]`"
                    : is_equality ? "values of different types cannot be compared"
                                  : "this operator is for integers");
  const bool is_logical = node->op == EXPR_AND || node->op == EXPR_OR;
  const bool tests = expr_has_clock_test(a) || expr_has_clock_test(b);
  const bool are_truths = is_equality && is_truth(a) && is_truth(b);
  if (tests && !is_logical && !are_truths)
    return elab_bad(e, node->place, "a clock constraint is not a number%s",
                    node->op == EXPR_BIT_AND  ? "; write `&&`"
                    : node->op == EXPR_BIT_OR ? "; write `||`"
                    : node->op >= EXPR_EQ && node->op <= EXPR_GE
                        ? "; to compare three, write two conditions with `&&` between them"
                        : "");
  return data(expr_binary(e->arena, node->place, node->op, a, b));
}

static bool is_real(const Value *value) {
  return value->kind == VALUE_DATA && value->expr->type->kind == TYPE_REAL;
}

// One side at least has clocks.
static Value clock_operation(Elaborator *e, const Tree *node, Value a, Value b) {
  a = elab_whole(e, a);
  b = elab_whole(e, b);
  if (is_real(&a) || is_real(&b))
    return elab_real_operation(e, node, &a, &b);
  const Value *other = a.kind == VALUE_DATA ? &a : &b;
  if (other->kind == VALUE_DATA &&
      (other->expr->type->kind != TYPE_INT || expr_has_clock_test(other->expr)))
    return elab_bad(e, node->place, "a clock is compared with numbers and clocks only");
  if (node->op >= EXPR_EQ && node->op <= EXPR_GE)
    return clock_comparison(e, node, a, b);
  if (node->op == EXPR_ADD || node->op == EXPR_SUB) {
    const Value sum =
        clock_sum(e, node->place, a, node->op == EXPR_ADD ? b : negated(e, node->place, b));
    if (sum.kind != VALUE_BAD)
      return sum;
  }
  return elab_real_operation(e, node, &a, &b);
}

// Whether the left side decides, in `i < N - 1 && P(i + 1).x` for one i. Then the other is not
// looked at: there may be no such process.
static bool decides(const Elaborator *e, const Value *side, bool truth) {
  int32_t value;
  return e->expanding && side->kind == VALUE_DATA && expr_is_const(side->expr, &value) &&
         (value != 0) == truth;
}

static Value truth_value(Elaborator *e, Place place, bool truth) {
  Expr *expr = expr_const(e->arena, place, truth);
  expr->type = type_bool(e->arena);
  return data(expr);
}

static Value binary_value(Elaborator *e, Scope *scope, const Tree *node) {
  if (node->a->kind == NODE_RATE || node->b->kind == NODE_RATE)
    return elab_rate(e, scope, node);
  const Value a = elab_value(e, scope, node->a);
  if ((node->op == EXPR_AND || node->op == EXPR_OR) && decides(e, &a, node->op == EXPR_OR))
    return truth_value(e, node->place, node->op == EXPR_OR);
  const Value b = elab_value(e, scope, node->b);
  if (a.kind == VALUE_BAD || b.kind == VALUE_BAD)
    return bad;
  if (a.kind == VALUE_RECORD && b.kind == VALUE_RECORD)
    return elab_compare_records(e, node->place, node->op, &a, &b);
  if (a.kind > VALUE_CLOCKS || b.kind > VALUE_CLOCKS)
    return elab_bad(e, node->place, "channels, processes and structs with clocks have no value");
  if (a.kind == VALUE_CLOCKS || b.kind == VALUE_CLOCKS)
    return clock_operation(e, node, a, b);
  return is_real(&a) || is_real(&b) ? elab_real_operation(e, node, &a, &b)
                                    : data_operation(e, node, a.expr, b.expr);
}

static Value unary_value(Elaborator *e, Scope *scope, const Tree *node) {
  if (node->op == EXPR_NOT) {
    const Expr *a = elab_condition(e, scope, node->a);
    return a ? data(expr_unary(e->arena, node->place, EXPR_NOT, a)) : bad;
  }
  if (node->a->kind == NODE_DEADLOCK)
    return elab_bad(e, node->place, "write `not deadlock`: `-` is for numbers");
  const Value a = elab_value(e, scope, node->a);
  if (a.kind == VALUE_CLOCKS)
    return negated(e, node->place, a);
  if (is_real(&a) ||
      (a.kind == VALUE_DATA && a.expr->type->kind == TYPE_INT && !expr_has_clock_test(a.expr)))
    return data(expr_unary(e->arena, node->place, EXPR_NEG, a.expr));
  if (a.kind != VALUE_BAD)
    elab_fail(e, node->place, "a number is needed here");
  return bad;
}

static Value imply_value(Elaborator *e, Scope *scope, const Tree *node) {
  const Expr *a = elab_condition(e, scope, node->a);
  const Value premise = data(a);
  if (decides(e, &premise, false))
    return truth_value(e, node->place, true);
  const Expr *b = elab_condition(e, scope, node->b);
  if (!a || !b)
    return bad;
  return data(expr_binary(e->arena, node->place, EXPR_OR,
                          expr_unary(e->arena, node->place, EXPR_NOT, a), b));
}

// The truths are compared, not the numbers: 1 xor 2 is false.
static Value xor_value(Elaborator *e, Scope *scope, const Tree *node) {
  const Expr *a = elab_condition(e, scope, node->a), *b = elab_condition(e, scope, node->b);
  if (!a || !b)
    return bad;
  const Type *truth = type_bool(e->arena);
  return data(expr_binary(e->arena, node->place, EXPR_NE, elab_coerce(e, a, truth),
                          elab_coerce(e, b, truth)));
}

static Value cond_value(Elaborator *e, Scope *scope, const Tree *node) {
  const Expr *a = elab_condition(e, scope, node->a);
  Value b = elab_value(e, scope, node->b), c = elab_value(e, scope, node->c);
  if (!a || b.kind == VALUE_BAD || c.kind == VALUE_BAD)
    return bad;
  if (b.kind == VALUE_CLOCKS || c.kind == VALUE_CLOCKS || is_real(&b) || is_real(&c)) {
    const Expr *yes = elab_as_real(e, &b, node->b->place);
    const Expr *no = elab_as_real(e, &c, node->c->place);
    b = yes ? data(yes) : b;
    c = no ? data(no) : c;
  }
  if (b.kind != c.kind || (b.kind != VALUE_DATA && b.kind != VALUE_CHANNEL) ||
      !elab_same_type(b.expr->type, c.expr->type))
    return elab_bad(e, node->place, "both branches need values of one type");
  if (b.kind == VALUE_CHANNEL && expr_has_clock_test(a))
    return elab_bad(e, node->a->place, "the choice of a channel cannot depend on clocks");
  return (Value){.kind = b.kind, .expr = expr_cond(e->arena, node->place, a, b.expr, c.expr)};
}

static Value power_value(Elaborator *e, Scope *scope, const Tree *node) {
  const Expr *base = elab_number(e, scope, node->a), *exponent = elab_number(e, scope, node->b);
  int32_t a, b;
  int64_t power = 1;
  if (!base || !exponent)
    return bad;
  if (base->type->kind == TYPE_REAL || exponent->type->kind == TYPE_REAL)
    return data(elab_real_power(e, node->place, base, exponent));
  if (!expr_is_const(base, &a) || !expr_is_const(exponent, &b))
    return data(elab_power(e, node->place, base, exponent));
  for (int32_t k = 0; k < b && power <= INT32_MAX && power >= INT32_MIN && k < 64; k++)
    power *= a;
  if (b < 0 || power > INT32_MAX || power < INT32_MIN || (b > 64 && a != 0 && a != 1))
    return elab_bad(e, node->place, "this power is not an integer of 32 bits");
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
  if (e->instances > ELABORATE_MAX_INSTANCES)
    return elab_bad(e, node->place,
                    "quantifiers make more than %d instances of what they are about",
                    ELABORATE_MAX_INSTANCES);
  const Expr **items = ARENA_ARRAY(e->arena, const Expr *, (size_t)count);
  e->expanding++;
  for (int64_t k = 0; k < count; k++) {
    Scope *inner = scope_new(e->arena, scope, 1);
    bind(e, inner, node->var, SYMBOL_CONSTANT)->expr =
        expr_const(e->arena, node->var->place, (int32_t)(low + k));
    items[k] =
        node->op == EXPR_SUM ? elab_number(e, inner, node->a) : elab_condition(e, inner, node->a);
    if (!items[k]) {
      e->expanding--;
      return bad;
    }
  }
  e->expanding--;
  return data(combine(e, node, items, (uint32_t)count));
}

static Value quantifier_value(Elaborator *e, Scope *scope, const Tree *node) {
  int32_t low, high;
  if (!node->var->name || !elab_range(e, scope, node->var->type, &low, &high))
    return bad;
  if (low > high)
    return data(combine(e, node, NULL, 0));
  const uint32_t next = e->frame->next;
  const uint32_t local = elab_frame(e, node->place, 1);
  const bool needed = e->needs_constants;
  e->needs_constants = false;
  Scope *inner = scope_new(e->arena, scope, 1);
  bind(e, inner, node->var, SYMBOL_STORAGE)->expr =
      expr_storage(e->arena, node->var->place, EXPR_LOCAL, node->var->name,
                   type_int(e->arena, low, high), local);
  const uint32_t rates = e->rates ? e->rates->size : 0;
  const Expr *body =
      node->op == EXPR_SUM ? elab_number(e, inner, node->a) : elab_condition(e, inner, node->a);
  e->frame->next = next;
  if (e->rates && e->rates->size > rates) { // one for each value
    e->rates->size = rates;
    e->needs_constants = true;
  }
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

static Value call_value(Elaborator *e, Scope *scope, const Tree *node) {
  if (node->a->kind == NODE_NAME && node->a->name) {
    const Symbol *symbol = scope_find(scope, node->a->name);
    if (symbol && symbol->kind == SYMBOL_PROCESSES)
      return elab_process_at(e, scope, symbol, node);
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
    return data(expr_real(e->arena, node->place, node->real));
  case NODE_STRING:
    elab_refuse(e, node->place, "strings");
    return bad;
  case NODE_NAME:
    return elab_name_value(e, scope, node);
  case NODE_INDEX:
    return elab_index_value(e, scope, node);
  case NODE_DOT:
    return elab_dot_value(e, scope, node);
  case NODE_CALL:
    return call_value(e, scope, node);
  case NODE_RATE:
    return elab_bad(e, node->place,
                    "the rate of a clock is given in an invariant, as in `x' == 2`");
  case NODE_UNARY:
    return unary_value(e, scope, node);
  case NODE_BINARY:
    return binary_value(e, scope, node);
  case NODE_IMPLY:
    return imply_value(e, scope, node);
  case NODE_XOR:
    return xor_value(e, scope, node);
  case NODE_POWER:
    return power_value(e, scope, node);
  case NODE_COND:
    return cond_value(e, scope, node);
  case NODE_ASSIGN:
    return elab_assign_value(e, scope, node);
  case NODE_STEP:
    return elab_step_value(e, scope, node);
  case NODE_QUANTIFY:
    return quantifier_value(e, scope, node);
  case NODE_LIST:
    return elab_bad(e, node->place,
                    e->is_query ? "braces are for lists of values: write parentheses"
                                : "a list of values can only initialise a variable");
  case NODE_TEXT:
  case NODE_LABELS: // of TChecker
    return bad;
  case NODE_DEADLOCK:
    break;
  }
  const Symbol *symbol = node->name ? scope_find(scope, node->name) : NULL;
  if (symbol)
    return elab_symbol_value(e, symbol, node->place);
  if (e->is_query)
    return data(expr_deadlock(e->arena, node->place));
  return elab_bad(e, node->place, "`deadlock` is for queries");
}

const Expr *elab_data(Elaborator *e, Scope *scope, const Tree *node) {
  const Value value = elab_value(e, scope, node);
  if (value.kind == VALUE_BAD)
    return NULL;
  if (value.kind == VALUE_DATA && !expr_has_clock_test(value.expr) &&
      leaf(value.expr->type)->kind != TYPE_CLOCK)
    return value.expr;
  const bool is_clock = value.kind == VALUE_CLOCKS || value.kind == VALUE_DATA;
  if (value.kind == VALUE_DATA && expr_has_clock_test(value.expr) && !e->is_full) {
    elab_obstacle(e, node->place, "clocks have no integer value: they can only be compared");
    return NULL;
  }
  elab_fail(e, node->place,
            is_clock ? "clocks have no integer value: they can only be compared"
                     : "a value is needed here");
  return NULL;
}

static const char no_integer[] =
    "an integer is needed here; `fint(...)` makes one of a real number";

const Expr *elab_int(Elaborator *e, Scope *scope, const Tree *node) {
  const Expr *expr = elab_data(e, scope, node);
  if (!expr)
    return NULL;
  expr = elab_whole(e, data(expr)).expr;
  if (expr->type->kind == TYPE_INT)
    return expr;
  elab_fail(e, node->place, "%s",
            expr->type->kind == TYPE_REAL ? no_integer : "an integer is needed here");
  return NULL;
}

const Expr *elab_number(Elaborator *e, Scope *scope, const Tree *node) {
  const Value value = elab_value(e, scope, node);
  const Expr *real = elab_as_real(e, &value, node->place);
  if (real)
    return value.kind == VALUE_DATA ? value.expr : real;
  if (value.kind != VALUE_BAD)
    elab_fail(e, node->place, "a number is needed here");
  return NULL;
}

const Expr *elab_typed(Elaborator *e, Scope *scope, const Tree *node, const Type *type) {
  if (type->kind != TYPE_REAL) {
    const Expr *expr = elab_data(e, scope, node);
    expr = expr ? elab_coerce(e, expr, type) : NULL;
    if (!expr || type->kind != TYPE_INT || expr->type->kind != TYPE_REAL)
      return expr;
    elab_fail(e, node->place, "%s", no_integer);
    return NULL;
  }
  const Expr *number = elab_number(e, scope, node);
  return number ? elab_coerce(e, number, type) : NULL;
}

// The body of a sum reaches as far as it can: `sum (i : T) P(i).busy <= 1` is hardly ever false.
static void warn_of_sum(Elaborator *e, const Tree *node) {
  const Tree *body = node->kind == NODE_QUANTIFY && node->op == EXPR_SUM ? node->a : NULL;
  if (body && body->kind == NODE_BINARY && body->op >= EXPR_EQ && body->op <= EXPR_GE)
    elab_warn(e, body->place,
              "this comparison belongs to the body of the sum, which counts where it holds; to "
              "compare the sum, write `(sum (i : T) f(i)) <= 1`");
}

const Expr *elab_condition(Elaborator *e, Scope *scope, const Tree *node) {
  warn_of_sum(e, node);
  const Value value = elab_value(e, scope, node);
  if (value.kind == VALUE_BAD)
    return NULL;
  if (value.kind == VALUE_DATA && value.expr->type->kind == TYPE_INT)
    return value.expr;
  const char *name = node->kind == NODE_NAME ? node->name : NULL;
  if (value.kind == VALUE_PROCESS)
    elab_fail(e, node->place,
              "a process is not a condition: ask for one of its locations, as in `%s.%s`",
              e->net->processes.items[value.process->id].name,
              net_location(e->net, value.process->id, 0)->name);
  else if (value.kind == VALUE_CHANNEL && name)
    elab_fail(e, node->place, "`%s` is a channel, no condition", name);
  else if (value.kind == VALUE_CLOCKS && name)
    elab_fail(e, node->place, "`%s` is a clock, no condition: compare it, as in `%s >= 2`", name,
              name);
  else if (value.kind == VALUE_DATA && value.expr->type->kind == TYPE_ARRAY && name)
    elab_fail(e, node->place, "`%s` is an array, no condition: choose an element, as in `%s[%d]`",
              name, name, (int)value.expr->type->first);
  else
    elab_fail(e, node->place, "a condition is needed here");
  return NULL;
}
