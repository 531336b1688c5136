#include "analysis/symmetry/align.h"

enum { MAX_DEPTH = 8 };

static bool align_stmts(Align *, const Stmt *, const Stmt *, const void *scope);

static bool report_clock(Align *align, ClockIndex a, ClockIndex b) {
  return !align->visit || align->visit->clock(align->visit->context, a, b);
}

static bool report_slots(Align *align, uint32_t a, uint32_t b, uint32_t count) {
  for (uint32_t k = 0; align->visit && k < count; k++)
    if (!align->visit->slot(align->visit->context, a + k, b + k))
      return false;
  return true;
}

// A value in the context of a node: constants may differ.
static bool align_value(Align *align, uint32_t node, const Expr *a, const Expr *b,
                        const void *scope) {
  if (a->kind != EXPR_CONST || b->kind != EXPR_CONST)
    return align_exprs(align, a, b, scope);
  if (node == CLASS_NONE)
    return a->value == b->value && a->wide == b->wide;
  return !align->visit || align->visit->constant(align->visit->context, node, a->value, b->value);
}

static bool align_indices(Align *align, const Expr *a, const Expr *b, const Expr *root,
                          const void *scope, uint32_t depth) {
  for (; a->kind == EXPR_INDEX || a->kind == EXPR_FIELD; a = a->a, b = b->a) {
    if (a->kind != b->kind)
      return false;
    if (a->kind == EXPR_FIELD) {
      if (a->base != b->base)
        return false;
      continue;
    }
    depth--;
    const uint32_t node = classes_index(align->classes, root, depth, scope);
    if (!align_value(align, node, a->b, b->b, scope))
      return false;
  }
  return true;
}

static bool align_storage(Align *align, const Expr *a, const Expr *b, const void *scope) {
  uint32_t depth, from, to;
  bool fixed, fixed_image;
  const Expr *root = classes_root(a, &depth, &fixed, &from);
  const Expr *image = classes_root(b, &depth, &fixed_image, &to);
  if (root->kind != image->kind || fixed != fixed_image || a->type->slots != b->type->slots)
    return false;
  if (root->kind == EXPR_TABLE)
    return align_indices(align, a, b, root, scope, depth);
  if (root->kind == EXPR_LOCAL || root->kind == EXPR_REMOTE)
    return root->base == image->base && align_indices(align, a, b, root, scope, depth);
  if (fixed && root->kind == EXPR_CLOCK)
    return report_clock(align, from, to);
  if (fixed)
    return report_slots(align, from, to, a->type->slots);
  if (root->type->slots != image->type->slots)
    return false;
  if (root->base == image->base) // which element it is, its index says
    return align_indices(align, a, b, root, scope, depth);
  if (root->kind == EXPR_CLOCK) {
    for (uint32_t k = 0; k < root->type->slots; k++)
      if (!report_clock(align, root->base + k, image->base + k))
        return false;
    return align_indices(align, a, b, root, scope, depth);
  }
  return report_slots(align, root->base, image->base, root->type->slots) &&
         align_indices(align, a, b, root, scope, depth);
}

static bool align_call(Align *align, const Expr *a, const Expr *b, const void *scope) {
  if (a->arg_count != b->arg_count || align->depth == MAX_DEPTH)
    return false;
  for (uint32_t i = 0, local = 0; i < a->arg_count; i++) {
    if (!align_value(align, classes_local(align->classes, a->function, local), a->args[i],
                     b->args[i], scope))
      return false;
    local += a->function->params[i]->slots;
  }
  // The body is walked even if it is the same for all: the walk of a process with itself must
  // report the same places as that with another one, which may have functions of its own.
  align->depth++;
  const bool good = align_stmts(align, a->function->body, b->function->body, a->function);
  align->depth--;
  return good;
}

static bool align_children(Align *align, const Expr *a, const Expr *b, const void *scope) {
  const Expr *const from[] = {a->a, a->b, a->c}, *const to[] = {b->a, b->b, b->c};
  for (int i = 0; i < 3; i++) {
    if (!from[i] != !to[i])
      return false;
    if (from[i] && !align_exprs(align, from[i], to[i], scope))
      return false;
  }
  return true;
}

