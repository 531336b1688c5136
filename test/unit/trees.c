#include "trees.h"

static uint32_t below(Trees *t, uint32_t n) { return random_below(&t->random, n); }

Place trees_place(Trees *t) { return (Place){&t->source, t->places++}; }

// Shorthands that give each node a place.
static const Expr *number(Trees *t, int32_t value) {
  return expr_const(&t->arena, trees_place(t), value);
}
static const Expr *binary(Trees *t, ExprKind kind, const Expr *a, const Expr *b) {
  return expr_binary(&t->arena, trees_place(t), kind, a, b);
}
const Expr *trees_name(Trees *t, ExprKind kind, const char *name, const Type *type,
                       uint32_t base) {
  return expr_storage(&t->arena, trees_place(t), kind, name, type, base);
}

Stmt *trees_stmt(Trees *t, StmtKind kind, const Expr *target, const Expr *source,
                 const Expr *value) {
  Stmt *stmt = ARENA_NEW(&t->arena, Stmt);
  *stmt = (Stmt){.kind = kind, .place = trees_place(t)};
  stmt->target = target;
  stmt->source = source;
  stmt->value = value;
  return stmt;
}

static void set_range(Trees *t, uint32_t slot, uint32_t count, int32_t min, int32_t max) {
  for (uint32_t k = 0; k < count; k++) {
    t->slot_min[slot + k] = min;
    t->slot_max[slot + k] = max;
  }
}

static void make_types(Trees *t, Arena *arena) {
  int32_t ranges[4][2] = {{0, 5}, {-3, 3}, {-1000000, 1000000}, {INT32_MIN, INT32_MAX}};
  for (uint32_t k = 0; k < 4; k++) {
    t->integers[k] = type_int(arena, ranges[k][0], ranges[k][1]);
    set_range(t, k, 1, ranges[k][0], ranges[k][1]);
  }
  Field fields[] = {{"p", type_int(arena, -5, 5), 0},
                    {"q", type_array(arena, type_int(arena, 0, 100), -1, 2), 0}};
  t->array = type_array(arena, type_int(arena, -2, 7), 0, 6);
  t->record = type_struct(arena, fields, 2);
  t->records = type_array(arena, t->record, 1, 2);
  t->clocks = type_array(arena, type_clock(arena), 0, 3);
  t->locals = type_array(arena, t->integers[3], 0, 3);
  t->digit = type_int(arena, 0, 9);
  set_range(t, TREES_ARRAY, 6, -2, 7);
  for (uint32_t k = 0; k < 2; k++) {
    set_range(t, TREES_RECORDS + 3 * k, 1, -5, 5);
    set_range(t, TREES_RECORDS + 3 * k + 1, 2, 0, 100);
  }
  set_range(t, TREES_LOCATION, 1, 0, 3);
}

// Functions, in locals: int[-100,100] f0(int[-10,10] a, int b) { if (a < b) return a;
// return a - b; }
static void make_branching(Trees *t, Function *f) {
  const Type **params = ARENA_ARRAY(&t->arena, const Type *, 2);
  params[0] = type_int(&t->arena, -10, 10);
  params[1] = t->integers[3];
  const Expr *a = trees_name(t, EXPR_LOCAL, "a", params[0], 0);
  const Expr *b = trees_name(t, EXPR_LOCAL, "b", params[1], 1);
  Stmt *choice = trees_stmt(t, STMT_IF, NULL, NULL, binary(t, EXPR_LT, a, b));
  choice->body = trees_stmt(t, STMT_RETURN, NULL, NULL, a);
  choice->next = trees_stmt(t, STMT_RETURN, NULL, NULL, binary(t, EXPR_SUB, a, b));
  *f = (Function){"f0", type_int(&t->arena, -100, 100), params, 2, 2, choice, 0};
}

