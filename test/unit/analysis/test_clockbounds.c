#include "nets.h"

#include "analysis/clockbounds.h"

enum { NONE = CLOCK_UNBOUNDED };

// The bounds of one process's location on a clock.
static ClockBound bound_at(const ClockBounds *bounds, LocationId location, ClockIndex clock) {
  const ClockBoundList *list = &bounds->by_location[location];
  for (uint32_t i = 0; i < list->size; i++)
    if (list->items[i].clock == clock)
      return list->items[i];
  return (ClockBound){clock, NONE, NONE};
}

static void expect(const ClockBounds *bounds, LocationId location, ClockIndex clock,
                   int32_t lower, int32_t upper) {
  const ClockBound bound = bound_at(bounds, location, clock);
  if (bound.lower != lower || bound.upper != upper)
    fail_msg("location %u, clock %u: %lld, %lld instead of %d, %d", location, clock,
             (long long)bound.lower, (long long)bound.upper, (int)lower, (int)upper);
}

static ClockBounds compute(Fixture *f, const Goal *goal) {
  ClockBounds bounds;
  fixture_finish(f);
  if (!clockbounds_compute(&bounds, &f->arena, &f->net, goal, &f->report))
    fail_msg("%s", text_chars(&f->report.error));
  return bounds;
}

// A chain of locations 0 .. count-1 of one process, each edge without guard or update.
static void add_chain(Fixture *f, uint32_t count) {
  const EventId e = net_add_event(&f->net, "e", NOWHERE);
  const ProcessId p = net_add_process(&f->net, "P", NOWHERE);
  for (uint32_t i = 0; i < count; i++)
    add_location(f, p, "l", i == 0);
  for (uint32_t i = 0; i + 1 < count; i++)
    add_edge(f, i, i + 1, e);
}

// A process of Fischer's protocol, see models/fischer.tck: A, req (x <= 10), wait, cs.
static void test_fischer(void **unused) {
  (void)unused;
  Fixture f;
  fixture_init(&f);
  const ClockIndex x = net_add_clocks(&f.net, "x", 1, NOWHERE);
  add_chain(&f, 4);
  f.net.edges.items[0].update_stmts = reset_clock(&f, x);
  f.net.edges.items[1].guard_expr = test_clock(&f, x, EXPR_LE, 10);
  f.net.edges.items[1].update_stmts = reset_clock(&f, x);
  f.net.edges.items[2].guard_expr = test_clock(&f, x, EXPR_GT, 10);
  add_edge(&f, 2, 1, 0)->update_stmts = reset_clock(&f, x);
  add_edge(&f, 3, 0, 0);
  f.net.locations.items[1].invariant_expr = test_clock(&f, x, EXPR_LE, 10);
  const ClockBounds bounds = compute(&f, NULL);
  expect(&bounds, 0, x, NONE, NONE);
  expect(&bounds, 1, x, NONE, 10);
  expect(&bounds, 2, x, 10, NONE);
  expect(&bounds, 3, x, NONE, NONE);
  assert_int_equal(bounds.by_location[0].size, 0);
  assert_int_equal(bounds.global_lower[x], 10);
  assert_int_equal(bounds.global_upper[x], 10);
  assert_int_equal(bounds.goal_lower[x], NONE);
  assert_int_equal(bounds.global_lower[0], 0);
  int32_t lower[2], upper[2];
  clockbounds_of_state(&bounds, &f.net, &(int32_t){2}, lower, upper);
  assert_int_equal(lower[0], 0);
  assert_int_equal(upper[0], 0);
  assert_int_equal(lower[1], 10);
  assert_int_equal(upper[1], NONE);
  fixture_release(&f);
}

