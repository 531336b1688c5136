// Bounds that travel upwards: after a search each node has those of its children, and of what
// covers them, through the updates of the transition.
#include "search/flybounds.h"

#include "gen/gen.h"
#include "reading.h"
#include "search/fly.h"
#include "search/reach.h"
#include "zone/zones.h"

typedef struct Run {
  Reading reading;
  Text text;
  Report report;
  Statistics stats;
  Space *space;
  Reach reach;
} Run;

static void begin(Run *r, Mem *mem, const char *order) {
  const char *const arguments[] = {"n=4"};
  *r = (Run){.text.mem = mem};
  report_init(&r->report, mem);
  assert_true(gen_write(&r->text, &r->report, "fischer", 1, arguments));
  reading_accept(&r->reading, text_chars(&r->text));
  Options options;
  options_init(&options);
  assert_true(options_set(&options, "bounds", "fly", &r->report));
  r->space = zones_new(mem, &r->reading.net, NULL, &options, &r->report);
  assert_non_null(r->space);
  assert_true(options_set(&options, "order", order, &r->report));
  reach_init(&r->reach, mem, r->space, (SearchOrder)options.order, &r->stats);
  assert_int_equal(reach_run(&r->reach), REACH_NONE);
}

static void end(Run *r) {
  reach_release(&r->reach);
  r->space->release(r->space);
  report_release(&r->report);
  text_release(&r->text);
  reading_release(&r->reading);
}

// The bounds of a node, or of what covers it.
static LevelsRef bounds_of(const Fly *fly, const NodeRef *subsumers, NodeRef ref) {
  return fly_at(fly, subsumers[ref])->bounds;
}

static void test_closed(void **state) {
  (void)state;
  static const char *const orders[] = {"bfs", "dfs"};
  for (int o = 0; o < 2; o++) {
    Mem mem = {0};
    Run r;
    begin(&r, &mem, orders[o]);
    Fly *fly = r.reach.fly;
    flybounds_pass_all(fly);
    assert_int_equal(fly->raised.size, 0);
    NodeRef *subsumers = mem_alloc(&mem, fly->nodes.size * sizeof *subsumers);
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
    mem_free(&mem, subsumers);
    end(&r);
    assert_int_equal(mem.bytes, 0);
  }
}

// What grows is heard of by the parent, once it is passed on.
static void test_raise(void **state) {
  (void)state;
  Mem mem = {0};
  Run r;
  begin(&r, &mem, "bfs");
  Fly *fly = r.reach.fly;
  flybounds_pass_all(fly);
  NodeRef child = 1;
  while (fly_at(fly, child)->state != FLY_VISITED)
    child++;
  const LevelsRef limits = fly_group(fly, child)->limits;
  flybounds_raise(fly, child, limits);
  const bool grew = fly->raised.size != 0;
  assert_int_equal(fly_at(fly, child)->is_raised, grew);
  flybounds_pass_all(fly);
  assert_int_equal(fly->raised.size, 0);
  assert_int_equal(levels_join(&fly->table, fly_at(fly, child)->bounds, limits),
                   fly_at(fly, child)->bounds);
  end(&r);
  assert_int_equal(mem.bytes, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_closed), cmocka_unit_test(test_raise)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
