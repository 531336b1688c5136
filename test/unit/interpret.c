// All arithmetic is in 64 bits; the first failure is kept and everything after it is skipped.
#include "interpret.h"

#include <stddef.h>
#include <string.h>

void walk_init(Walk *w, const Trees *t, int32_t *state, int32_t *frame, const int32_t *clocks) {
  memset(w, 0, offsetof(Walk, updates));
  w->update_count = 0;
  w->state = state;
  w->frame = frame;
  w->clocks = clocks;
  w->trees = t;
  w->result = VM_TRUE;
}

static int32_t failed(Walk *w, VmResult result, const char *error, Place place) {
  if (w->result == VM_TRUE) {
    w->result = result;
    w->error = error;
    w->place = place;
  }
  return 0;
}

static int32_t *walk_storage(Walk *w, const Expr *e, uint32_t *base) {
  if (e->kind == EXPR_FIELD) {
    int32_t *space = walk_storage(w, e->a, base);
    *base += e->base;
    return space;
  }
  if (e->kind == EXPR_INDEX) {
    int32_t *space = walk_storage(w, e->a, base);
    int64_t index = walk_value(w, e->b), first = e->a->type->first;
    if (w->result == VM_TRUE && (index < first || index >= first + e->a->type->count))
      failed(w, VM_ERROR, "index", e->b->place);
    if (w->result == VM_TRUE)
      *base += (uint32_t)(index - first) * e->type->slots;
    return space;
  }
  *base = e->base;
  return e->kind == EXPR_VAR ? w->state : w->frame;
}

static int32_t walk_operator(Walk *w, const Expr *e, int64_t a, int64_t b) {
  int64_t r = 0;
  bool shift = e->kind == EXPR_SHL || e->kind == EXPR_SHR;
  if (w->result != VM_TRUE)
    return 0;
  if ((e->kind == EXPR_DIV || e->kind == EXPR_MOD) && b == 0)
    return failed(w, VM_ERROR, "zero", e->place);
  if (shift && (b < 0 || b > 31))
    return failed(w, VM_ERROR, "shifted", e->place);
  int64_t power = shift ? (int64_t)1 << b : 1;
  switch (e->kind) {
  case EXPR_NEG:
    r = -a;
    break;
  case EXPR_ADD:
    r = a + b;
    break;
  case EXPR_SUB:
    r = a - b;
    break;
  case EXPR_MUL:
    r = a * b;
    break;
  case EXPR_DIV:
    r = a / b;
    break;
  case EXPR_MOD:
    r = a - a / b * b;
    break;
  case EXPR_MIN:
    r = a < b ? a : b;
    break;
  case EXPR_MAX:
    r = a < b ? b : a;
    break;
  case EXPR_BIT_AND:
    r = a & b;
    break;
  case EXPR_BIT_OR:
    r = a | b;
    break;
  case EXPR_BIT_XOR:
    r = a ^ b;
    break;
  case EXPR_SHL:
    r = a * power;
    break;
  case EXPR_SHR:
    r = a >= 0 ? a / power : -((-a + power - 1) / power);
    break;
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
  case EXPR_GE:
    return a >= b;
  default:
    return failed(w, VM_ERROR, "no such operator", e->place);
  }
  return r < INT32_MIN || r > INT32_MAX ? failed(w, VM_ERROR, "32 bits", e->place) : (int32_t)r;
}

static ClockIndex walk_clock(Walk *w, const Expr *e) {
  uint32_t base = 0;
  if (e)
    walk_storage(w, e, &base);
  return base;
}

// Compares values of clocks, or of a clock with itself.
static int32_t walk_clock_test(Walk *w, const Expr *e) {
  ClockIndex i = walk_clock(w, e->a), j = walk_clock(w, e->b);
  int64_t bound = walk_value(w, e->c);
  if (w->result != VM_TRUE)
    return 0;
  if (i != j && (bound > CODE_MAX_CONSTANT || bound < -CODE_MAX_CONSTANT))
    return failed(w, VM_ERROR, "too large", e->place);
  if (w->assume && i != j)
    return 1;
  Expr compare = {.kind = e->op, .place = e->place};
  return walk_operator(w, &compare, (int64_t)w->clocks[i] - w->clocks[j], 2 * bound);
}

static int32_t walk_quantifier(Walk *w, const Expr *e) {
  int64_t sum = 0;
  for (int64_t k = e->low; k <= e->high && w->result == VM_TRUE; k++) {
    w->frame[e->base] = (int32_t)k;
    int32_t value = walk_value(w, e->a);
    if (e->kind != EXPR_SUM && (value != 0) == (e->kind == EXPR_EXISTS))
      return e->kind == EXPR_EXISTS;
    sum += e->kind == EXPR_SUM ? value : 0;
    if (sum < INT32_MIN || sum > INT32_MAX)
      return failed(w, VM_ERROR, "32 bits", e->place);
  }
  return e->kind == EXPR_SUM ? (int32_t)sum : e->kind == EXPR_FORALL;
}

static int32_t check(Walk *w, int32_t value, const Type *type, Place place) {
  if (w->result == VM_TRUE && (value < type->min || value > type->max))
    return failed(w, VM_INVALID, "range", place);
  return value;
}

static int32_t walk_call(Walk *w, const Expr *e) {
  int32_t frame[16] = {0}, *outer = w->frame;
  const Function *f = e->function;
  uint32_t at = 0;
  for (uint32_t k = 0; k < e->arg_count; k++) {
    uint32_t base = 0, slots = f->params[k]->slots;
    if (slots == 1) {
      frame[at] = check(w, walk_value(w, e->args[k]), f->params[k], e->args[k]->place);
    } else {
      const int32_t *space = walk_storage(w, e->args[k], &base);
      memcpy(frame + at, space + base, slots * sizeof *frame);
    }
    at += slots;
  }
  if (w->result != VM_TRUE)
    return 0;
  const Type *result_type = w->result_type;
  w->frame = frame;
  w->result_type = f->result;
  w->returns = 0;
  walk_stmts(w, f->body);
  w->frame = outer;
  w->result_type = result_type;
  w->returned = false;
  return w->returns;
}