bool align_exprs(Align *align, const Expr *a, const Expr *b, const void *scope) {
  if (!a || !b)
    return a == b;
  if (a->kind != b->kind || a->op != b->op)
    return false;
  switch (a->kind) {
  case EXPR_CONST:
    return a->value == b->value && a->wide == b->wide;
  case EXPR_VAR:
  case EXPR_LOCAL:
  case EXPR_CLOCK:
  case EXPR_INDEX:
  case EXPR_FIELD:
  case EXPR_TABLE:
  case EXPR_REMOTE:
    return align_storage(align, a, b, scope);
  case EXPR_AT:
    return a->value == b->value && a->wide == b->wide;
  case EXPR_ASSIGN:
  case EXPR_EQ:
  case EXPR_NE:
    return align_value(align, classes_node(align->classes, a->b, scope), a->a, b->a, scope) &&
           align_value(align, classes_node(align->classes, a->a, scope), a->b, b->b, scope);
  case EXPR_CALL:
    return align_call(align, a, b, scope);
  case EXPR_FORALL:
  case EXPR_EXISTS:
  case EXPR_SUM:
    return a->low == b->low && a->high == b->high && align_exprs(align, a->a, b->a, scope);
  default:
    return align_children(align, a, b, scope);
  }
}

static bool align_optional(Align *align, const Expr *a, const Expr *b, const void *scope) {
  return !a || !b ? a == b : align_exprs(align, a, b, scope);
}

static bool align_stmt(Align *align, const Stmt *a, const Stmt *b, const void *scope) {
  if (a->kind != b->kind || !align_optional(align, a->target, b->target, scope) ||
      !align_optional(align, a->source, b->source, scope) || !a->value != !b->value)
    return false;
  uint32_t node = CLASS_NONE;
  if (a->kind == STMT_ASSIGN || a->kind == STMT_LOCAL)
    node = classes_node(align->classes, a->target, scope);
  else if (a->kind == STMT_RETURN)
    node = classes_local(align->classes, scope, UINT32_MAX);
  return (!a->value || align_value(align, node, a->value, b->value, scope)) &&
         align_stmts(align, a->body, b->body, scope) &&
         align_stmts(align, a->other, b->other, scope);
}

static bool align_stmts(Align *align, const Stmt *a, const Stmt *b, const void *scope) {
  for (; a && b; a = a->next, b = b->next)
    if (!align_stmt(align, a, b, scope))
      return false;
  return !a && !b;
}

bool align_edges(Align *align, const Edge *a, const Edge *b) {
  return align_exprs(align, a->guard.expr, b->guard.expr, &a->guard) &&
         align_stmts(align, a->update.stmts, b->update.stmts, a);
}

// Edges of a process in the order of declaration, from `i` on.
static EdgeId next_edge(const Net *net, ProcessId p, EdgeId i) {
  while (i < net->edges.size && net->edges.items[i].process != p)
    i++;
  return i;
}

bool align_processes(Align *align, const Net *net, ProcessId p, ProcessId q) {
  const Process *from = &net->processes.items[p], *to = &net->processes.items[q];
  if (from->location_count != to->location_count)
    return false;
  mem_tick(net->mem);
  for (uint32_t l = 0; l < from->location_count; l++) {
    const Location *a = net_location(net, p, (int32_t)l), *b = net_location(net, q, (int32_t)l);
    if (a->committed != b->committed || a->urgent != b->urgent ||
        !align_exprs(align, a->invariant.expr, b->invariant.expr, a))
      return false;
  }
  EdgeId i = next_edge(net, p, 0), k = next_edge(net, q, 0);
  while (i < net->edges.size && k < net->edges.size) {
    mem_tick(net->mem);
    const Edge *a = &net->edges.items[i], *b = &net->edges.items[k];
    if (net_index(net, a->source) != net_index(net, b->source) ||
        net_index(net, a->target) != net_index(net, b->target) || !align_edges(align, a, b))
      return false;
    i = next_edge(net, p, i + 1);
    k = next_edge(net, q, k + 1);
  }
  return i == net->edges.size && k == net->edges.size;
}
