#include "language/uppaal/elab_real.h"

#include "model/expr/clockuse.h"
#include "model/expr/real.h"

#include <math.h>
#include <string.h>

#define IGNORED_BASE ((uint32_t)1 << 31) // no variable and no clock has such a number

const char elab_real_obstacle[] =
    "symbolic queries cannot depend on floating point numbers (`double`)";
const char elab_clock_obstacle[] =
    "symbolic queries can compare a clock, or the difference of two clocks, with integers only";
const char elab_hybrid_obstacle[] = "symbolic queries cannot depend on hybrid clocks";

static void note_obstacle(Elaborator *e, Place place, const char *what) {
  if (e->is_full)
    return;
  if (!e->frame || !e->frame->function) {
    elab_fail(e, place, "%s", what);
    e->obstacles++;
  } else if (!e->frame->obstacle.what)
    e->frame->obstacle = (Obstacle){place, what};
}

void elab_obstacle(Elaborator *e, Place place, const char *what) {
  if (!e->ignoring)
    note_obstacle(e, place, what);
}

void elab_note_effect(Elaborator *e, Place place) {
  if (e->ignoring)
    note_obstacle(e, place,
                  "symbolic queries ignore floating point numbers: what is computed for them "
                  "must not change "
                  "other variables");
}

bool elab_is_real(const Type *type) { return leaf(type)->kind == TYPE_REAL; }

bool elab_is_ignored(const Expr *expr) {
  const Expr *root = expr ? expr_root(expr) : NULL;
  return root && (root->kind == EXPR_VAR || root->kind == EXPR_CLOCK) &&
         root->base >= IGNORED_BASE;
}

const Expr *elab_ignored(Elaborator *e, Place place, ExprKind kind, const char *name,
                         const Type *type) {
  return expr_storage(e->arena, place, kind, name, type, IGNORED_BASE + e->ignored_count++);
}

// What is read of a clock that is ignored, or of any other in a symbolic query, is an obstacle
// once it is compared.
static const Expr *clock_value(Elaborator *e, const Expr *clock) {
  return expr_clock_value(e->arena, clock->place, clock);
}

static const Expr *sum_of_clocks(Elaborator *e, const Value *value, Place place) {
  const Expr *sum = value->plus ? clock_value(e, value->plus) : NULL;
  if (value->expr) {
    const Expr *offset = elab_coerce(e, value->expr, type_real(e->arena));
    sum = sum ? expr_binary(e->arena, place, EXPR_ADD, sum, offset) : offset;
  }
  if (value->minus) {
    const Expr *minus = clock_value(e, value->minus);
    sum = sum ? expr_binary(e->arena, place, EXPR_SUB, sum, minus)
              : expr_unary(e->arena, place, EXPR_NEG, minus);
  }
  return sum;
}

const Expr *elab_as_real(Elaborator *e, const Value *value, Place place) {
  if (value->kind == VALUE_CLOCKS)
    return sum_of_clocks(e, value, place);
  if (value->kind != VALUE_DATA || expr_has_clock_test(value->expr))
    return NULL;
  const TypeKind kind = value->expr->type->kind;
  return kind == TYPE_REAL  ? value->expr
         : kind == TYPE_INT ? expr_of_int(e->arena, place, value->expr)
                            : NULL;
}

// An integer of 32 bits?
static bool is_whole(double value) {
  return value == trunc(value) && value >= INT32_MIN && value <= INT32_MAX;
}

Value elab_whole(Elaborator *e, Value value) {
  double number;
  if (value.kind != VALUE_DATA || !expr_is_real(value.expr, &number) || !is_whole(number))
    return value;
  return data(expr_const(e->arena, value.expr->place, (int32_t)number));
}

const Expr *elab_coerce(Elaborator *e, const Expr *expr, const Type *type) {
  double number;
  if (type->kind == TYPE_REAL && expr->type->kind == TYPE_INT && !expr_has_clock_test(expr))
    return expr_of_int(e->arena, expr->place, expr);
  if (type->kind == TYPE_INT && expr_is_real(expr, &number) && is_whole(number))
    expr = expr_const(e->arena, expr->place, (int32_t)number);
  if (!type->is_bool || expr->type->is_bool || expr->type->kind != TYPE_INT)
    return expr;
  return expr_binary(e->arena, expr->place, EXPR_NE, expr, expr_const(e->arena, expr->place, 0));
}

static bool reads_clock(const Expr *expr) {
  return expr && (expr->kind == EXPR_CLOCK_VALUE || reads_clock(expr->a) ||
                  reads_clock(expr->b) || reads_clock(expr->c));
}

static bool is_integer(const Value *value) {
  return value->kind == VALUE_DATA && value->expr->type->kind == TYPE_INT &&
         !expr_has_clock_test(value->expr);
}

