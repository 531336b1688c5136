// Assignments inside expressions.
#include "language/uppaal/elab_real.h"

bool elab_is_assignable(const Expr *expr) {
  const ExprKind kind = expr_root(expr)->kind;
  return kind == EXPR_VAR || kind == EXPR_LOCAL || kind == EXPR_REMOTE;
}

void elab_note_write(Elaborator *e, const Expr *target) {
  if (elab_is_ignored(target))
    return;
  elab_note_effect(e, target->place);
  target = expr_root(target);
  if (target->kind == EXPR_VAR)
    e->frame->has_effects = true;
  else if (target->base < e->frame->param_slots)
    e->frame->writes[target->base] = true;
}

// The target twice. With `keeps`, indices are computed in the first, kept in locals, and read by
// the second.
static const Expr *stable(Elaborator *e, const Expr *target, bool keeps, const Expr **again) {
  int32_t value;
  if (target->kind != EXPR_INDEX && target->kind != EXPR_FIELD)
    return *again = target;
  const Expr *other;
  const Expr *first = stable(e, target->a, keeps, &other);
  Expr *a = ARENA_NEW(e->arena, Expr), *b = ARENA_NEW(e->arena, Expr);
  *a = *b = *target;
  a->a = first;
  b->a = other;
  if (target->kind == EXPR_INDEX && keeps && !expr_is_const(target->b, &value)) {
    const Expr *local = expr_storage(e->arena, target->place, EXPR_LOCAL, "index",
                                     target->b->type, elab_frame(e, target->place, 1));
    a->b = expr_assign(e->arena, target->place, local, target->b);
    b->b = local;
  }
  *again = b;
  return a;
}

// The target twice, for `a[i++] += 1`: if an index changes something, all are computed once, for
// the change may be one of another index. The locals are none that a quantifier in an index uses.
const Expr *elab_stable(Elaborator *e, const Expr *target, const Expr **again) {
  const bool keeps = expr_has_effects(target);
  if (keeps)
    e->frame->next = e->frame->max;
  return stable(e, target, keeps, again);
}

static const Expr *target_of(Elaborator *e, Scope *scope, const Tree *node, bool is_step) {
  const Value value = elab_value(e, scope, node);
  if (value.kind == VALUE_BAD)
    return NULL;
  if (value.kind != VALUE_DATA || !elab_is_assignable(value.expr)) {
    elab_fail(e, node->place,
              value.kind == VALUE_CLOCKS && is_step
                  ? "a clock goes on by itself: it can be set, with `=`, but not counted"
              : node->kind == NODE_BINARY && node->op == EXPR_AND
                  ? "this cannot be assigned to; updates are separated by `,`"
              : value.kind == VALUE_CLOCKS
                  ? "inside an expression a clock can be compared, with `==`, but not set"
                  : "this cannot be assigned to");
    return NULL;
  }
  elab_note_write(e, value.expr);
  return value.expr;
}

const Expr *elab_target(Elaborator *e, Scope *scope, const Tree *node) {
  return target_of(e, scope, node, false);
}

const Expr *elab_stepped(Elaborator *e, Scope *scope, const Tree *node) {
  return target_of(e, scope, node, true);
}

Value elab_assign_value(Elaborator *e, Scope *scope, const Tree *node) {
  const Expr *target = elab_target(e, scope, node->a), *again;
  if (target && target->type->kind == TYPE_REAL && !e->is_full) {
    elab_obstacle(e, node->place, elab_real_obstacle);
    return bad;
  }
  if (target && target->type->kind != TYPE_INT)
    return elab_bad(e, node->place, "inside an expression only integers can be assigned");
  const Expr *value = elab_int(e, scope, node->b);
  if (!target || !value)
    return bad;
  if (node->op != EXPR_CONST) {
    target = elab_stable(e, target, &again);
    value = expr_binary(e->arena, node->place, node->op, again, value);
  }
  return data(expr_assign(e->arena, node->place, target, elab_coerce(e, value, target->type)));
}

// ++a, and a++ as (a = a + 1) - 1.
Value elab_step_value(Elaborator *e, Scope *scope, const Tree *node) {
  const Expr *target = elab_stepped(e, scope, node->a), *again;
  if (!target)
    return bad;
  if (target->type->kind != TYPE_INT)
    return elab_bad(e, node->place, "only integers can be counted up and down");
  const Expr *one = expr_const(e->arena, node->place, 1);
  target = elab_stable(e, target, &again);
  const Expr *value = expr_binary(e->arena, node->place, node->op, again, one);
  const Expr *assign = expr_assign(e->arena, node->place, target, value);
  const ExprKind back = node->op == EXPR_ADD ? EXPR_SUB : EXPR_ADD;
  return data(node->value ? expr_binary(e->arena, node->place, back, assign, one) : assign);
}