// What a test asks for, by operator, also with a bound that varies.
static void test_tests(void **unused) {
  (void)unused;
  Fixture f;
  fixture_init(&f);
  const ClockIndex x = net_add_clocks(&f.net, "x", 9, NOWHERE);
  const uint32_t v = add_int(&f, "v", -3, 5, 0);
  const uint32_t big = add_int(&f, "big", 0, INT32_MAX, 0);
  const ExprKind ops[] = {EXPR_LT, EXPR_LE, EXPR_EQ, EXPR_GE, EXPR_GT};
  const Expr *guard = NULL;
  for (uint32_t i = 0; i < 5; i++)
    guard = conjunction(&f, guard, test_clock(&f, x + i, ops[i], (int32_t)i + 1));
  guard = conjunction(&f, guard, test_of(&f, clock_at(&f, x + 5), NULL, EXPR_LE, var(&f, v)));
  guard = conjunction(&f, guard, test_of(&f, clock_at(&f, x + 6), NULL, EXPR_GE, var(&f, big)));
  guard = conjunction(&f, guard, test_clock(&f, x + 7, EXPR_GE, -4));
  guard = conjunction(&f, guard,
                      test_of(&f, clock_at(&f, x), clock_at(&f, x + 8), EXPR_LT, num(&f, -7)));
  add_chain(&f, 2);
  f.net.edges.items[0].guard_expr = guard;
  add_edge(&f, 0, 0, f.net.edges.items[0].event)->update_stmts = // all values from 0 on
      then(set_int(&f, var(&f, v), var(&f, big)), set_int(&f, var(&f, big), num(&f, INT32_MAX)));
  const ClockBounds bounds = compute(&f, NULL);
  expect(&bounds, 0, x, 7, 7); // the diagonal
  expect(&bounds, 0, x + 1, NONE, 2);
  expect(&bounds, 0, x + 2, 3, 3);
  expect(&bounds, 0, x + 3, 4, NONE);
  expect(&bounds, 0, x + 4, 5, NONE);
  expect(&bounds, 0, x + 5, NONE, 5);
  expect(&bounds, 0, x + 6, NET_MAX_CONSTANT, NONE);
  expect(&bounds, 0, x + 7, 0, NONE);
  expect(&bounds, 0, x + 8, 7, 7);
  assert_int_equal(bounds.by_location[1].size, 0);
  fixture_release(&f);
}

static const Expr *element(Fixture *f, ClockIndex base, uint32_t count, const Expr *index) {
  const Type *type = type_array(&f->net.arena, type_clock(&f->net.arena), 0, count);
  const Expr *array = expr_storage(&f->net.arena, NOWHERE, EXPR_CLOCK, "x", type, base);
  return expr_index(&f->net.arena, NOWHERE, array, index);
}

// An index that varies: all in its range count, none is surely assigned.
static void test_arrays(void **unused) {
  (void)unused;
  Fixture f;
  fixture_init(&f);
  const ClockIndex x = net_add_clocks(&f.net, "x", 4, NOWHERE);
  const uint32_t v = add_int(&f, "v", 1, 2, 1);
  add_chain(&f, 5);
  const Expr *some = element(&f, x, 4, var(&f, v));
  f.net.edges.items[3].guard_expr = test_of(&f, some, NULL, EXPR_LE, num(&f, 6));
  f.net.edges.items[2].update_stmts = set_clock(&f, element(&f, x, 4, num(&f, 1)), NULL, NULL);
  f.net.edges.items[1].update_stmts = set_clock(&f, some, NULL, NULL);
  f.net.edges.items[0].update_stmts = set_clock(&f, clock_at(&f, x + 2), clock_at(&f, x), NULL);
  const ClockBounds bounds = compute(&f, NULL);
  expect(&bounds, 3, x, NONE, NONE);
  expect(&bounds, 3, x + 1, NONE, 6);
  expect(&bounds, 3, x + 2, NONE, 6);
  expect(&bounds, 3, x + 3, NONE, NONE);
  expect(&bounds, 2, x + 1, NONE, NONE);
  expect(&bounds, 2, x + 2, NONE, 6);
  expect(&bounds, 1, x + 1, NONE, NONE);
  expect(&bounds, 1, x + 2, NONE, 6);
  expect(&bounds, 0, x + 2, NONE, NONE);
  expect(&bounds, 0, x, NONE, 6);
  fixture_release(&f);
}

