#include "nets.h"

#include "model/expr/clockuse.h"

// Two processes declared in turns, so that the locations have to be regrouped.
static void test_grouping(void **unused) {
  (void)unused;
  Fixture f;
  fixture_init(&f);
  const EventId a = net_add_event(&f.net, "a", NOWHERE);
  const EventId b = net_add_event(&f.net, "b", NOWHERE);
  const ProcessId p = net_add_process(&f.net, "P", NOWHERE);
  const ProcessId q = net_add_process(&f.net, "Q", NOWHERE);
  const LocationId q0 = add_location(&f, q, "q0", true);
  const LocationId p0 = add_location(&f, p, "p0", false);
  const LocationId q1 = add_location(&f, q, "q1", false);
  const LocationId p1 = add_location(&f, p, "p1", true);
  f.net.locations.items[p0].committed = true;
  f.net.locations.items[q1].urgent = true;
  add_edge(&f, p0, p1, b);
  add_edge(&f, p0, p0, a);
  add_edge(&f, q1, q0, a);
  add_edge(&f, p0, p1, a);
  add_sync(&f);
  add_part(&f, p, a, false);
  add_part(&f, q, b, true);
  fixture_finish(&f);

  const Net *net = &f.net;
  const char *names[] = {"p0", "p1", "q0", "q1"};
  for (LocationId i = 0; i < 4; i++) {
    assert_string_equal(net->locations.items[i].name, names[i]);
    assert_int_equal(net->locations.items[i].index, i % 2);
    assert_int_equal(net_find_location(net, i < 2 ? p : q, names[i]), i);
  }
  assert_int_equal(net_find_location(net, q, "p0"), NET_NONE);
  assert_int_equal(net_find_process(net, "Q"), q);
  assert_int_equal(net_find_process(net, "R"), NET_NONE);
  assert_int_equal(net->edges.items[2].source, 3);
  assert_int_equal(net->edges.items[2].target, 2);
  // By event, then in order of declaration.
  assert_int_equal(net->locations.items[0].edge_count, 3);
  const EdgeId *out = net->out + net->locations.items[0].first_edge;
  assert_int_equal(out[0], 1);
  assert_int_equal(out[1], 3);
  assert_int_equal(out[2], 0);
  // (P, a) and (Q, b) synchronise.
  assert_false(net->async[0]);
  assert_true(net->async[1]);
  assert_true(net->async[2]);
  assert_false(net->async[3]);
  assert_true(net->by_location.committed[0] && net->by_location.urgent[0] &&
              net->by_location.urgent[3] && !net->by_location.committed[3]);
  assert_int_equal(net->slots.count, 2);
  assert_int_equal(net->slots.max[0], 1);
  assert_int_equal(net->slots.initial[0], 1);
  assert_int_equal(net->slots.initial[1], 0);
  assert_string_equal(net->slots.names[1], "Q");
  assert_false(net->traits.has_diagonals || net->traits.has_strict);
  fixture_release(&f);
}

static ProcessId add_simple_process(Fixture *f, const char *name) {
  const ProcessId p = net_add_process(&f->net, name, NOWHERE);
  add_location(f, p, "l", true);
  return p;
}

static void test_names(void **unused) {
  (void)unused;
  Fixture f;
  fixture_init(&f);
  Arena *arena = &f.net.arena;
  add_simple_process(&f, "P");
  assert_int_equal(net_add_clocks(&f.net, "x", 1, NOWHERE), 1);
  assert_int_equal(net_add_clocks(&f.net, "y", 3, NOWHERE), 2);
  assert_int_equal(net_add_clocks(&f.net, "z", 1, NOWHERE), 5);
  const Type *digit = type_int(arena, 3, 9);
  const Field fields[] = {{"a", type_bool(arena), 0}, {"b", type_array(arena, digit, -1, 2), 0}};
  const Type *pair = type_struct(arena, fields, 2);
  const int32_t five = 5;
  net_add_variable(&f.net, "v", type_array(arena, type_int(arena, 0, 9), 0, 1), &five, NOWHERE);
  net_add_variable(&f.net, "s", type_array(arena, pair, 1, 2), NULL, NOWHERE);
  assert_int_equal(net_add_label(&f.net, "l"), 0);
  assert_int_equal(net_add_label(&f.net, "m"), 1);
  assert_int_equal(net_add_label(&f.net, "l"), 0);
  fixture_finish(&f);
  const char *clocks[] = {"0", "x", "y[0]", "y[1]", "y[2]", "z"};
  for (int i = 0; i < 6; i++)
    assert_string_equal(f.net.clock_names[i], clocks[i]);
  const char *slots[] = {"v",      "s[1].a",     "s[1].b[-1]", "s[1].b[0]",
                         "s[2].a", "s[2].b[-1]", "s[2].b[0]",  "P"};
  const int32_t initial[] = {5, 0, 3, 3, 0, 3, 3, 0};
  assert_int_equal(f.net.slots.count, 8);
  for (int i = 0; i < 8; i++) {
    assert_string_equal(f.net.slots.names[i], slots[i]);
    assert_int_equal(f.net.slots.initial[i], initial[i]);
  }
  assert_int_equal(f.net.slots.min[2], 3);
  assert_int_equal(f.net.slots.max[2], 9);
  fixture_release(&f);
}

