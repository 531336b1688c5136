// Random graphs, searched by cycles.h and by the definition.
#include "search/cycles/cycles.h"

#include "covered_graph.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static CyclesResult end(Space *space) {
  const Graph *g = (const Graph *)space;
  return g->is_end[index_of(g->key, space->zone)] ? CYCLES_END : CYCLES_NONE;
}

// A larger node is an end if the smaller one is.
static void make_with_ends(Graph *g, Random *random) {
  make(g, random);
  const int ends = random_between(random, 0, 3) == 0;
  for (uint32_t node = 0; node < NODES; node++)
    g->is_end[node] =
        (node % SIZES && g->is_end[node - 1]) || (ends && !random_below(random, 40));
}

static bool expected(const Graph *g) {
  bool reach[NODES][NODES] = {{false}};
  for (uint32_t i = 0; i < NODES; i++)
    for (uint32_t j = 0; j < NODES; j++)
      reach[i][j] = g->edges[i][j];
  for (uint32_t k = 0; k < NODES; k++)
    for (uint32_t i = 0; i < NODES; i++)
      for (uint32_t j = 0; j < NODES; j++)
        reach[i][j] |= reach[i][k] && reach[k][j];
  for (uint32_t i = 0; i < NODES; i++) {
    if (i && !reach[0][i])
      continue;
    uint32_t found = 0;
    for (uint32_t a = 0; a < NODES; a++)
      for (uint32_t b = 0; b < NODES; b++)
        if ((a == i || (reach[i][a] && reach[a][i])) &&
            (b == i || (reach[i][b] && reach[b][i])) && g->edges[a][b] && (reach[b][a] || a == b))
          found |= g->edges[a][b] & MARKS;
    if (g->is_end[i] || found == MARKS)
      return true;
  }
  return false;
}

static void check_steps(Graph *g, Mem *mem, Cycles *cycles, CyclesResult result) {
  CycleSteps steps = {0};
  uint32_t loop, found = 0, before = 0;
  cycles_steps(cycles, mem, &steps, &loop);
  assert_int_equal(loop == UINT32_MAX, result == CYCLES_END);
  assert_int_equal(index_of(*steps.items[0].key, steps.items[0].zone), 0);
  for (uint32_t i = 1; i < steps.size; i++) {
    const uint32_t node = index_of(*steps.items[i].key, steps.items[i].zone);
    assert_true(g->edges[before][node] != 0);
    if (loop != UINT32_MAX && i > loop)
      found |= g->edges[before][node] & MARKS;
    before = node;
  }
  if (result == CYCLES_END) {
    assert_true(g->is_end[before]);
  } else {
    assert_int_equal(found, MARKS);
    assert_int_equal(before, index_of(*steps.items[loop].key, steps.items[loop].zone));
  }
  vec_release(mem, &steps);
}

static void test_random(void **unused) {
  (void)unused;
  Random random;
  random_seed(&random, 7);
  uint32_t counts[6] = {0};
  for (int i = 0; i < GRAPHS; i++) {
    static Graph g;
    Mem mem = {0};
    Statistics stats = {0};
    const CyclesRules rules = {.all_marks = MARKS, .marks = marks, .end = end};
    make_with_ends(&g, &random);
    Cycles *cycles = cycles_new(&mem, &g.space, &rules, &stats);
    g.space.next_initial = i % 2; // another search has taken the initial nodes
    const CyclesResult result = cycles_run(cycles, NULL, NULL);
    assert_int_equal(result != CYCLES_NONE, expected(&g));
    counts[result]++;
    assert_true(stats.seconds == 0); // parts of a search count it together
    if (result != CYCLES_NONE)
      check_steps(&g, &mem, cycles, result);
    cycles_release(cycles);
    assert_int_equal(mem.bytes, 0);
  }
  assert_true(counts[CYCLES_NONE] > 200 && counts[CYCLES_FOUND] > 200 && counts[CYCLES_END] > 50);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_random)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