// int f1(int n) { int i; int s; while (i < n) { s = s + i * i; i = i + 1; } return s; }
static void make_looping(Trees *t, Function *f) {
  const Type **params = ARENA_ARRAY(&t->arena, const Type *, 1);
  params[0] = t->integers[3];
  const Expr *n = trees_name(t, EXPR_LOCAL, "n", params[0], 0);
  const Expr *i = trees_name(t, EXPR_LOCAL, "i", params[0], 1);
  const Expr *s = trees_name(t, EXPR_LOCAL, "s", params[0], 2);
  Stmt *loop = trees_stmt(t, STMT_WHILE, NULL, NULL, binary(t, EXPR_LT, i, n));
  Stmt *first =
      trees_stmt(t, STMT_ASSIGN, s, NULL, binary(t, EXPR_ADD, s, binary(t, EXPR_MUL, i, i)));
  first->next = trees_stmt(t, STMT_ASSIGN, i, NULL, binary(t, EXPR_ADD, i, number(t, 1)));
  loop->body = first;
  loop->next = trees_stmt(t, STMT_RETURN, NULL, NULL, s);
  *f = (Function){"f1", t->integers[3], params, 1, 3, loop, 1};
}

// int f2(Record r, int i) { r.q[i - 1] = f0(r.p, i); return r.q[0] * 10 + r.q[-1]; }: a call,
// and a change to a copy.
static void make_copying(Trees *t, Function *f) {
  const Type **params = ARENA_ARRAY(&t->arena, const Type *, 2);
  params[0] = t->record;
  params[1] = t->integers[3];
  const Expr *r = trees_name(t, EXPR_LOCAL, "r", t->record, 0);
  const Expr *i = trees_name(t, EXPR_LOCAL, "i", t->integers[3], 3);
  const Expr *p = expr_field(&t->arena, trees_place(t), r, type_field(t->record, "p"));
  const Expr *q = expr_field(&t->arena, trees_place(t), r, type_field(t->record, "q"));
  const Expr *args[] = {p, i};
  const Expr *call = expr_call(&t->arena, trees_place(t), &t->functions[0], args);
  const Expr *at = binary(t, EXPR_SUB, i, number(t, 1));
  const Expr *target = expr_index(&t->arena, trees_place(t), q, at);
  const Expr *high = expr_index(&t->arena, trees_place(t), q, number(t, 0));
  const Expr *low = expr_index(&t->arena, trees_place(t), q, number(t, -1));
  const Expr *value = binary(t, EXPR_ADD, binary(t, EXPR_MUL, high, number(t, 10)), low);
  Stmt *body = trees_stmt(t, STMT_ASSIGN, target, NULL, call);
  body->next = trees_stmt(t, STMT_RETURN, NULL, NULL, value);
  *f = (Function){"f2", t->integers[3], params, 2, 4, body, 2};
}

// void f3(int v) { r[1].p = v; x = v; }: changes the state, for updates only.
static void make_changing(Trees *t, Function *f) {
  const Type **params = ARENA_ARRAY(&t->arena, const Type *, 1);
  params[0] = t->integers[3];
  const Expr *v = trees_name(t, EXPR_LOCAL, "v", params[0], 0);
  const Expr *r = trees_name(t, EXPR_VAR, "r", t->records, TREES_RECORDS);
  const Expr *first = expr_index(&t->arena, trees_place(t), r, number(t, 1));
  const Expr *p = expr_field(&t->arena, trees_place(t), first, type_field(t->record, "p"));
  const Expr *x = trees_name(t, EXPR_CLOCK, "x", type_clock(&t->arena), 1);
  Stmt *body = trees_stmt(t, STMT_ASSIGN, p, NULL, v);
  body->next = trees_stmt(t, STMT_CLOCK_ASSIGN, x, NULL, v);
  *f = (Function){"f3", type_void(&t->arena), params, 1, 1, body, 3};
}

static void make_all(Trees *t) {
  t->arena = (Arena){.mem = &t->mem};
  make_types(t, &t->arena);
  make_branching(t, &t->functions[0]);
  make_looping(t, &t->functions[1]);
  make_copying(t, &t->functions[2]);
  make_changing(t, &t->functions[3]);
  for (uint32_t k = 0; k < TREES_FUNCTIONS; k++)
    t->codes[k] = code_function(&t->arena, &t->functions[k]);
}

void trees_init(Trees *t, uint64_t seed) {
  *t = (Trees){.source = {.name = "test", .text = ""}};
  random_seed(&t->random, seed);
  make_all(t);
  vm_init(&t->vm, &t->mem);
  t->vm.slot_min = t->slot_min;
  t->vm.slot_max = t->slot_max;
  t->vm.functions = t->codes;
}

void trees_clear(Trees *t) {
  arena_release(&t->arena);
  t->places = 0;
  make_all(t);
}