static Stmt *compound(Fixture *f, StmtKind kind, const Stmt *body, const Stmt *other) {
  Stmt *stmt = new_stmt(f, kind);
  stmt->value = var(f, 0);
  stmt->body = body;
  stmt->other = other;
  return stmt;
}

// if, while, functions: location 0 has the bounds before the update, x[0] <= 9 is tested after.
static void expect_before(Stmt *(*update)(Fixture *, ClockIndex x), const int32_t *upper) {
  Fixture f;
  fixture_init(&f);
  const ClockIndex x = net_add_clocks(&f.net, "x", 4, NOWHERE);
  add_int(&f, "v", 0, 1, 0);
  add_chain(&f, 3);
  f.net.edges.items[0].update_stmts = update(&f, x);
  f.net.edges.items[1].guard_expr = test_clock(&f, x, EXPR_LE, 9);
  const ClockBounds bounds = compute(&f, NULL);
  for (uint32_t i = 0; i < 4; i++)
    expect(&bounds, 0, x + i, NONE, upper[i]);
  fixture_release(&f);
}

static Stmt *copy(Fixture *f, ClockIndex x, ClockIndex y, int32_t addend) {
  return set_clock(f, clock_at(f, x), clock_at(f, y), num(f, addend));
}

static Stmt *update_sequence(Fixture *f, ClockIndex x) {
  return then(copy(f, x + 1, x + 2, 2), then(copy(f, x, x + 1, 3), reset_clock(f, x + 1)));
}

static Stmt *update_if(Fixture *f, ClockIndex x) {
  return compound(f, STMT_IF, reset_clock(f, x), NULL);
}

static Stmt *update_both(Fixture *f, ClockIndex x) {
  return compound(f, STMT_IF, reset_clock(f, x), copy(f, x, x + 3, 1));
}

static Stmt *update_while(Fixture *f, ClockIndex x) { // x gets y, y gets z
  Stmt *body = then(copy(f, x, x + 1, 1), copy(f, x + 1, x + 2, 1));
  return compound(f, STMT_WHILE, body, NULL);
}

static Expr *call(Fixture *f, const Stmt *body) {
  Function *function = ARENA_NEW(&f->net.arena, Function);
  function->name = "f";
  function->result = type_int(&f->net.arena, 0, 1);
  function->body = body;
  function->id = f->net.functions.size;
  vec_push(&f->mem, &f->net.functions, (const Function *)function);
  return expr_call(&f->net.arena, NOWHERE, function, NULL);
}

static Stmt *return_stmt(Fixture *f) {
  Stmt *stmt = new_stmt(f, STMT_RETURN);
  stmt->value = num(f, 0);
  return stmt;
}

static Stmt *update_call(Fixture *f, ClockIndex x) { // returns early or makes the copy
  Stmt *branch = compound(f, STMT_IF, return_stmt(f), NULL);
  Stmt *stmt = new_stmt(f, STMT_CALL);
  stmt->value = call(f, then(branch, then(copy(f, x, x + 2, 0), return_stmt(f))));
  return then(stmt, new_stmt(f, STMT_NOP));
}

static Stmt *update_may_call(Fixture *f, ClockIndex x) { // v = f() + g(), order unknown
  const Expr *first = call(f, then(copy(f, x + 1, x + 2, 0), return_stmt(f)));
  const Expr *second = call(f, then(copy(f, x, x + 1, 0), return_stmt(f)));
  return set_int(f, var(f, 0), binary(f, EXPR_ADD, first, second));
}