static int32_t walk_logical(Walk *w, const Expr *e) {
  const Expr *first = e->a, *second = e->b;
  if (e->kind == EXPR_OR && expr_has_clock_test(e->a)) { // the side on integers comes first
    first = e->b;
    second = e->a;
  }
  bool decisive = e->kind == EXPR_OR, value = walk_value(w, first) != 0;
  return value == decisive || w->result != VM_TRUE ? value : walk_value(w, second) != 0;
}

int32_t walk_value(Walk *w, const Expr *e) {
  uint32_t base = 0;
  int32_t a;
  if (w->result != VM_TRUE)
    return 0;
  switch (e->kind) {
  case EXPR_CONST:
    return e->value;
  case EXPR_VAR:
  case EXPR_LOCAL:
  case EXPR_INDEX:
  case EXPR_FIELD: {
    const int32_t *space = walk_storage(w, e, &base);
    return w->result == VM_TRUE ? space[base] : 0;
  }
  case EXPR_AT:
    return w->state[e->base] == e->value;
  case EXPR_NOT:
    return !walk_value(w, e->a);
  case EXPR_NEG:
    return walk_operator(w, e, walk_value(w, e->a), 0);
  case EXPR_AND:
  case EXPR_OR:
    return walk_logical(w, e);
  case EXPR_COND:
    a = walk_value(w, e->a);
    return w->result != VM_TRUE ? 0 : walk_value(w, a ? e->b : e->c);
  case EXPR_CALL:
    return walk_call(w, e);
  case EXPR_FORALL:
  case EXPR_EXISTS:
  case EXPR_SUM:
    return walk_quantifier(w, e);
  case EXPR_CLOCK_TEST:
    return walk_clock_test(w, e);
  default:
    a = walk_value(w, e->a);
    return walk_operator(w, e, a, walk_value(w, e->b));
  }
}

static void walk_assign(Walk *w, const Stmt *stmt) {
  uint32_t base = 0, from = 0, slots = stmt->target->type->slots;
  int32_t values[16] = {0};
  int32_t *space = walk_storage(w, stmt->target, &base);
  if (w->result != VM_TRUE)
    return;
  if (slots == 1) {
    values[0] = walk_value(w, stmt->value);
  } else {
    const int32_t *source = walk_storage(w, stmt->value, &from);
    memcpy(values, source + from, slots * sizeof *values);
  }
  for (uint32_t k = 0; k < slots && w->result == VM_TRUE; k++) {
    if (space == w->frame)
      check(w, values[k], stmt->target->type, stmt->value->place);
    else if (values[k] < w->trees->slot_min[base + k] || values[k] > w->trees->slot_max[base + k])
      failed(w, VM_INVALID, "range", stmt->place);
    if (w->result == VM_TRUE)
      space[base + k] = values[k];
  }
}

static void walk_clock_assign(Walk *w, const Stmt *stmt) {
  ClockUpdate update = {walk_clock(w, stmt->target), walk_clock(w, stmt->source), 0};
  if (stmt->value)
    update.constant = walk_value(w, stmt->value);
  if (update.y == 0 && update.constant < 0)
    failed(w, VM_ERROR, "negative", stmt->place);
  if (update.constant > CODE_MAX_CONSTANT || update.constant < -CODE_MAX_CONSTANT)
    failed(w, VM_ERROR, "too large", stmt->place);
  if (w->result == VM_TRUE && w->update_count < WALK_UPDATES)
    w->updates[w->update_count++] = update;
}

static void walk_stmt(Walk *w, const Stmt *stmt) {
  switch (stmt->kind) {
  case STMT_NOP:
    break;
  case STMT_ASSIGN:
    walk_assign(w, stmt);
    break;
  case STMT_CLOCK_ASSIGN:
    walk_clock_assign(w, stmt);
    break;
  case STMT_IF:
    walk_stmts(w, walk_value(w, stmt->value) ? stmt->body : stmt->other);
    break;
  case STMT_WHILE:
    while (walk_value(w, stmt->value) && w->result == VM_TRUE && !w->returned) {
      walk_stmts(w, stmt->body);
      if (++w->steps > WALK_STEPS)
        failed(w, VM_ERROR, "too long for a test", stmt->place);
    }
    break;
  case STMT_LOCAL:
    if (stmt->value)
      walk_assign(w, stmt);
    else
      memset(w->frame + stmt->target->base, 0, stmt->target->type->slots * sizeof(int32_t));
    break;
  case STMT_RETURN:
    w->returns = check(w, walk_value(w, stmt->value), w->result_type, stmt->value->place);
    w->returned = true;
    break;
  case STMT_CALL:
    walk_value(w, stmt->value);
    break;
  case STMT_DO:
    do {
      walk_stmts(w, stmt->body);
      if (++w->steps > WALK_STEPS)
        failed(w, VM_ERROR, "too long for a test", stmt->place);
    } while (w->result == VM_TRUE && !w->returned && walk_value(w, stmt->value));
    break;
  case STMT_ASSERT:
    if (!walk_value(w, stmt->value))
      failed(w, VM_ERROR, "does not hold", stmt->place);
    break;
  }
}

void walk_stmts(Walk *w, const Stmt *stmt) {
  for (; stmt && w->result == VM_TRUE && !w->returned; stmt = stmt->next)
    walk_stmt(w, stmt);
}
