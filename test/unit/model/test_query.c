#include "nets.h"

#include "model/query.h"

enum { CLOCKS = 3, LOCALS = 8 };

// A net with an array of three clocks, two variables and a process of three locations.
typedef struct Model {
  Fixture f;
  Random random;
  const Expr *clocks;
  uint32_t v, w;
} Model;

static void model_init(Model *m, uint64_t seed) {
  Fixture *f = &m->f;
  fixture_init(f);
  random_seed(&m->random, seed);
  const ClockIndex x = net_add_clocks(&f->net, "x", CLOCKS, NOWHERE);
  m->clocks =
      expr_storage(&f->net.arena, NOWHERE, EXPR_CLOCK, "x", f->net.clocks.items[0].type, x);
  m->v = add_int(f, "v", -1, 2, 0);
  m->w = add_int(f, "w", 0, 1, 0);
  const ProcessId p = net_add_process(&f->net, "P", NOWHERE);
  for (int i = 0; i < 3; i++)
    add_location(f, p, "l", i == 0);
  fixture_finish(f);
}

// Random formulas; `bound` locals are bound around them, each in 0 .. 2.

static const Expr *random_index(Model *m, uint32_t bound) {
  Arena *arena = &m->f.net.arena;
  if (!bound || random_below(&m->random, 2))
    return num(&m->f, random_between(&m->random, 0, CLOCKS - 1));
  return expr_storage(arena, NOWHERE, EXPR_LOCAL, "i", type_int(arena, 0, 2),
                      random_below(&m->random, bound));
}

static const Expr *random_clock(Model *m, uint32_t bound) {
  return expr_index(&m->f.net.arena, NOWHERE, m->clocks, random_index(m, bound));
}

static const Expr *random_atom(Model *m, uint32_t bound) {
  Fixture *f = &m->f;
  const ExprKind op = EXPR_EQ + random_below(&m->random, 6);
  const Expr *constant = num(f, random_between(&m->random, -2, 3));
  switch (random_below(&m->random, 7)) {
  case 0:
    return expr_at(&f->net.arena, NOWHERE, "P.l", f->net.location_slot,
                   random_between(&m->random, 0, 2));
  case 1:
    return binary(f, op, var(f, m->v), constant);
  case 2:
    return binary(f, op, random_index(m, bound), var(f, m->w));
  case 3:
    return test_of(f, random_clock(m, bound), random_clock(m, bound), op, constant);
  case 4:
    return test_of(f, random_clock(m, bound), NULL, op,
                   binary(f, EXPR_ADD, var(f, m->v), random_index(m, bound)));
  default:
    return test_of(f, random_clock(m, bound), NULL, op, constant);
  }
}

static const Expr *random_formula(Model *m, int depth, uint32_t bound) {
  Fixture *f = &m->f;
  const uint32_t kind = depth ? random_below(&m->random, 12) : 0;
  if (kind < 2)
    return random_atom(m, bound);
  if (kind < 3)
    return unary(f, EXPR_NOT, random_formula(m, depth - 1, bound));
  if (kind < 4 && bound < LOCALS)
    return expr_quantifier(
        &f->net.arena, NOWHERE, random_below(&m->random, 2) ? EXPR_FORALL : EXPR_EXISTS, bound, 0,
        random_between(&m->random, -1, 2), random_formula(m, depth - 1, bound + 1));
  const Expr *a = random_formula(m, depth - 1, bound);
  const Expr *b = random_formula(m, depth - 1, bound);
  if (kind < 5)
    return expr_cond(&f->net.arena, NOWHERE, a, b, random_formula(m, depth - 1, bound));
  if (kind < 6)
    return binary(f, random_below(&m->random, 2) ? EXPR_EQ : EXPR_NE, a, b);
  return binary(f, random_below(&m->random, 2) ? EXPR_AND : EXPR_OR, a, b);
}

// Evaluation without any of the compiler; clocks are counted in halves.
typedef struct Point {
  int32_t state[3]; // v, w, location
  int32_t clocks[CLOCKS + 1];
  int32_t locals[LOCALS];
} Point;

static int32_t evaluate(const Expr *e, Point *point);

static int32_t clock_value(const Expr *e, Point *point) {
  return e ? point->clocks[1 + evaluate(e->b, point)] : 0;
}

static bool compare(ExprKind op, int32_t a, int32_t b) {
  switch (op) {
  case EXPR_EQ:
    return a == b;
  case EXPR_NE:
    return a != b;
  case EXPR_LT:
    return a < b;
  case EXPR_LE:
    return a <= b;
  case EXPR_GT:
    return a > b;
  default:
    return a >= b;
  }
}