static void test_statements(void **unused) {
  (void)unused;
  expect_before(update_sequence, (int32_t[]){NONE, NONE, 4, NONE});
  expect_before(update_if, (int32_t[]){9, NONE, NONE, NONE});
  expect_before(update_both, (int32_t[]){NONE, NONE, NONE, 8});
  expect_before(update_while, (int32_t[]){9, 8, 7, NONE});
  expect_before(update_call, (int32_t[]){9, NONE, 9, NONE});
  expect_before(update_may_call, (int32_t[]){9, 9, 9, NONE});
}

// x := y by P: tests of x by Q, wherever it is, and by the goal make y matter to P before.
static void test_foreign(void **unused) {
  (void)unused;
  Fixture f;
  fixture_init(&f);
  const ClockIndex x = net_add_clocks(&f.net, "x", 3, NOWHERE);
  add_chain(&f, 3);
  f.net.edges.items[1].update_stmts = copy(&f, x, x + 1, 2);
  const ProcessId q = net_add_process(&f.net, "Q", NOWHERE);
  const LocationId q0 = add_location(&f, q, "q0", true), q1 = add_location(&f, q, "q1", false);
  add_edge(&f, q0, q1, 0);
  add_edge(&f, q1, q1, 0)->guard_expr = test_clock(&f, x, EXPR_GE, 7);
  add_edge(&f, q1, q0, 0)->update_stmts = reset_clock(&f, x);
  const Guard clause = {.expr = test_clock(&f, x, EXPR_LE, 20)};
  const Goal goal = {.clauses = &clause, .clause_count = 1};
  const ClockBounds bounds = compute(&f, &goal);
  expect(&bounds, q0, x, 7, NONE);
  expect(&bounds, q1, x, 7, NONE);
  expect(&bounds, q0, x + 1, NONE, NONE);
  expect(&bounds, 2, x + 1, NONE, NONE);
  expect(&bounds, 1, x + 1, 5, 18);
  expect(&bounds, 0, x + 1, 5, 18);
  expect(&bounds, 0, x, NONE, NONE);
  assert_int_equal(bounds.goal_upper[x], 20);
  assert_int_equal(bounds.goal_upper[x + 1], NONE);
  assert_int_equal(bounds.global_upper[x], 20);
  assert_int_equal(bounds.global_lower[x], 7);
  assert_int_equal(bounds.global_upper[x + 1], 18);
  int32_t lower[4], upper[4];
  clockbounds_of_state(&bounds, &f.net, (int32_t[]){2, 0}, lower, upper);
  assert_int_equal(lower[x], 7);
  assert_int_equal(upper[x], 20);
  assert_int_equal(upper[x + 1], NONE);
  // Cut at the goal's test, x <= 20, a zone has x > 20, too.
  ClockBounds cut;
  assert_true(clockbounds_compute_cut(&cut, &f.arena, &f.net, &goal, NULL, &f.report));
  expect(&cut, 1, x + 1, 18, 18);
  expect(&cut, q0, x, 7, NONE);
  assert_int_equal(cut.goal_lower[x], 20);
  assert_int_equal(cut.goal_upper[x], 20);
  fixture_release(&f);
}

// x := x + c by P leaves the tests of x by Q to Q.
static void test_shift(void **unused) {
  (void)unused;
  for (int32_t addend = 0; addend <= 9; addend += 3) {
    Fixture f;
    fixture_init(&f);
    const ClockIndex x = net_add_clocks(&f.net, "x", 2, NOWHERE);
    add_chain(&f, 3);
    f.net.edges.items[0].update_stmts = then(copy(&f, x, x, addend), copy(&f, x + 1, x + 1, 2));
    f.net.edges.items[1].guard_expr = test_clock(&f, x + 1, EXPR_GE, addend);
    const ProcessId q = net_add_process(&f.net, "Q", NOWHERE);
    const LocationId q0 = add_location(&f, q, "q0", true), q1 = add_location(&f, q, "q1", false);
    add_edge(&f, q1, q0, 0)->guard_expr = test_clock(&f, x, EXPR_LE, 7);
    const ClockBounds bounds = compute(&f, NULL);
    expect(&bounds, 0, x, NONE, NONE);
    expect(&bounds, 0, x + 1, addend < 2 ? 0 : addend - 2, NONE);
    expect(&bounds, q0, x, NONE, NONE);
    expect(&bounds, q1, x, NONE, 7);
    fixture_release(&f);
  }
}

