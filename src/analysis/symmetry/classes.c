#include "analysis/symmetry/classes.h"

static void read_expr(Classes *, const Expr *, const void *scope);

uint32_t classes_find(Classes *classes, uint32_t node) {
  uint32_t *parent = classes->parent.items;
  while (parent[node] != node)
    node = parent[node] = parent[parent[node]];
  return node;
}

static void unite(Classes *classes, uint32_t a, uint32_t b) {
  if (a == CLASS_NONE || b == CLASS_NONE)
    return;
  a = classes_find(classes, a);
  b = classes_find(classes, b);
  classes->parent.items[a > b ? a : b] = a > b ? b : a;
}

static uint32_t add_node(Classes *classes) {
  const uint32_t node = classes->parent.size;
  vec_push(classes->mem, &classes->parent, node);
  return node;
}

uint32_t classes_local(Classes *classes, const void *scope, uint32_t local) {
  const uint64_t key = (uint64_t)(uintptr_t)scope;
  const uint32_t known = pairs_get(&classes->locals, key, local);
  if (known)
    return known - 1;
  const uint32_t node = add_node(classes);
  pairs_set(&classes->locals, key, local, node + 1);
  return node;
}

static uint32_t index_of(Classes *classes, uint32_t variable, uint32_t depth) {
  return depth < CLASSES_DIMENSIONS
             ? classes->net->location_slot + variable * CLASSES_DIMENSIONS + depth
             : CLASS_NONE;
}

// Locals of a scope: those of the code, its result, then indices of what is passed by reference.
enum { INDICES = 1 << 20 };

uint32_t classes_index(Classes *classes, const Expr *root, uint32_t depth, const void *scope) {
  switch (root->kind) {
  case EXPR_VAR:
    return index_of(classes, classes->variable[root->base], depth);
  case EXPR_TABLE: // the same table wherever it is read
    return classes_local(classes, root->table, depth);
  case EXPR_REMOTE:
    return classes_local(classes, scope, INDICES + root->base * CLASSES_DIMENSIONS + depth);
  default:
    return CLASS_NONE;
  }
}

const Expr *classes_root(const Expr *expr, uint32_t *depth, bool *is_constant, uint32_t *slot) {
  if (expr->kind == EXPR_INDEX || expr->kind == EXPR_FIELD) {
    const Expr *root = classes_root(expr->a, depth, is_constant, slot);
    if (expr->kind == EXPR_FIELD) {
      *slot += expr->base;
      return root;
    }
    ++*depth;
    int32_t index = 0;
    const Type *array = expr->a->type;
    if (!expr_is_const(expr->b, &index) || index < array->first ||
        (int64_t)index - array->first >= array->count)
      *is_constant = false;
    else
      *slot += (uint32_t)(index - array->first) * array->element->slots;
    return root;
  }
  *depth = 0;
  *is_constant = true;
  *slot = expr->base;
  return expr;
}

uint32_t classes_node(Classes *classes, const Expr *expr, const void *scope) {
  uint32_t depth, slot;
  bool is_constant;
  switch (expr->kind) {
  case EXPR_VAR:
  case EXPR_LOCAL:
  case EXPR_REMOTE:
  case EXPR_INDEX:
  case EXPR_FIELD: {
    const Expr *root = classes_root(expr, &depth, &is_constant, &slot);
    if (root->kind == EXPR_LOCAL || root->kind == EXPR_REMOTE)
      return classes_local(classes, scope, root->base);
    return root->kind == EXPR_VAR ? (is_constant ? slot : root->base) : CLASS_NONE;
  }
  case EXPR_CALL:
    return classes_local(classes, expr->function, UINT32_MAX); // its result
  case EXPR_ASSIGN:
    return classes_node(classes, expr->a, scope);
  default:
    return CLASS_NONE;
  }
}

// Indices of a storage expression belong to the class of the index; elements that an index can
// choose are one class.
static void read_storage(Classes *classes, const Expr *expr, const void *scope) {
  uint32_t depth, slot;
  bool is_constant;
  const Expr *root = classes_root(expr, &depth, &is_constant, &slot);
  if (root->kind == EXPR_VAR && !is_constant)
    for (uint32_t k = 1; k < root->type->slots; k++)
      unite(classes, root->base, root->base + k);
  for (const Expr *e = expr; e != root; e = e->a) {
    if (e->kind != EXPR_INDEX)
      continue;
    depth--;
    read_expr(classes, e->b, scope);
    unite(classes, classes_index(classes, root, depth, scope),
          classes_node(classes, e->b, scope));
  }
}

