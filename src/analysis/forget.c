#include "analysis/forget.h"

#include "model/access.h"

#include <string.h>

// Who uses a cell.
enum { NOBODY = -1, SEVERAL = -2 };

typedef struct Forget {
  const Net *net;
  Access access;
  int64_t *users;       // by cell: a process, or one of the above
  bool *live;           // by location and cell of variables
  uint32_t cells;       // of variables
  uint32_t *slots;      // by cell; NET_NONE: it is not one slot
  bool *used, *defined; // by cell, on the way through an update
  bool may_return;      // of the function at hand: what follows may not be run
} Forget;

static void note_users(Forget *f, int64_t user) {
  for (uint32_t i = 0; i < f->access.marked.size; i++) {
    int64_t *known = &f->users[f->access.marked.items[i]];
    *known = *known == NOBODY || *known == user ? user : SEVERAL;
  }
}

static void access_query(Access *access, const Query *query) {
  access_expr(access, query->formula);
  access_expr(access, query->conclusion);
  for (uint32_t i = 0; i < query->value_count; i++)
    access_expr(access, query->values[i]);
}

static void find_users(Forget *f, const Query *query) {
  const Net *net = f->net;
  for (CellId cell = 0; cell < f->access.cell_count; cell++)
    f->users[cell] = NOBODY;
  access_query(&f->access, query);
  access_stmts(&f->access, net->hooks.before_stmts);
  access_stmts(&f->access, net->hooks.after_stmts);
  note_users(f, SEVERAL);
  for (LocationId l = 0; l < net->locations.size; l++) {
    const Location *location = &net->locations.items[l];
    access_clear(&f->access);
    access_invariant(&f->access, location);
    for (uint32_t k = 0; k < location->edge_count; k++) {
      access_expr(&f->access, net_edge_from(net, location, k)->guard_expr);
      access_stmts(&f->access, net_edge_from(net, location, k)->update_stmts);
    }
    note_users(f, location->process);
  }
}

// The way through an update, in order. Reads of what was not written before are uses.

static void use_marked(Forget *f) {
  for (uint32_t i = 0; i < f->access.marked.size; i++) {
    const CellId cell = f->access.marked.items[i];
    if (cell < f->cells && f->access.marks[cell] & ACCESS_READ && !f->defined[cell])
      f->used[cell] = true;
  }
}

static void walk_stmts(Forget *f, const Stmt *stmt);

// A call by itself is followed; of other expressions all reads count, wherever they are.
static void walk_expr(Forget *f, const Expr *expr) {
  if (!expr)
    return;
  if (expr->kind != EXPR_CALL) {
    access_expr_alone(&f->access, expr);
    use_marked(f);
    return;
  }
  for (uint32_t i = 0; i < expr->arg_count; i++)
    walk_expr(f, expr->args[i]);
  const bool may_return = f->may_return; // then the call itself may not be made
  walk_stmts(f, expr->function->body);
  f->may_return = may_return;
}

// Whether the indices of a target write something, by calls.
static bool index_writes(Forget *f, const Expr *target) {
  bool writes = false;
  access_clear(&f->access);
  for (; target->kind == EXPR_INDEX || target->kind == EXPR_FIELD; target = target->a)
    if (target->kind == EXPR_INDEX)
      access_expr(&f->access, target->b);
  for (uint32_t i = 0; i < f->access.marked.size; i++)
    writes |= (f->access.marks[f->access.marked.items[i]] & ACCESS_WRITE) != 0;
  return writes;
}

// A target whose place is known is written for certain. What its indices write may not be.
static void define(Forget *f, const Expr *target) {
  const Stmt alone = {.kind = STMT_ASSIGN, .target = target};
  const Access *access = &f->access;
  const bool is_certain = !f->may_return && !index_writes(f, target);
  uint32_t count = 0;
  access_stmts_alone(&f->access, &alone);
  for (uint32_t i = 0; i < access->marked.size; i++)
    count += access->marks[access->marked.items[i]] & ACCESS_WRITE &&
             f->slots[access->marked.items[i]] != NET_NONE;
  for (uint32_t i = 0; i < access->marked.size; i++) {
    const CellId cell = access->marked.items[i];
    if (access->marks[cell] & ACCESS_WRITE && is_certain && count == target->type->slots)
      f->defined[cell] = true;
  }
}

