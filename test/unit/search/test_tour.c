// Random graphs as in test_sccs.c: there is a cycle with all marks through a node exactly if its
// component is suspicious, and it follows the links.
#include "search/cycles/tour.h"

#include "covered_graph.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

// The links lead from each node of the cycle to the next one, and back; the steps meet all marks.
static void check_cycle(const Graph *g, const Tour *tour, NodeRef root) {
  const Sccs *c = tour->sccs;
  uint32_t met = 0;
  NodeRef now = root;
  assert_true(tour->links.size);
  assert_int_equal(tour->cycle.size, tour->links.size);
  for (uint32_t i = 0; i < tour->links.size; i++) {
    const CycleStep *step = &tour->cycle.items[i];
    const Node *node = store_node(c->store, now);
    const uint32_t from = index_of(*store_key(c->store, node->group), node->zone);
    assert_int_equal(tour->links.items[i].node, now);
    const SccLink link = c->links.items[c->first[now] + tour->links.items[i].link];
    assert_int_equal(step->ordinal, index_of(*step->key, step->zone));
    assert_int_equal(g->edges[from][step->ordinal] & MARKS, tour->marks.items[i]);
    assert_int_equal(link.marks, tour->marks.items[i]);
    met |= link.marks;
    now = link.to;
  }
  assert_int_equal(now, root);
  assert_int_equal(met, MARKS);
}

static void check_way(const Graph *g, Mem *mem, const Store *store, NodeRef to) {
  Arena arena = {.mem = mem};
  CycleSteps steps = {0};
  tour_find_way(store, to, mem, &arena, &steps);
  assert_int_equal(steps.items[0].ordinal, 0);
  for (uint32_t i = 1; i < steps.size; i++)
    assert_true(g->edges[steps.items[i - 1].ordinal][steps.items[i].ordinal] != 0);
  assert_int_equal(vec_last(&steps).ordinal, store_node(store, to)->ordinal);
  vec_release(mem, &steps);
  arena_release(&arena);
}

static void test_random(void **unused) {
  (void)unused;
  Random random;
  random_seed(&random, 17);
  uint32_t found = 0, none = 0, long_ones = 0;
  for (int i = 0; i < GRAPHS / 4; i++) {
    static Graph g;
    Mem mem = {0};
    Arena arena = {.mem = &mem};
    Statistics stats = {0};
    const SccsRules rules = {.all_marks = MARKS, .marks = marks};
    Reach reach;
    Sccs sccs;
    Tour tour;
    make(&g, &random);
    reach_init(&reach, &mem, &g.space, ORDER_BFS, &stats);
    assert_int_equal(reach_run(&reach), REACH_NONE);
    assert_true(sccs_find(&sccs, &mem, &reach.store, &rules));
    tour_init(&tour, &mem, &sccs, &rules);
    for (NodeRef ref = 0; ref < sccs.count; ref++) {
      if (sccs.numbers[ref] == UINT32_MAX)
        continue;
      const bool is_there = tour_find_cycle(&tour, ref, UINT32_MAX, &arena);
      assert_int_equal(is_there, sccs.list.items[sccs.numbers[ref]].is_suspect);
      check_way(&g, &mem, &reach.store, ref);
      found += is_there;
      none += !is_there;
      if (!is_there)
        continue;
      check_cycle(&g, &tour, ref);
      const uint32_t length = tour.cycle.size;
      long_ones += length > 2;
      assert_false(tour_find_cycle(&tour, ref, length - 1, &arena));
      tour.turn++;
    }
    reach_release(&reach);
    arena_release(&arena);
    mem_release(&mem);
  }
  assert_true(found > 200 && none > 200 && long_ones > 100);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_random)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
