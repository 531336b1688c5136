// Trees are built bottom up by the makers, which fold constants; the rest of this file answers
// questions about trees.
#include "model/expr/expr.h"

#include <assert.h>
#include <stddef.h>

static bool is_comparison(ExprKind kind) { return kind >= EXPR_EQ && kind <= EXPR_GE; }

static const Type *any_int(Arena *arena) { return type_int(arena, INT32_MIN, INT32_MAX); }

static Expr *new_expr(Arena *arena, Place place, ExprKind kind, const Type *type) {
  Expr *expr = ARENA_NEW(arena, Expr);
  expr->kind = kind;
  expr->type = type;
  expr->place = place;
  return expr;
}

static Expr *copy_expr(Arena *arena, const Expr *original) {
  Expr *expr = ARENA_NEW(arena, Expr);
  *expr = *original;
  return expr;
}

bool expr_is_const(const Expr *expr, int32_t *value) {
  if (expr->kind != EXPR_CONST)
    return false;
  *value = expr->value;
  return true;
}

bool expr_is_time(const Expr *expr, int64_t *value) {
  if (expr->kind != EXPR_CONST)
    return false;
  *value = expr->wide ? expr->wide : expr->value;
  return true;
}

Expr *expr_const(Arena *arena, Place place, int32_t value) {
  Expr *expr = new_expr(arena, place, EXPR_CONST, any_int(arena));
  expr->value = value;
  return expr;
}

Expr *expr_time(Arena *arena, Place place, int64_t value) {
  const int32_t cut = value > INT32_MAX    ? INT32_MAX
                      : value < -INT32_MAX ? -INT32_MAX
                                           : (int32_t)value;
  Expr *expr = expr_const(arena, place, cut);
  expr->wide = cut == value ? 0 : value;
  return expr;
}

// A constant condition: 0 or 1 of type bool.
static Expr *truth(Arena *arena, Place place, bool value) {
  Expr *expr = expr_const(arena, place, value);
  expr->type = type_bool(arena);
  return expr;
}

Expr *expr_real(Arena *arena, Place place, double value) {
  Expr *expr = new_expr(arena, place, EXPR_REAL, type_real(arena));
  expr->real = value;
  return expr;
}

bool expr_is_real(const Expr *expr, double *value) {
  if (expr->kind != EXPR_REAL)
    return false;
  *value = expr->real;
  return true;
}

Expr *expr_of_int(Arena *arena, Place place, const Expr *a) {
  int32_t value;
  if (expr_is_const(a, &value))
    return expr_real(arena, place, value);
  Expr *expr = new_expr(arena, place, EXPR_OF_INT, type_real(arena));
  expr->a = a;
  return expr;
}

// Arguments that are constants make a constant; the functions that draw never do.
Expr *expr_math(Arena *arena, Place place, uint32_t function, const Expr *const args[3]) {
  const RealFunction *f = &real_functions[function];
  double values[3] = {0}, result;
  bool is_known = !f->draws;
  for (uint32_t k = 0; k < f->count; k++)
    is_known = is_known && expr_is_real(args[k], &values[k]);
  if (is_known && !real_call(function, values, NULL, &result)) {
    if (f->result == REAL_RESULT_REAL)
      return expr_real(arena, place, result);
    Expr *number = expr_const(arena, place, (int32_t)result);
    if (f->result == REAL_RESULT_BOOL)
      number->type = type_bool(arena);
    return number;
  }
  const Type *type = f->result == REAL_RESULT_REAL   ? type_real(arena)
                     : f->result == REAL_RESULT_BOOL ? type_bool(arena)
                                                     : any_int(arena);
  Expr *expr = new_expr(arena, place, EXPR_MATH, type);
  expr->value = (int32_t)function;
  expr->a = args[0];
  expr->b = f->count > 1 ? args[1] : NULL;
  expr->c = f->count > 2 ? args[2] : NULL;
  return expr;
}

Expr *expr_clock_value(Arena *arena, Place place, const Expr *clock) {
  Expr *expr = new_expr(arena, place, EXPR_CLOCK_VALUE, type_real(arena));
  expr->a = clock;
  return expr;
}