void trees_release(Trees *t) {
  vm_release(&t->vm);
  arena_release(&t->arena);
}

void trees_state(Trees *t, int32_t *state) {
  for (uint32_t k = 0; k < TREES_SLOTS; k++) {
    int32_t min = t->slot_min[k], max = t->slot_max[k];
    if (max - (int64_t)min > 200 && below(t, 2)) // also small values of large ranges
      state[k] = random_between(&t->random, -9, 9);
    else
      state[k] = (int32_t)(min + (int64_t)(random_next(&t->random) %
                                           (uint64_t)((int64_t)max - min + 1)));
  }
}

static const Expr *make_number(Trees *t) {
  static const int32_t special[] = {INT32_MIN, INT32_MAX, -1, 0, 1, 31, 32, 65536};
  return number(t, below(t, 6) ? random_between(&t->random, -4, 8) : special[below(t, 8)]);
}

static const Expr *make_bound(Trees *t) {
  static const char *const names[] = {"i", "j", "h"};
  uint32_t k = below(t, t->nesting);
  return trees_name(t, EXPR_LOCAL, names[k], t->integers[0], TREES_BOUND + k);
}

// Indices are mostly, but not always, in range.
static const Expr *make_index(Trees *t, int first, int count, int depth) {
  if (below(t, 4) == 0)
    return depth > 0 ? trees_int(t, depth - 1) : make_number(t);
  if (below(t, 2))
    return number(t, random_between(&t->random, first, first + count - 1));
  const Expr *v = trees_name(t, EXPR_VAR, "v0", t->integers[0], 0);
  return binary(t, EXPR_ADD, binary(t, EXPR_MOD, v, number(t, count)), number(t, first));
}

static const Expr *make_record(Trees *t, int depth) {
  const Expr *r = trees_name(t, EXPR_VAR, "r", t->records, TREES_RECORDS);
  return expr_index(&t->arena, trees_place(t), r, make_index(t, 1, 2, depth));
}

static const Expr *make_storage(Trees *t, int depth) {
  static const char *const names[] = {"v0", "v1", "v2", "v3"};
  const Expr *e;
  uint32_t k = below(t, 4);
  switch (below(t, 7)) {
  case 0:
    e = trees_name(t, EXPR_VAR, "a", t->array, TREES_ARRAY);
    return expr_index(&t->arena, trees_place(t), e, make_index(t, 0, 6, depth));
  case 1:
    e = make_record(t, depth);
    return expr_field(&t->arena, trees_place(t), e, &t->record->fields[0]);
  case 2:
    e = make_record(t, depth);
    e = expr_field(&t->arena, trees_place(t), e, &t->record->fields[1]);
    return expr_index(&t->arena, trees_place(t), e, make_index(t, -1, 2, depth));
  case 3:
    e = trees_name(t, EXPR_LOCAL, "k", t->locals, 2);
    return expr_index(&t->arena, trees_place(t), e, make_index(t, 0, 3, depth));
  case 4:
    if (below(t, 2))
      return trees_name(t, EXPR_LOCAL, "n", t->digit, 5);
    return trees_name(t, EXPR_LOCAL, k % 2 ? "m" : "l", t->integers[3], k % 2);
  default:
    return trees_name(t, EXPR_VAR, names[k], t->integers[k], k);
  }
}

static const Expr *make_quantifier(Trees *t, ExprKind kind, int depth, bool guard) {
  uint32_t local = TREES_BOUND + t->nesting;
  if (t->nesting == 3)
    return make_number(t);
  int low = random_between(&t->random, 0, 2), high = random_between(&t->random, 0, 5);
  t->nesting++;
  const Expr *body = guard              ? trees_guard(t, depth - 1)
                     : kind == EXPR_SUM ? trees_int(t, depth - 1)
                                        : trees_condition(t, depth - 1);
  t->nesting--;
  return expr_quantifier(&t->arena, trees_place(t), kind, local, low, high, body);
}

static const Expr *make_call(Trees *t, int depth) {
  const Function *f = &t->functions[below(t, 3)];
  const Expr *args[2] = {trees_int(t, depth - 1), NULL};
  if (f->id == 1) // not for long
    args[0] = binary(t, EXPR_MOD, args[0], number(t, 20));
  if (f->id == 2)
    args[0] = make_record(t, depth - 1);
  args[1] = trees_int(t, depth - 1);
  return expr_call(&t->arena, trees_place(t), f, args);
}

