#include "check/forgotten.h"

#include "model/access.h"

#include <string.h>

enum { MAX_STATEMENTS = 10000 }; // of an update, with those of the functions that it calls

typedef struct Forgotten {
  Mem *mem;
  const Net *net;
  const ForgottenSlots *lists;
  Arena arena;
  Access access;
  CellId cells;   // of variables
  uint32_t *cell; // by slot, NET_NONE: it is not one cell
  // On the way through an edge, by cell:
  bool *read;    // before it was certainly written
  bool *written; // certainly
  bool *dead;    // in the target
  bool may_end;  // of the function at hand: what follows need not be run
  uint32_t statements;
} Forgotten;

// --- What an edge reads and writes.

static void note_reads(Forgotten *f) {
  for (uint32_t i = 0; i < f->access.marked.size; i++) {
    const CellId cell = f->access.marked.items[i];
    if (cell < f->cells && f->access.marks[cell] & ACCESS_READ && !f->written[cell])
      f->read[cell] = true;
  }
}

static void read_expr(Forgotten *f, const Expr *expr) {
  access_clear(&f->access);
  access_expr(&f->access, expr);
  note_reads(f);
}

// Slots that a target is for certain; a size of 0: they are not known.
typedef struct Slots {
  uint32_t first, size;
} Slots;

static Slots slots_of(const Expr *target) {
  int32_t index;
  if (target->kind == EXPR_VAR)
    return (Slots){target->base, target->type->slots};
  if (target->kind != EXPR_FIELD && target->kind != EXPR_INDEX)
    return (Slots){0, 0};
  const Slots whole = slots_of(target->a);
  if (!whole.size)
    return whole;
  if (target->kind == EXPR_FIELD)
    return (Slots){whole.first + target->base, target->type->slots};
  const int64_t first = target->a->type->first, count = target->a->type->count;
  if (!expr_is_const(target->b, &index) || index < first || index >= first + count)
    return (Slots){0, 0};
  return (Slots){whole.first + (uint32_t)(index - first) * target->type->slots,
                 target->type->slots};
}

static void write_target(Forgotten *f, const Expr *target) {
  const Slots slots = slots_of(target);
  for (uint32_t i = 0; !f->may_end && i < slots.size; i++)
    if (f->cell[slots.first + i] != NET_NONE)
      f->written[f->cell[slots.first + i]] = true;
}

static void run_stmts(Forgotten *f, const Stmt *stmt);

// What is written on one way only is not certain. A loop need not be run.
static void run_branches(Forgotten *f, const Stmt *stmt) {
  bool *before = mem_alloc(f->mem, 2 * ((size_t)f->cells + 1)), *one = before + f->cells;
  memcpy(before, f->written, f->cells);
  run_stmts(f, stmt->body);
  memcpy(one, f->written, f->cells);
  memcpy(f->written, before, f->cells);
  if (stmt->kind == STMT_IF) {
    run_stmts(f, stmt->other);
    for (CellId cell = 0; cell < f->cells; cell++)
      f->written[cell] &= one[cell];
  }
  mem_free(f->mem, before);
}

// A call that is a statement of its own.
static void run_call(Forgotten *f, const Expr *call) {
  for (uint32_t i = 0; i < call->arg_count; i++)
    read_expr(f, call->args[i]);
  const bool may_end = f->may_end;
  run_stmts(f, call->function->body);
  f->may_end = may_end;
}

static void run_stmt(Forgotten *f, const Stmt *stmt) {
  const Stmt alone = {.kind = stmt->kind, .target = stmt->target, .source = stmt->source};
  switch (stmt->kind) {
  case STMT_NOP:
    return;
  case STMT_ASSIGN:
  case STMT_CLOCK_ASSIGN: // the indices of targets are read, too
    access_clear(&f->access);
    access_stmts(&f->access, &alone);
    note_reads(f);
    read_expr(f, stmt->value);
    if (stmt->kind == STMT_ASSIGN)
      write_target(f, stmt->target);
    return;
  case STMT_IF:
  case STMT_WHILE:
    read_expr(f, stmt->value);
    run_branches(f, stmt);
    return;
  case STMT_DO:
    run_branches(f, stmt);
    read_expr(f, stmt->value);
    return;
  case STMT_CALL:
    if (stmt->value && stmt->value->kind == EXPR_CALL)
      run_call(f, stmt->value);
    else
      read_expr(f, stmt->value);
    return;
  case STMT_RETURN:
    read_expr(f, stmt->value);
    f->may_end = true;
    return;
  default: // nothing certain
    access_clear(&f->access);
    access_stmts(&f->access, &(Stmt){.kind = stmt->kind,
                                     .target = stmt->target,
                                     .source = stmt->source,
                                     .value = stmt->value,
                                     .body = stmt->body,
                                     .other = stmt->other});
    note_reads(f);
  }
}

static void run_stmts(Forgotten *f, const Stmt *stmt) {
  for (; stmt && f->statements < MAX_STATEMENTS; stmt = stmt->next) {
    f->statements++;
    mem_tick(f->mem);
    run_stmt(f, stmt);
  }
}

// --- The rules.

// Who accesses a cell.
enum { NOBODY = -1, OTHERS = -2 };

