// Traces: the run to every node of a search, replayed step by step on concrete clocks by the
// naive semantics of points.h. So no node of a search is there without a run.
#include "answers/runs/trace.h"

#include "base/random.h"
#include "grid.h"
#include "semantics/zone/zones.h"

typedef struct Search {
  Reading *reading;
  Mem mem;
  Statistics stats;
  Space *space;
  Reach reach;
  ReachResult result;
  Query query;
  Goal goal;
} Search;

static void search_init(Search *s, Reading *r, const char *query, const Options *options) {
  *s = (Search){.reading = r};
  if (query) {
    const Source source = {.name = "query", .text = query, .size = strlen(query)};
    if (!query_read(&s->query, &r->arena, &r->net, &source, &r->report) ||
        !query_goal(&s->goal, &r->arena, &r->net, &s->query, &r->report))
      fail_msg("%s", text_chars(&r->report.error));
  }
  s->space = zones_new(&s->mem, &r->net, query ? &s->goal : NULL, options, &r->report);
  if (!s->space)
    fail_msg("%s", text_chars(&r->report.error));
  reach_init(&s->reach, &s->mem, s->space, (SearchOrder)options->order, &s->stats);
  s->result = reach_run(&s->reach);
}

static void search_release(Search *s) {
  reach_release(&s->reach);
  space_release(s->space);
  assert_int_equal(s->mem.bytes, 0);
}

// Positions the joint transition on the edges of the step.
static void find_joint(Mover *m, const int32_t *state, const RunStep *step) {
  joint_begin(&m->joint, state);
  while (joint_next(&m->joint))
    if (m->joint.edge_count == step->edge_count &&
        !memcmp(m->joint.edges, step->edges, step->edge_count * sizeof *step->edges))
      return;
  fail_msg("there is no such transition");
}

static void assert_clocks(const Trace *trace, const int64_t *clocks, const Point *point) {
  for (ClockIndex x = 1; x <= trace->net->clock_count; x++)
    assert_int_equal(clocks[x], point->clocks[x]);
}

static bool is_initial(const Net *net, const int32_t *state) {
  for (ProcessId p = 0; p < net->processes.size; p++)
    if (!net_location(net, p, state[net->location_slot + p])->initial)
      return false;
  return !memcmp(state, net->slots.initial, net->location_slot * sizeof *state);
}

// The goal holds at the point.
static bool goal_holds(Mover *m, const Goal *goal, const Point *point) {
  for (uint32_t clause = 0;; clause++) {
    vec_clear(&m->tests);
    if (goal_clause(goal, &m->vm, point->state, &clause, &m->tests) != VM_TRUE)
      return false;
    if (mover_holds(m, VM_TRUE, point))
      return true;
  }
}

// Replays a concrete trace; the last point is left in `end`.
static void replay(Mem *mem, const Trace *trace, const Goal *goal, Point *end) {
  const Net *net = trace->net;
  Mover m;
  mover_init(&m, mem, net, trace->run.denominator);
  assert_true(trace->run.step_count >= 1 && trace->run.denominator >= 1);
  assert_true(is_initial(net, trace->run.steps[0].state));
  Point point = {0};
  memcpy(point.state, trace->run.steps[0].state, net->slots.count * sizeof(int32_t));
  assert_true(mover_stays(&m, &point));
  assert_int_equal(trace->run.steps[0].time, 0);
  assert_clocks(trace, trace->run.steps[0].clocks, &point);
  for (uint32_t i = 1; i < trace->run.step_count; i++) {
    const RunStep *step = &trace->run.steps[i];
    assert_true(step->time >= trace->run.steps[i - 1].time);
    assert_true(mover_delay(&m, &point, step->time - trace->run.steps[i - 1].time));
    find_joint(&m, point.state, step);
    assert_true(mover_fire(&m, &point));
    assert_memory_equal(point.state, step->state, net->slots.count * sizeof(int32_t));
    assert_clocks(trace, step->clocks, &point);
  }
  assert_null(trace->zones);
  if (trace->run.end_clocks) {
    const int64_t rest = trace->run.end_time - trace->run.steps[trace->run.step_count - 1].time;
    assert_true(rest >= 0 && mover_delay(&m, &point, rest));
    assert_clocks(trace, trace->run.end_clocks, &point);
    assert_true(!goal || goal_holds(&m, goal, &point));
  }
  *end = point;
  mover_release(&m);
}