static void test_refused(void **unused) {
  (void)unused;
  Fixture f;
  fixture_init(&f);
  fixture_refuse(&f, "no process");
  fixture_release(&f);

  fixture_init(&f);
  net_add_process(&f.net, "P", NOWHERE);
  fixture_refuse(&f, "process `P` has no location");
  fixture_release(&f);

  fixture_init(&f);
  add_location(&f, net_add_process(&f.net, "P", NOWHERE), "l", false);
  fixture_refuse(&f, "process `P` has no initial location");
  fixture_release(&f);

  fixture_init(&f);
  add_simple_process(&f, "P");
  add_int(&f, "v", 2, 4, 5);
  fixture_refuse(&f, "the initial value 5 of `v` is outside its range 2 .. 4");
  fixture_release(&f);

  fixture_init(&f);
  const EventId e = net_add_event(&f.net, "e", NOWHERE);
  const ProcessId p = add_simple_process(&f, "P");
  add_sync(&f);
  fixture_refuse(&f, "a synchronisation without a process");
  fixture_release(&f);

  fixture_init(&f);
  net_add_event(&f.net, "e", NOWHERE);
  add_simple_process(&f, "P");
  add_sync(&f);
  add_part(&f, p, e, false);
  add_part(&f, p, e, true);
  fixture_refuse(&f, "process `P` occurs twice");
  fixture_release(&f);

  fixture_init(&f);
  add_simple_process(&f, "P");
  net_add_clocks(&f.net, "x", 10000, NOWHERE);
  net_add_clocks(&f.net, "y", UINT32_MAX, NOWHERE);
  net_add_clocks(&f.net, "z", 10000, NOWHERE);
  fixture_refuse(&f, "clocks");
  fixture_release(&f);

  fixture_init(&f);
  add_simple_process(&f, "P");
  const Type *bits = type_array(&f.net.arena, type_bool(&f.net.arena), 0, UINT32_MAX);
  net_add_variable(&f.net, "v", bits, NULL, NOWHERE);
  fixture_refuse(&f, "variables");
  fixture_release(&f);
}

// A net whose only edge has this guard and update, and whose location has this invariant.
static LocationId add_loop(Fixture *f, const Expr *guard, const Stmt *update,
                           const Expr *invariant) {
  const EventId e = net_add_event(&f->net, "e", NOWHERE);
  const LocationId l = add_location(f, net_add_process(&f->net, "P", NOWHERE), "l", true);
  Edge *edge = add_edge(f, l, l, e);
  edge->guard_expr = guard;
  edge->update_stmts = update;
  f->net.locations.items[l].invariant_expr = invariant;
  return l;
}

static void test_constants(void **unused) {
  (void)unused;
  const int64_t most = NET_MAX_WIDE;
  for (int i = 0; i < 12; i++) {
    Fixture f;
    fixture_init(&f);
    const ClockIndex x = net_add_clocks(&f.net, "x", 1, NOWHERE);
    const bool refuse = i % 2;
    const Expr *value =
        expr_time(&f.net.arena, NOWHERE, i % 4 < 2 ? most + refuse : -most - refuse);
    Stmt *branch = new_stmt(&f, STMT_IF);
    branch->value = var(&f, add_int(&f, "v", 0, 1, 0));
    branch->body = set_clock(&f, clock_at(&f, x), clock_at(&f, x), value);
    const Expr *test = test_of(&f, clock_at(&f, x), NULL, EXPR_LE, value);
    add_loop(&f, i < 4 ? test : NULL, i >= 8 ? branch : NULL, i >= 4 && i < 8 ? test : NULL);
    if (refuse)
      fixture_refuse(&f, i < 8 ? "compared with constants of at most 281474976710656"
                               : "set to constants of at most 281474976710656");
    else
      fixture_finish(&f);
    assert_true(net_is_wide(&f.net));
    fixture_release(&f);
  }
  Fixture f; // one that depends on a variable is the VM's business
  fixture_init(&f);
  const ClockIndex x = net_add_clocks(&f.net, "x", 1, NOWHERE);
  const uint32_t v = add_int(&f, "v", 0, INT32_MAX, INT32_MAX);
  add_loop(&f, test_of(&f, clock_at(&f, x), NULL, EXPR_LE, var(&f, v)), NULL, NULL);
  fixture_finish(&f);
  fixture_release(&f);
}