static void note_users(Forgotten *f, int64_t *users, int64_t user) {
  for (uint32_t i = 0; i < f->access.marked.size; i++) {
    int64_t *known = &users[f->access.marked.items[i]];
    *known = *known == NOBODY || *known == user ? user : OTHERS;
  }
  access_clear(&f->access);
}

static const int64_t *find_users(Forgotten *f, const Goal *goal) {
  const Net *net = f->net;
  Access *access = &f->access;
  int64_t *users = ARENA_ARRAY(&f->arena, int64_t, access->cell_count);
  for (CellId cell = 0; cell < access->cell_count; cell++)
    users[cell] = NOBODY;
  access_clear(access);
  for (uint32_t c = 0; goal && c < goal->clause_count; c++)
    access_expr(access, goal->clauses[c].expr);
  access_stmts(access, net->hooks.before_stmts);
  access_stmts(access, net->hooks.after_stmts);
  note_users(f, users, OTHERS);
  for (LocationId l = 0; l < net->locations.size; l++) {
    access_invariant(access, &net->locations.items[l]);
    note_users(f, users, net->locations.items[l].process);
  }
  for (EdgeId e = 0; e < net->edges.size; e++) {
    access_expr(access, net->edges.items[e].guard_expr);
    access_stmts(access, net->edges.items[e].update_stmts);
    note_users(f, users, net->edges.items[e].process);
  }
  return users;
}

static const char *check_location(Forgotten *f, const int64_t *users, LocationId l) {
  const Location *location = &f->net->locations.items[l];
  mem_tick(f->mem);
  access_clear(&f->access);
  access_invariant(&f->access, location);
  for (uint32_t i = 0; i < f->lists[l].count; i++) {
    const uint32_t slot = f->lists[l].items[i];
    if (slot >= f->net->location_slot || f->cell[slot] == NET_NONE)
      return "a slot that is said to be dead is none of a small variable";
    const CellId cell = f->cell[slot];
    if (users[cell] != NOBODY && users[cell] != location->process)
      return "a variable that is said to be dead is used elsewhere";
    if (f->access.marks[cell])
      return "an invariant reads a variable that is said to be dead";
  }
  return NULL;
}

static const char *check_edge(Forgotten *f, const Edge *edge) {
  const ForgottenSlots list = f->lists[edge->source], next = f->lists[edge->target];
  mem_tick(f->mem);
  if (!list.count)
    return NULL;
  memset(f->dead, 0, f->cells);
  for (uint32_t i = 0; i < next.count; i++)
    f->dead[f->cell[next.items[i]]] = true;
  memset(f->read, 0, f->cells);
  memset(f->written, 0, f->cells);
  f->may_end = false;
  f->statements = 0;
  read_expr(f, edge->guard_expr);
  run_stmts(f, edge->update_stmts);
  if (f->statements >= MAX_STATEMENTS)
    return "an update is too long to see what is dead";
  for (uint32_t i = 0; i < list.count; i++) {
    const CellId cell = f->cell[list.items[i]];
    if (f->read[cell])
      return "an edge reads a variable that is said to be dead";
    if (!f->written[cell] && !f->dead[cell])
      return "an edge does not write a variable that is said to be dead before it";
  }
  return NULL;
}

static void find_cells(Forgotten *f) {
  const Net *net = f->net;
  f->cell = ARENA_ARRAY(&f->arena, uint32_t, net->slots.count + 1);
  memset(f->cell, 0xff, (net->slots.count + 1) * sizeof *f->cell); // NET_NONE
  for (uint32_t v = 0; v < net->variables.size; v++) {
    const Name *variable = &net->variables.items[v];
    const uint32_t slots = variable->type->slots;
    for (uint32_t k = 0; k < slots && slots <= ACCESS_MAX_SLOTS; k++)
      f->cell[variable->base + k] = f->access.first[v] + k;
  }
}

static const char *check_all(Forgotten *f, const Goal *goal) {
  const Net *net = f->net;
  const int64_t *users = find_users(f, goal);
  const char *why = NULL;
  for (LocationId l = 0; l < net->locations.size && !why; l++)
    why = check_location(f, users, l);
  for (EdgeId e = 0; e < net->edges.size && !why; e++)
    why = check_edge(f, &net->edges.items[e]);
  return why;
}

const char *forgotten_refuse(Mem *owner, const Net *net, const Goal *goal,
                             const ForgottenSlots *lists) {
  Mem *mem = mem_part(owner);
  Forgotten f = {.mem = mem, .net = net, .lists = lists, .arena = {.mem = mem}};
  access_init(&f.access, &f.arena, net);
  f.cells = f.access.first_location;
  find_cells(&f);
  f.read = ARENA_ARRAY(&f.arena, bool, f.cells + 1);
  f.written = ARENA_ARRAY(&f.arena, bool, f.cells + 1);
  f.dead = ARENA_ARRAY(&f.arena, bool, f.cells + 1);
  const char *why = check_all(&f, goal);
  mem_release_part(mem);
  return why;
}

void forgotten_set_back(const Net *net, const ForgottenSlots *lists, int32_t *state) {
  for (ProcessId p = 0; p < net->processes.size; p++) {
    const ForgottenSlots *list = &lists[net_location_at(net, p, state)];
    for (uint32_t i = 0; i < list->count; i++)
      state[list->items[i]] = net->slots.initial[list->items[i]];
  }
}
