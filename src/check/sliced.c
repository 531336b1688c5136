#include "check/sliced.h"

#include "model/access.h"
#include "model/faults.h"
#include "model/initial.h"

// Marks where a rule is verified. Tests check that certificates are wrongly accepted by a copy
// without the rule (test/fuzz/plant/sliced.sed).
#define RULE(name) true

typedef struct Sliced {
  const Net *net;
  const bool *left_out;
  Access access;
  bool *loose; // by cell; locations of processes that are left out are, too
} Sliced;

static bool reads_loose(const Sliced *s) {
  for (uint32_t i = 0; i < s->access.marked.size; i++) {
    const CellId cell = s->access.marked.items[i];
    if (s->access.marks[cell] & ACCESS_READ && s->loose[cell])
      return true;
  }
  return false;
}

// What is written becomes loose; whether it was not.
static bool loosen(Sliced *s) {
  bool changed = false;
  for (uint32_t i = 0; i < s->access.marked.size; i++) {
    const CellId cell = s->access.marked.items[i];
    if (s->access.marks[cell] & (ACCESS_WRITE | ACCESS_SET) && !s->loose[cell])
      s->loose[cell] = changed = true;
  }
  return changed;
}

// One statement of a list, without those behind it.
static void access_one(Sliced *s, const Stmt *stmt) {
  Stmt alone = *stmt;
  alone.next = NULL;
  access_stmts_alone(&s->access, &alone);
}

static bool is_idle(const Sliced *s, const Stmt *stmt) {
  Stmt alone = *stmt;
  alone.next = NULL;
  return stmt->kind == STMT_ASSIGN &&
         (expr_root(stmt->target)->kind == EXPR_VAR || !RULE("locals")) &&
         !expr_has_effects(stmt->target) && !expr_has_effects(stmt->value) &&
         !(faults_in_stmts(s->net, &alone) && RULE("idle"));
}

static void find_loose(Sliced *s) {
  const Net *net = s->net;
  for (ProcessId p = 0; p < net->processes.size; p++)
    s->loose[s->access.first_location + p] = s->left_out[p] && RULE("places");
  for (EdgeId e = 0; e < net->edges.size; e++) {
    const Edge *edge = &net->edges.items[e];
    if (!s->left_out[edge->process])
      continue;
    access_expr_alone(&s->access, edge->guard_expr);
    access_stmts(&s->access, edge->update_stmts);
    loosen(s);
  }
  for (bool changed = RULE("chains"); changed;) {
    changed = false;
    for (EdgeId e = 0; e < net->edges.size; e++) {
      const Edge *edge = &net->edges.items[e];
      for (const Stmt *stmt = edge->update_stmts; stmt; stmt = stmt->next) {
        access_one(s, stmt);
        changed |= !s->left_out[edge->process] && reads_loose(s) && loosen(s);
      }
    }
  }
}

static const char *check_edge(Sliced *s, const Edge *edge) {
  access_expr_alone(&s->access, edge->guard_expr);
  if (reads_loose(s) && RULE("guards"))
    return "a guard reads what processes that are left out write";
  for (const Stmt *stmt = edge->update_stmts; stmt; stmt = stmt->next) {
    access_one(s, stmt);
    if (reads_loose(s) && !is_idle(s, stmt) && RULE("updates"))
      return "an update reads what processes that are left out write";
  }
  return NULL;
}

static const char *check_processes(Sliced *s) {
  const Net *net = s->net;
  for (ProcessId p = 0; p < net->processes.size; p++)
    if (s->left_out[p] && faults_in_process(net, p) && RULE("faults"))
      return "a process that is left out may fail at run time";
  for (LocationId l = 0; l < net->locations.size; l++) {
    access_clear(&s->access);
    access_invariant(&s->access, &net->locations.items[l]);
    if (!s->left_out[net->locations.items[l].process] && reads_loose(s) && RULE("invariants"))
      return "an invariant reads what processes that are left out write";
  }
  const char *why = NULL;
  for (EdgeId e = 0; e < net->edges.size && !why; e++)
    if (!s->left_out[net->edges.items[e].process])
      why = check_edge(s, &net->edges.items[e]);
  return why;
}

static const char *check_query(Sliced *s, const Goal *goal) {
  if ((!goal || goal->ends) && RULE("deadlocks"))
    return "processes are left out, but the query depends on all of them";
  access_clear(&s->access);
  for (uint32_t c = 0; goal && c < goal->clause_count; c++)
    access_expr(&s->access, goal->clauses[c].expr);
  return reads_loose(s) && RULE("query") ? "the query depends on processes that are left out"
                                         : NULL;
}

static const char *check_network(const Net *net) {
  if (net->priority.is_used && RULE("priorities"))
    return "processes are left out beside priorities";
  if ((net->hooks.before_stmts || net->hooks.after_stmts) && RULE("hooks"))
    return "processes are left out beside updates around each step";
  if (net->traits.has_stopwatches && RULE("rates"))
    return "processes are left out beside stopped clocks";
  return NULL;
}

const char *sliced_refuse(Mem *owner, const Net *net, const Goal *goal, const bool *left_out) {
  const char *why = check_network(net);
  if (why)
    return why;
  Mem *mem = mem_part(owner);
  Arena arena = {.mem = mem};
  Sliced s = {.net = net, .left_out = left_out};
  access_init(&s.access, &arena, net);
  s.loose = ARENA_ARRAY(&arena, bool, s.access.cell_count);
  find_loose(&s);
  why = check_query(&s, goal);
  if (!why)
    why = check_processes(&s);
  // What holds of all states holds of none, too.
  if (!why && !initial_exists(mem, net) && RULE("start"))
    why = "the model has no initial state, so that it would prove anything";
  mem_release_part(mem);
  return why;
}
