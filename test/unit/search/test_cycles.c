// Random graphs, searched by cycles.h and by the definition. A node is its key; its zone is its
// size: among nodes of one key the larger ones can do more, and so cover the smaller ones.
#include "search/cycles.h"

#include "base/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { KEYS = 9, SIZES = 3, NODES = KEYS * SIZES, GRAPHS = 4000, MARKS = 3 };

typedef struct Graph {
  Space space;
  uint64_t key;
  uint32_t at, opened;
  uint32_t marks;
  uint32_t edges[NODES][NODES]; // marks + 4; 0: none
  bool started, is_end[NODES];
} Graph;

static uint32_t index_of(uint64_t key, uint32_t zone) { return (uint32_t)key * SIZES + zone - 1; }

static void set_current(Graph *g, uint32_t node, uint32_t marks) {
  g->key = node / SIZES;
  g->space.zone = node % SIZES + 1;
  g->space.ordinal = node;
  g->marks = marks;
}

static bool initial(Space *space) {
  Graph *g = (Graph *)space;
  const bool first = !g->started;
  g->started = true;
  set_current(g, 0, 0);
  return first;
}

static void open(Space *space, const uint64_t *key, uint32_t zone) {
  Graph *g = (Graph *)space;
  g->opened = index_of(*key, zone);
  g->at = 0;
}

static bool next(Space *space) {
  Graph *g = (Graph *)space;
  while (g->at < NODES && !g->edges[g->opened][g->at])
    g->at++;
  if (g->at == NODES)
    return false;
  set_current(g, g->at, g->edges[g->opened][g->at] & MARKS);
  g->at++;
  return true;
}

static void load(Space *space, const uint64_t *key, uint32_t zone) {
  set_current((Graph *)space, index_of(*key, zone), 0);
}

static uint32_t find_subsumer(Space *space, const uint32_t *zones, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (zones[i] >= space->zone)
      return i;
  return count;
}

static uint32_t keep(Space *space) { return space->zone; }

static uint32_t marks(Space *space) { return ((Graph *)space)->marks; }

static CyclesVerdict end(Space *space) {
  const Graph *g = (const Graph *)space;
  return g->is_end[index_of(g->key, space->zone)] ? CYCLES_IS_END : CYCLES_GO_ON;
}

// A larger node has the edges of the smaller one, to nodes at least as large, with their marks.
static void make(Graph *g, Random *random) {
  memset(g, 0, sizeof *g);
  g->space = (Space){.key_words = 1,
                     .key = &g->key,
                     .initial = initial,
                     .open = open,
                     .next = next,
                     .load = load,
                     .find_subsumer = find_subsumer,
                     .keep = keep};
  const int ends = random_between(random, 0, 3) == 0;
  for (uint32_t node = 0; node < NODES; node++) {
    for (uint32_t to = 0; node % SIZES && to < NODES; to++) {
      const uint32_t edge = g->edges[node - 1][to];
      const uint32_t larger =
          to / SIZES * SIZES + (uint32_t)random_between(random, (int32_t)(to % SIZES), SIZES - 1);
      if (edge)
        g->edges[node][larger] |= edge;
    }
    g->is_end[node] =
        (node % SIZES && g->is_end[node - 1]) || (ends && !random_below(random, 40));
    if (!node || random_below(random, 4))
      g->edges[node][random_below(random, NODES)] |=
          4 | (random_below(random, 3) ? 0 : 1u + (uint32_t)random_below(random, 3));
  }
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
  cycles_steps(cycles, &steps, &loop);
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

// Numbers of components do not grow along edges.
static void check_numbers(Graph *g, Cycles *cycles) {
  uint32_t component[NODES] = {0};
  for (uint32_t i = 0; i < cycles_count(cycles); i++)
    component[index_of(*cycles_key(cycles, i), cycles_node(cycles, i)->zone)] =
        cycles_node(cycles, i)->component;
  for (uint32_t i = 0; i < NODES; i++)
    for (uint32_t j = 0; component[i] && j < NODES; j++)
      if (g->edges[i][j]) {
        bool falls = false;
        for (uint32_t k = j; k / SIZES == j / SIZES; k++)
          falls |= component[k] && component[k] <= component[i];
        assert_true(falls);
      }
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
    make(&g, &random);
    Cycles *cycles = cycles_new(&mem, &g.space, &rules, &stats);
    const CyclesResult result = cycles_run(cycles, NULL, NULL);
    assert_int_equal(result != CYCLES_NONE, expected(&g));
    counts[result]++;
    if (result == CYCLES_NONE)
      check_numbers(&g, cycles);
    else
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
