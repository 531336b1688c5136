// The second evaluator beside the interpreter: both agree on a model that has something of
// everything, and each fault that is planted into what was compiled is found.
#include "check/meaning.h"

#include "base/random.h"
#include "model/state.h"
#include "reading.h"

static const char model[] =
    "const int N = 3; typedef int[0,N-1] id; int[-5,9] n = 2, v[4] = {1, 2, 3, 4}; bool b;\n"
    "struct { int[0,9] f; bool g[2]; } s, u; clock x, y[N]; chan c[N]; urgent broadcast chan "
    "go;\n"
    "int total() { int t = 0; for (i : int[0,3]) t += v[i]; return t; }\n"
    "void add(int[-5,9] &to, int by) { int k = 0; while (k < by) { to++; k++; if (to == 7) "
    "return; "
    "} }\n"
    "process P(const id me) {\n"
    "  int[0,3] k; bool late(int by) { return k > by; }\n"
    "  state A { x <= 20 && n < 9 || b, y[me] <= n + 12 }, B { n >= -5 || x < 3 }, C; init A;\n"
    "  trans A -> B { select i : id; guard i != me && x >= i && v[i] >= 1; sync c[i]!;\n"
    "                 assign add(n, i), y[i] = n < 0 ? 0 : n, s.f = v[me] % 10; },\n"
    "        B -> A { guard k < 3; sync c[me]?; assign k++, u = s, b = total() > 3, x = y[me]; "
    "},\n"
    "        B -> C { guard x - y[me] < 4 && forall (i : id) y[i] > 1; assign v[k] = k << 1; },\n"
    "        C -> A { sync go!; assign k = (n > 3 ? 1 : 0), n = k + abs(n - 4) % 3, y[k] = 0; "
    "},\n"
    "        A -> A { guard x > 1 && exists (i : id) v[i] == n; sync go?; assign n = n * 1, b = "
    "!b; "
    "},\n"
    "        C -> C { guard n ** 2 > 80; sync c[n % 3]!; assign b = false; };\n"
    "}\n"
    "system P;\n";

typedef struct Twins {
  Reading r;
  const Net *net;
  Vm vm;
  ClockTests tests;
  ClockUpdates updates;
  int32_t *state, *after;
} Twins;

static void begin(Twins *t, const char *text) {
  reading_accept_uppaal(&t->r, text);
  t->tests = (ClockTests){0};
  t->updates = (ClockUpdates){0};
  t->state = mem_alloc(&t->r.mem, t->r.net.slots.count * sizeof *t->state);
  t->after = mem_alloc(&t->r.mem, t->r.net.slots.count * sizeof *t->after);
}

static void compare(Twins *t) {
  t->net = meaning_net(&t->r.arena, &t->r.net);
  net_vm(t->net, &t->vm, &t->r.mem);
}

static void end(Twins *t) {
  meaning_release(t->net);
  vm_release(&t->vm);
  vec_release(&t->r.mem, &t->tests);
  vec_release(&t->r.mem, &t->updates);
  mem_free(&t->r.mem, t->state);
  mem_free(&t->r.mem, t->after);
  reading_release(&t->r);
}

// All guards, invariants and updates in a state of any values.
static void look_at_random(Twins *t, Random *random) {
  const Net *net = t->net;
  for (uint32_t s = 0; s < net->slots.count; s++)
    t->state[s] =
        net->slots.min[s] +
        (int32_t)random_below(random, (uint32_t)(net->slots.max[s] - net->slots.min[s] + 1));
  meaning_state(net, t->state);
  for (EdgeId e = 0; e < net->edges.size; e++) {
    meaning_guard(&t->vm, net, &net->edges.items[e].guard, t->state, &t->tests);
    memcpy(t->after, t->state, net->slots.count * sizeof *t->after);
    meaning_update(&t->vm, net, &net->edges.items[e].update, t->after, &t->updates);
  }
  for (LocationId l = 0; l < net->locations.size; l++)
    meaning_guard(&t->vm, net, &net->locations.items[l].invariant, t->state, &t->tests);
  vec_clear(&t->tests);
  vec_clear(&t->updates);
}

static const char *look(Twins *t, const char *query) {
  Random random;
  Query asked;
  Goal goal;
  random_seed(&random, 1);
  if (query) {
    Source *source = ARENA_NEW(&t->r.arena, Source);
    *source = (Source){.name = "<query>", .text = query, .size = strlen(query)};
    assert_true(query_read(&asked, &t->r.arena, t->net, source, &t->r.report));
    assert_true(query_goal(&goal, &t->r.arena, t->net, &asked, &t->r.report));
  }
  for (int k = 0; k < 400 && !meaning_difference(t->net); k++) {
    look_at_random(t, &random);
    if (query)
      meaning_goal(&t->vm, t->net, &goal, t->state);
  }
  return meaning_difference(t->net);
}

