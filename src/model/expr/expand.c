#include "model/expr/expand.h"

#include "model/expr/clockuse.h"

enum { MAX_DEPTH = 8, MAX_LOCALS = 16, MAX_NODES = 4096 };

typedef struct Expander {
  Arena *arena;
  uint32_t locals; // of the frame so far
  uint32_t depth;  // of calls
  uint32_t room;   // for nodes that are not in the expression yet
} Expander;

// What is done to the leaves of a copy: a local becomes another expression, and other locals move
// up in the frame.
typedef struct Change {
  const Expr *const *values; // of the locals first .. first + count - 1; NULL: it moves
  uint32_t first, count;
  uint32_t shift;
} Change;

// The expression with other children; constants are folded once more.
static const Expr *rebuild(Arena *arena, const Expr *e, const Expr *a, const Expr *b,
                           const Expr *c) {
  const bool is_changed = a != e->a || b != e->b || c != e->c;
  if (is_changed && e->kind == EXPR_INDEX)
    return expr_index(arena, e->place, a, b);
  if (is_changed && e->kind == EXPR_OF_INT)
    return expr_of_int(arena, e->place, a);
  return clockuse_rebuild(arena, e, a, b, c);
}

static const Expr *change(Arena *arena, const Expr *e, const Change *how) {
  if (!e)
    return NULL;
  if (e->kind == EXPR_LOCAL) {
    if (e->base >= how->first && e->base - how->first < how->count &&
        how->values[e->base - how->first])
      return how->values[e->base - how->first];
    if (!how->shift)
      return e;
    Expr *moved = arena_copy(arena, e, sizeof *e);
    moved->base += how->shift;
    return moved;
  }
  const Expr *made = rebuild(arena, e, change(arena, e->a, how), change(arena, e->b, how),
                             change(arena, e->c, how));
  const bool is_quantifier =
      e->kind == EXPR_FORALL || e->kind == EXPR_EXISTS || e->kind == EXPR_SUM;
  if (!(is_quantifier && how->shift) && !e->arg_count)
    return made;
  Expr *copy = arena_copy(arena, made, sizeof *made);
  const Expr **args = ARENA_ARRAY(arena, const Expr *, e->arg_count);
  for (uint32_t k = 0; k < e->arg_count; k++)
    args[k] = change(arena, e->args[k], how);
  copy->args = args;
  if (is_quantifier)
    copy->base += how->shift;
  return copy;
}

const Expr *expr_put(Arena *arena, const Expr *e, uint32_t local, const Expr *value) {
  const Change how = {&value, local, 1, 0};
  return change(arena, e, &how);
}

// Counts up to MAX_NODES + 1.
static uint32_t count_nodes(const Expr *e) {
  if (!e)
    return 0;
  uint32_t count = 1;
  for (uint32_t k = 0; k < expr_part_count(e) && count <= MAX_NODES; k++)
    count += count_nodes(expr_part(e, k));
  return count <= MAX_NODES ? count : MAX_NODES + 1;
}

// Takes room for so many copies of an expression; false if there is too little.
static bool take_room(Expander *x, const Expr *e, int64_t copies) {
  const int64_t nodes = copies > MAX_NODES ? x->room + 1 : copies * count_nodes(e);
  if (nodes > x->room)
    return false;
  x->room -= (uint32_t)nodes;
  return true;
}

// Whether an argument may be computed as often as its parameter is read, or not at all: it costs
// nothing and cannot fail.
static bool is_simple(const Expr *e) {
  int32_t index;
  switch (e->kind) {
  case EXPR_CONST:
  case EXPR_REAL:
  case EXPR_VAR:
  case EXPR_LOCAL:
    return true;
  case EXPR_OF_INT:
    return is_simple(e->a);
  case EXPR_INDEX:
    return expr_is_const(e->b, &index) && is_simple(e->a) &&
           (uint32_t)index - (uint32_t)e->a->type->first < e->a->type->count;
  default:
    return false;
  }
}