// The symbolic trace takes the same way; the concrete points are in its zones.
static void compare_symbolic(const Trace *symbolic, const Trace *concrete) {
  const uint32_t n = concrete->net->clock_count + 1;
  assert_int_equal(symbolic->run.step_count, concrete->run.step_count);
  assert_null(symbolic->run.end_clocks);
  for (uint32_t i = 0; i < concrete->run.step_count; i++) {
    const RunStep *a = &symbolic->run.steps[i], *b = &concrete->run.steps[i];
    assert_memory_equal(a->state, b->state, concrete->net->slots.count * sizeof(int32_t));
    assert_int_equal(a->edge_count, b->edge_count);
    assert_true(dbm_is_tight(symbolic->zones[i], n));
    assert_true(dbm_contains(symbolic->zones[i], n, b->clocks, concrete->run.denominator));
  }
  assert_true(dbm_contains(symbolic->zones[symbolic->run.step_count - 1], n,
                           concrete->run.end_clocks, concrete->run.denominator));
}

// Builds both kinds of trace to what the search says, and checks them.
static void check_traces(Search *s, const Goal *goal, Point *end) {
  Mem mem = {0};
  Trace concrete, symbolic;
  const Net *net = &s->reading->net;
  if (!trace_build(&concrete, &mem, net, goal, &s->reach, REACH_GOAL, TRACE_CONCRETE, NULL) ||
      !trace_build(&symbolic, &mem, net, goal, &s->reach, REACH_GOAL, TRACE_SYMBOLIC, NULL))
    fail_msg("no trace in\n%s", s->reading->source.text);
  replay(&mem, &concrete, goal, end);
  compare_symbolic(&symbolic, &concrete);
  trace_release(&symbolic);
  trace_release(&concrete);
  assert_int_equal(mem.bytes, 0);
}

static void set_options(Options *options, uint64_t seed) {
  static const int abstractions[] = {ABSTRACTION_ALU, ABSTRACTION_EXTRA_LU_PLUS,
                                     ABSTRACTION_EXTRA_M, ABSTRACTION_AM};
  options_init(options);
  options->abstraction = abstractions[seed % 4];
  options->order = seed / 4 % 2;
  options->bounds = seed / 8 % 2;
  options->seed = seed % 5 ? 0 : (int)seed;
}

// Every node, also an evicted one, has a run.
static void test_all_nodes(void **state) {
  (void)state;
  const char *const open[] = {"clocks=3", "constant=3", NULL};
  const char *const busy[] = {"clocks=2", "processes=3", "invariants=80", "edges=8", NULL};
  int nodes = 0;
  for (uint64_t seed = 1; seed <= 80; seed++) {
    char *text = points_random_text(seed, seed % 2 ? open : busy);
    Reading r;
    reading_accept(&r, text);
    Options options;
    set_options(&options, seed);
    Search s;
    search_init(&s, &r, NULL, &options);
    assert_int_equal(s.result, REACH_NONE);
    for (NodeRef ref = 0; ref < s.reach.store.nodes.size && ref < 60; ref++) {
      const Node *node = store_node(&s.reach.store, ref);
      s.reach.goal_parent = node->parent;
      s.reach.goal_ordinal = node->ordinal;
      Point end;
      check_traces(&s, NULL, &end);
      StateLayout layout;
      uint64_t key;
      state_layout(&layout, &r.arena, &r.net);
      state_pack(&layout, &key, end.state);
      assert_int_equal(key, *store_key(&s.reach.store, node->group));
      nodes++;
    }
    search_release(&s);
    reading_release(&r);
    free(text);
  }
  assert_true(nodes > 500);
}

// Goals on clocks and locations: the run ends in a point where the goal holds.
static void test_goals(void **state) {
  (void)state;
  const char *const arguments[] = {"clocks=3", "constant=3", "guards=80", NULL};
  Random random;
  random_seed(&random, 1);
  int found = 0;
  for (uint64_t seed = 1; seed <= 300; seed++) {
    char *text = points_random_text(seed, arguments);
    Reading r;
    reading_accept(&r, text);
    Options options;
    set_options(&options, seed);
    const char *const signs[] = {"<", "<=", "==", ">=", ">"};
    const char *clocks[2], *compare[2];
    int constants[2];
    for (int i = 0; i < 2; i++) {
      clocks[i] = r.net.clock_names[1 + random_below(&random, r.net.clock_count)];
      compare[i] = signs[random_below(&random, 5)];
      constants[i] = random_between(&random, 0, 5);
    }
    char query[200];
    snprintf(query, sizeof query, "E<> P0.l%u && (%s %s %d %s %s %s %d)",
             random_below(&random, 3), clocks[0], compare[0], constants[0],
             random_below(&random, 2) ? "&&" : "||", clocks[1], compare[1], constants[1]);
    Search s;
    search_init(&s, &r, query, &options);
    if (s.result == REACH_GOAL) {
      Point end;
      check_traces(&s, &s.goal, &end);
      found++;
    }
    search_release(&s);
    reading_release(&r);
    free(text);
  }
  assert_in_range(found, 50, 290);
}

#define HEAD                                                                                     \
  "system:s\nevent:a\nevent:b\nclock:1:x\nclock:1:y\nint:1:0:9:0:n\nprocess:P\nprocess:Q\n"      \
  "location:P:l0{initial:}\nlocation:P:l1{}\nlocation:P:l2{}\n"                                  \
  "location:Q:q0{initial:}\nlocation:Q:q1{invariant: y<=2}\n"

