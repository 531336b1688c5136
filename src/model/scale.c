#include "model/scale.h"

#include "model/expr/clockuse.h"

void scale_note(Scale *scale, int64_t constant) {
  const int64_t size = constant < 0 ? -constant : constant;
  scale->common = text_divisor(scale->common, size);
  scale->max = size > scale->max ? size : scale->max;
}

static void note_bound(Scale *scale, const Expr *bound) {
  int64_t constant;
  if (expr_is_time(bound, &constant))
    scale_note(scale, constant);
  else
    scale->is_dynamic = true;
}

static void note_test(void *scale, const Expr *test) { note_bound(scale, test->c); }

static void note_assign(void *scale, const Stmt *assign) {
  if (assign->value)
    note_bound(scale, assign->value);
}

void scale_note_expr(Scale *scale, const Expr *expr) { clockuse_tests(expr, note_test, scale); }

void scale_note_stmts(Scale *scale, const Stmt *stmts) {
  clockuse_assigns(stmts, note_assign, scale);
}

void scale_join(Scale *scale, const Scale *other) {
  scale->common = text_divisor(scale->common, other->common);
  scale->max = other->max > scale->max ? other->max : scale->max;
  scale->is_dynamic |= other->is_dynamic;
}

int64_t scale_wanted(const Scale *scale, int64_t limit) {
  if (scale->max <= limit || scale->is_dynamic || scale->common < 2)
    return 1;
  return scale->max / scale->common <= limit ? scale->common : 1;
}

// Of a clock test or a clock assignment.
static const Expr *divide(const ScaleDivider *d, const Expr *bound) {
  int64_t constant;
  if (!bound || !expr_is_time(bound, &constant))
    return scale_expr(d, bound);
  Expr *divided = expr_time(d->arena, bound->place, constant / d->unit);
  divided->unit = d->unit;
  return divided;
}

static const Expr *const *divide_args(const ScaleDivider *d, const Expr *call) {
  const Expr **args = ARENA_ARRAY(d->arena, const Expr *, call->arg_count);
  for (uint32_t i = 0; i < call->arg_count; i++)
    args[i] = scale_expr(d, call->args[i]);
  return args;
}

const Expr *scale_expr(const ScaleDivider *d, const Expr *expr) {
  if (!expr)
    return NULL;
  Expr changed = *expr;
  const bool is_call = expr->kind == EXPR_CALL && d->functions;
  changed.a = scale_expr(d, expr->a);
  changed.b = scale_expr(d, expr->b);
  changed.c = expr->kind == EXPR_CLOCK_TEST ? divide(d, expr->c) : scale_expr(d, expr->c);
  if (is_call) {
    changed.args = divide_args(d, expr);
    changed.function = d->functions[expr->function->id];
  }
  const bool is_same =
      !is_call && changed.a == expr->a && changed.b == expr->b && changed.c == expr->c;
  return is_same ? expr : arena_copy(d->arena, &changed, sizeof changed);
}

const Stmt *scale_stmts(const ScaleDivider *d, const Stmt *stmt) {
  const Stmt *first = NULL, **end = &first;
  for (; stmt; stmt = stmt->next) {
    Stmt *copy = arena_copy(d->arena, stmt, sizeof *stmt);
    copy->target = scale_expr(d, stmt->target);
    copy->source = scale_expr(d, stmt->source);
    copy->value =
        stmt->kind == STMT_CLOCK_ASSIGN ? divide(d, stmt->value) : scale_expr(d, stmt->value);
    copy->body = scale_stmts(d, stmt->body);
    copy->other = scale_stmts(d, stmt->other);
    copy->next = NULL;
    *end = copy;
    end = &copy->next;
  }
  return first;
}

void scale_print(Text *text, int64_t value, int64_t denominator, int64_t unit) {
  const int64_t common = text_divisor(denominator, unit);
  int64_t product;
  if (!__builtin_mul_overflow(value, unit / common, &product))
    text_add_fraction(text, product, denominator / common);
  else // more than 64 bits: what is left to multiply is said
    text_addf(text, "%lld*%lld/%lld", (long long)value, (long long)(unit / common),
              (long long)(denominator / common));
}
