// Slices of random nets with channels, variables, clocks and commitment: what the whole net
// reaches, every slice reaches. And by hand: which processes are left out.
#include "analysis/slice.h"

#include "model/query.h"
#include "search/reach.h"
#include "semantics/zone/zones.h"

#include "nets.h"
#include "sanitized.h"

enum {
  ROUNDS = RANDOM_CASES(10000),
  PROCESSES = 4,
  CLOCKS = 4,
  VARIABLES = 6,
  MAX = 3,
  LOCATIONS = 3
};

static const Expr *random_guard(Fixture *f, Random *random) {
  const ExprKind op = (ExprKind)(EXPR_LT + random_below(random, 4));
  const int32_t constant = (int32_t)random_below(random, MAX);
  switch (random_below(random, 6)) {
  case 0:
    return binary(f, op, var(f, random_below(random, VARIABLES)), num(f, constant));
  case 1:
    return test_clock(f, 1 + random_below(random, CLOCKS), op, constant);
  case 2:
    return conjunction(
        f, binary(f, EXPR_EQ, var(f, random_below(random, VARIABLES)), num(f, constant)),
        test_clock(f, 1 + random_below(random, CLOCKS), op, constant));
  default:
    return NULL;
  }
}

static const Stmt *random_update(Fixture *f, Random *random) {
  const Expr *target = var(f, random_below(random, VARIABLES));
  switch (random_below(random, 40) ? random_below(random, 7) : 7) {
  case 0:
    return set_int(f, target, num(f, (int32_t)random_below(random, MAX)));
  case 1:
  case 3:
    return set_int(f, target, var(f, random_below(random, VARIABLES)));
  case 7: // may leave the range
    return set_int(f, target, binary(f, EXPR_ADD, target, num(f, 1)));
  case 2:
    return then(reset_clock(f, 1 + random_below(random, CLOCKS)),
                set_int(f, target, binary(f, EXPR_MIN, target, num(f, 1))));
  default:
    return NULL;
  }
}

static void add_process(Fixture *f, Random *random, ProcessId p, uint32_t channels) {
  LocationId locations[LOCATIONS];
  net_add_process(&f->net, "P", NOWHERE);
  for (uint32_t l = 0; l < LOCATIONS; l++) {
    locations[l] = add_location(f, p, "l", !l);
    Location *location = &f->net.locations.items[locations[l]];
    location->committed = !random_below(random, 10);
    if (!random_below(random, 5))
      location->invariant_expr = test_clock(f, 1 + random_below(random, CLOCKS), EXPR_LE, MAX);
  }
  for (uint32_t e = 0; e < 5; e++) {
    const Channel *channel = &f->net.channels.items[random_below(random, channels)];
    const EventId event = !random_below(random, 3)  ? net_tau_event(&f->net)
                          : random_below(random, 2) ? channel->receive
                                                    : channel->send;
    Edge *edge = add_edge(f, locations[random_below(random, LOCATIONS)],
                          locations[random_below(random, LOCATIONS)], event);
    edge->guard_expr = random_guard(f, random);
    edge->update_stmts = random_update(f, random);
  }
}

// The net of a seed.
static void make(Fixture *f, uint64_t seed) {
  Random random;
  random_seed(&random, seed);
  fixture_init(f);
  f->net.invalid_is_error = true;
  net_add_clocks(&f->net, "x", CLOCKS, NOWHERE);
  for (uint32_t v = 0; v < VARIABLES; v++)
    add_int(f, "v", 0, MAX, 0);
  const uint32_t channels = 1 + random_below(&random, 3);
  for (uint32_t c = 0; c < channels; c++) {
    net_add_channel(&f->net, "c", NOWHERE);
    vec_last(&f->net.channels).broadcast = random_below(&random, 2);
    vec_last(&f->net.channels).urgent = !random_below(&random, 4);
  }
  for (ProcessId p = 0; p < PROCESSES; p++)
    add_process(f, &random, p, channels);
  fixture_finish(f);
}

// Without some processes.
static void cut(Net *part, Fixture *f, const bool *dropped, const bool *freed) {
  net_copy(part, &f->net);
  slice_apply(part, dropped, freed);
  assert_true(net_finish(part, &f->report));
}

static const Expr *condition(Fixture *f, uint64_t seed) {
  Random random;
  random_seed(&random, seed);
  const uint32_t slot = f->net.location_slot + random_below(&random, PROCESSES);
  const Expr *at = expr_at(&f->net.arena, NOWHERE, "P.l", slot,
                           (int32_t)(1 + random_below(&random, LOCATIONS - 1)));
  return random_below(&random, 2)
             ? at
             : conjunction(f, at,
                           binary(f, EXPR_EQ, var(f, random_below(&random, VARIABLES)),
                                  num(f, (int32_t)random_below(&random, MAX))));
}