static bool quantify(const Expr *e, Point *point) {
  for (int32_t i = e->low; i <= e->high; i++) {
    point->locals[e->base] = i;
    if ((evaluate(e->a, point) != 0) != (e->kind == EXPR_FORALL))
      return e->kind == EXPR_EXISTS;
  }
  return e->kind == EXPR_FORALL;
}

static int32_t evaluate(const Expr *e, Point *point) {
  switch (e->kind) {
  case EXPR_CONST:
    return e->value;
  case EXPR_VAR:
    return point->state[e->base];
  case EXPR_LOCAL:
    return point->locals[e->base];
  case EXPR_AT:
    return point->state[2] == e->value;
  case EXPR_NOT:
    return !evaluate(e->a, point);
  case EXPR_ADD:
    return evaluate(e->a, point) + evaluate(e->b, point);
  case EXPR_AND:
    return evaluate(e->a, point) && evaluate(e->b, point);
  case EXPR_OR:
    return evaluate(e->a, point) || evaluate(e->b, point);
  case EXPR_COND:
    return evaluate(evaluate(e->a, point) ? e->b : e->c, point);
  case EXPR_FORALL:
  case EXPR_EXISTS:
    return quantify(e, point);
  case EXPR_CLOCK_TEST:
    return compare(e->op, clock_value(e->a, point) - clock_value(e->b, point),
                   2 * evaluate(e->c, point));
  default:
    return compare(e->kind, evaluate(e->a, point), evaluate(e->b, point));
  }
}

static void random_point(Model *m, Point *point) {
  memset(point, 0, sizeof *point);
  point->state[0] = random_between(&m->random, -1, 2);
  point->state[1] = random_between(&m->random, 0, 1);
  point->state[2] = random_between(&m->random, 0, 2);
  for (int i = 1; i <= CLOCKS; i++)
    point->clocks[i] = random_between(&m->random, 0, 8);
}

static bool goal_holds(Model *m, const Goal *goal, const Point *point, ClockTests *tests) {
  for (uint32_t clause = 0;; clause++) {
    tests->size = 0;
    const VmResult result = goal_clause(goal, &m->f.vm, point->state, &clause, tests);
    if (result == VM_FALSE)
      return false;
    assert_int_equal(result, VM_TRUE);
    bool all = true;
    for (uint32_t i = 0; i < tests->size; i++) {
      const ClockTest *test = &tests->items[i];
      assert_true(test->i != test->j);
      const int32_t difference = point->clocks[test->i] - point->clocks[test->j];
      all &= difference <= 2 * test->constant - test->strict;
    }
    if (all)
      return true;
  }
}

static void test_random(void **unused) {
  (void)unused;
  Model m;
  model_init(&m, 3);
  ClockTests tests = {0};
  int held = 0, compared = 0, refused = 0;
  for (int round = 0; round < 8000; round++) {
    const Query query = {.kind = round % 2 ? QUERY_REACH : QUERY_INVARIANT,
                         .formula = random_formula(&m, 1 + round % 4, 0)};
    Goal goal;
    if (!query_goal(&goal, &m.f.arena, &m.f.net, &query, &m.f.report)) {
      refused++;
      report_clear(&m.f.report);
      continue;
    }
    if (!expr_has_clock_test(query.formula))
      assert_true(goal.clause_count <= 1);
    for (int k = 0; k < 20; k++) {
      Point point;
      random_point(&m, &point);
      const bool expected = (evaluate(query.formula, &point) != 0) == (query.kind == QUERY_REACH);
      assert_int_equal(goal_holds(&m, &goal, &point, &tests), expected);
      held += expected;
      compared++;
    }
    arena_release(&m.f.arena);
  }
  assert_true(refused < 1000 && held > compared / 10 && held < compared - compared / 10);
  vec_release(&m.f.mem, &tests);
  fixture_release(&m.f);
}

static Goal goal_of(Model *m, QueryKind kind, const Expr *formula) {
  Goal goal;
  const Query query = {.kind = kind, .formula = formula};
  if (!query_goal(&goal, &m->f.arena, &m->f.net, &query, &m->f.report))
    fail_msg("%s", text_chars(&m->f.report.error));
  return goal;
}