static void test_traits(void **unused) {
  (void)unused;
  for (int i = 0; i < 6; i++) {
    Fixture f;
    fixture_init(&f);
    const ClockIndex x = net_add_clocks(&f.net, "x", 2, NOWHERE);
    const Source source = {.name = "m", .text = "ab", .size = 2};
    const ExprKind ops[] = {EXPR_LE, EXPR_LT, EXPR_EQ, EXPR_GT, EXPR_GE, EXPR_EQ};
    const bool diagonal = i >= 3, strict = ops[i] == EXPR_LT || ops[i] == EXPR_GT;
    const Expr *test = expr_clock_test(&f.net.arena, (Place){&source, 1}, clock_at(&f, x),
                                       diagonal ? clock_at(&f, x + 1) : NULL, ops[i], num(&f, 3));
    const Expr *plain = test_clock(&f, x, EXPR_LE, 3);
    const Expr *expr = binary(&f, EXPR_AND, plain, test);
    add_loop(&f, i % 2 ? expr : NULL, NULL, i % 2 ? NULL : expr);
    fixture_finish(&f);
    assert_int_equal(f.net.traits.has_diagonals, diagonal);
    assert_int_equal(f.net.traits.has_strict, strict);
    assert_int_equal(f.net.traits.diagonal_place.offset, diagonal);
    assert_int_equal(f.net.traits.strict_place.offset, strict);
    fixture_release(&f);
  }
}

// x - x # c is a condition on integers: no clock test is left, no diagonal counted.
static void test_same_clock(void **unused) {
  (void)unused;
  Fixture f;
  fixture_init(&f);
  const ClockIndex x = net_add_clocks(&f.net, "x", 3, NOWHERE);
  const uint32_t v = add_int(&f, "v", -2, 2, 0);
  const Expr *all =
      expr_storage(&f.net.arena, NOWHERE, EXPR_CLOCK, "x", f.net.clocks.items[0].type, x);
  const Expr *second = expr_index(&f.net.arena, NOWHERE, all, num(&f, 1));
  const Expr *test = test_of(&f, second, clock_at(&f, x + 1), EXPR_LT, var(&f, v));
  const Expr *one = num(&f, 1);
  const Expr *sure = test_of(&f, clock_at(&f, x), clock_at(&f, x), EXPR_LT, one);
  add_loop(&f, binary(&f, EXPR_AND, test_clock(&f, x, EXPR_LE, 3), test), NULL, sure);
  fixture_finish(&f);
  assert_false(f.net.traits.has_diagonals);
  assert_null(f.net.by_location.invariants[0]);
  ClockTests tests = {0};
  for (int32_t value = -2; value <= 2; value++) {
    const int32_t state[] = {value, 0};
    tests.size = 0;
    const VmResult result = vm_guard(&f.vm, &f.net.edges.items[0].guard, state, &tests);
    assert_int_equal(result, 0 < value ? VM_TRUE : VM_FALSE);
    assert_int_equal(tests.size, 0 < value);
  }
  vec_release(&f.mem, &tests);
  fixture_release(&f);
}

static void test_clocks(void **unused) {
  (void)unused;
  Fixture f;
  fixture_init(&f);
  Arena *arena = &f.net.arena;
  // An array of 3 rows of 2 clocks from clock 5 on; rows are numbered from 1.
  const Type *row = type_array(arena, type_clock(arena), 0, 2);
  const Type *table = type_array(arena, row, 1, 3);
  const Expr *clocks = expr_storage(arena, NOWHERE, EXPR_CLOCK, "x", table, 5);
  const Expr *v = var(&f, add_int(&f, "v", 2, 9, 2)), *w = var(&f, add_int(&f, "w", 0, 1, 0));
  ClockList list = {0};
  const Expr *dynamic = expr_index(arena, NOWHERE, expr_index(arena, NOWHERE, clocks, v), w);
  clockuse_clocks(&f.mem, dynamic, &list);
  assert_int_equal(list.size, 4); // rows 2 and 3
  bool seen[16] = {0};
  for (uint32_t i = 0; i < list.size; i++)
    seen[list.items[i]] = true;
  assert_true(seen[7] && seen[8] && seen[9] && seen[10]);
  list.size = 0;
  const Expr *third = expr_index(arena, NOWHERE, clocks, num(&f, 3));
  clockuse_clocks(&f.mem, expr_index(arena, NOWHERE, third, num(&f, 1)), &list);
  assert_int_equal(list.size, 1);
  assert_int_equal(list.items[0], 10);
  list.size = 0;
  clockuse_clocks(&f.mem, expr_index(arena, NOWHERE, third, num(&f, 2)), &list);
  assert_int_equal(list.size, 0);
  vec_release(&f.mem, &list);
  fixture_release(&f);
}