static Expr *negative_real(Arena *arena, Place place, const Expr *a) {
  double value;
  if (expr_is_real(a, &value))
    return expr_real(arena, place, -value);
  Expr *expr = new_expr(arena, place, EXPR_NEG, a->type);
  expr->a = a;
  return expr;
}

Expr *expr_unary(Arena *arena, Place place, ExprKind kind, const Expr *a) {
  int32_t value;
  if (a->type->kind == TYPE_REAL)
    return negative_real(arena, place, a);
  if (expr_is_const(a, &value) && kind == EXPR_NOT)
    return truth(arena, place, value == 0);
  if (expr_is_const(a, &value) && value != INT32_MIN)
    return expr_const(arena, place, -value);
  const Type *type = kind == EXPR_NOT ? type_bool(arena) : any_int(arena);
  Expr *expr = new_expr(arena, place, kind, type);
  expr->a = a;
  return expr;
}

static bool fits(int64_t value, int32_t *result) {
  *result = (int32_t)value;
  return value >= INT32_MIN && value <= INT32_MAX;
}

static bool compare(ExprKind kind, int64_t a, int64_t b) {
  switch (kind) {
  case EXPR_EQ:
    return a == b;
  case EXPR_NE:
    return a != b;
  case EXPR_LT:
    return a < b;
  case EXPR_LE:
    return a <= b;
  case EXPR_GT:
    return a > b;
  default:
    return a >= b;
  }
}

// The value of an operator on integers; false if it has none (a run-time error).
// On a negative value >> rounds down in every compiler that we build with.
static bool fold(ExprKind kind, int64_t a, int64_t b, int32_t *result) {
  switch (kind) {
  case EXPR_ADD:
    return fits(a + b, result);
  case EXPR_SUB:
    return fits(a - b, result);
  case EXPR_MUL:
    return fits(a * b, result);
  case EXPR_DIV:
    return b != 0 && fits(a / b, result);
  case EXPR_MOD:
    return b != 0 && fits(a % b, result);
  case EXPR_MIN:
    return fits(a < b ? a : b, result);
  case EXPR_MAX:
    return fits(a > b ? a : b, result);
  case EXPR_BIT_AND:
    return fits(a & b, result);
  case EXPR_BIT_OR:
    return fits(a | b, result);
  case EXPR_BIT_XOR:
    return fits(a ^ b, result);
  case EXPR_SHL:
    return b >= 0 && b <= 31 && fits(a * ((int64_t)1 << b), result);
  case EXPR_SHR:
    return b >= 0 && b <= 31 && fits(a >> b, result);
  default:
    return false;
  }
}

// a && b, a || b with a constant side: `decisive` is the value that decides the result.
// Only the left side may decide: an error of the right one is lost rightly then. NULL: no.
static Expr *fold_logical(Arena *arena, Place place, bool decisive, const Expr *a,
                          const Expr *b) {
  int32_t value;
  if (expr_is_const(a, &value)) {
    if ((value != 0) == decisive)
      return truth(arena, place, decisive);
    int32_t other;
    if (expr_is_const(b, &other))
      return truth(arena, place, other != 0);
    return b->type->is_bool ? copy_expr(arena, b) : NULL;
  }
  if (expr_is_const(b, &value) && (value != 0) != decisive && a->type->is_bool)
    return copy_expr(arena, a);
  return NULL;
}

RealOp expr_real_op(ExprKind kind) {
  if (is_comparison(kind))
    return REAL_EQ + (RealOp)(kind - EXPR_EQ);
  assert((kind >= EXPR_ADD && kind <= EXPR_DIV) || kind == EXPR_MIN || kind == EXPR_MAX);
  return kind == EXPR_MIN   ? REAL_MIN
         : kind == EXPR_MAX ? REAL_MAX
                            : REAL_ADD + (RealOp)(kind - EXPR_ADD);
}