// A run that can be told by hand: strict bounds, a synchronisation, the end of the invariant.
static void test_times(void **state) {
  (void)state;
  Reading r;
  reading_accept(&r, HEAD "edge:P:l0:l1:a{provided: x>3: do: x=0}\n"
                          "edge:Q:q0:q1:b{do: y=0; n=n+1}\nedge:P:l1:l2:b{provided: x<1}\n"
                          "sync:P@b:Q@b\n");
  Options options;
  options_init(&options);
  Search s;
  search_init(&s, &r, "E<> P.l2 && x > 2", &options);
  assert_int_equal(s.result, REACH_GOAL);
  Point end;
  check_traces(&s, &s.goal, &end);
  Trace trace;
  assert_true(
      trace_build(&trace, &s.mem, &r.net, &s.goal, &s.reach, REACH_GOAL, TRACE_CONCRETE, NULL));
  assert_int_equal(trace.run.step_count, 3);
  // After 3 comes 3 + e; the goal needs x > 2 within two units of the second step.
  const int64_t d = trace.run.denominator;
  assert_int_equal(d, 2);
  assert_int_equal(trace.run.steps[1].time, 3 * d + 1);
  assert_int_equal(trace.run.steps[1].edge_count, 1);
  assert_int_equal(trace.run.steps[2].edge_count, 2);
  assert_int_equal(trace.run.steps[2].time, 3 * d + 2);
  assert_int_equal(trace.run.end_time, 5 * d + 2);
  trace_release(&trace);
  search_release(&s);
  reading_release(&r);
}

// The goal holds at once.
static void test_initial_goal(void **state) {
  (void)state;
  Reading r;
  reading_accept(&r, HEAD);
  Options options;
  options_init(&options);
  Search s;
  search_init(&s, &r, "E<> P.l0", &options);
  assert_int_equal(s.result, REACH_GOAL);
  assert_int_equal(s.reach.goal_parent, NODE_NONE);
  Point end;
  check_traces(&s, &s.goal, &end);
  for (ClockIndex x = 1; x <= 2; x++)
    assert_int_equal(end.clocks[x], 0);
  search_release(&s);
  reading_release(&r);
}

// The run to a state in which a transition fails, without that transition.
static void test_failed(void **state) {
  (void)state;
  Reading r;
  reading_accept(&r, HEAD "edge:P:l0:l1:a{provided: x>=1: do: n=n+1}\n"
                          "edge:P:l1:l2:a{provided: x>=2: do: n=1/(n-1)}\n");
  Options options;
  options_init(&options);
  Search s;
  search_init(&s, &r, NULL, &options);
  assert_int_equal(s.result, REACH_FAILED);
  Trace trace;
  assert_true(
      trace_build(&trace, &s.mem, &r.net, NULL, &s.reach, REACH_FAILED, TRACE_CONCRETE, NULL));
  assert_int_equal(trace.run.step_count, 2);
  assert_null(trace.run.end_clocks);
  Point end;
  replay(&s.mem, &trace, NULL, &end);
  assert_int_equal(end.state[0], 1);
  trace_release(&trace);
  search_release(&s);
  reading_release(&r);
}

// The zones along a run that begins in the second initial state; the invariant of the first never
// holds.
static void test_second_initial(void **state) {
  (void)state;
  Reading r;
  reading_accept(&r, "system:s\nevent:a\nclock:1:x\nint:1:0:1:0:n\nprocess:P\n"
                     "location:P:l0{initial: : invariant: n==1}\nlocation:P:l1{initial:}\n"
                     "location:P:l2{}\nedge:P:l1:l2:a{provided: x>=1}\n");
  Options options;
  options_init(&options);
  Search s;
  search_init(&s, &r, "E<> P.l2", &options);
  assert_int_equal(s.result, REACH_GOAL);
  Trace trace;
  assert_true(
      trace_build(&trace, &s.mem, &r.net, &s.goal, &s.reach, s.result, TRACE_SYMBOLIC, NULL));
  assert_int_equal(trace.run.step_count, 2);
  const Bound *zones[2];
  assert_true(trace_zones(&trace.run, &r.net, &trace.arena, zones));
  for (uint32_t i = 0; i < 2; i++)
    assert_memory_equal(zones[i], trace.zones[i], dbm_bytes(r.net.clock_count + 1));
  trace_release(&trace);
  search_release(&s);
  reading_release(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_all_nodes),      cmocka_unit_test(test_goals),
      cmocka_unit_test(test_times),          cmocka_unit_test(test_initial_goal),
      cmocka_unit_test(test_second_initial), cmocka_unit_test(test_failed),
  };
  return cmocka_run_group_tests_name("trace", tests, NULL, NULL);
}
