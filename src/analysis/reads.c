#include "analysis/reads.h"

// What is read while one thing is assigned: `own` is the storage that it goes to.
typedef struct Reader {
  Reads *reads;
  const Expr *own; // EXPR_VAR or EXPR_CLOCK; NULL: any other storage
} Reader;

// The same array counts, whatever the element: constant indices are a part of `base`.
static bool is_own(const Reader *reader, const Expr *storage) {
  const Reads *reads = reader->reads;
  const Expr *own = reader->own;
  if (!own || own->kind != storage->kind)
    return false;
  if (own->kind == EXPR_CLOCK)
    return reads->clocks_of[own->base] == reads->clocks_of[storage->base];
  return own->kind == EXPR_VAR && own->base < reads->net->location_slot &&
         reads->variable_of[own->base] == reads->variable_of[storage->base];
}

static void mark(const Reader *reader, const Expr *storage) {
  Reads *reads = reader->reads;
  if (is_own(reader, storage))
    return;
  if (storage->kind == EXPR_VAR && storage->base < reads->net->location_slot)
    reads->variables[reads->variable_of[storage->base]] = true;
  else if (storage->kind == EXPR_CLOCK && reads->clocks_of[storage->base] != UINT32_MAX)
    reads->clocks[reads->clocks_of[storage->base]] = true;
}

static void visit(const Reader *, const Expr *);

// The indices of storage that is written.
static void visit_indices(const Reader *reader, const Expr *storage) {
  for (; storage->kind == EXPR_INDEX || storage->kind == EXPR_FIELD; storage = storage->a)
    if (storage->kind == EXPR_INDEX)
      visit(reader, storage->b);
}

static void visit_assignment(const Reader *reader, const Expr *target, const Expr *value) {
  const Expr *root = expr_root(target);
  const Reader within = {reader->reads, root->kind == EXPR_REMOTE ? NULL : root};
  visit_indices(reader, target);
  visit(&within, value);
}

static void visit(const Reader *reader, const Expr *expr) {
  if (!expr)
    return;
  if (expr->kind == EXPR_ASSIGN) {
    visit_assignment(reader, expr->a, expr->b);
    return;
  }
  if (expr->kind == EXPR_VAR || expr->kind == EXPR_CLOCK)
    mark(reader, expr);
  for (uint32_t k = 0; k < expr_part_count(expr); k++)
    visit(reader, expr_part(expr, k));
}

static void visit_stmts(const Reader *reader, const Stmt *stmt) {
  for (; stmt; stmt = stmt->next) {
    if (stmt->kind == STMT_ASSIGN || stmt->kind == STMT_CLOCK_ASSIGN) {
      visit_assignment(reader, stmt->target, stmt->value);
      visit_assignment(reader, stmt->target, stmt->source);
    } else {
      visit(reader, stmt->value);
    }
    visit_stmts(reader, stmt->body);
    visit_stmts(reader, stmt->other);
  }
}

static void map_names(Reads *reads) {
  const Net *net = reads->net;
  for (uint32_t v = 0; v < net->variables.size; v++)
    for (uint32_t i = 0; i < net->variables.items[v].type->slots; i++)
      reads->variable_of[net->variables.items[v].base + i] = v;
  for (uint32_t x = 0; x <= net->clock_count; x++)
    reads->clocks_of[x] = UINT32_MAX;
  for (uint32_t c = 0; c < net->clocks.size; c++)
    for (uint32_t i = 0; i < net->clocks.items[c].type->slots; i++)
      reads->clocks_of[net->clocks.items[c].base + i] = c;
}

void reads_expr(Reads *reads, const Expr *expr) { visit(&(Reader){reads, NULL}, expr); }

void reads_init(Reads *reads, Arena *arena, const Net *net) {
  *reads = (Reads){.net = net};
  reads->variable_of = ARENA_ARRAY(arena, uint32_t, net->location_slot);
  reads->clocks_of = ARENA_ARRAY(arena, uint32_t, net->clock_count + 1);
  reads->variables = ARENA_ARRAY(arena, bool, net->variables.size);
  reads->clocks = ARENA_ARRAY(arena, bool, net->clocks.size);
  map_names(reads);
  const Reader reader = {reads, NULL};
  for (LocationId l = 0; l < net->locations.size; l++) {
    const Location *location = &net->locations.items[l];
    visit(&reader, location->invariant_expr);
    for (uint32_t k = 0; k < location->clock_rate_count; k++)
      visit(&reader, location->clock_rates[k].rate);
  }
  for (EdgeId e = 0; e < net->edges.size; e++) {
    visit(&reader, net->edges.items[e].guard_expr);
    visit_stmts(&reader, net->edges.items[e].update_stmts);
  }
  for (uint32_t f = 0; f < net->functions.size; f++)
    visit_stmts(&reader, net->functions.items[f]->body);
  visit_stmts(&reader, net->hooks.before_stmts);
  visit_stmts(&reader, net->hooks.after_stmts);
}