static Expr *real_binary(Arena *arena, Place place, ExprKind kind, const Expr *a, const Expr *b) {
  double left, right, value;
  if (expr_is_real(a, &left) && expr_is_real(b, &right)) {
    if (is_comparison(kind))
      return truth(arena, place, real_compare(expr_real_op(kind), left, right));
    if (!real_operate(expr_real_op(kind), left, right, &value))
      return expr_real(arena, place, value);
  }
  Expr *expr =
      new_expr(arena, place, kind, is_comparison(kind) ? type_bool(arena) : type_real(arena));
  expr->a = a;
  expr->b = b;
  return expr;
}

Expr *expr_binary(Arena *arena, Place place, ExprKind kind, const Expr *a, const Expr *b) {
  if (a->type->kind == TYPE_REAL)
    return real_binary(arena, place, kind, a, b);
  bool logical = kind == EXPR_AND || kind == EXPR_OR;
  bool condition = logical || is_comparison(kind);
  Expr *folded = logical ? fold_logical(arena, place, kind == EXPR_OR, a, b) : NULL;
  if (folded)
    return folded;
  int32_t left, right, value;
  if (expr_is_const(a, &left) && expr_is_const(b, &right)) {
    if (is_comparison(kind))
      return truth(arena, place, compare(kind, left, right));
    if (fold(kind, left, right, &value))
      return expr_const(arena, place, value);
  }
  Expr *expr = new_expr(arena, place, kind, condition ? type_bool(arena) : any_int(arena));
  expr->a = a;
  expr->b = b;
  return expr;
}

Expr *expr_cond(Arena *arena, Place place, const Expr *a, const Expr *b, const Expr *c) {
  int32_t value;
  if (expr_is_const(a, &value))
    return copy_expr(arena, value != 0 ? b : c);
  // Branches of different integer types: only the range of both together is known.
  bool same = b->type == c->type || b->type->kind != TYPE_INT;
  bool condition = b->type->is_bool && c->type->is_bool;
  const Type *type = same ? b->type : condition ? type_bool(arena) : any_int(arena);
  Expr *expr = new_expr(arena, place, EXPR_COND, type);
  expr->a = a;
  expr->b = b;
  expr->c = c;
  return expr;
}

Expr *expr_storage(Arena *arena, Place place, ExprKind kind, const char *name, const Type *type,
                   uint32_t base) {
  assert(kind == EXPR_VAR || kind == EXPR_LOCAL || kind == EXPR_CLOCK || kind == EXPR_REMOTE);
  Expr *expr = new_expr(arena, place, kind, type);
  expr->name = name;
  expr->base = base;
  return expr;
}

Expr *expr_table(Arena *arena, Place place, const char *name, const Type *type,
                 const int32_t *table, uint32_t base) {
  Expr *expr = new_expr(arena, place, EXPR_TABLE, type);
  expr->name = name;
  expr->table = table;
  expr->base = base;
  return expr;
}

// A part of a table at a known place: a constant, or a smaller table.
static Expr *table_part(Arena *arena, Place place, const Expr *table, const Type *type,
                        uint32_t offset) {
  if (type->kind == TYPE_REAL)
    return expr_real(arena, place, real_load(table->table + offset));
  if (type->kind == TYPE_INT) {
    Expr *expr = expr_const(arena, place, table->table[offset]);
    if (type->is_bool)
      expr->type = type;
    return expr;
  }
  return expr_table(arena, place, table->name, type, table->table + offset, table->base + offset);
}

Expr *expr_assign(Arena *arena, Place place, const Expr *target, const Expr *value) {
  Expr *expr = new_expr(arena, place, EXPR_ASSIGN, target->type);
  expr->a = target;
  expr->b = value;
  return expr;
}

Expr *expr_address(Arena *arena, Place place, const Expr *storage) {
  Expr *expr = new_expr(arena, place, EXPR_ADDRESS, any_int(arena));
  expr->a = storage;
  return expr;
}