static void test_clauses(void **unused) {
  (void)unused;
  Model m;
  model_init(&m, 4);
  Fixture *f = &m.f;
  const Expr *a = binary(f, EXPR_EQ, var(f, m.v), num(f, 1)), *b = var(f, m.w);
  const Expr *either = binary(f, EXPR_OR, a, b);
  const Expr *x = test_clock(f, 1, EXPR_LE, 3), *y = test_clock(f, 2, EXPR_EQ, 4);

  Goal goal = goal_of(&m, QUERY_REACH, binary(f, EXPR_AND, either, x));
  assert_int_equal(goal.clause_count, 1); // the disjunction of integers stays whole
  assert_false(goal.has_strict || goal.has_diagonals);
  assert_int_equal(goal.clauses[0].clock_test_count, 1);
  goal = goal_of(&m, QUERY_INVARIANT, binary(f, EXPR_AND, either, x));
  assert_int_equal(goal.clause_count, 2);
  assert_true(goal.has_strict); // x > 3
  goal = goal_of(&m, QUERY_INVARIANT, y);
  assert_int_equal(goal.clause_count, 2);
  assert_true(goal.has_strict);
  goal = goal_of(&m, QUERY_REACH, binary(f, EXPR_OR, binary(f, EXPR_OR, x, y), either));
  assert_int_equal(goal.clause_count, 3);
  goal = goal_of(&m, QUERY_REACH, test_of(f, clock_at(f, 1), clock_at(f, 2), EXPR_LE, num(f, 1)));
  assert_true(goal.has_diagonals);
  goal = goal_of(&m, QUERY_REACH, test_of(f, clock_at(f, 1), clock_at(f, 1), EXPR_LT, num(f, 1)));
  assert_int_equal(goal.clause_count, 1); // 0 < 1
  assert_null(goal.clauses[0].expr);
  goal = goal_of(&m, QUERY_INVARIANT, num(f, 1));
  assert_int_equal(goal.clause_count, 0);
  fixture_release(f);
}

static void refuse(Model *m, const Expr *formula, const char *text) {
  Goal goal;
  const Query query = {.kind = QUERY_REACH, .formula = formula};
  assert_false(query_goal(&goal, &m->f.arena, &m->f.net, &query, &m->f.report));
  assert_non_null(strstr(text_chars(&m->f.report.error), text));
  report_clear(&m->f.report);
}

static void test_refused(void **unused) {
  (void)unused;
  Model m;
  model_init(&m, 5);
  Fixture *f = &m.f;
  const Expr *many = NULL; // 2 to the 13
  for (int i = 0; i < 13; i++)
    many = conjunction(f, many, test_clock(f, 1, EXPR_NE, i));
  refuse(&m, many, "splits into more than 4096 cases");
  refuse(&m, test_clock(f, 1, EXPR_LE, NET_MAX_CONSTANT + 1), "the constant 67108865");
  const Expr *local =
      expr_storage(&f->net.arena, NOWHERE, EXPR_LOCAL, "i", type_int(&f->net.arena, 0, 9999), 0);
  const Expr *body = test_of(f, clock_at(f, 1), NULL, EXPR_LE, local);
  refuse(&m, expr_quantifier(&f->net.arena, NOWHERE, EXPR_FORALL, 0, 0, 9999, body),
         "more than 4096 instances");
  body = test_of(f, clock_at(f, 1), NULL, EXPR_LE,
                 binary(f, EXPR_MUL, local, num(f, NET_MAX_CONSTANT)));
  refuse(&m, expr_quantifier(&f->net.arena, NOWHERE, EXPR_EXISTS, 0, 0, 2, body),
         "the constant 134217728");
  fixture_release(f);
}

static void test_error(void **unused) {
  (void)unused;
  Model m;
  model_init(&m, 6);
  Fixture *f = &m.f;
  const Expr *ratio = binary(f, EXPR_DIV, num(f, 1), var(f, m.w));
  const Goal goal = goal_of(&m, QUERY_REACH, binary(f, EXPR_EQ, ratio, num(f, 1)));
  ClockTests tests = {0};
  for (int32_t w = 0; w < 2; w++) {
    const int32_t state[] = {0, w, 0};
    uint32_t clause = 0;
    const VmResult expected = w ? VM_TRUE : VM_ERROR;
    assert_int_equal(goal_clause(&goal, &f->vm, state, &clause, &tests), expected);
  }
  vec_release(&f->mem, &tests);
  fixture_release(f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random),
      cmocka_unit_test(test_clauses),
      cmocka_unit_test(test_refused),
      cmocka_unit_test(test_error),
  };
  return cmocka_run_group_tests_name("query", tests, NULL, NULL);
}
