// Dead variables: found by hand, and random nets that reach the same with them set back.
#include "analysis/forget.h"

#include "model/query.h"
#include "search/reach.h"
#include "semantics/zone/zones.h"

#include "nets.h"
#include "sanitized.h"

enum { ROUNDS = RANDOM_CASES(4000), PROCESSES = 2, VARIABLES = 4, MAX = 2, LOCATIONS = 4 };

// Mostly one of the two variables that belong to a process.
static const Expr *random_variable(Fixture *f, Random *random, ProcessId p) {
  return var(f, random_below(random, 16) ? 2 * p + random_below(random, 2)
                                         : random_below(random, VARIABLES));
}

static const Expr *random_value(Fixture *f, Random *random, ProcessId p) {
  return random_below(random, 2) ? num(f, (int32_t)random_below(random, MAX + 1))
                                 : random_variable(f, random, p);
}

static Stmt *random_assign(Fixture *f, Random *random, ProcessId p) {
  return set_int(f, random_variable(f, random, p), random_value(f, random, p));
}

static Stmt *random_update(Fixture *f, Random *random, ProcessId p) {
  Stmt *first = random_assign(f, random, p);
  if (random_below(random, 3)) {
    Stmt *branch = new_stmt(f, STMT_IF);
    branch->value = binary(f, EXPR_EQ, random_value(f, random, p), random_value(f, random, p));
    branch->body = random_assign(f, random, p);
    branch->other = random_below(random, 2) ? random_assign(f, random, p) : NULL;
    then(first, branch);
  }
  return then(first, random_assign(f, random, p));
}

static void make(Fixture *f, uint64_t seed) {
  Random random;
  random_seed(&random, seed);
  fixture_init(f);
  for (uint32_t v = 0; v < VARIABLES; v++)
    add_int(f, "v", 0, MAX, (int32_t)random_below(&random, MAX));
  const EventId event = net_add_event(&f->net, "a", NOWHERE);
  for (ProcessId p = 0; p < PROCESSES; p++) {
    LocationId locations[LOCATIONS];
    net_add_process(&f->net, "P", NOWHERE);
    for (uint32_t l = 0; l < LOCATIONS; l++)
      locations[l] = add_location(f, p, "l", !l);
    if (!random_below(&random, 3))
      f->net.locations.items[locations[1]].invariant_expr =
          binary(f, EXPR_LT, random_variable(f, &random, p), num(f, MAX));
    for (uint32_t e = 0; e < 6; e++) {
      Edge *edge = add_edge(f, locations[random_below(&random, LOCATIONS)],
                            locations[random_below(&random, LOCATIONS)], event);
      if (random_below(&random, 2))
        edge->guard_expr = binary(f, EXPR_EQ, random_variable(f, &random, p),
                                  num(f, (int32_t)random_below(&random, MAX + 1)));
      if (random_below(&random, 2))
        edge->update_stmts = random_update(f, &random, p);
    }
  }
  fixture_finish(f);
}

static const ForgetList *forget_of(Fixture *f, const Expr *formula) {
  return forget_find(&f->net, &f->arena, &(Query){.formula = formula});
}

static const Expr *condition(Fixture *f, uint64_t seed) {
  Random random;
  random_seed(&random, seed + 1);
  const uint32_t slot = f->net.location_slot + random_below(&random, PROCESSES);
  return expr_at(&f->net.arena, NOWHERE, "P.l", slot,
                 (int32_t)(1 + random_below(&random, LOCATIONS - 1)));
}

static ReachResult search(Fixture *f, const Net *net, uint64_t seed, bool all, uint64_t *stored) {
  Options options;
  Statistics stats = {0};
  Reach reach;
  Goal goal;
  const Query query = {.kind = QUERY_REACH, .formula = condition(f, seed)};
  options_init(&options);
  assert_true(query_goal(&goal, &f->arena, net, &query, &f->report));
  Space *space = zones_new(&f->mem, net, all ? NULL : &goal, &options, &f->report);
  assert_non_null(space);
  reach_init(&reach, &f->mem, space, ORDER_BFS, &stats);
  const ReachResult result = reach_run(&reach);
  *stored = stats.stored;
  reach_release(&reach);
  space_release(space);
  return result;
}

static void test_random(void **unused) {
  (void)unused;
  uint32_t smaller = 0;
  for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
    Fixture whole;
    Net less;
    uint64_t before, after;
    make(&whole, seed);
    const ForgetList *forget = forget_of(&whole, condition(&whole, seed));
    if (forget) {
      net_copy(&less, &whole.net);
      forget_apply(&less, forget);
      assert_true(net_finish(&less, &whole.report));
      assert_int_equal(search(&whole, &whole.net, seed, false, &before),
                       search(&whole, &less, seed, false, &after));
      search(&whole, &whole.net, seed, true, &before);
      search(&whole, &less, seed, true, &after);
      assert_true(after <= before);
      smaller += after < before;
      net_release(&less);
    }
    fixture_release(&whole);
  }
  assert_true(smaller > ROUNDS / 20);
}