Expr *expr_index(Arena *arena, Place place, const Expr *array, const Expr *index) {
  assert(array->type->kind == TYPE_ARRAY);
  int32_t value;
  if (array->kind == EXPR_TABLE && expr_is_const(index, &value) &&
      (uint32_t)value - (uint32_t)array->type->first < array->type->count) {
    const uint32_t position = (uint32_t)value - (uint32_t)array->type->first;
    return table_part(arena, place, array, array->type->element,
                      position * array->type->element->slots);
  }
  Expr *expr = new_expr(arena, place, EXPR_INDEX, array->type->element);
  expr->a = array;
  expr->b = index;
  return expr;
}

Expr *expr_field(Arena *arena, Place place, const Expr *record, const Field *field) {
  assert(record->type->kind == TYPE_STRUCT);
  if (record->kind == EXPR_TABLE)
    return table_part(arena, place, record, field->type, field->offset);
  if (record->kind == EXPR_COND) { // the field may have another range in the second
    const ptrdiff_t k = field - record->type->fields;
    return expr_cond(arena, place, record->a,
                     expr_field(arena, place, record->b, &record->b->type->fields[k]),
                     expr_field(arena, place, record->c, &record->c->type->fields[k]));
  }
  Expr *expr = new_expr(arena, place, EXPR_FIELD, field->type);
  expr->a = record;
  expr->name = field->name;
  expr->base = field->offset;
  return expr;
}

Expr *expr_at(Arena *arena, Place place, const char *name, uint32_t slot, int32_t location) {
  Expr *expr = new_expr(arena, place, EXPR_AT, type_bool(arena));
  expr->name = name;
  expr->base = slot;
  expr->value = location;
  return expr;
}

Expr *expr_call(Arena *arena, Place place, const Function *function, const Expr *const *args) {
  Expr *expr = new_expr(arena, place, EXPR_CALL, function->result);
  const Expr **copy = ARENA_ARRAY(arena, const Expr *, function->param_count);
  for (uint32_t k = 0; k < function->param_count; k++)
    copy[k] = args[k];
  expr->function = function;
  expr->args = copy;
  expr->arg_count = function->param_count;
  return expr;
}

Expr *expr_quantifier(Arena *arena, Place place, ExprKind kind, uint32_t local, int32_t low,
                      int32_t high, const Expr *body) {
  int64_t count = low > high ? 0 : (int64_t)high - low + 1;
  int32_t value = 0;
  if (count == 0 && body->type->kind == TYPE_REAL)
    return expr_real(arena, place, 0);
  if (count == 0 || expr_is_const(body, &value)) {
    int32_t sum;
    if (kind == EXPR_FORALL)
      return truth(arena, place, count == 0 || value != 0);
    if (kind == EXPR_EXISTS)
      return truth(arena, place, count != 0 && value != 0);
    if (fold(EXPR_MUL, count, value, &sum))
      return expr_const(arena, place, sum);
  }
  const Type *type = kind != EXPR_SUM                ? type_bool(arena)
                     : body->type->kind == TYPE_REAL ? body->type
                                                     : any_int(arena);
  Expr *expr = new_expr(arena, place, kind, type);
  expr->base = local;
  expr->low = low;
  expr->high = high;
  expr->a = body;
  return expr;
}

Expr *expr_clock_test(Arena *arena, Place place, const Expr *x, const Expr *y, ExprKind op,
                      const Expr *bound) {
  assert(is_comparison(op));
  Expr *expr = new_expr(arena, place, EXPR_CLOCK_TEST, type_bool(arena));
  expr->op = op;
  expr->a = x;
  expr->b = y;
  expr->c = bound;
  return expr;
}

Expr *expr_deadlock(Arena *arena, Place place) {
  return new_expr(arena, place, EXPR_DEADLOCK, type_bool(arena));
}

bool expr_any(const Expr *expr, ExprTest *test, const void *context) {
  bool found = expr && test(context, expr);
  for (uint32_t k = 0; expr && !found && k < expr_part_count(expr); k++)
    found = expr_any(expr_part(expr, k), test, context);
  return found;
}

// Whether a part is of one of two kinds.
static bool has_one_of(const Expr *expr, ExprKind a, ExprKind b) {
  bool found = expr->kind == a || expr->kind == b;
  for (uint32_t k = 0; !found && k < expr_part_count(expr); k++) {
    const Expr *part = expr_part(expr, k);
    found = part && has_one_of(part, a, b);
  }
  return found;
}