static ReachResult search_visiting(Fixture *f, const Net *net, uint64_t seed, uint64_t *visited) {
  Options options;
  Statistics stats = {0};
  Reach reach;
  Goal goal;
  const Query query = {.kind = QUERY_REACH, .formula = condition(f, seed)};
  options_init(&options);
  assert_true(query_goal(&goal, &f->arena, net, &query, &f->report));
  Space *space = zones_new(&f->mem, net, &goal, &options, &f->report);
  assert_non_null(space);
  reach_init(&reach, &f->mem, space, ORDER_BFS, &stats);
  const ReachResult result = reach_run(&reach);
  *visited = stats.visited;
  reach_release(&reach);
  space_release(space);
  return result;
}

static ReachResult search(Fixture *f, const Net *net, uint64_t seed) {
  uint64_t unused;
  return search_visiting(f, net, seed, &unused);
}

// Without nothing, the net is what it was.
static void test_whole(void **unused) {
  (void)unused;
  const bool dropped[PROCESSES] = {0};
  for (uint64_t seed = 1; seed <= ROUNDS / 20; seed++) {
    Fixture whole;
    Net part;
    uint64_t visited, visited_part;
    make(&whole, seed);
    cut(&part, &whole, dropped, NULL);
    assert_int_equal(search_visiting(&whole, &part, seed, &visited_part),
                     search_visiting(&whole, &whole.net, seed, &visited));
    assert_int_equal(visited_part, visited);
    net_release(&part);
    fixture_release(&whole);
  }
}

static void test_random(void **unused) {
  (void)unused;
  uint32_t slices = 0, decided = 0;
  for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
    Fixture whole;
    Net part;
    make(&whole, seed);
    for (uint32_t is_loose = 0; is_loose < 2; is_loose++) {
      bool dropped[PROCESSES] = {0};
      if (!slice_find(&whole.net, condition(&whole, seed), is_loose, dropped))
        continue;
      slices++;
      cut(&part, &whole, dropped, NULL);
      if (search(&whole, &part, seed) == REACH_NONE) {
        decided++;
        assert_int_equal(search(&whole, &whole.net, seed), REACH_NONE);
      }
      net_release(&part);
    }
    fixture_release(&whole);
  }
  assert_true(slices > ROUNDS / 10);
  assert_true(decided > ROUNDS / 20);
}

// Slices with one process less, and conditions on what it writes taken away.
static void test_random_free(void **unused) {
  (void)unused;
  uint32_t slices = 0, decided = 0;
  for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
    Fixture whole;
    Net part;
    make(&whole, seed);
    for (ProcessId p = 0; p < PROCESSES; p++) {
      bool dropped[PROCESSES] = {0}, freed[VARIABLES + PROCESSES + CLOCKS + 1] = {0};
      slice_find(&whole.net, condition(&whole, seed), true, dropped);
      if (!slice_free(&whole.net, condition(&whole, seed), p, dropped, freed))
        continue;
      slices++;
      cut(&part, &whole, dropped, freed);
      if (search(&whole, &part, seed) == REACH_NONE) {
        decided++;
        assert_int_equal(search(&whole, &whole.net, seed), REACH_NONE);
      }
      net_release(&part);
    }
    fixture_release(&whole);
  }
  assert_true(slices > ROUNDS / 20);
  assert_true(decided > ROUNDS / 50);
}

// P writes a, which Q reads; R counts n, as P does, and receives what P broadcasts; S and Q
// synchronise.
static void test_by_hand(void **unused) {
  (void)unused;
  Fixture f;
  fixture_init(&f);
  const uint32_t a = add_int(&f, "a", 0, 1, 0), n = add_int(&f, "n", -100, 100, 0);
  net_add_channel(&f.net, "b", NOWHERE);
  net_add_channel(&f.net, "c", NOWHERE);
  f.net.channels.items[0].broadcast = true;
  const Channel b = f.net.channels.items[0], c = f.net.channels.items[1];
  LocationId l[4][2];
  for (ProcessId p = 0; p < 4; p++) {
    net_add_process(&f.net, "P", NOWHERE);
    l[p][0] = add_location(&f, p, "l", true);
    l[p][1] = add_location(&f, p, "m", false);
  }
  const Stmt *count = set_int(&f, var(&f, n), binary(&f, EXPR_ADD, var(&f, n), num(&f, 1)));
  add_edge(&f, l[0][0], l[0][1], b.send)->update_stmts =
      then(set_int(&f, var(&f, a), num(&f, 1)),
           set_int(&f, var(&f, n), binary(&f, EXPR_ADD, var(&f, n), num(&f, 1))));
  add_edge(&f, l[1][0], l[1][1], c.send)->guard_expr =
      binary(&f, EXPR_EQ, var(&f, a), num(&f, 1));
  add_edge(&f, l[2][0], l[2][1], b.receive)->update_stmts = count;
  add_edge(&f, l[3][0], l[3][1], c.receive);
  fixture_finish(&f);
  bool dropped[4];
  const Expr *at = expr_at(&f.net.arena, NOWHERE, "Q.m", f.net.location_slot + 1, 1);
  assert_int_equal(slice_find(&f.net, at, false, dropped), 1);
  assert_true(dropped[2]);
  assert_int_equal(slice_find(&f.net, at, true, dropped), 2);
  assert_true(dropped[2] && dropped[3]);
  bool freed[16] = {0};
  assert_true(slice_free(&f.net, at, 0, dropped, freed)); // Q's guard counts as true
  assert_true(dropped[0] && freed[0]);
  f.net.channels.items[1].urgent = true; // now a guard that holds stops time
  slice_find(&f.net, at, true, dropped);
  assert_false(slice_free(&f.net, at, 0, dropped, freed));
  const Expr *both = binary(&f, EXPR_AND, at, binary(&f, EXPR_EQ, var(&f, n), num(&f, 2)));
  assert_int_equal(slice_find(&f.net, both, false, dropped), 0);
  fixture_release(&f);
}