const Expr *trees_int(Trees *t, int depth) {
  if (depth <= 0 || below(t, 8) == 0)
    return below(t, 3) == 0            ? make_number(t)
           : t->nesting && below(t, 3) ? make_bound(t)
                                       : make_storage(t, depth);
  switch (below(t, 12)) {
  case 0:
    return make_call(t, depth);
  case 1:
    return make_quantifier(t, EXPR_SUM, depth, false);
  case 2:
    return expr_unary(&t->arena, trees_place(t), EXPR_NEG, trees_int(t, depth - 1));
  case 3:
    return trees_condition(t, depth - 1);
  case 4: {
    const Expr *a = trees_condition(t, depth - 1), *b = trees_int(t, depth - 1);
    return expr_cond(&t->arena, trees_place(t), a, b, trees_int(t, depth - 1));
  }
  default: {
    ExprKind kind = EXPR_ADD + (ExprKind)below(t, EXPR_SHR - EXPR_ADD + 1);
    const Expr *a = trees_int(t, depth - 1);
    return binary(t, kind, a, trees_int(t, depth - 1));
  }
  }
}

static const Expr *make_at(Trees *t) {
  static const char *const names[] = {"P.A", "P.B", "P.C", "P.D"};
  uint32_t k = below(t, 4);
  return expr_at(&t->arena, trees_place(t), names[k], TREES_LOCATION, (int32_t)k);
}

const Expr *trees_condition(Trees *t, int depth) {
  const Expr *a;
  ExprKind kind;
  if (depth <= 0 || below(t, 8) == 0) {
    if (below(t, 5) == 0)
      return make_at(t);
    kind = EXPR_EQ + (ExprKind)below(t, 6);
    a = trees_int(t, 0);
    return binary(t, kind, a, trees_int(t, 0));
  }
  switch (below(t, 8)) {
  case 0:
    return expr_unary(&t->arena, trees_place(t), EXPR_NOT, trees_condition(t, depth - 1));
  case 1:
    return make_quantifier(t, below(t, 2) ? EXPR_FORALL : EXPR_EXISTS, depth, false);
  case 2:
    return trees_int(t, depth - 1);
  case 3:
    kind = EXPR_EQ + (ExprKind)below(t, 6);
    a = trees_int(t, depth - 1);
    return binary(t, kind, a, trees_int(t, depth - 1));
  default:
    kind = below(t, 2) ? EXPR_AND : EXPR_OR;
    a = trees_condition(t, depth - 1);
    return binary(t, kind, a, trees_condition(t, depth - 1));
  }
}

const Expr *trees_clock(Trees *t, int depth) {
  const Type *clock = type_clock(&t->arena);
  switch (below(t, 3)) {
  case 0:
    return trees_name(t, EXPR_CLOCK, "x", clock, 1);
  case 1:
    return trees_name(t, EXPR_CLOCK, "y", clock, 2);
  default: {
    const Expr *z = trees_name(t, EXPR_CLOCK, "z", t->clocks, 3);
    return expr_index(&t->arena, trees_place(t), z, make_index(t, 0, 3, depth));
  }
  }
}

static const Expr *make_clock_test(Trees *t, int depth) {
  static const ExprKind ops[] = {EXPR_EQ, EXPR_LT, EXPR_LE, EXPR_GT, EXPR_GE};
  const Expr *x = trees_clock(t, depth), *y = below(t, 3) ? NULL : trees_clock(t, depth);
  const Expr *bound = number(t, random_between(&t->random, -3, 9));
  if (below(t, 2))
    bound = below(t, 2) ? trees_int(t, 0) : trees_int(t, depth);
  return expr_clock_test(&t->arena, trees_place(t), x, y, ops[below(t, 5)], bound);
}