// Storage that is passed by reference: what the function calls by this local is the same.
static void read_address(Classes *classes, const Expr *call, uint32_t local, const Expr *storage,
                         const void *scope) {
  uint32_t depth, slot;
  bool is_constant;
  const Expr *root = classes_root(storage, &depth, &is_constant, &slot);
  const Expr remote = {.kind = EXPR_REMOTE, .base = local};
  read_expr(classes, storage, scope);
  unite(classes, classes_local(classes, call->function, local),
        classes_node(classes, storage, scope));
  if (storage->type->kind != TYPE_ARRAY)
    return;
  if (root->kind == EXPR_VAR)
    for (uint32_t k = 1; k < root->type->slots; k++)
      unite(classes, root->base, root->base + k);
  for (uint32_t d = 0; d + depth < CLASSES_DIMENSIONS; d++)
    unite(classes, classes_index(classes, &remote, d, call->function),
          classes_index(classes, root, d + depth, scope));
}

static void read_expr(Classes *classes, const Expr *expr, const void *scope) {
  if (!expr)
    return;
  if (expr->kind == EXPR_INDEX || expr->kind == EXPR_FIELD) {
    read_storage(classes, expr, scope);
    return;
  }
  if (expr->kind == EXPR_EQ || expr->kind == EXPR_NE || expr->kind == EXPR_ASSIGN)
    unite(classes, classes_node(classes, expr->a, scope), classes_node(classes, expr->b, scope));
  for (uint32_t i = 0, local = 0; i < expr->arg_count; i++) {
    if (expr->args[i]->kind == EXPR_ADDRESS) {
      read_address(classes, expr, local, expr->args[i]->a, scope);
    } else {
      unite(classes, classes_local(classes, expr->function, local),
            classes_node(classes, expr->args[i], scope));
      read_expr(classes, expr->args[i], scope);
    }
    local += expr->function->params[i]->slots;
  }
  read_expr(classes, expr->a, scope);
  read_expr(classes, expr->b, scope);
  read_expr(classes, expr->c, scope);
}

static void read_stmts(Classes *classes, const Stmt *stmt, const void *scope) {
  for (; stmt; stmt = stmt->next) {
    if ((stmt->kind == STMT_ASSIGN || stmt->kind == STMT_LOCAL) && stmt->value)
      unite(classes, classes_node(classes, stmt->target, scope),
            classes_node(classes, stmt->value, scope));
    if (stmt->kind == STMT_RETURN && stmt->value)
      unite(classes, classes_local(classes, scope, UINT32_MAX),
            classes_node(classes, stmt->value, scope));
    read_expr(classes, stmt->target, scope);
    read_expr(classes, stmt->source, scope);
    read_expr(classes, stmt->value, scope);
    read_stmts(classes, stmt->body, scope);
    read_stmts(classes, stmt->other, scope);
  }
}

void classes_init(Classes *classes, Arena *arena, const Net *net) {
  *classes = (Classes){.mem = arena->mem, .net = net};
  pairs_init(&classes->locals, arena->mem);
  const uint32_t count = net->location_slot + net->variables.size * CLASSES_DIMENSIONS;
  for (uint32_t i = 0; i < count; i++)
    add_node(classes);
  classes->variable = ARENA_ARRAY(arena, uint32_t, net->location_slot + 1);
  for (uint32_t v = 0; v < net->variables.size; v++)
    for (uint32_t k = 0; k < net->variables.items[v].type->slots; k++)
      classes->variable[net->variables.items[v].base + k] = v;
  for (LocationId l = 0; l < net->locations.size; l++)
    read_expr(classes, net->locations.items[l].invariant.expr, &net->locations.items[l]);
  for (EdgeId i = 0; i < net->edges.size; i++) {
    const Edge *edge = &net->edges.items[i];
    read_expr(classes, edge->guard.expr, &edge->guard);
    read_stmts(classes, edge->update.stmts, edge);
  }
  for (uint32_t i = 0; i < net->functions.size; i++)
    read_stmts(classes, net->functions.items[i]->body, net->functions.items[i]);
}

void classes_release(Classes *classes) {
  vec_release(classes->mem, &classes->parent);
  pairs_release(&classes->locals);
}