// x := y - c: fine on a path, an error on a cycle, however small c is.
static void test_endless(void **unused) {
  (void)unused;
  for (int cyclic = 0; cyclic < 3; cyclic++) {
    Fixture f;
    fixture_init(&f);
    const ClockIndex x = net_add_clocks(&f.net, "x", 2, NOWHERE);
    add_chain(&f, 3);
    f.net.edges.items[0].update_stmts = copy(&f, x, x + 1, -1);
    f.net.edges.items[1].guard_expr = test_clock(&f, x, EXPR_LE, 60000000);
    Stmt *back = copy(&f, x + 1, x, cyclic == 1 ? 0 : 1);
    if (cyclic) // with -1 and +1 nothing grows
      add_edge(&f, 1, 0, 0)->update_stmts = back;
    fixture_finish(&f);
    ClockBounds bounds;
    const bool exists = clockbounds_compute(&bounds, &f.arena, &f.net, NULL, &f.report);
    assert_int_equal(exists, cyclic != 1);
    if (exists)
      expect(&bounds, 0, x + 1, 1, 60000001);
    else
      assert_non_null(strstr(text_chars(&f.report.error), "matter without bound"));
    fixture_release(&f);
  }
}

// The literal fixpoint for processes whose updates are plain lists, by forward substitution:
// after an update each clock is a constant or another clock plus addends.
enum { MAX_PROCESSES = 3, MAX_LOCATIONS = 12, MAX_CLOCKS = 4, ENDLESS = 400 };

typedef struct Naive {
  const Net *net;
  int32_t table[MAX_LOCATIONS][MAX_CLOCKS + 1][2]; // lower, upper
  int32_t goal[MAX_CLOCKS + 1][2];
  bool changed;
} Naive;

typedef struct Term { // addends first to last
  bool assigned;
  bool moved;        // not just x := x + c with c >= 0
  ClockIndex source; // 0: a constant
  int32_t addends[8];
  uint32_t count;
} Term;

static void naive_raise(Naive *naive, int32_t *value, int32_t by) {
  if (by > *value) {
    *value = by;
    naive->changed = true;
  }
}

static void naive_test(void *context, const Expr *test) {
  int32_t(*row)[2] = context;
  const int32_t value = test->c->value > 0 ? test->c->value : 0;
  int32_t *levels = row[test->a->base];
  if (test->op != EXPR_LT && test->op != EXPR_LE && levels[0] < value)
    levels[0] = value;
  if (test->op != EXPR_GT && test->op != EXPR_GE && levels[1] < value)
    levels[1] = value;
}

// A level of the clock that a term stands for, at the source of the edge.
static void naive_move(Naive *naive, const Edge *edge, const Term *term, int side,
                       int32_t value) {
  if (value == NONE || (term->assigned && !term->source))
    return;
  for (uint32_t k = term->count; k-- > 0;)
    value = value > term->addends[k] ? value - term->addends[k] : 0;
  naive_raise(naive, &naive->table[edge->source][term->source][side], value);
}

// x := y - c also asks whether y >= c.
static void substitute(Naive *naive, const Edge *edge, Term *terms) {
  for (ClockIndex x = 0; x <= MAX_CLOCKS; x++)
    terms[x] = (Term){.source = x};
  for (const Stmt *stmt = edge->update_stmts; stmt; stmt = stmt->next) {
    for (int side = 0; stmt->source && stmt->value && stmt->value->value < 0 && side < 2; side++)
      naive_move(naive, edge, &terms[stmt->source->base], side, -stmt->value->value);
    Term *target = &terms[stmt->target->base];
    const bool in_place = stmt->source && stmt->source->base == stmt->target->base &&
                          (!stmt->value || stmt->value->value >= 0);
    *target = stmt->source ? terms[stmt->source->base] : (Term){0};
    target->assigned = true;
    target->moved |= !in_place;
    if (stmt->source && stmt->value)
      target->addends[target->count++] = stmt->value->value;
  }
}

