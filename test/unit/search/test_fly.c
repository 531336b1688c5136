// Bounds found during the search: the counts of models that were made to show them, and what
// holds of every such search. That all searches agree is the business of
// test/fuzz/agree_bounds.c and of test_zones.c.
#include "search/passed/fly.h"

#include "language/gen/gen.h"
#include "reading.h"
#include "search/reach.h"
#include "semantics/zone/zones.h"

typedef struct Run {
  Mem mem;
  Reading reading;
  Text text;
  Report report;
  Statistics stats;
  Space *space;
  Reach reach;
} Run;

static void begin(Run *r, const char *family, int count, const char *const *arguments,
                  const char *bounds, const char *order) {
  *r = (Run){.stats = {0}};
  report_init(&r->report, &r->mem);
  r->text.mem = &r->mem;
  assert_true(gen_write(&r->text, &r->report, family, count, arguments));
  reading_accept(&r->reading, text_chars(&r->text));
  Options options;
  options_init(&options);
  assert_true(options_set(&options, "bounds", bounds, &r->report));
  assert_true(options_set(&options, "order", order, &r->report));
  r->space = zones_new(&r->mem, &r->reading.net, NULL, &options, &r->report);
  assert_non_null(r->space);
  reach_init(&r->reach, &r->mem, r->space, (SearchOrder)options.order, &r->stats);
  assert_int_equal(reach_run(&r->reach), REACH_NONE);
  assert_true(store_ok(&r->reach.store));
}

static void end(Run *r) {
  reach_release(&r->reach);
  space_release(r->space);
  report_release(&r->report);
  text_release(&r->text);
  reading_release(&r->reading);
  assert_int_equal(r->mem.bytes, 0);
}

static void run(Run *r, const char *family, int count, const char *const *arguments,
                const char *bounds, const char *order) {
  begin(r, family, count, arguments, bounds, order);
  end(r);
}

static uint64_t visited(const char *family, int count, const char *const *arguments,
                        const char *bounds, const char *order) {
  Run r;
  run(&r, family, count, arguments, bounds, order);
  // At the end every node is visited or covered.
  assert_int_equal(r.stats.visited, r.stats.stored);
  assert_int_equal(r.stats.transitions + 1 - r.stats.stored, r.stats.covered);
  assert_true(r.stats.max_stored >= r.stats.stored);
  return r.stats.visited;
}

// A1, A2, A3: a constant of 10000 that no run ever meets.
static void test_unreachable_constants(void **state) {
  (void)state;
  static const char *const orders[] = {"bfs", "dfs"};
  static const char *const bounds[] = {"fly", "lazy"};
  for (int i = 0; i < 4; i++) {
    assert_int_equal(visited("a1", 0, NULL, bounds[i / 2], orders[i % 2]), 2);
    assert_int_equal(visited("a2", 0, NULL, bounds[i / 2], orders[i % 2]), 7);
    assert_int_equal(visited("a3", 0, NULL, bounds[i / 2], orders[i % 2]), 3);
  }
}

// Depth first, as printed (HKSW11, Table 1); lazy bounds need a fraction.
static void test_fddi(void **state) {
  (void)state;
  assert_int_equal(visited("fddi", 1, (const char *const[]){"10"}, "fly", "dfs"), 459);
  assert_int_equal(visited("fddi", 1, (const char *const[]){"10"}, "lazy", "dfs"), 81);
}

// Where bounds grow after nodes were covered under smaller ones.
static void test_reopening(void **state) {
  (void)state;
  Run r;
  run(&r, "fddi", 1, (const char *const[]){"5"}, "fly", "bfs");
  assert_true(r.stats.reopened > 0 && r.stats.raised > r.stats.visited);
  run(&r, "fischer", 1, (const char *const[]){"4"}, "fly", "bfs");
  assert_int_equal(r.stats.reopened, 0);
}

// The bounds of a node, or of what covers it.
static LevelsRef bounds_of(const Fly *fly, const NodeRef *subsumers, NodeRef ref) {
  return fly_at(fly, subsumers[ref])->bounds;
}

// Bounds travel upwards: after a search each node has those of its children, and of what covers
// them, through the updates of the transition.
static void test_closed(void **state) {
  (void)state;
  static const char *const orders[] = {"bfs", "dfs"};
  for (int o = 0; o < 2; o++) {
    Run r;
    begin(&r, "fischer", 1, (const char *const[]){"n=4"}, "fly", orders[o]);
    Fly *fly = r.reach.fly;
    fly_pass_all(fly);
    assert_int_equal(fly->raised.size, 0);
    NodeRef *subsumers = mem_alloc(&r.mem, fly->nodes.size * sizeof *subsumers);
    fly_subsumers(fly, subsumers);
    uint32_t edges = 0;
    for (NodeRef ref = 0; ref < fly->nodes.size; ref++) {
      const NodeRef parent = store_node(fly->store, ref)->parent;
      const LevelsRef bounds = bounds_of(fly, subsumers, ref);
      if (parent == NODE_NONE || !bounds)
        continue;
      const LevelsRef above = fly_at(fly, parent)->bounds;
      assert_int_equal(levels_join(&fly->table, above,
                                   levels_back(&fly->table, bounds, fly_at(fly, ref)->way)),
                       above);
      edges++;
    }
    assert_true(edges > 100);
    mem_free(&r.mem, subsumers);
    end(&r);
  }
}

// What grows is heard of by the parent, once it is passed on.
static void test_raise(void **state) {
  (void)state;
  Run r;
  begin(&r, "fischer", 1, (const char *const[]){"n=4"}, "fly", "bfs");
  Fly *fly = r.reach.fly;
  fly_pass_all(fly);
  NodeRef child = 1;
  while (fly_at(fly, child)->state != FLY_VISITED)
    child++;
  const LevelsRef limits = fly_group(fly, child)->limits;
  fly_raise(fly, child, limits);
  const bool grew = fly->raised.size != 0;
  assert_int_equal(fly_at(fly, child)->is_raised, grew);
  fly_pass_all(fly);
  assert_int_equal(fly->raised.size, 0);
  assert_int_equal(levels_join(&fly->table, fly_at(fly, child)->bounds, limits),
                   fly_at(fly, child)->bounds);
  end(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_unreachable_constants),
      cmocka_unit_test(test_fddi),
      cmocka_unit_test(test_reopening),
      cmocka_unit_test(test_closed),
      cmocka_unit_test(test_raise),
  };
  return cmocka_run_group_tests_name("fly", tests, NULL, NULL);
}