// l -(v = 1)-> m -(v == 1)-> n -> l, with w read by the condition.
static void test_by_hand(void **unused) {
  (void)unused;
  Fixture f;
  fixture_init(&f);
  const uint32_t v = add_int(&f, "v", 0, 3, 0), w = add_int(&f, "w", 0, 3, 0);
  const EventId event = net_add_event(&f.net, "a", NOWHERE);
  net_add_process(&f.net, "P", NOWHERE);
  const LocationId l = add_location(&f, 0, "l", true), m = add_location(&f, 0, "m", false),
                   n = add_location(&f, 0, "n", false);
  add_edge(&f, l, m, event)->update_stmts =
      then(set_int(&f, var(&f, v), num(&f, 1)), set_int(&f, var(&f, w), num(&f, 1)));
  add_edge(&f, m, n, event)->guard_expr = binary(&f, EXPR_EQ, var(&f, v), num(&f, 1));
  add_edge(&f, n, l, event);
  fixture_finish(&f);
  const Expr *condition = binary(&f, EXPR_EQ, var(&f, w), num(&f, 1));
  const ForgetList *lists = forget_of(&f, condition);
  assert_non_null(lists);
  assert_int_equal(lists[0].count, 1);
  assert_int_equal(lists[0].items[0], 0);
  assert_int_equal(lists[1].count, 0);
  assert_int_equal(lists[2].count, 1);
  assert_int_equal(forget_of(&f, NULL)[0].count, 2);
  const Query leads = {.kind = QUERY_LEADS_TO, .conclusion = condition};
  const Query again = {.kind = QUERY_BUCHI, .values = &condition, .value_count = 1};
  assert_int_equal(forget_find(&f.net, &f.arena, &leads)[0].count, 1);
  assert_int_equal(forget_find(&f.net, &f.arena, &again)[0].count, 1);
  fixture_release(&f);
}

static Stmt *call(Fixture *f, const Stmt *body) {
  Function *function = ARENA_NEW(&f->net.arena, Function);
  function->name = "f";
  function->result = type_int(&f->net.arena, 0, 1);
  function->body = body;
  function->id = f->net.functions.size;
  vec_push(&f->mem, &f->net.functions, (const Function *)function);
  Stmt *stmt = new_stmt(f, STMT_CALL);
  stmt->value = expr_call(&f->net.arena, NOWHERE, function, NULL);
  return stmt;
}

static Stmt *return_stmt(Fixture *f) {
  Stmt *stmt = new_stmt(f, STMT_RETURN);
  stmt->value = num(f, 0);
  return stmt;
}

// l -(v = 1)-> m -(f(), w = v)-> n, where f returns early or calls g, which sets v: a call that
// may not be made writes nothing for certain. Without the return v is dead in m.
static void test_calls(void **unused) {
  (void)unused;
  for (uint32_t returns = 0; returns < 2; returns++) {
    Fixture f;
    fixture_init(&f);
    const uint32_t v = add_int(&f, "v", 0, 1, 0), w = add_int(&f, "w", 0, 1, 0);
    const EventId event = net_add_event(&f.net, "a", NOWHERE);
    net_add_process(&f.net, "P", NOWHERE);
    const LocationId l = add_location(&f, 0, "l", true), m = add_location(&f, 0, "m", false),
                     n = add_location(&f, 0, "n", false);
    Stmt *branch = new_stmt(&f, STMT_IF);
    branch->value = binary(&f, EXPR_EQ, var(&f, w), num(&f, 0));
    branch->body = returns ? return_stmt(&f) : new_stmt(&f, STMT_NOP);
    Stmt *g = call(&f, then(set_int(&f, var(&f, v), num(&f, 0)), return_stmt(&f)));
    add_edge(&f, l, m, event)->update_stmts = set_int(&f, var(&f, v), num(&f, 1));
    add_edge(&f, m, n, event)->update_stmts = then(
        call(&f, then(branch, then(g, return_stmt(&f)))), set_int(&f, var(&f, w), var(&f, v)));
    fixture_finish(&f);
    const Expr *condition = binary(&f, EXPR_EQ, var(&f, w), num(&f, 1));
    const ForgetList *lists = forget_of(&f, condition);
    assert_non_null(lists);
    assert_int_equal(lists[1].count, !returns);
    fixture_release(&f);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_by_hand), cmocka_unit_test(test_calls),
                                     cmocka_unit_test(test_random)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