Value elab_real_operation(Elaborator *e, const Tree *node, const Value *a, const Value *b) {
  const Expr *left = elab_as_real(e, a, node->place), *right = elab_as_real(e, b, node->place);
  const ExprKind op = node->op;
  const bool is_comparison = op >= EXPR_EQ && op <= EXPR_GE;
  const Value x = elab_whole(e, *a), y = elab_whole(e, *b);
  if (is_comparison && is_integer(&x) && is_integer(&y)) // n == 2.0
    return data(expr_binary(e->arena, node->place, op, x.expr, y.expr));
  if (!left || !right ||
      (!is_comparison && (op < EXPR_ADD || op > EXPR_DIV) && op != EXPR_MIN && op != EXPR_MAX))
    return elab_bad(e, node->place,
                    left && right ? "this operator is for integers"
                                  : "a number is needed on both sides");
  const Expr *result = expr_binary(e->arena, node->place, op, left, right);
  if (is_comparison && result->kind != EXPR_CONST && !e->is_full) {
    elab_obstacle(e, node->place, reads_clock(result) ? elab_clock_obstacle : elab_real_obstacle);
    return bad;
  }
  return data(result);
}

bool elab_math(Elaborator *e, Scope *scope, const Tree *call, const Expr **result) {
  uint32_t function, count = 0;
  *result = NULL;
  if (!call->a->name || !real_find(call->a->name, &function))
    return false;
  const Expr *args[3] = {NULL};
  bool is_good = true;
  for (const Tree *arg = call->b; arg; arg = arg->next, count++) {
    const Value value = elab_value(e, scope, arg);
    const Expr *real = elab_as_real(e, &value, arg->place);
    if (!real && value.kind != VALUE_BAD)
      elab_fail(e, arg->place, "a number is needed here");
    is_good = is_good && real;
    if (count < 3)
      args[count] = real;
  }
  const RealFunction *f = &real_functions[function];
  if (count != f->count) {
    elab_fail(e, call->place, "`%s` has %u argument%s, not %u", f->name, (unsigned)f->count,
              f->count == 1 ? "" : "s", (unsigned)count);
    return true;
  }
  if (!is_good)
    return true;
  const Expr *value = expr_math(e->arena, call->place, function, args);
  if (value->kind == EXPR_MATH && f->result != REAL_RESULT_REAL && !e->is_full)
    elab_obstacle(e, call->place, elab_real_obstacle);
  else
    *result = value;
  return true;
}

const Expr *elab_real_power(Elaborator *e, Place place, const Expr *base, const Expr *exponent) {
  uint32_t function;
  real_find("pow", &function);
  const Type *real = type_real(e->arena);
  const Expr *args[3] = {elab_coerce(e, base, real), elab_coerce(e, exponent, real)};
  return expr_math(e->arena, place, function, args);
}

const Type *elab_real_type(Elaborator *e, const Type *type) {
  return type->kind == TYPE_ARRAY
             ? type_array(e->arena, elab_real_type(e, type->element), type->first, type->count)
         : type->kind == TYPE_CLOCK ? type_real(e->arena)
                                    : type;
}

// Rates.

static Value truth(Elaborator *e, Place place) {
  Expr *one = expr_const(e->arena, place, 1);
  one->type = type_bool(e->arena);
  return data(one);
}

Value elab_rate(Elaborator *e, Scope *scope, const Tree *node) {
  const Tree *left = node->a->kind == NODE_RATE ? node->a : node->b;
  const Tree *right = left == node->a ? node->b : node->a;
  if (left->a->kind == NODE_NAME && left->a->name && !strcmp(left->a->name, "cost") &&
      !scope_find(scope, left->a->name)) {
    elab_refuse(e, node->place, "prices (`cost`)");
    return bad;
  }
  if (!e->rates || node->op != EXPR_EQ)
    return elab_bad(e, node->place,
                    "the rate of a clock is given in an invariant, as in `x' == 2`");
  const Value clock = elab_value(e, scope, left->a);
  e->ignoring++; // it matters if the clock does: see elab_check_rates
  const Value value = elab_value(e, scope, right);
  e->ignoring--;
  if (clock.kind == VALUE_BAD)
    return bad;
  if (clock.kind != VALUE_CLOCKS || !clock.plus || clock.minus || clock.expr)
    return elab_bad(e, left->place, "this is not a clock: only a clock has a rate");
  const Expr *rate = value.kind == VALUE_DATA && value.expr->type->kind == TYPE_INT
                         ? value.expr
                         : elab_as_real(e, &value, right->place);
  double number;
  if (rate && expr_is_real(rate, &number) && is_whole(number))
    rate = expr_const(e->arena, rate->place, (int32_t)number);
  if (!rate && value.kind != VALUE_BAD)
    return elab_bad(e, right->place, "a number is needed here");
  if (rate)
    vec_push(e->mem, e->rates,
             ((ClockRate){e->is_full ? elab_fixed_clock(e, clock.plus) : clock.plus, rate,
                          node->place}));
  else // it reads what is ignored: no more is known of it
    vec_push(e->mem, e->rates,
             ((ClockRate){clock.plus, expr_real(e->arena, node->place, NAN), node->place}));
  return truth(e, node->place);
}

// The clocks that something depends on.