const Expr *trees_guard(Trees *t, int depth) {
  const Expr *a;
  switch (depth <= 0 ? 0 : below(t, 10)) {
  case 0:
  case 1:
    return make_clock_test(t, depth);
  case 2:
    return make_quantifier(t, EXPR_FORALL, depth, true);
  case 3:
    a = trees_condition(t, depth - 1);
    return binary(t, EXPR_OR, a, trees_guard(t, depth - 1));
  case 4:
    a = trees_guard(t, depth - 1);
    return binary(t, EXPR_OR, a, trees_condition(t, depth - 1));
  case 5: {
    a = trees_condition(t, depth - 1);
    const Expr *b = trees_guard(t, depth - 1);
    return expr_cond(&t->arena, trees_place(t), a, b, trees_guard(t, depth - 1));
  }
  case 6:
    return trees_condition(t, depth - 1);
  default:
    a = trees_guard(t, depth - 1);
    return binary(t, EXPR_AND, a, trees_guard(t, depth - 1));
  }
}

// i = 0; while i < limit do body; i = i + 1 end, for a local i that the body may change too.
static Stmt *make_loop(Trees *t, int depth, Stmt **last) {
  const Expr *l = trees_name(t, EXPR_LOCAL, "l", t->integers[3], 0);
  Stmt *start = trees_stmt(t, STMT_LOCAL, l, NULL, below(t, 2) ? number(t, 1) : NULL);
  const Expr *bounded = binary(t, EXPR_LT, l, number(t, (int32_t)below(t, 9)));
  Stmt *loop = trees_stmt(t, STMT_WHILE, NULL, NULL,
                          binary(t, EXPR_AND, bounded, trees_condition(t, depth - 1)));
  Stmt *step = trees_stmt(t, STMT_ASSIGN, l, NULL, binary(t, EXPR_ADD, l, number(t, 1)));
  step->next = trees_stmts(t, depth - 1);
  loop->body = step;
  start->next = *last = loop;
  return start;
}

static Stmt *make_assign(Trees *t, int depth) {
  const Expr *target, *value;
  if (below(t, 6) == 0) { // a whole struct or array
    bool record = below(t, 2);
    target = record ? make_record(t, depth)
                    : expr_field(&t->arena, trees_place(t), make_record(t, depth),
                                 &t->record->fields[1]);
    value = record ? make_record(t, depth)
                   : expr_field(&t->arena, trees_place(t), make_record(t, depth),
                                &t->record->fields[1]);
    return trees_stmt(t, STMT_ASSIGN, target, NULL, value);
  }
  target = make_storage(t, depth);
  value = trees_int(t, depth);
  if (below(t, 2)) // often in range
    value = binary(t, EXPR_MOD, value, number(t, 5));
  return trees_stmt(t, STMT_ASSIGN, target, NULL, value);
}

static Stmt *make_simple(Trees *t, int depth) {
  const Expr *value;
  Stmt *stmt;
  switch (below(t, 9)) {
  case 0:
    return trees_stmt(t, STMT_NOP, NULL, NULL, NULL);
  case 1:
  case 2:
    value = below(t, 3) ? trees_int(t, depth) : NULL;
    stmt = trees_stmt(t, STMT_CLOCK_ASSIGN, trees_clock(t, depth), NULL, value);
    stmt->source = below(t, 3) ? NULL : trees_clock(t, depth);
    return stmt;
  case 3:
    stmt = trees_stmt(t, STMT_IF, NULL, NULL, trees_condition(t, depth));
    stmt->body = trees_stmts(t, depth - 1);
    stmt->other = below(t, 2) ? trees_stmts(t, depth - 1) : NULL;
    return stmt;
  case 4:
    value = trees_int(t, depth);
    value = expr_call(&t->arena, trees_place(t), &t->functions[3], &value);
    return trees_stmt(t, STMT_CALL, NULL, NULL, value);
  case 5:
    if (below(t, 2))
      return trees_stmt(t, STMT_LOCAL, trees_name(t, EXPR_LOCAL, "k", t->locals, 2), NULL, NULL);
    return trees_stmt(t, STMT_LOCAL, trees_name(t, EXPR_LOCAL, "n", t->digit, 5), NULL,
                      trees_int(t, depth));
  default:
    return make_assign(t, depth);
  }
}

const Stmt *trees_stmts(Trees *t, int depth) {
  const Stmt *first = NULL;
  for (uint32_t count = below(t, 4); count > 0; count--) {
    bool loop = depth > 0 && below(t, 9) == 0;
    Stmt *last = NULL;
    Stmt *stmt = loop ? make_loop(t, depth, &last) : make_simple(t, depth);
    (loop ? last : stmt)->next = first;
    first = stmt;
  }
  return first;
}
