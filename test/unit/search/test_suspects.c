// Random graphs as in test_sccs.c: what is found is an infinite run, and most that there are
// are found.
#include "search/cycles/suspects.h"

#include "covered_graph.h"
#include "search/cycles/cycles.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

// Ordinals of this graph are nodes. Nodes on the way may have been evicted, with their zones.
static uint32_t index_at(const CycleStep *step) { return step->ordinal; }

// Every step is an edge; the part that repeats comes back, and has all marks.
static void check_run(const Graph *g, const Suspects *s) {
  uint32_t met = 0;
  assert_true(s->loop + 1 < s->steps.size);
  assert_int_equal(index_at(&s->steps.items[0]), 0);
  for (uint32_t i = 0; i + 1 < s->steps.size; i++) {
    const uint32_t edge =
        g->edges[index_at(&s->steps.items[i])][index_at(&s->steps.items[i + 1])];
    assert_int_not_equal(edge, 0);
    met |= i >= s->loop ? edge & MARKS : 0;
  }
  assert_int_equal(met, MARKS);
  assert_int_equal(index_at(&s->steps.items[s->loop]), index_at(&vec_last(&s->steps)));
}

static bool has_cycle(Graph *g, Mem *mem) {
  Statistics stats = {0};
  const CyclesRules rules = {.all_marks = MARKS, .marks = marks};
  g->space.next_initial = 0;
  Cycles *cycles = cycles_new(mem, &g->space, &rules, &stats);
  const bool found = cycles_run(cycles, NULL, NULL) == CYCLES_FOUND;
  cycles_release(cycles);
  return found;
}

static void test_random(void **unused) {
  (void)unused;
  Random random;
  random_seed(&random, 12);
  uint32_t real = 0, found = 0, partial = 0;
  for (int i = 0; i < GRAPHS; i++) {
    static Graph g;
    Mem mem = {0};
    Arena arena = {.mem = &mem};
    Statistics stats = {0};
    Reach reach;
    Sccs sccs;
    make(&g, &random);
    reach_init(&reach, &mem, &g.space, ORDER_BFS, &stats);
    if (i % 2) // it stops after some nodes: then the graph is not closed
      reach.max_visited = random_below(&random, 8);
    const bool is_closed = reach_run(&reach) == REACH_NONE;
    const SccsRules rules = {.all_marks = MARKS, .marks = marks, .is_partial = !is_closed};
    assert_true(sccs_find(&sccs, &mem, &reach.store, &rules));
    Suspects s = {.mem = &mem, .arena = &arena, .sccs = &sccs, .rules = &rules};
    const bool is_found = suspects_find(&s), expected = has_cycle(&g, &mem);
    if (is_found)
      check_run(&g, &s);
    assert_true(expected || !is_found);
    real += is_closed && expected;
    found += is_closed && is_found;
    partial += !is_closed && is_found;
    vec_release(&mem, &s.steps);
    reach_release(&reach);
    arena_release(&arena);
    mem_release(&mem);
  }
  assert_true(real > 100 && found > real / 2 && partial > 50);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_random)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