static bool fits(const Expr *value, const Type *type) {
  if (type->kind == TYPE_REAL)
    return value->type->kind == TYPE_REAL;
  if (type->kind != TYPE_INT || value->type->kind != TYPE_INT)
    return false;
  const Range range = expr_range(value);
  return range.low >= type->min && range.high <= type->max;
}

// Whether a value can stand outside of its function: it reads no storage of a caller, changes
// nothing, and calls nothing that reads its frame.
static bool can_move(const Expr *e) {
  return !expr_has_effects(e) && !expr_has_kind(e, EXPR_REMOTE) &&
         !expr_has_kind(e, EXPR_ADDRESS);
}

static const Expr *expand(Expander *, const Expr *);

// The value that a function returns, if it does nothing else; else NULL.
static const Expr *returned(const Function *function) {
  const Stmt *body = function->body;
  while (body && body->kind == STMT_NOP)
    body = body->next;
  return body && body->kind == STMT_RETURN && !body->next ? body->value : NULL;
}

static const Expr *expand_call(Expander *x, const Expr *call) {
  const Function *function = call->function;
  const Expr *value = returned(function), *values[MAX_LOCALS] = {0};
  uint32_t local = 0;
  if (!value || x->depth == MAX_DEPTH)
    return call;
  for (uint32_t k = 0; k < call->arg_count; k++) {
    if (local >= MAX_LOCALS || !is_simple(call->args[k]) ||
        !fits(call->args[k], function->params[k]))
      return call;
    values[local] = call->args[k];
    local += function->params[k]->slots;
  }
  if (!take_room(x, value, 1))
    return call;
  // Locals of the function's quantifiers come to lie above all others.
  const Change how = {values, 0, local < MAX_LOCALS ? local : MAX_LOCALS, x->locals};
  x->locals += function->local_slots;
  x->depth++;
  value = expand(x, change(x->arena, value, &how));
  x->depth--;
  return can_move(value) && fits(value, function->result) &&
                 value->type->is_bool == function->result->is_bool
             ? value
             : call;
}

static const Expr *expand_quantifier(Expander *x, const Expr *e) {
  const int64_t count = (int64_t)e->high - e->low + 1;
  if (count < 2 || !take_room(x, e->a, count))
    return e;
  const ExprKind op = e->kind == EXPR_FORALL   ? EXPR_AND
                      : e->kind == EXPR_EXISTS ? EXPR_OR
                                               : EXPR_ADD;
  const Expr *made = NULL;
  for (int64_t k = 0; k < count; k++) {
    const Expr *value = expr_const(x->arena, e->place, (int32_t)(e->low + k));
    const Expr *part = expand(x, expr_put(x->arena, e->a, e->base, value));
    made = made ? expr_binary(x->arena, e->place, op, made, part) : part;
  }
  return made;
}

// From the outside in: what a quantifier or a call becomes is expanded once more.
static const Expr *expand(Expander *x, const Expr *e) {
  if (!e)
    return NULL;
  if (e->kind == EXPR_FORALL || e->kind == EXPR_EXISTS || e->kind == EXPR_SUM) {
    const Expr *made = expand_quantifier(x, e);
    if (made != e)
      return made;
  }
  if (e->arg_count) {
    Expr *copy = arena_copy(x->arena, e, sizeof *e);
    const Expr **args = ARENA_ARRAY(x->arena, const Expr *, e->arg_count);
    for (uint32_t k = 0; k < e->arg_count; k++)
      args[k] = expand(x, e->args[k]);
    copy->args = args;
    e = copy;
  }
  if (e->kind == EXPR_CALL)
    return expand_call(x, e);
  return rebuild(x->arena, e, expand(x, e->a), expand(x, e->b), expand(x, e->c));
}

const Expr *expr_expand(Arena *arena, const Expr *e, uint32_t *locals) {
  const uint32_t top = expr_locals(e);
  Expander x = {.arena = arena, .locals = top > *locals ? top : *locals, .room = MAX_NODES};
  const Expr *made = expand(&x, e);
  *locals = x.locals;
  return made;
}