// One clock more; the rest is shared.
static void test_measure(void **unused) {
  (void)unused;
  Fixture f;
  fixture_init(&f);
  net_add_clocks(&f.net, "x", 2, NOWHERE);
  const ProcessId p = net_add_process(&f.net, "P", NOWHERE);
  add_location(&f, p, "A", true);
  assert_true(net_finish(&f.net, &f.report));
  Arena arena = {.mem = &f.mem};
  Net timed;
  net_measure(&timed, &f.net, &arena);
  assert_int_equal(timed.clock_count, f.net.clock_count + 1);
  assert_string_equal(timed.clock_names[2], f.net.clock_names[2]);
  assert_string_equal(timed.clock_names[3], "#time");
  assert_ptr_equal(timed.locations.items, f.net.locations.items);
  assert_null(timed.clock_initial);
  arena_release(&arena);
  fixture_release(&f);
}

// What is copied and finished again is the same net, with memory of its own.
static void test_copy(void **unused) {
  (void)unused;
  Fixture f;
  fixture_init(&f);
  const EventId a = net_add_event(&f.net, "a", NOWHERE), b = net_add_event(&f.net, "b", NOWHERE);
  net_add_clocks(&f.net, "x", 2, NOWHERE);
  add_int(&f, "v", 0, 3, 1);
  net_add_channel(&f.net, "c", NOWHERE);
  const Channel c = f.net.channels.items[0];
  for (ProcessId p = 0; p < 2; p++) {
    net_add_process(&f.net, "P", NOWHERE);
    const LocationId l = add_location(&f, p, "l", true), m = add_location(&f, p, "m", false);
    vec_push(&f.mem, &f.net.locations.items[m].labels, net_add_label(&f.net, "goal"));
    f.net.locations.items[l].invariant_expr = test_clock(&f, 1 + p, EXPR_LT, 3);
    add_edge(&f, l, m, p ? b : a);
    add_edge(&f, m, l, p ? c.send : c.receive)->guard_expr = test_clock(&f, 1 + p, EXPR_GE, 1);
  }
  add_sync(&f);
  add_part(&f, 0, a, false);
  add_part(&f, 1, b, true);
  fixture_finish(&f);

  Net copy;
  const Net *net = &f.net;
  net_copy(&copy, net);
  copy.locations.items[1].invariant_expr = NULL;
  assert_true(net_finish(&copy, &f.report));
  assert_int_equal(copy.syncs.size, 2); // that of the channel is made once
  assert_int_equal(copy.syncs.size, net->syncs.size);
  for (uint32_t s = 0; s < 2; s++) {
    assert_int_equal(copy.syncs.items[s].channel, net->syncs.items[s].channel);
    assert_int_equal(copy.syncs.items[s].parts.size, 2);
    assert_true(copy.syncs.items[s].parts.items != net->syncs.items[s].parts.items);
  }
  for (LocationId l = 0; l < 4; l++) {
    const Location *now = &copy.locations.items[l], *then = &net->locations.items[l];
    assert_int_equal(now->first_edge, then->first_edge);
    assert_int_equal(now->edge_count, then->edge_count);
    assert_int_equal(now->labels.size, l % 2);
    assert_ptr_equal(now->name, then->name);
    assert_int_equal(!now->invariant.expr, l % 2);
  }
  assert_memory_equal(copy.out, net->out, sizeof *net->out * net->edges.size);
  assert_memory_equal(copy.async, net->async, 2 * net->events.size);
  assert_memory_equal(copy.slots.initial, net->slots.initial, sizeof(int32_t) * 3);
  assert_true(copy.traits.has_strict);
  assert_int_equal(copy.clock_count, 2);
  assert_string_equal(copy.clock_names[2], "x[1]");
  net_release(&copy);
  assert_string_equal(net->locations.items[1].name, "m");
  fixture_release(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_grouping), cmocka_unit_test(test_names),
      cmocka_unit_test(test_refused),  cmocka_unit_test(test_constants),
      cmocka_unit_test(test_traits),   cmocka_unit_test(test_same_clock),
      cmocka_unit_test(test_clocks),   cmocka_unit_test(test_measure),
      cmocka_unit_test(test_copy),
  };
  return cmocka_run_group_tests_name("net", tests, NULL, NULL);
}
