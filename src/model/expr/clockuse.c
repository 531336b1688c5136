#include "model/expr/clockuse.h"

#include <stdio.h>

#include <assert.h>

// Replaces each clock from list[first] on by the clocks at the indices low .. high of the array
// that starts there.
static void add_elements(Mem *mem, ClockList *list, uint32_t first, const Type *array,
                         Range range) {
  const int64_t end = (int64_t)array->first + array->count - 1;
  const int64_t low = range.low > array->first ? range.low : array->first;
  const int64_t high = range.high < end ? range.high : end;
  const uint32_t size = list->size;
  if (low > high) {
    list->size = first;
    return;
  }
  for (uint32_t k = first; k < size; k++) {
    const ClockIndex base = list->items[k];
    const uint32_t step = array->element->slots;
    for (int64_t i = low + 1; i <= high; i++)
      vec_push(mem, list, base + (ClockIndex)(i - array->first) * step);
    list->items[k] = base + (ClockIndex)(low - array->first) * step;
  }
}

void clockuse_clocks(Mem *mem, const Expr *expr, ClockList *list) {
  const uint32_t first = list->size;
  switch (expr->kind) {
  case EXPR_FIELD:
    clockuse_clocks(mem, expr->a, list);
    for (uint32_t k = first; k < list->size; k++)
      list->items[k] += expr->base;
    break;
  case EXPR_INDEX:
    clockuse_clocks(mem, expr->a, list);
    add_elements(mem, list, first, expr->a->type, expr_range(expr->b));
    break;
  default:
    assert(expr->kind == EXPR_CLOCK);
    vec_push(mem, list, expr->base);
  }
}

void clockuse_tests(const Expr *expr, ClockTestVisit *visit, void *context) {
  if (!expr)
    return;
  if (expr->kind == EXPR_CLOCK_TEST) {
    visit(context, expr);
    return;
  }
  clockuse_tests(expr->a, visit, context);
  clockuse_tests(expr->b, visit, context);
  clockuse_tests(expr->c, visit, context);
}

void clockuse_assigns(const Stmt *stmt, ClockAssignVisit *visit, void *context) {
  for (; stmt; stmt = stmt->next) {
    if (stmt->kind == STMT_CLOCK_ASSIGN)
      visit(context, stmt);
    clockuse_assigns(stmt->body, visit, context);
    clockuse_assigns(stmt->other, visit, context);
  }
}

const Expr *clockuse_rebuild(Arena *arena, const Expr *expr, const Expr *a, const Expr *b,
                             const Expr *c) {
  if (a == expr->a && b == expr->b && c == expr->c)
    return expr;
  if (expr->kind == EXPR_NEG || expr->kind == EXPR_NOT)
    return expr_unary(arena, expr->place, expr->kind, a);
  if (expr->kind >= EXPR_ADD && expr->kind <= EXPR_OR)
    return expr_binary(arena, expr->place, expr->kind, a, b);
  if (expr->kind == EXPR_COND)
    return expr_cond(arena, expr->place, a, b, c);
  Expr *copy = ARENA_NEW(arena, Expr);
  *copy = *expr;
  copy->a = a;
  copy->b = b;
  copy->c = c;
  return copy;
}

// Whether it is known without computing anything that each index is within its array: else the
// clock need not be there.
static bool is_there(const Expr *clock) {
  if (clock->kind != EXPR_INDEX)
    return clock->kind == EXPR_CLOCK || (clock->kind == EXPR_FIELD && is_there(clock->a));
  const Type *array = clock->a->type;
  const Expr *index = clock->b;
  const Range range = expr_range(index);
  return (index->kind == EXPR_CONST || index->kind == EXPR_VAR || index->kind == EXPR_LOCAL) &&
         range.low >= array->first && range.high < (int64_t)array->first + array->count &&
         is_there(clock->a);
}

static bool same_clock(Mem *mem, const Expr *a, const Expr *b) {
  if (!is_there(a) || !is_there(b))
    return false;
  ClockList list = {0};
  clockuse_clocks(mem, a, &list);
  const uint32_t size = list.size;
  clockuse_clocks(mem, b, &list);
  const bool same = size == 1 && list.size == 2 && list.items[0] == list.items[1];
  vec_release(mem, &list);
  return same;
}

const Expr *clockuse_fold(Arena *arena, const Expr *expr) {
  if (!expr_has_clock_test(expr))
    return expr;
  if (expr->kind == EXPR_CLOCK_TEST) {
    if (!expr->b || !same_clock(arena->mem, expr->a, expr->b))
      return expr;
    const Expr *zero = expr_const(arena, expr->place, 0);
    return expr_binary(arena, expr->place, expr->op, zero, expr->c);
  }
  return clockuse_rebuild(arena, expr, expr->a ? clockuse_fold(arena, expr->a) : NULL,
                          expr->b ? clockuse_fold(arena, expr->b) : NULL,
                          expr->c ? clockuse_fold(arena, expr->c) : NULL);
}

static void note_traits(void *context, const Expr *test) {
  ClockTraits *traits = context;
  if (test->b && !traits->has_diagonals) {
    traits->has_diagonals = true;
    traits->diagonal_place = test->place;
  }
  const bool strict = test->op == EXPR_LT || test->op == EXPR_GT;
  if (strict && !traits->has_strict) {
    traits->has_strict = true;
    traits->strict_place = test->place;
  }
}

void clockuse_traits(const Expr *expr, ClockTraits *traits) {
  clockuse_tests(expr, note_traits, traits);
}

typedef struct Check {
  int64_t max;
  Report *report;
} Check;

static void check_constant(const Check *check, const Expr *bound, const char *what) {
  int64_t value;
  if (!expr_is_time(bound, &value) || (value <= check->max && value >= -check->max))
    return;
  report_error(check->report, bound->place,
               "the constant %lld is too large: clocks can be %s constants of at most %lld; use "
               "a coarser unit of time",
               (long long)(value * (bound->unit ? bound->unit : 1)), what, (long long)check->max);
}

static void check_test(void *context, const Expr *test) {
  check_constant(context, test->c, "compared with");
}

static void check_assign(void *context, const Stmt *assign) {
  if (assign->value)
    check_constant(context, assign->value, "set to");
}

void clockuse_check_tests(const Expr *expr, int64_t max, Report *report) {
  Check check = {max, report};
  clockuse_tests(expr, check_test, &check);
}

void clockuse_check_assigns(const Stmt *stmt, int64_t max, Report *report) {
  Check check = {max, report};
  clockuse_assigns(stmt, check_assign, &check);
}
