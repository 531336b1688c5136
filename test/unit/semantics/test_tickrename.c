// Points and darts that are reduced by symmetry: fewer nodes, the same answers, runs that replay.
#include "semantics/discrete/tickrename.h"

#include "analysis/symmetry/invariance.h"
#include "searching.h"
#include "semantics/discrete/darts.h"
#include "semantics/discrete/points.h"

// Clients that take a lock in turns, with closed constraints.
#define CLIENT(n)                                                                                \
  "process:P" #n "\nclock:1:x" #n "\nlocation:P" #n ":a{initial:}\n"                             \
  "location:P" #n ":b{invariant:x" #n "<=3}\nlocation:P" #n ":c{}\n"                             \
  "edge:P" #n ":a:b:tau{provided:id==0 : do:x" #n "=0}\n"                                        \
  "edge:P" #n ":b:c:tau{provided:id==0&&x" #n ">=1 : do:id=" #n ";x" #n "=0}\n"                  \
  "edge:P" #n ":b:a:tau{provided:id!=0}\n"                                                       \
  "edge:P" #n ":c:a:tau{provided:id==" #n "&&x" #n ">=2 : do:id=0}\n"
static const char model[] = "system:s\nevent:tau\nint:1:0:3:0:id\n" CLIENT(1) CLIENT(2) CLIENT(3);

typedef Space *New(Mem *, const Net *, const Goal *, const Options *, Report *);

static uint64_t explore(Reading *r, Mem *mem, New *new, const Symmetry *symmetry, int bounds) {
  Options options;
  Statistics stats = {0};
  options_init(&options);
  options.bounds = bounds;
  options.order = ORDER_BFS;
  Space *space = new (mem, &r->net, NULL, &options, &r->report);
  if (symmetry)
    tickrename_attach(space, symmetry);
  Reach reach;
  reach_init(&reach, mem, space, ORDER_BFS, &stats);
  assert_int_equal(reach_run(&reach), REACH_NONE);
  reach_release(&reach);
  space_release(space);
  return stats.stored;
}

static void test_counts(void **state) {
  (void)state;
  Reading r;
  reading_accept(&r, model);
  Symmetry symmetry;
  symmetry_find(&symmetry, &r.arena, &r.net);
  assert_int_equal(symmetry.count, 1);
  assert_int_equal(symmetry.families[0].size, 3);
  for (int bounds = BOUNDS_LOCAL; bounds <= BOUNDS_GLOBAL; bounds++)
    for (int k = 0; k < 2; k++) {
      New *new = k ? darts_new : points_new;
      const uint64_t all = explore(&r, &r.mem, new, NULL, bounds);
      const uint64_t some = explore(&r, &r.mem, new, &symmetry, bounds);
      // No orbit has more than six nodes.
      assert_true(some < all && some * 6 >= all);
    }
  reading_release(&r);
}

static void expect_run(New *new, const char *query, bool is_reachable) {
  Search s = {0};
  Reading *r = &s.reading;
  reading_accept(r, model);
  options_init(&s.options);
  search_ask(&s, query);
  Symmetry symmetry;
  symmetry_find(&symmetry, &r->arena, &r->net);
  symmetry = invariance_restrict(&symmetry, &r->arena, &r->net, s.query.formula);
  assert_int_equal(symmetry.count, 1);
  s.options.order = ORDER_DFS;
  s.options.trace = TRACE_CONCRETE;
  Space *space = new (&s.mem, &r->net, &s.goal, &s.options, &r->report);
  tickrename_attach(space, &symmetry);
  Reach reach;
  reach_init(&reach, &s.mem, space, ORDER_DFS, &s.stats);
  assert_int_equal(reach_run(&reach), is_reachable ? REACH_GOAL : REACH_NONE);
  if (is_reachable) {
    Trace trace;
    assert_true(
        trace_build(&trace, &s.mem, &r->net, &s.goal, &reach, REACH_GOAL, TRACE_CONCRETE, NULL));
    Text why = {.mem = &s.mem};
    const Run run = trace.run;
    if (!replay_run(&s.mem, &r->net, &s.goal, &run, &why))
      fail_msg("%s", text_chars(&why));
    text_release(&why);
    trace_release(&trace);
  }
  reach_release(&reach);
  space_release(space);
  reading_release(r);
}

static void test_runs(void **state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    New *new = k ? darts_new : points_new;
    expect_run(new, "E<> P3.c && x3 == 2 && id == 3", true);
    expect_run(new, "E<> P2.b && x2 == 3 && id != 0", true);
    expect_run(new, "E<> P1.c && P2.c || P1.c && P3.c || P2.c && P3.c", false);
    expect_run(new, "E<> P3.c && id == 0", false);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_counts), cmocka_unit_test(test_runs)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