typedef struct Readers {
  Mem *mem;
  bool *is_read;
  ClockList clocks;
} Readers;

static void mark(Readers *r, const Expr *clock) {
  r->clocks.size = 0;
  if (clock && !elab_is_ignored(clock))
    clockuse_clocks(r->mem, clock, &r->clocks);
  for (uint32_t k = 0; k < r->clocks.size; k++)
    r->is_read[r->clocks.items[k]] = true;
}

static void mark_test(void *context, const Expr *test) {
  mark(context, test->a);
  mark(context, test->b);
}

static void mark_source(void *context, const Stmt *assign) { mark(context, assign->source); }

static void mark_read(Readers *r, const Net *net) {
  for (LocationId l = 0; l < net->locations.size; l++)
    clockuse_tests(net->locations.items[l].invariant_expr, mark_test, r);
  for (EdgeId k = 0; k < net->edges.size; k++) {
    clockuse_tests(net->edges.items[k].guard_expr, mark_test, r);
    clockuse_assigns(net->edges.items[k].update_stmts, mark_source, r);
  }
  for (uint32_t f = 0; f < net->functions.size; f++)
    clockuse_assigns(net->functions.items[f]->body, mark_source, r);
  clockuse_assigns(net->hooks.before_stmts, mark_source, r);
  clockuse_assigns(net->hooks.after_stmts, mark_source, r);
}

// Whether it makes a stopwatch: an integer that can be 0 or 1.
static bool is_stopwatch(const ClockRate *rate) {
  const Range range = expr_range(rate->rate);
  return rate->rate->type->kind == TYPE_INT && !elab_is_ignored(rate->clock) && range.low <= 1 &&
         range.high >= 0;
}

static bool is_one(const ClockRate *rate) {
  int32_t value;
  return expr_is_const(rate->rate, &value) && value == 1;
}

// A rate matters if a guard or an invariant tests its clock, or another clock is set to it.
static bool matters(Readers *r, const ClockRate *rate) {
  bool is_read = false;
  r->clocks.size = 0;
  if (elab_is_ignored(rate->clock))
    return false;
  clockuse_clocks(r->mem, rate->clock, &r->clocks);
  for (uint32_t k = 0; k < r->clocks.size; k++)
    is_read |= r->is_read[r->clocks.items[k]];
  return is_read;
}

static void forget(Elaborator *e, const Readers *r) {
  for (uint32_t k = 0; k < r->clocks.size; k++)
    e->is_rated[r->clocks.items[k]] = true;
  e->has_ignored_rates |= r->clocks.size > 0;
}

// Whether some clock that matters is stopped somewhere.
static bool has_stopwatches(Readers *r, const Net *net) {
  for (LocationId l = 0; l < net->locations.size; l++)
    for (uint32_t k = 0; k < net->locations.items[l].clock_rate_count; k++) {
      const ClockRate *rate = &net->locations.items[l].clock_rates[k];
      if (is_stopwatch(rate) && !is_one(rate) && matters(r, rate))
        return true;
    }
  return false;
}

// Keeps the rates of stopwatches; if none of them matters, for queries only. Refuses others that
// matter, and forgets the rest. A rate of 1 says nothing by itself.
static void check_rates(Elaborator *e, Readers *r, Location *location, bool are_read) {
  ClockRate *kept = ARENA_ARRAY(e->arena, ClockRate, location->clock_rate_count);
  uint32_t count = 0;
  for (uint32_t k = 0; k < location->clock_rate_count; k++) {
    const ClockRate *rate = &location->clock_rates[k];
    if (is_stopwatch(rate)) {
      e->has_unread_rates |= !are_read && !is_one(rate);
      kept[count++] = *rate;
    } else if (is_one(rate))
      continue;
    else if (matters(r, rate))
      elab_obstacle(
          e, rate->place,
          "clock rates other than 0 and 1 are not supported: tarn checks timed automata "
          "exactly");
    else
      forget(e, r);
  }
  location->clock_rates = are_read ? kept : NULL;
  location->clock_rate_count = are_read ? count : 0;
  location->unread_rates = are_read ? NULL : kept;
  location->unread_rate_count = are_read ? 0 : count;
}

// Rates of 1 alone stop nothing.
static void drop_unread(Net *net) {
  for (LocationId l = 0; l < net->locations.size; l++)
    net->locations.items[l].unread_rate_count = 0;
}

void elab_check_rates(Elaborator *e) {
  Net *net = e->making;
  Readers r = {.mem = e->mem};
  if (e->is_full)
    return;
  r.is_read = mem_alloc(e->mem, net->clock_count + 1);
  e->is_rated = ARENA_ARRAY(e->arena, bool, net->clock_count + 1);
  mark_read(&r, net);
  const bool are_read = has_stopwatches(&r, net);
  for (LocationId l = 0; l < net->locations.size; l++)
    check_rates(e, &r, &net->locations.items[l], are_read);
  if (!e->has_unread_rates)
    drop_unread(net);
  vec_release(e->mem, &r.clocks);
  mem_free(e->mem, r.is_read);
}
