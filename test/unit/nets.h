// Nets built by hand, for the unit tests of model/.
#pragma once

#include "base/random.h"
#include "model/net.h"

// cmocka wants these before itself.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

typedef struct Fixture {
  Mem mem;
  Net net;
  Arena arena; // for what is built upon the net
  Report report;
  Vm vm;
} Fixture;

#define NOWHERE ((Place){0})

static inline void fixture_init(Fixture *f) {
  memset(f, 0, sizeof *f);
  net_init(&f->net, &f->mem);
  f->arena.mem = &f->mem;
  report_init(&f->report, &f->mem);
  vm_init(&f->vm, &f->mem);
}

static inline void fixture_release(Fixture *f) {
  vm_release(&f->vm);
  arena_release(&f->arena);
  net_release(&f->net);
  report_release(&f->report);
  assert_int_equal(f->mem.bytes, 0);
}

// The same where parts of it are released with their memory only.
static inline void fixture_drop(Fixture *f) { mem_release(&f->mem); }

// Finishes the net, which must succeed, and readies the Vm.
static inline void fixture_finish(Fixture *f) {
  if (!net_finish(&f->net, &f->report))
    fail_msg("%s", text_chars(&f->report.error));
  net_vm(&f->net, &f->vm, &f->mem);
}

// Finishing must fail with a message that contains the text.
static inline void fixture_refuse(Fixture *f, const char *text) {
  assert_false(net_finish(&f->net, &f->report));
  if (!strstr(text_chars(&f->report.error), text))
    fail_msg("`%s` is not in `%s`", text, text_chars(&f->report.error));
}

static inline LocationId add_location(Fixture *f, ProcessId p, const char *name, bool initial) {
  const LocationId location = net_add_location(&f->net, p, name, NOWHERE);
  f->net.locations.items[location].initial = initial;
  return location;
}

static inline Edge *add_edge(Fixture *f, LocationId source, LocationId target, EventId event) {
  const EdgeId edge = net_add_edge(&f->net, source, target, event, NOWHERE);
  return &f->net.edges.items[edge];
}

static inline Sync *add_sync(Fixture *f) {
  const Sync sync = {.place = NOWHERE};
  vec_push(&f->mem, &f->net.syncs, sync);
  return &vec_last(&f->net.syncs);
}

static inline void add_part(Fixture *f, ProcessId p, EventId event, bool weak) {
  const SyncPart part = {p, event, weak};
  vec_push(&f->mem, &vec_last(&f->net.syncs).parts, part);
}

static inline uint32_t add_int(Fixture *f, const char *name, int32_t min, int32_t max,
                               int32_t initial) {
  const Type *type = type_int(&f->net.arena, min, max);
  return net_add_variable(&f->net, name, type, &initial, NOWHERE);
}

static inline const Expr *num(Fixture *f, int32_t value) {
  return expr_const(&f->net.arena, NOWHERE, value);
}

static inline const Expr *var(Fixture *f, uint32_t variable) { // its index in `variables`
  const Name *name = &f->net.variables.items[variable];
  return expr_storage(&f->net.arena, NOWHERE, EXPR_VAR, name->name, name->type, name->base);
}

static inline const Expr *clock_at(Fixture *f, ClockIndex clock) {
  const Type *type = type_clock(&f->net.arena);
  return expr_storage(&f->net.arena, NOWHERE, EXPR_CLOCK, "clock", type, clock);
}

static inline const Expr *binary(Fixture *f, ExprKind kind, const Expr *a, const Expr *b) {
  return expr_binary(&f->net.arena, NOWHERE, kind, a, b);
}

static inline const Expr *unary(Fixture *f, ExprKind kind, const Expr *a) {
  return expr_unary(&f->net.arena, NOWHERE, kind, a);
}

static inline const Expr *test_of(Fixture *f, const Expr *x, const Expr *y, ExprKind op,
                                  const Expr *bound) {
  return expr_clock_test(&f->net.arena, NOWHERE, x, y, op, bound);
}

static inline const Expr *test_clock(Fixture *f, ClockIndex x, ExprKind op, int32_t constant) {
  return test_of(f, clock_at(f, x), NULL, op, num(f, constant));
}

// a && b, where NULL is true.
static inline const Expr *conjunction(Fixture *f, const Expr *a, const Expr *b) {
  return a && b ? binary(f, EXPR_AND, a, b) : a ? a : b;
}

static inline Stmt *new_stmt(Fixture *f, StmtKind kind) {
  Stmt *stmt = ARENA_NEW(&f->net.arena, Stmt);
  stmt->kind = kind;
  return stmt;
}

static inline Stmt *set_int(Fixture *f, const Expr *target, const Expr *value) {
  Stmt *stmt = new_stmt(f, STMT_ASSIGN);
  stmt->target = target;
  stmt->value = value;
  return stmt;
}

static inline Stmt *set_clock(Fixture *f, const Expr *target, const Expr *source,
                              const Expr *value) {
  Stmt *stmt = new_stmt(f, STMT_CLOCK_ASSIGN);
  stmt->target = target;
  stmt->source = source;
  stmt->value = value;
  return stmt;
}

static inline Stmt *reset_clock(Fixture *f, ClockIndex clock) {
  return set_clock(f, clock_at(f, clock), NULL, NULL);
}

// The first statement, with the others appended.
static inline Stmt *then(Stmt *first, Stmt *second) {
  Stmt *last = first;
  while (last && last->next) { // built by hand: the chain is ours to change
    Stmt *next;
    memcpy(&next, &last->next, sizeof next);
    last = next;
  }
  if (last)
    last->next = second;
  return first ? first : second;
}