static void walk_branches(Forget *f, const Stmt *stmt) {
  bool *before = mem_alloc(f->net->mem, f->cells + 1);
  bool *other = mem_alloc(f->net->mem, f->cells + 1);
  memcpy(before, f->defined, f->cells);
  walk_stmts(f, stmt->body);
  memcpy(other, f->defined, f->cells);
  memcpy(f->defined, before, f->cells);
  if (stmt->kind == STMT_IF) {
    walk_stmts(f, stmt->other);
    for (CellId cell = 0; cell < f->cells; cell++)
      f->defined[cell] &= other[cell];
  }
  mem_free(f->net->mem, before);
  mem_free(f->net->mem, other);
}

// The indices of an assignment, which come before its value.
static void use_places(Forget *f, const Stmt *stmt) {
  const Stmt places = {.kind = stmt->kind, .target = stmt->target, .source = stmt->source};
  access_stmts_alone(&f->access, &places);
  use_marked(f);
}

static void walk_stmts(Forget *f, const Stmt *stmt) {
  for (; stmt; stmt = stmt->next) {
    if (stmt->kind == STMT_ASSIGN || stmt->kind == STMT_CLOCK_ASSIGN)
      use_places(f, stmt);
    if (stmt->kind == STMT_DO) // its condition comes after the body
      walk_branches(f, stmt);
    walk_expr(f, stmt->value);
    switch (stmt->kind) {
    case STMT_ASSIGN:
      define(f, stmt->target);
      break;
    case STMT_IF:
    case STMT_WHILE:
      walk_branches(f, stmt);
      break;
    case STMT_RETURN:
      f->may_return = true;
      break;
    default:
      break;
    }
  }
}

// Fixpoint.

typedef struct Way { // an edge: what it uses and what it writes for certain, by cell
  bool *used, *defined;
} Way;

static Way walk_edge(Forget *f, Arena *arena, const Edge *edge) {
  const Way way = {ARENA_ARRAY(arena, bool, f->cells + 1),
                   ARENA_ARRAY(arena, bool, f->cells + 1)};
  f->used = way.used;
  f->defined = way.defined;
  f->may_return = false;
  walk_expr(f, edge->guard_expr);
  walk_stmts(f, edge->update_stmts);
  return way;
}

static bool raise(Forget *f, LocationId l, const Edge *edge, const Way *way) {
  bool *live = f->live + (size_t)l * f->cells;
  const bool *after = f->live + (size_t)edge->target * f->cells;
  bool changed = false;
  for (CellId cell = 0; cell < f->cells; cell++)
    if (!live[cell] && (way->used[cell] || (after[cell] && !way->defined[cell])))
      changed = live[cell] = true;
  return changed;
}

static void find_live(Forget *f, Arena *arena) {
  const Net *net = f->net;
  Way *ways = ARENA_ARRAY(arena, Way, net->edges.size);
  for (EdgeId e = 0; e < net->edges.size; e++)
    ways[e] = walk_edge(f, arena, &net->edges.items[e]);
  bool *none = ARENA_ARRAY(arena, bool, f->cells + 1);
  for (LocationId l = 0; l < net->locations.size; l++) {
    f->used = f->live + (size_t)l * f->cells;
    f->defined = none;
    walk_expr(f, net->locations.items[l].invariant_expr);
  }
  for (bool changed = true; changed;) {
    changed = false;
    mem_tick(net->mem);
    for (LocationId l = net->locations.size; l-- > 0;)
      for (uint32_t k = 0; k < net->locations.items[l].edge_count; k++) {
        const EdgeId e = net->out[net->locations.items[l].first_edge + k];
        changed |= raise(f, l, &net->edges.items[e], &ways[e]);
      }
  }
}

static ForgetList list_dead(const Forget *f, Arena *arena, LocationId l) {
  const int64_t process = f->net->locations.items[l].process;
  const bool *live = f->live + (size_t)l * f->cells;
  uint32_t count = 0;
  uint32_t *items = ARENA_ARRAY(arena, uint32_t, f->cells);
  for (CellId cell = 0; cell < f->cells; cell++)
    if (f->users[cell] == process && f->slots[cell] != NET_NONE && !live[cell])
      items[count++] = f->slots[cell];
  return (ForgetList){items, count};
}

