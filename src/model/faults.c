#include "model/faults.h"

#include "model/intervals.h"

// What counts as a failure.
typedef struct Faults {
  const Net *net;
  bool has_ranges; // a value out of the range of its variable
  // Of the interpreter, of which a run may take VM_MAX_STEPS: those so far, and how often what is
  // looked at is done, for each value of the quantifiers around it.
  uint64_t steps, times;
} Faults;

static bool expr_fails(Faults *, const Expr *);
static bool body_fails(Faults *, const Stmt *, const Type *result);

static bool fits(const Faults *f, const Expr *value, const Type *target) {
  if (!f->has_ranges)
    return true;
  if (target->kind != TYPE_INT || value->type->kind != TYPE_INT)
    return expr_fits(value, target);
  const Range range = intervals_of_net(f->net, value);
  return range.low >= target->min && range.high <= target->max;
}

static bool is_inside(const Faults *f, const Expr *index) {
  const Type *array = index->a->type;
  const Range range = intervals_of_net(f->net, index->b);
  return range.low >= array->first && range.high < (int64_t)array->first + array->count;
}

// Operators that some numbers have no result for. Overflow of 32 bits is one in TChecker's
// language.
static bool is_defined(const Faults *f, const Expr *expr) {
  const Range a = intervals_of_net(f->net, expr->a), b = intervals_of_net(f->net, expr->b);
  const Range result = expr_range_of(expr->kind, a, b);
  if (!f->net->invalid_is_error && result.low <= INT32_MIN && result.high >= INT32_MAX)
    return false; // the range of what overflows
  if (expr->kind == EXPR_DIV || expr->kind == EXPR_MOD)
    return b.low > 0 || b.high < 0;
  return (expr->kind != EXPR_SHL && expr->kind != EXPR_SHR) || (b.low >= 0 && b.high < 32);
}

// What a clock is compared with or set to has a limit. Constants were looked at by the reader.
static bool fits_clock(const Faults *f, const Expr *value) {
  const Range range = intervals_of_net(f->net, value);
  return value->kind == EXPR_CONST ||
         (range.low >= -NET_MAX_CONSTANT && range.high <= NET_MAX_CONSTANT);
}

// Each function is looked at as often as it is called, so that the limit is one of this, too.
static bool call_fails(Faults *f, const Expr *call) {
  f->steps += f->times;
  if (f->steps > VM_MAX_STEPS)
    return true;
  for (uint32_t i = 0; i < call->arg_count; i++)
    if (expr_fails(f, call->args[i]) ||
        (i < call->function->param_count && !fits(f, call->args[i], call->function->params[i])))
      return true;
  return body_fails(f, call->function->body, call->function->result);
}

static bool fails_here(Faults *f, const Expr *expr) {
  switch (expr->kind) {
  case EXPR_INDEX:
    return !is_inside(f, expr);
  case EXPR_CALL:
    return call_fails(f, expr);
  case EXPR_ASSIGN:
    return !fits(f, expr->b, expr->a->type);
  case EXPR_NEG:
    return intervals_of_net(f->net, expr->a).low <= INT32_MIN;
  case EXPR_CLOCK_TEST:
    return !fits_clock(f, expr->c);
  case EXPR_SUM: // the sum of many
  case EXPR_REMOTE:
  case EXPR_ADDRESS:
    return true;
  default:
    return expr->kind >= EXPR_ADD && expr->kind <= EXPR_SHR && !is_defined(f, expr);
  }
}

// The body is evaluated once for each value.
static bool quantifier_fails(Faults *f, const Expr *expr) {
  const uint64_t outer = f->times, values = (uint64_t)((int64_t)expr->high - expr->low + 1);
  f->times *= values; // until now it was at most VM_MAX_STEPS
  f->steps += f->times;
  const bool fails = f->steps > VM_MAX_STEPS || expr_fails(f, expr->a);
  f->times = outer;
  return fails;
}

static bool expr_fails(Faults *f, const Expr *expr) {
  if (expr && (expr->kind == EXPR_FORALL || expr->kind == EXPR_EXISTS))
    return quantifier_fails(f, expr);
  return expr && (fails_here(f, expr) || expr_fails(f, expr->a) || expr_fails(f, expr->b) ||
                  expr_fails(f, expr->c));
}

static bool stmt_fails(const Faults *f, const Stmt *stmt, const Type *result) {
  switch (stmt->kind) {
  case STMT_ASSIGN:
    return !stmt->value || !fits(f, stmt->value, stmt->target->type);
  case STMT_LOCAL:
    return stmt->value && !fits(f, stmt->value, stmt->target->type);
  case STMT_CLOCK_ASSIGN: // x = y - 1 may be negative
    return stmt->value &&
           (intervals_of_net(f->net, stmt->value).low < 0 || !fits_clock(f, stmt->value));
  case STMT_WHILE:
  case STMT_DO:
  case STMT_ASSERT:
    return true;
  case STMT_RETURN:
    return stmt->value && !fits(f, stmt->value, result);
  case STMT_NOP:
  case STMT_IF:
  case STMT_CALL:
    break;
  }
  return false;
}

// Statements of a function with this result, or of an edge.
static bool body_fails(Faults *f, const Stmt *stmt, const Type *result) {
  for (; stmt; stmt = stmt->next)
    if (stmt_fails(f, stmt, result) || expr_fails(f, stmt->target) ||
        expr_fails(f, stmt->source) || expr_fails(f, stmt->value) ||
        body_fails(f, stmt->body, result) || body_fails(f, stmt->other, result))
      return true;
  return false;
}

bool faults_in_expr(const Net *net, const Expr *expr) {
  return expr_fails(&(Faults){net, true, 0, 1}, expr);
}

bool faults_in_stmts(const Net *net, const Stmt *stmt) {
  return body_fails(&(Faults){net, true, 0, 1}, stmt, NULL);
}

bool faults_are_errors(const Net *net, const Expr *expr, const Stmt *stmts) {
  Faults f = {net, net->invalid_is_error, 0, 1};
  return expr_fails(&f, expr) || body_fails(&f, stmts, NULL);
}

bool faults_in_process(const Net *net, ProcessId p) {
  const Process *process = &net->processes.items[p];
  for (uint32_t l = 0; l < process->location_count; l++) {
    const Location *location = &net->locations.items[process->first_location + l];
    if (faults_in_expr(net, location->invariant_expr))
      return true;
    for (uint32_t k = 0; k < location->edge_count; k++) {
      const Edge *edge = &net->edges.items[net->out[location->first_edge + k]];
      if (faults_in_expr(net, edge->guard_expr) || faults_in_stmts(net, edge->update_stmts))
        return true;
    }
  }
  return false;
}
