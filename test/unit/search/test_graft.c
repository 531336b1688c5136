// Random graphs as in test_cycles.c: where the graph of nodes with covering hides that there is
// no run, the nodes of a search depth first show it in the place of suspicious ones.
#include "search/cycles/graft.h"

#include "../covered_graph.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const SccsRules rules = {.all_marks = MARKS, .marks = marks};

static uint32_t index_of_node(const Store *store, NodeRef ref) {
  const Node *node = store_node(store, ref);
  return index_of(*store_key(store, node->group), node->zone);
}

// Each link leads to a stored node that covers the successor; numbers never grow, and nodes of
// one number lack a mark.
static void check_links(Graph *g, const Sccs *c) {
  for (NodeRef ref = 0; ref < c->count; ref++) {
    uint64_t link = c->first[ref];
    if (!store_node(c->store, ref)->is_stored) {
      assert_int_equal(link, c->first[ref + 1]);
      continue;
    }
    const uint32_t from = index_of_node(c->store, ref);
    for (uint32_t to = 0; to < NODES; to++) {
      if (!g->edges[from][to])
        continue;
      const SccLink *by = &c->links.items[link++];
      assert_true(store_node(c->store, by->to)->is_stored);
      const uint32_t node = index_of_node(c->store, by->to);
      assert_true(node / SIZES == to / SIZES && node >= to);
      assert_int_equal(by->marks, g->edges[from][to] & MARKS);
      assert_true(c->numbers[by->to] <= c->numbers[ref]);
      if (c->numbers[by->to] == c->numbers[ref])
        assert_true((c->list.items[c->numbers[ref]].marks & MARKS) != MARKS);
    }
    assert_int_equal(link, c->first[ref + 1]);
  }
}

// Something covers each initial node, as for the search that was.
static void check_start(Graph *g, Sccs *c) {
  set_current(g, 0, 0);
  assert_true(store_subsumer(c->store) != NODE_NONE);
  assert_true(store_ok(c->store));
}

// Whether there is no run, and the graph shows it in the end.
static bool shows(Graph *g, Mem *mem, Sccs *c, bool is_inside) {
  Statistics stats = {0};
  const CyclesRules inner = {.all_marks = MARKS,
                             .marks = marks,
                             .hopeless = is_inside ? sccs_hopeless : NULL,
                             .hopeless_state = c,
                             .keeps_links = true};
  Cycles *cycles = cycles_new(mem, &g->space, &inner, &stats);
  for (NodeRef ref = 0; is_inside && ref < c->count; ref++)
    if (c->numbers[ref] != UINT32_MAX && c->list.items[c->numbers[ref]].is_suspect) {
      const Node *node = store_node(c->store, ref);
      cycles_begin_at(cycles, store_key(c->store, node->group), node->zone, ref);
    }
  const bool is_none = cycles_run(cycles, NULL, NULL) == CYCLES_NONE;
  if (is_none) {
    graft_nodes(c, cycles, &rules);
    assert_false(c->has_suspects);
    check_links(g, c);
    check_start(g, c);
  }
  cycles_release(cycles);
  return is_none;
}

static void test_random(void **unused) {
  (void)unused;
  Random random;
  random_seed(&random, 11);
  uint32_t inside = 0, whole = 0;
  for (int i = 0; i < GRAPHS; i++) {
    static Graph g;
    Mem mem = {0};
    Statistics stats = {0};
    Reach reach;
    Sccs sccs;
    make(&g, &random);
    reach_init(&reach, &mem, &g.space, ORDER_BFS, &stats);
    assert_int_equal(reach_run(&reach), REACH_NONE);
    assert_true(sccs_find(&sccs, &mem, &reach.store, &rules));
    inside += sccs.has_suspects && shows(&g, &mem, &sccs, true);
    reach_release(&reach);
    reach_init(&reach, &mem, &g.space, ORDER_BFS, &stats);
    sccs = (Sccs){.mem = &mem, .store = &reach.store};
    whole += shows(&g, &mem, &sccs, false);
    reach_release(&reach);
    mem_release(&mem);
  }
  assert_true(inside > 10 && whole > 100);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_random)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