// Cells that are one slot of a variable that is a part of the state.
static void find_slots(Forget *f, Arena *arena) {
  const Net *net = f->net;
  f->slots = ARENA_ARRAY(arena, uint32_t, f->access.cell_count);
  memset(f->slots, 0xff, sizeof *f->slots * f->access.cell_count);
  for (uint32_t v = 0; v < net->variables.size; v++) {
    const Name *variable = &net->variables.items[v];
    const uint32_t slots = variable->type->slots;
    for (uint32_t k = 0; k < slots && slots <= ACCESS_MAX_SLOTS; k++)
      if (!variable->is_meta || (net->slots.is_kept && net->slots.is_kept[variable->base + k]))
        f->slots[f->access.first[v] + k] = variable->base + k;
  }
}

enum { MAX_WORK = 1 << 26 }; // bytes of tables

const ForgetList *forget_find(const Net *net, Arena *arena, const Query *query) {
  Arena scratch = {.mem = net->mem};
  Forget f = {.net = net};
  bool some = false;
  access_init(&f.access, &scratch, net);
  f.cells = f.access.first_location;
  ForgetList *lists = ARENA_ARRAY(arena, ForgetList, net->locations.size);
  if ((uint64_t)f.cells * (net->locations.size + 2 * (uint64_t)net->edges.size) < MAX_WORK) {
    f.users = ARENA_ARRAY(&scratch, int64_t, f.access.cell_count);
    f.live = ARENA_ARRAY(&scratch, bool, (size_t)f.cells * net->locations.size + 1);
    find_slots(&f, &scratch);
    find_users(&f, query);
    find_live(&f, &scratch);
    for (LocationId l = 0; l < net->locations.size; l++) {
      lists[l] = list_dead(&f, arena, l);
      some |= lists[l].count;
    }
  }
  access_release(&f.access);
  arena_release(&scratch);
  return some ? lists : NULL;
}

static bool has_slot(ForgetList list, uint32_t slot) {
  for (uint32_t i = 0; i < list.count; i++)
    if (list.items[i] == slot)
      return true;
  return false;
}

// The statements of an edge, copied; returns where the next one goes.
static const Stmt **copy_stmts(Net *net, Edge *edge) {
  const Stmt **end = &edge->update_stmts;
  for (const Stmt *stmt = edge->update_stmts; stmt; stmt = stmt->next) {
    Stmt *copy = ARENA_NEW(&net->arena, Stmt);
    *copy = *stmt;
    *end = copy;
    end = &copy->next;
  }
  return end;
}

static const Stmt *set_back(Net *net, const Name *variable, uint32_t slot, Place place) {
  Stmt *stmt = ARENA_NEW(&net->arena, Stmt);
  const int32_t value = variable->initial[slot - variable->base];
  stmt->kind = STMT_ASSIGN;
  stmt->place = place;
  stmt->target = expr_storage(&net->arena, place, EXPR_VAR, variable->name,
                              type_int(&net->arena, value, value), slot);
  stmt->value = expr_const(&net->arena, place, value);
  return stmt;
}

static const Name *variable_at(const Net *net, uint32_t slot) {
  uint32_t v = 0;
  while (slot - net->variables.items[v].base >= net->variables.items[v].type->slots)
    v++;
  return &net->variables.items[v];
}

// What is dead before the edge, too, and not written by it has its initial value already.
static void amend(Net *net, Access *access, Edge *edge, ForgetList before, ForgetList after) {
  const Stmt **end = NULL;
  access_stmts_alone(access, edge->update_stmts);
  for (uint32_t i = 0; i < after.count; i++) {
    const Name *variable = variable_at(net, after.items[i]);
    const CellId cell =
        access->first[variable - net->variables.items] + (after.items[i] - variable->base);
    if (has_slot(before, after.items[i]) && !(access->marks[cell] & ACCESS_WRITE))
      continue;
    if (!end)
      end = copy_stmts(net, edge);
    Stmt *stmt = ARENA_NEW(&net->arena, Stmt);
    *stmt = *set_back(net, variable, after.items[i], edge->place);
    *end = stmt;
    end = &stmt->next;
  }
}

void forget_apply(Net *net, const ForgetList *forget) {
  Arena scratch = {.mem = net->mem};
  Access access;
  access_init(&access, &scratch, net);
  for (EdgeId e = 0; e < net->edges.size; e++) {
    Edge *edge = &net->edges.items[e];
    amend(net, &access, edge, forget[edge->source], forget[edge->target]);
  }
  access_release(&access);
  arena_release(&scratch);
}
