// Random graphs as in test_cycles.c: the graph of nodes with covering never hides a run, and
// what it calls hopeless is.
#include "search/cycles/sccs.h"

#include "../covered_graph.h"
#include "search/cycles/cycles.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

// Numbers never grow along edges, covering included.
static void check_numbers(Graph *g, const Sccs *sccs, const Store *store) {
  for (NodeRef ref = 0; ref < store->nodes.size; ref++) {
    const Node *node = store_node(store, ref);
    if (!node->is_stored)
      continue;
    const uint32_t from = index_of(*store_key(store, node->group), node->zone);
    for (uint32_t to = 0; to < NODES; to++) {
      bool falls = !g->edges[from][to];
      for (NodeRef other = 0; !falls && other < store->nodes.size; other++) {
        const Node *by = store_node(store, other);
        falls = by->is_stored && *store_key(store, by->group) == to / SIZES &&
                by->zone >= to % SIZES + 1 && sccs->numbers[other] <= sccs->numbers[ref];
      }
      assert_true(falls);
    }
  }
}

static bool has_cycle(Graph *g, Mem *mem, Sccs *sccs) {
  Statistics stats = {0};
  const CyclesRules rules = {.all_marks = MARKS,
                             .marks = marks,
                             .hopeless = sccs ? sccs_hopeless : NULL,
                             .hopeless_state = sccs};
  g->space.next_initial = 0;
  Cycles *cycles = cycles_new(mem, &g->space, &rules, &stats);
  const bool found = cycles_run(cycles, NULL, NULL) == CYCLES_FOUND;
  cycles_release(cycles);
  return found;
}

static void test_random(void **unused) {
  (void)unused;
  Random random;
  random_seed(&random, 11);
  uint32_t empty = 0, real = 0, unreal = 0;
  for (int i = 0; i < GRAPHS; i++) {
    static Graph g;
    Mem mem = {0};
    Statistics stats = {0};
    Reach reach;
    Sccs sccs;
    const SccsRules rules = {.all_marks = MARKS, .marks = marks};
    make(&g, &random);
    reach_init(&reach, &mem, &g.space, ORDER_BFS, &stats);
    assert_int_equal(reach_run(&reach), REACH_NONE);
    assert_true(sccs_find(&sccs, &mem, &reach.store, &rules));
    const bool expected = has_cycle(&g, &mem, NULL);
    assert_true(sccs.has_suspects || !expected);
    assert_int_equal(has_cycle(&g, &mem, &sccs), expected);
    check_numbers(&g, &sccs, &reach.store);
    empty += !sccs.has_suspects;
    real += expected;
    unreal += sccs.has_suspects && !expected;
    reach_release(&reach);
    mem_release(&mem);
  }
  assert_true(empty > 100 && real > 100 && unreal > 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_random)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