bool expr_has_kind(const Expr *expr, ExprKind kind) {
  return expr && has_one_of(expr, kind, kind);
}

bool expr_has_clock_test(const Expr *expr) {
  return expr && has_one_of(expr, EXPR_CLOCK_TEST, EXPR_DEADLOCK);
}

bool expr_has_effects(const Expr *expr) {
  return expr && has_one_of(expr, EXPR_ASSIGN, EXPR_CALL);
}

bool expr_fits(const Expr *expr, const Type *type) {
  if (expr->kind == EXPR_COND) // its type is that of the first
    return expr_fits(expr->b, type) && expr_fits(expr->c, type);
  return type_fits(expr->type, type);
}

bool expr_is_storage(const Expr *expr) {
  const ExprKind kind = expr_root(expr)->kind;
  return kind == EXPR_VAR || kind == EXPR_LOCAL || kind == EXPR_CLOCK || kind == EXPR_TABLE ||
         kind == EXPR_REMOTE;
}

const Expr *expr_guard_flaw(const Expr *expr) {
  const Expr *flaw = NULL;
  switch (expr->kind) {
  case EXPR_CLOCK_TEST:
    return expr->op == EXPR_NE ? expr : NULL;
  case EXPR_OR:
    if (expr_has_clock_test(expr->b) && expr_has_clock_test(expr->a))
      return expr;
    flaw = expr_guard_flaw(expr->a);
    return flaw ? flaw : expr_guard_flaw(expr->b);
  case EXPR_COND:
    if (expr_has_clock_test(expr->a))
      return expr->a;
    flaw = expr_guard_flaw(expr->b);
    return flaw ? flaw : expr_guard_flaw(expr->c);
  case EXPR_AND:
    flaw = expr_guard_flaw(expr->a);
    return flaw ? flaw : expr_guard_flaw(expr->b);
  case EXPR_FORALL:
    return expr_guard_flaw(expr->a);
  default:
    return expr_has_clock_test(expr) ? expr : NULL;
  }
}

// Ranges. Every value is an int32. What overflows is an error or wraps around, as the language
// says (Vm.wraps): then it may be anything.

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t max(int64_t a, int64_t b) { return a > b ? a : b; }
static Range make_range(int64_t low, int64_t high) {
  const bool fits_both = low >= INT32_MIN && high <= INT32_MAX;
  return fits_both ? (Range){low, high} : (Range){INT32_MIN, INT32_MAX};
}

// The range from the least to the greatest of four values.
static Range hull(int64_t a, int64_t b, int64_t c, int64_t d) {
  return make_range(least(least(a, b), least(c, d)), max(max(a, b), max(c, d)));
}

static Range multiply(Range a, Range b) {
  return hull(a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high);
}

// The quotient is monotone in each argument while the divisor keeps its sign.
static Range divide(Range a, Range b) {
  Range negative = {b.low, least(b.high, -1)}, positive = {max(b.low, 1), b.high};
  Range parts[2];
  int count = 0;
  for (int k = 0; k < 2; k++) {
    Range d = k == 0 ? negative : positive;
    if (d.low <= d.high)
      parts[count++] = hull(a.low / d.low, a.low / d.high, a.high / d.low, a.high / d.high);
  }
  if (count == 0) // divided by zero whatever happens
    return make_range(0, 0);
  return make_range(least(parts[0].low, parts[count - 1].low),
                    max(parts[0].high, parts[count - 1].high));
}

// The remainder has the sign of the dividend and is smaller than both.
static Range remainder_range(Range a, Range b) {
  int64_t limit = max(max(b.high, -b.low) - 1, 0);
  return make_range(max(least(a.low, 0), -limit), least(max(a.high, 0), limit));
}

static Range shift(ExprKind kind, Range a, Range b) {
  b = (Range){max(b.low, 0), least(b.high, 31)};
  if (b.low > b.high)
    return make_range(0, 0);
  if (kind == EXPR_SHL)
    return multiply(a, (Range){(int64_t)1 << b.low, (int64_t)1 << b.high});
  return hull(a.low >> b.low, a.low >> b.high, a.high >> b.low, a.high >> b.high);
}

