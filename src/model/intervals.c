#include "model/intervals.h"

#include "base/testbuild.h"

#include <string.h>

static Range declared(const Expr *expr) {
  return expr->type->kind == TYPE_INT ? (Range){expr->type->min, expr->type->max}
                                      : (Range){INT32_MIN, INT32_MAX};
}

// The elements that an index can reach.
static Cells element_of(const Intervals *intervals, const Expr *expr) {
  const Cells whole = intervals_cells(intervals, expr->a);
  const Type *array = expr->a->type;
  if (whole.count != array->slots)
    return whole; // the place is not known: any of them
  const Range index =
      intervals_meet(intervals_of(intervals, expr->b),
                     (Range){array->first, (int64_t)array->first + array->count - 1});
  if (index.low > index.high)
    return (Cells){whole.root, whole.first, 0};
  const uint32_t slots = array->element->slots;
  return (Cells){whole.root, whole.first + (uint32_t)(index.low - array->first) * slots,
                 (uint32_t)(index.high - index.low + 1) * slots};
}

Cells intervals_cells(const Intervals *intervals, const Expr *expr) {
  if (expr->kind == EXPR_VAR || expr->kind == EXPR_TABLE)
    return (Cells){expr->kind, expr->base, expr->type->slots};
  if (expr->kind == EXPR_INDEX)
    return element_of(intervals, expr);
  if (expr->kind != EXPR_FIELD)
    return (Cells){EXPR_LOCAL, 0, 0};
  const Cells whole = intervals_cells(intervals, expr->a);
  if (whole.count != expr->a->type->slots)
    return whole;
  return (Cells){whole.root, whole.first + expr->base, expr->type->slots};
}

static Range storage_range(const Intervals *intervals, const Expr *expr) {
  const Cells cells = intervals_cells(intervals, expr);
  const bool is_variable = cells.root == EXPR_VAR;
  if ((!is_variable && cells.root != EXPR_TABLE) || !cells.count || expr->type->slots != 1)
    return declared(expr);
  if (!is_variable && cells.first + cells.count > intervals->net->tables.size)
    return declared(expr); // made for a query, see elab_element
  Range range = {INT64_MAX, INT64_MIN};
  for (uint32_t i = cells.first; i < cells.first + cells.count; i++) {
    const int32_t *table = intervals->net->tables.items;
    range = intervals_join(range, is_variable ? (Range){intervals->low[i], intervals->high[i]}
                                              : (Range){table[i], table[i]});
  }
  // Of a struct there may be fields of other types among them.
  return intervals_meet(range, declared(expr));
}

Range intervals_of(const Intervals *intervals, const Expr *expr) {
  switch (expr->kind) {
  case EXPR_VAR:
  case EXPR_INDEX:
  case EXPR_FIELD:
  case EXPR_TABLE:
    return intervals->low ? storage_range(intervals, expr) : expr_range(expr);
  case EXPR_NEG:
    return expr_range_of(EXPR_SUB, (Range){0, 0}, intervals_of(intervals, expr->a));
  case EXPR_COND:
    return intervals_join(intervals_of(intervals, expr->b), intervals_of(intervals, expr->c));
  default:
    if (expr->kind >= EXPR_ADD && expr->kind <= EXPR_SHR)
      return expr_range_of(expr->kind, intervals_of(intervals, expr->a),
                           intervals_of(intervals, expr->b));
    return expr_range(expr);
  }
}

static Intervals now(const Flow *flow) { return (Intervals){flow->net, flow->low, flow->high}; }

static void set(Flow *flow, uint32_t slot, Range range) {
  flow->low[slot] = (int32_t)range.low;
  flow->high[slot] = (int32_t)range.high;
}

// What is marked as written may have any value of the net's intervals.
static void forget_written(Flow *flow) {
  const Access *access = flow->access;
  const Net *net = flow->net;
  bool some = false;
  for (uint32_t i = 0; i < access->marked.size; i++)
    some |= (access->marks[access->marked.items[i]] & ACCESS_WRITE) != 0;
  for (uint32_t slot = 0; some && slot < net->location_slot; slot++)
    if (access->marks[access_cell(access, slot)] & ACCESS_WRITE)
      set(flow, slot, (Range){net->slots.low[slot], net->slots.high[slot]});
}

// What the evaluation of an expression may write, in functions that it calls.
static void evaluate(Flow *flow, const Expr *expr) {
  access_expr_alone(flow->access, expr);
  forget_written(flow);
}

static bool fits(Range range) { return range.low >= INT32_MIN && range.high <= INT32_MAX; }

// The expression has a value of this range: what that says about a variable. A sum with a
// constant is looked into, if it cannot wrap around.
static void confine(Flow *flow, const Expr *expr, Range range) {
  const Intervals intervals = now(flow);
  const Range known = intervals_of(&intervals, expr);
  const Range left = intervals_meet(known, range);
  if (left.low > left.high) {
    flow->is_dead = true;
    return;
  }
  int32_t constant;
  const bool is_sum = expr->kind == EXPR_ADD || expr->kind == EXPR_SUB;
  if (is_sum && expr_is_const(expr->b, &constant)) {
    const int64_t by = expr->kind == EXPR_ADD ? constant : -(int64_t)constant;
    const Range a = intervals_of(&intervals, expr->a);
    if (fits((Range){a.low + by, a.high + by}))
      confine(flow, expr->a, (Range){left.low - by, left.high - by});
    return;
  }
  if (expr->kind != EXPR_VAR && expr->kind != EXPR_INDEX && expr->kind != EXPR_FIELD)
    return;
  const Cells cells = intervals_cells(&intervals, expr);
  if (cells.root == EXPR_VAR && cells.count == 1 && expr->type->slots == 1)
    set(flow, cells.first,
        intervals_meet(left, (Range){flow->low[cells.first], flow->high[cells.first]}));
}