static int32_t naive_foreign(const Naive *naive, ProcessId p, ClockIndex x, int side) {
  int32_t max = naive->goal[x][side];
  for (LocationId l = 0; l < naive->net->locations.size; l++)
    if (naive->net->locations.items[l].process != p && naive->table[l][x][side] > max)
      max = naive->table[l][x][side];
  return max;
}

static void naive_edge(Naive *naive, const Edge *edge) {
  Term terms[MAX_CLOCKS + 1];
  substitute(naive, edge, terms);
  for (ClockIndex x = 1; x <= naive->net->clock_count; x++)
    for (int side = 0; side < 2; side++) {
      const Term *term = &terms[x];
      int32_t value = naive->table[edge->target][x][side];
      const int32_t foreign = naive_foreign(naive, edge->process, x, side);
      if (term->moved && foreign > value)
        value = foreign;
      naive_move(naive, edge, term, side, value);
    }
}

// False if there is no fixpoint.
static bool naive_solve(Naive *naive, const Net *net, const Goal *goal) {
  naive->net = net;
  for (ClockIndex x = 0; x <= MAX_CLOCKS; x++) {
    naive->goal[x][0] = naive->goal[x][1] = NONE;
    for (LocationId l = 0; l < MAX_LOCATIONS; l++)
      naive->table[l][x][0] = naive->table[l][x][1] = NONE;
  }
  clockuse_tests(goal->clauses[0].expr, naive_test, naive->goal);
  for (LocationId l = 0; l < net->locations.size; l++)
    clockuse_tests(net->locations.items[l].invariant_expr, naive_test, naive->table[l]);
  for (EdgeId i = 0; i < net->edges.size; i++)
    clockuse_tests(net->edges.items[i].guard_expr, naive_test,
                   naive->table[net->edges.items[i].source]);
  do {
    naive->changed = false;
    for (EdgeId i = 0; i < net->edges.size; i++)
      naive_edge(naive, &net->edges.items[i]);
    for (LocationId l = 0; l < net->locations.size; l++)
      for (ClockIndex x = 1; x <= net->clock_count; x++)
        if (naive->table[l][x][0] > ENDLESS || naive->table[l][x][1] > ENDLESS)
          return false;
  } while (naive->changed);
  return true;
}

static const Expr *random_tests(Fixture *f, Random *random, uint32_t max) {
  const Expr *expr = NULL;
  for (uint32_t k = random_below(random, max + 1); k > 0; k--)
    expr = conjunction(f, expr,
                       test_clock(f, 1 + random_below(random, f->net.clock_count),
                                  (ExprKind[]){EXPR_LT, EXPR_LE, EXPR_EQ, EXPR_GE,
                                               EXPR_GT}[random_below(random, 5)],
                                  random_between(random, -2, 20)));
  return expr;
}

static Stmt *random_update(Fixture *f, Random *random, uint32_t copies, int32_t least) {
  Stmt *list = NULL;
  for (uint32_t k = random_below(random, 4); k > 0; k--) {
    const ClockIndex x = 1 + random_below(random, f->net.clock_count);
    const ClockIndex y = 1 + random_below(random, f->net.clock_count);
    Stmt *stmt = random_below(random, 4) < copies
                     ? copy(f, x, y, random_between(random, least, 3))
                     : reset_clock(f, x);
    if (stmt->source && random_below(random, 3) == 0)
      stmt->value = NULL;
    list = then(stmt, list);
  }
  return list;
}