// No bit above those of the operands, in two's complement, comes to be.
static Range bits(ExprKind kind, Range a, Range b) {
  if (kind == EXPR_BIT_AND && (a.low >= 0 || b.low >= 0))
    return make_range(0, a.low < 0 ? b.high : b.low < 0 ? a.high : least(a.high, b.high));
  int64_t power = 1;
  while (power <= max(a.high, b.high) || -power > least(a.low, b.low))
    power *= 2;
  return make_range(a.low >= 0 && b.low >= 0 ? 0 : -power, power - 1);
}

Range expr_range_of(ExprKind kind, Range a, Range b) {
  switch (kind) {
  case EXPR_ADD:
    return make_range(a.low + b.low, a.high + b.high);
  case EXPR_SUB:
    return make_range(a.low - b.high, a.high - b.low);
  case EXPR_MUL:
    return multiply(a, b);
  case EXPR_DIV:
    return divide(a, b);
  case EXPR_MOD:
    return remainder_range(a, b);
  case EXPR_MIN:
    return make_range(least(a.low, b.low), least(a.high, b.high));
  case EXPR_MAX:
    return make_range(max(a.low, b.low), max(a.high, b.high));
  case EXPR_SHL:
  case EXPR_SHR:
    return shift(kind, a, b);
  default:
    return bits(kind, a, b);
  }
}

static Range sum_range(const Expr *expr) {
  // Beyond 2^31 terms the sum of any but zeros is cut anyway.
  int64_t count = least((int64_t)expr->high - expr->low + 1, (int64_t)1 << 31);
  Range body = expr_range(expr->a);
  return make_range(count * body.low, count * body.high);
}

Range expr_range(const Expr *expr) {
  Range a, b;
  switch (expr->kind) {
  case EXPR_CONST:
    return expr->wide ? (Range){expr->wide, expr->wide} : make_range(expr->value, expr->value);
  case EXPR_NEG:
    a = expr_range(expr->a);
    return make_range(-a.high, -a.low);
  case EXPR_COND:
    a = expr_range(expr->b);
    b = expr_range(expr->c);
    return make_range(least(a.low, b.low), max(a.high, b.high));
  case EXPR_SUM:
    return sum_range(expr);
  default:
    if (expr->kind >= EXPR_ADD && expr->kind <= EXPR_SHR)
      return expr_range_of(expr->kind, expr_range(expr->a), expr_range(expr->b));
    // Storage, calls and conditions have the range of their type.
    if (expr->type->kind == TYPE_INT)
      return make_range(expr->type->min, expr->type->max);
    return make_range(INT32_MIN, INT32_MAX);
  }
}

const Expr *expr_root(const Expr *storage) {
  while (storage->kind == EXPR_INDEX || storage->kind == EXPR_FIELD)
    storage = storage->a;
  return storage;
}

ExprKind expr_mirrored(ExprKind op) {
  static const ExprKind ops[] = {EXPR_EQ, EXPR_NE, EXPR_GT, EXPR_GE, EXPR_LT, EXPR_LE};
  return ops[op - EXPR_EQ];
}

ExprKind expr_opposite(ExprKind op) {
  static const ExprKind ops[] = {EXPR_NE, EXPR_EQ, EXPR_GE, EXPR_GT, EXPR_LE, EXPR_LT};
  return ops[op - EXPR_EQ];
}

uint32_t expr_locals(const Expr *expr) {
  if (!expr)
    return 0;
  const bool is_bound =
      expr->kind == EXPR_FORALL || expr->kind == EXPR_EXISTS || expr->kind == EXPR_SUM;
  uint32_t max = is_bound                   ? expr->base + 1
                 : expr->kind == EXPR_LOCAL ? expr->base + expr->type->slots
                                            : 0;
  for (uint32_t k = 0; k < expr_part_count(expr); k++) {
    const uint32_t locals = expr_locals(expr_part(expr, k));
    max = locals > max ? locals : max;
  }
  return max;
}