// a op b, where b has this range.
static void compare(Flow *flow, const Expr *a, ExprKind op, Range b) {
  const Intervals intervals = now(flow);
  const Range known = intervals_of(&intervals, a);
  Range range = {INT64_MIN, INT64_MAX};
  switch (op) {
  case EXPR_LT:
    range.high = b.high - 1 - (PLANTED("ranges") ? 1 : 0);
    break;
  case EXPR_LE:
    range.high = b.high;
    break;
  case EXPR_GT:
    range.low = b.low + 1;
    break;
  case EXPR_GE:
    range.low = b.low;
    break;
  case EXPR_EQ:
    range = b;
    break;
  default: // EXPR_NE: cuts an end off
    if (b.low != b.high)
      return;
    range = (Range){known.low + (known.low == b.low), known.high - (known.high == b.low)};
  }
  confine(flow, a, range);
}

static void assume(Flow *flow, const Expr *expr, bool holds) {
  if (flow->is_dead)
    return;
  if (expr->kind == EXPR_NOT) {
    assume(flow, expr->a, !holds);
  } else if (expr->kind == (holds ? EXPR_AND : EXPR_OR)) {
    assume(flow, expr->a, holds);
    assume(flow, expr->b, holds);
  } else if (expr->kind >= EXPR_EQ && expr->kind <= EXPR_GE) {
    const Intervals intervals = now(flow);
    const ExprKind op = holds ? expr->kind : expr_opposite(expr->kind);
    compare(flow, expr->a, op, intervals_of(&intervals, expr->b));
    if (!flow->is_dead)
      compare(flow, expr->b, expr_mirrored(op), intervals_of(&intervals, expr->a));
  } else if (expr->kind == EXPR_CONST) {
    flow->is_dead |= (expr->value != 0) != holds;
  } else if (expr->kind == EXPR_VAR || expr->kind == EXPR_INDEX || expr->kind == EXPR_FIELD) {
    compare(flow, expr, holds ? EXPR_NE : EXPR_EQ, (Range){0, 0});
  }
}

void intervals_assume(Flow *flow, const Expr *condition, bool holds) {
  if (!condition)
    return;
  access_expr_alone(flow->access, condition);
  for (uint32_t i = 0; i < flow->access->marked.size; i++)
    if (flow->access->marks[flow->access->marked.items[i]] & ACCESS_WRITE) {
      forget_written(flow);
      return; // it may change what it reads
    }
  assume(flow, condition, holds);
}

static void assign(Flow *flow, const Stmt *stmt) {
  evaluate(flow, stmt->target->kind == EXPR_VAR ? NULL : stmt->target);
  evaluate(flow, stmt->value);
  const Intervals intervals = now(flow);
  const Cells cells = intervals_cells(&intervals, stmt->target);
  if (cells.root != EXPR_VAR)
    return;
  const bool is_one = stmt->value && stmt->target->type->slots == 1;
  const Range range =
      is_one ? intervals_of(&intervals, stmt->value) : (Range){INT32_MIN, INT32_MAX};
  for (uint32_t slot = cells.first; slot < cells.first + cells.count; slot++) {
    // The net's interval has all that is ever assigned; the rest is an error, or no transition.
    Range next =
        intervals_meet(range, (Range){flow->net->slots.low[slot], flow->net->slots.high[slot]});
    if (next.low > next.high) {
      flow->is_dead |= cells.count == 1;
      continue;
    }
    if (cells.count != 1)
      next = intervals_join(next, (Range){flow->low[slot], flow->high[slot]});
    set(flow, slot, next);
  }
}

static Flow copy_of(const Flow *flow) {
  const size_t bytes = sizeof *flow->low * flow->net->slots.count;
  Flow copy = *flow;
  copy.low = mem_alloc(flow->net->mem, bytes);
  copy.high = mem_alloc(flow->net->mem, bytes);
  memcpy(copy.low, flow->low, bytes);
  memcpy(copy.high, flow->high, bytes);
  return copy;
}

// Joins another way, whose intervals are released.
static void join(Flow *flow, Flow *other) {
  const size_t bytes = sizeof *flow->low * flow->net->slots.count;
  if (flow->is_dead) {
    memcpy(flow->low, other->low, bytes);
    memcpy(flow->high, other->high, bytes);
  } else if (!other->is_dead)
    for (uint32_t slot = 0; slot < flow->net->slots.count; slot++)
      set(flow, slot,
          intervals_join((Range){flow->low[slot], flow->high[slot]},
                         (Range){other->low[slot], other->high[slot]}));
  flow->is_dead &= other->is_dead;
  mem_free(flow->net->mem, other->low);
  mem_free(flow->net->mem, other->high);
}

static void run_if(Flow *flow, const Stmt *stmt) {
  Flow other = copy_of(flow);
  intervals_assume(flow, stmt->value, true);
  intervals_run(flow, stmt->body);
  intervals_assume(&other, stmt->value, false);
  intervals_run(&other, stmt->other);
  join(flow, &other);
}

// Loops, calls and all else: what they write is forgotten.
static void run_any(Flow *flow, const Stmt *stmt) {
  Stmt alone = *stmt;
  alone.next = NULL;
  access_stmts_alone(flow->access, &alone);
  forget_written(flow);
}

void intervals_run(Flow *flow, const Stmt *stmt) {
  for (; stmt && !flow->is_dead; stmt = stmt->next)
    if (stmt->kind == STMT_ASSIGN)
      assign(flow, stmt);
    else if (stmt->kind == STMT_IF)
      run_if(flow, stmt);
    else
      run_any(flow, stmt);
}
