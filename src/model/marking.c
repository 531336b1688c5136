#include "model/marking.h"

#include <string.h>

#define NAME "#mark"

uint32_t marking_slot(const Net *marked) { return vec_last(&marked->variables).base; }

static const Expr *storage(Arena *arena, const Net *marked) {
  const Name *variable = &vec_last(&marked->variables);
  return expr_storage(arena, (Place){0}, EXPR_VAR, NAME, variable->type, variable->base);
}

// Locations are one slot further on.
const Expr *marking_expr(Arena *arena, const Expr *expr, const Net *marked) {
  if (!expr)
    return NULL;
  Expr *copy = arena_copy(arena, expr, sizeof *expr);
  if (expr->kind == EXPR_AT)
    copy->base++;
  copy->a = marking_expr(arena, expr->a, marked);
  copy->b = marking_expr(arena, expr->b, marked);
  copy->c = marking_expr(arena, expr->c, marked);
  if (expr->arg_count) {
    const Expr **args = ARENA_ARRAY(arena, const Expr *, expr->arg_count);
    for (uint32_t i = 0; i < expr->arg_count; i++)
      args[i] = marking_expr(arena, expr->args[i], marked);
    copy->args = args;
  }
  return copy;
}

const Expr *marking_test(Arena *arena, const Net *marked, int32_t value) {
  const Place place = {0};
  return expr_binary(arena, place, EXPR_EQ, storage(arena, marked),
                     expr_const(arena, place, value));
}

bool marking_make(Net *marked, const Net *net, const int32_t *values, int32_t max,
                  Report *report) {
  net_copy(marked, net);
  Arena *arena = &marked->arena;
  net_add_variable(marked, NAME, type_int(arena, 0, max), NULL, net->origin.place);
  const Expr *variable = storage(arena, marked);
  for (LocationId l = 0; l < marked->locations.size; l++) {
    Location *location = &marked->locations.items[l];
    location->invariant_expr = marking_expr(arena, location->invariant_expr, marked);
  }
  for (EdgeId e = 0; e < marked->edges.size; e++) {
    Edge *edge = &marked->edges.items[e];
    edge->guard_expr = marking_expr(arena, edge->guard_expr, marked);
    if (values[e] < 0)
      continue;
    // First of all: no other statement looks at it.
    const Stmt set = {.kind = STMT_ASSIGN,
                      .place = edge->place,
                      .target = variable,
                      .value = expr_const(arena, edge->place, values[e]),
                      .next = edge->update_stmts};
    edge->update_stmts = arena_copy(arena, &set, sizeof set);
  }
  if (net_finish(marked, report))
    return true;
  net_release(marked);
  return false;
}

const int32_t *marking_numbers(Arena *arena, const Net *net, ProcessId process, int32_t *count) {
  int32_t *own = ARENA_ARRAY(arena, int32_t, net->edges.size);
  *count = 0;
  for (EdgeId e = 0; e < net->edges.size; e++)
    if (net->edges.items[e].process == process)
      own[e] = ++*count;
  return own;
}

bool marking_remember(Net *marked, const Net *net, const int32_t *own, int32_t count,
                      Report *report) {
  Arena arena = {.mem = net->mem};
  int32_t *values = ARENA_ARRAY(&arena, int32_t, net->edges.size);
  for (EdgeId e = 0; e < net->edges.size; e++)
    values[e] = own[e] ? own[e] : -1;
  const bool ok = marking_make(marked, net, values, count, report);
  arena_release(&arena);
  return ok;
}

static const int32_t *narrow(Arena *arena, const int32_t *state, uint32_t slot, uint32_t count) {
  int32_t *copy = ARENA_ARRAY(arena, int32_t, count);
  memcpy(copy, state, sizeof *copy * slot);
  memcpy(copy + slot, state + slot + 1, sizeof *copy * (count - slot));
  return copy;
}

Run marking_run(Arena *arena, const Run *run, const Net *marked, const Net *net) {
  Run copy = *run;
  RunStep *steps = ARENA_ARRAY(arena, RunStep, run->step_count);
  for (uint32_t i = 0; i < run->step_count; i++) {
    const RunStep *step = &run->steps[i];
    const Edge **edges = ARENA_ARRAY(arena, const Edge *, step->edge_count);
    for (uint32_t e = 0; e < step->edge_count; e++)
      edges[e] = &net->edges.items[step->edges[e] - marked->edges.items];
    steps[i] = *step;
    steps[i].edges = edges;
    steps[i].state = narrow(arena, step->state, marking_slot(marked), net->slots.count);
  }
  copy.steps = steps;
  return copy;
}