// P broadcasts to Q and R, both of which are asked for: they go at once, so P stays.
static void test_broadcast(void **unused) {
  (void)unused;
  Fixture f;
  fixture_init(&f);
  net_add_channel(&f.net, "b", NOWHERE);
  f.net.channels.items[0].broadcast = true;
  const Channel b = f.net.channels.items[0];
  LocationId l[3][2];
  for (ProcessId p = 0; p < 3; p++) {
    net_add_process(&f.net, "P", NOWHERE);
    l[p][0] = add_location(&f, p, "l", true);
    l[p][1] = add_location(&f, p, "m", false);
    add_edge(&f, l[p][0], l[p][1], p ? b.receive : b.send);
  }
  fixture_finish(&f);
  bool dropped[3], freed[16] = {0};
  const Expr *one = expr_at(&f.net.arena, NOWHERE, "Q.m", f.net.location_slot + 1, 1);
  const Expr *other = expr_at(&f.net.arena, NOWHERE, "R.m", f.net.location_slot + 2, 1);
  const Expr *both = binary(&f, EXPR_AND, one, other);
  assert_int_equal(slice_find(&f.net, one, true, dropped), 2);
  assert_int_equal(slice_find(&f.net, both, true, dropped), 0);
  assert_false(slice_free(&f.net, both, 0, dropped, freed));
  fixture_release(&f);
}

// P copies f, which Q writes, to n by way of a local variable: Q stays.
static void test_local(void **unused) {
  (void)unused;
  Fixture f;
  fixture_init(&f);
  const uint32_t from = add_int(&f, "f", 0, 1, 0), to = add_int(&f, "n", 0, 1, 0);
  LocationId l[2];
  for (ProcessId p = 0; p < 2; p++) {
    net_add_process(&f.net, "P", NOWHERE);
    l[p] = add_location(&f, p, "l", true);
  }
  const EventId event = net_add_event(&f.net, "e", NOWHERE);
  const Expr *local =
      expr_storage(&f.net.arena, NOWHERE, EXPR_LOCAL, "t", f.net.variables.items[0].type, 0);
  Edge *edge = add_edge(&f, l[0], l[0], event);
  edge->update_locals = 1;
  edge->update_stmts = then(set_int(&f, local, var(&f, from)), set_int(&f, var(&f, to), local));
  add_edge(&f, l[1], l[1], event)->update_stmts = set_int(&f, var(&f, from), num(&f, 1));
  fixture_finish(&f);
  bool dropped[2];
  const Expr *set = binary(&f, EXPR_EQ, var(&f, to), num(&f, 1));
  assert_int_equal(slice_find(&f.net, set, false, dropped), 0);
  fixture_release(&f);
}

// A condition that reads what would be freed, but may fail, stays: so does what it reads.
static void test_failing(void **unused) {
  (void)unused;
  for (int fails = 0; fails < 2; fails++) {
    Fixture f;
    fixture_init(&f);
    const uint32_t a = add_int(&f, "a", 0, 1, 0);
    net_add_channel(&f.net, "b", NOWHERE);
    net_add_channel(&f.net, "c", NOWHERE);
    LocationId l[2][2];
    for (ProcessId p = 0; p < 2; p++) {
      f.net.channels.items[p].broadcast = true;
      net_add_process(&f.net, "P", NOWHERE);
      l[p][0] = add_location(&f, p, "l", true);
      l[p][1] = add_location(&f, p, "m", false);
    }
    add_edge(&f, l[0][0], l[0][1], f.net.channels.items[0].send)->update_stmts =
        set_int(&f, var(&f, a), num(&f, 1));
    const Expr *value = fails ? binary(&f, EXPR_DIV, num(&f, 1), var(&f, a)) : var(&f, a);
    add_edge(&f, l[1][0], l[1][1], f.net.channels.items[1].send)->guard_expr =
        binary(&f, EXPR_EQ, value, num(&f, 1));
    fixture_finish(&f);
    bool dropped[2] = {false, false}, freed[16] = {0};
    const Expr *at = expr_at(&f.net.arena, NOWHERE, "Q.m", f.net.location_slot + 1, 1);
    assert_int_equal(slice_free(&f.net, at, 0, dropped, freed), !fails);
    fixture_release(&f);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_by_hand),    cmocka_unit_test(test_whole),
      cmocka_unit_test(test_broadcast),  cmocka_unit_test(test_failing),
      cmocka_unit_test(test_local),      cmocka_unit_test(test_random),
      cmocka_unit_test(test_random_free)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