static void random_net(Fixture *f, Random *random) {
  net_add_clocks(&f->net, "x", 1 + random_below(random, MAX_CLOCKS), NOWHERE);
  net_add_event(&f->net, "e", NOWHERE);
  const uint32_t processes = 1 + random_below(random, MAX_PROCESSES);
  const uint32_t rows = 1 + random_below(random, MAX_LOCATIONS / MAX_PROCESSES);
  for (uint32_t p = 0; p < processes; p++)
    net_add_process(&f->net, "P", NOWHERE);
  for (LocationId l = 0; l < processes * rows; l++) {
    add_location(f, l % processes, "l", true);
    if (random_below(random, 3) == 0)
      f->net.locations.items[l].invariant_expr = random_tests(f, random, 1);
  }
  const uint32_t copies = random_below(random, 4);
  const int32_t least = random_between(random, -2, 1);
  for (uint32_t k = random_below(random, 4 * processes * rows); k > 0; k--) {
    const LocationId source = random_below(random, processes * rows);
    const LocationId target = source % processes + processes * random_below(random, rows);
    Edge *edge = add_edge(f, source, target, 0);
    edge->guard_expr = random_tests(f, random, 2);
    edge->update_stmts = random_update(f, random, copies, least);
  }
}

static void compare(Fixture *f, Random *random, const ClockBounds *bounds, const Naive *naive) {
  const Net *net = &f->net;
  for (LocationId l = 0; l < net->locations.size; l++)
    for (ClockIndex x = 1; x <= net->clock_count; x++)
      expect(bounds, l, x, naive->table[l][x][0], naive->table[l][x][1]);
  int32_t state[MAX_PROCESSES], lower[MAX_CLOCKS + 1], upper[MAX_CLOCKS + 1];
  for (ProcessId p = 0; p < net->processes.size; p++)
    state[p] = random_between(random, 0, net->slots.max[p]);
  clockbounds_of_state(bounds, net, state, lower, upper);
  assert_true(lower[0] == 0 && upper[0] == 0);
  for (ClockIndex x = 1; x <= net->clock_count; x++) {
    int32_t local[2] = {naive->goal[x][0], naive->goal[x][1]};
    int32_t global[2] = {naive->goal[x][0], naive->goal[x][1]};
    assert_int_equal(bounds->goal_lower[x], local[0]);
    assert_int_equal(bounds->goal_upper[x], local[1]);
    for (LocationId l = 0; l < net->locations.size; l++)
      for (int side = 0; side < 2; side++) {
        const Location *location = &net->locations.items[l];
        const int32_t value = naive->table[l][x][side];
        global[side] = value > global[side] ? value : global[side];
        if (location->index == (uint32_t)state[location->process] && value > local[side])
          local[side] = value;
      }
    assert_true(lower[x] == local[0] && upper[x] == local[1]);
    assert_int_equal(bounds->global_lower[x], global[0]);
    assert_int_equal(bounds->global_upper[x], global[1]);
  }
}

static void test_random(void **unused) {
  (void)unused;
  Random random;
  random_seed(&random, 7);
  int endless = 0;
  for (int round = 0; round < 6000; round++) {
    Fixture f;
    fixture_init(&f);
    random_net(&f, &random);
    const Guard clause = {.expr = random_tests(&f, &random, 2)};
    const Goal goal = {.clauses = &clause, .clause_count = 1};
    fixture_finish(&f);
    Naive naive;
    const bool exists = naive_solve(&naive, &f.net, &goal);
    ClockBounds bounds;
    assert_int_equal(clockbounds_compute(&bounds, &f.arena, &f.net, &goal, &f.report), exists);
    endless += !exists;
    if (exists)
      compare(&f, &random, &bounds, &naive);
    fixture_release(&f);
  }
  assert_true(endless > 100 && endless < 3000);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_fischer), cmocka_unit_test(test_tests),
      cmocka_unit_test(test_arrays),  cmocka_unit_test(test_statements),
      cmocka_unit_test(test_foreign), cmocka_unit_test(test_shift),
      cmocka_unit_test(test_endless), cmocka_unit_test(test_random),
  };
  return cmocka_run_group_tests_name("clockbounds", tests, NULL, NULL);
}