static void test_agreement(void **unused) {
  (void)unused;
  static const char *const queries[] = {
      "E<> P(0).A && x < 3 || n == 1 && y[2] >= 2",
      "A[] forall (i : id) (P(i).B imply (x <= 3 || y[i] - x > 1)) && !deadlock",
      "E<> exists (i : id) P(i).k == 2 && (x == 3) != (y[i] < 2)",
      "A[] (deadlock or x < 1) imply (n > 3 ? x < 2 : v[P(1).k] == 2)",
      "E<> exists (i : id) P(i).late(i) && x < 2",
      "E<> total() > 9 && s == u && not (x != 4)",
  };
  for (size_t k = 0; k < sizeof queries / sizeof *queries; k++) {
    Twins t;
    begin(&t, model);
    compare(&t);
    const char *difference = look(&t, queries[k]);
    if (difference)
      fail_msg("%s: %s", queries[k], difference);
    const MeaningCounts counts = meaning_counts(t.net);
    assert_true(counts.has_twin && counts.compared > 1000 && counts.knows_query);
    assert_true(!counts.unknown && !counts.why);
    end(&t);
  }
}

// Faults in what was compiled. Each changes the net, and says whether it could.

#define WRITABLE(type, name, from)                                                               \
  type *name;                                                                                    \
  const void *const name##_there = (from);                                                       \
  memcpy(&name, &name##_there, sizeof name)

static bool change_test(Net *net) {
  for (EdgeId e = 0; e < net->edges.size; e++)
    if (net->edges.items[e].guard.test_count) {
      WRITABLE(Test, tests, net->edges.items[e].guard.tests);
      tests->value++;
      return true;
    }
  return false;
}

static bool change_clock_test(Net *net) {
  for (EdgeId e = 0; e < net->edges.size; e++)
    if (net->edges.items[e].guard.clock_test_count) {
      WRITABLE(ClockTest, tests, net->edges.items[e].guard.clock_tests);
      tests->strict = !tests->strict;
      return true;
    }
  return false;
}

static bool change_slot(Net *net) {
  for (EdgeId e = 0; e < net->edges.size; e++)
    if (!net->edges.items[e].update.code && net->edges.items[e].update.slot_update_count) {
      WRITABLE(SlotUpdate, updates, net->edges.items[e].update.slot_updates);
      updates->value = !updates->value;
      return true;
    }
  return false;
}

static bool drop_guard(Net *net) {
  for (EdgeId e = 0; e < net->edges.size; e++)
    if (net->edges.items[e].guard.code) {
      net->edges.items[e].guard = (Guard){0};
      return true;
    }
  return false;
}

static bool drop_update(Net *net) {
  for (EdgeId e = 0; e < net->edges.size; e++)
    if (net->edges.items[e].update.code) {
      net->edges.items[e].update = (Update){0};
      return true;
    }
  return false;
}

static bool drop_invariant(Net *net) {
  net->locations.items[0].invariant = (Guard){0};
  return true;
}

static bool drop_edge(Net *net) {
  net->edges.size--;
  return true;
}

static bool drop_sync(Net *net) {
  vec_release(net->mem, &net->syncs.items[net->syncs.size - 1].parts);
  net->syncs.size--;
  return true;
}

static bool move_target(Net *net) {
  Edge *edge = &net->edges.items[net->edges.size - 1];
  edge->target = edge->target == edge->source ? edge->source + 1 : edge->source;
  return true;
}

static bool change_event(Net *net) {
  for (EdgeId e = 0; e < net->edges.size; e++)
    if (net->event_channels[net->edges.items[e].event] == 1) {
      net->edges.items[e].event += 2;
      return true;
    }
  return false;
}

static bool commit(Net *net) { return net->locations.items[1].committed = true; }
static bool hurry(Net *net) { return net->channels.items[0].urgent = true; }

static bool widen(Net *net) {
  WRITABLE(int32_t, max, net->slots.max);
  max[0]++;
  return true;
}

static bool begin_elsewhere(Net *net) {
  WRITABLE(int32_t, initial, net->slots.initial);
  initial[0]++;
  return true;
}

static bool prioritise(Net *net) { return net->priority.is_used = true; }

static void test_faults(void **unused) {
  (void)unused;
  static bool (*const faults[])(Net *) = {change_test, change_clock_test, change_slot, drop_guard,
                                          drop_update, drop_invariant,    drop_edge,   drop_sync,
                                          move_target, change_event,      commit,      hurry,
                                          widen,       begin_elsewhere,   prioritise};
  static const char plain[] =
      "int[0,5] n = 1; int[0,5] m; clock x; chan c[2]; process P() { state A { m + n < 9 }, B; "
      "init "
      "A; trans A -> B { guard n == 1; sync c[0]!; assign n = 1; }, B -> A { guard x >= 3 && m "
      "<= "
      "n; sync c[1]!; assign m = n; }; } process Q() { state A, B; init A; trans A -> A { sync "
      "c[0]?; assign x = 0; }, B -> A { sync c[1]?; }; } system P, Q;";
  for (size_t k = 0; k < sizeof faults / sizeof *faults; k++) {
    Twins t;
    begin(&t, plain);
    assert_true(faults[k](&t.r.net));
    compare(&t);
    if (!look(&t, NULL))
      fail_msg("the fault %u is not found", (unsigned)k);
    end(&t);
  }
}

// A goal with another clause than its tree says.
static void test_goal(void **unused) {
  (void)unused;
  Twins t;
  Query asked;
  Goal goal;
  Source source = {.name = "<query>", .text = "E<> x <= 3 || n == 1", .size = 20};
  begin(&t, model);
  compare(&t);
  assert_true(query_read(&asked, &t.r.arena, t.net, &source, &t.r.report));
  assert_true(query_goal(&goal, &t.r.arena, t.net, &asked, &t.r.report));
  memcpy(t.state, t.net->slots.initial, t.net->slots.count * sizeof *t.state);
  meaning_goal(&t.vm, t.net, &goal, t.state);
  assert_null(meaning_difference(t.net));
  goal.clause_count = 1;
  meaning_goal(&t.vm, t.net, &goal, t.state);
  assert_null(meaning_difference(t.net)); // n is 2: the second clause does not matter
  t.state[0] = 1;
  meaning_goal(&t.vm, t.net, &goal, t.state);
  assert_non_null(meaning_difference(t.net));
  end(&t);
}

// Rates of clocks, and a rate that is lost.
static void test_rates(void **unused) {
  (void)unused;
  for (int is_lost = 0; is_lost < 2; is_lost++) {
    Twins t;
    begin(&t,
          "clock x, y, z[2]; int[0,2] v; process P() { state A { x' == v && y <= 9 && forall (i "
          ": int[0,1]) z[i]' == i }, B { y' == 0 && x' == 1 }; init A; trans A -> B { guard z[0] "
          "> 1 && z[1] > 1; }; } system P;");
    if (is_lost)
      t.r.net.locations.items[1].rates = (Guard){0};
    compare(&t);
    for (int32_t v = 0; v <= 2; v++)
      for (LocationId l = 0; l < 2; l++) {
        t.state[0] = v;
        t.state[1] = (int32_t)l;
        meaning_guard(&t.vm, t.net, &t.net->locations.items[l].rates, t.state, &t.tests);
        vec_clear(&t.tests);
      }
    const char *difference = meaning_difference(t.net);
    assert_true(is_lost ? difference && strstr(difference, "rates") : !difference);
    assert_int_equal(meaning_counts(t.net).unknown, 0);
    end(&t);
  }
}

// Rates that are not in force: whether something evaluated reads their clock. `x` is read by the
// guard; the network is one whose reader has forgotten that.
static void test_unread_rates(void **unused) {
  (void)unused;
  static const char text[] =
      "clock x, y, z; process P() { state A { x' == 0 && z' == 2 && y <= 3 }; init A;\n"
      "trans A -> A { guard x >= 1; }, A -> A { guard y >= 1; assign y = 0; }; } system P;";
  for (int step = 0; step < 4; step++) {
    Twins t;
    Net forgotten;
    begin(&t, text);
    net_copy(&forgotten, &t.r.net);
    if (step)
      forgotten.locations.items[0].clock_rate_count = 0;
    assert_true(net_finish(&forgotten, &t.r.report));
    t.net = meaning_net(&t.r.arena, &forgotten);
    net_vm(t.net, &t.vm, &t.r.mem);
    memcpy(t.state, t.net->slots.initial, t.net->slots.count * sizeof *t.state);
    if (step != 2)
      meaning_rates(t.net, t.state);
    meaning_guard(&t.vm, t.net, &t.net->locations.items[0].invariant, t.state, &t.tests);
    if (step != 3) // 3: nothing reads x
      meaning_guard(&t.vm, t.net, &t.net->edges.items[0].guard, t.state, &t.tests);
    if (step == 2) // the other order
      meaning_rates(t.net, t.state);
    if (!step)
      meaning_guard(&t.vm, t.net, &t.net->locations.items[0].rates, t.state, &t.tests);
    const char *difference = meaning_difference(t.net);
    assert_true(step == 1 || step == 2 ? difference && strstr(difference, "left out")
                                       : !difference);
    net_release(&forgotten);
    end(&t);
  }
}

// A model with a variable of a type that is not known: nothing is compared, and nothing differs.
static void test_unknown(void **unused) {
  (void)unused;
  Twins t;
  begin(&t, "const int K = fint(2.7); int[0,K] n; process P() { state A; init A; trans A -> A { "
            "guard n "
            "< 1; assign n = 1; }; } system P;");
  compare(&t);
  assert_null(look(&t, "E<> n == 1"));
  const MeaningCounts counts = meaning_counts(t.net);
  assert_true(counts.has_twin && !counts.compared && strstr(counts.why, "real"));
  end(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_agreement),    cmocka_unit_test(test_faults),
      cmocka_unit_test(test_goal),         cmocka_unit_test(test_rates),
      cmocka_unit_test(test_unread_rates), cmocka_unit_test(test_unknown)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
