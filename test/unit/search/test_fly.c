// Bounds found during the search: the counts of models that were made to show them, and what
// holds of every such search. That all searches agree is the business of
// test/fuzz/agree_bounds.c and of test_zones.c.
#include "search/fly.h"

#include "gen/gen.h"
#include "reading.h"
#include "search/reach.h"
#include "zone/zones.h"

typedef struct Run {
  Reading reading;
  Text text;
  Mem mem;
  Statistics stats;
} Run;

static void run(Run *r, const char *family, int count, const char *const *arguments,
                const char *bounds, const char *order) {
  *r = (Run){.stats = {0}};
  Report report;
  report_init(&report, &r->mem);
  r->text.mem = &r->mem;
  assert_true(gen_write(&r->text, &report, family, count, arguments));
  reading_accept(&r->reading, text_chars(&r->text));
  Options options;
  options_init(&options);
  assert_true(options_set(&options, "bounds", bounds, &report));
  assert_true(options_set(&options, "order", order, &report));
  Space *space = zones_new(&r->mem, &r->reading.net, NULL, &options, &report);
  assert_non_null(space);
  Reach reach;
  reach_init(&reach, &r->mem, space, (SearchOrder)options.order, &r->stats);
  assert_int_equal(reach_run(&reach), REACH_NONE);
  assert_true(store_ok(&reach.store));
  reach_release(&reach);
  space->release(space);
  report_release(&report);
  text_release(&r->text);
  reading_release(&r->reading);
  assert_int_equal(r->mem.bytes, 0);
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_unreachable_constants),
      cmocka_unit_test(test_fddi),
      cmocka_unit_test(test_reopening),
  };
  return cmocka_run_group_tests_name("fly", tests, NULL, NULL);
}
