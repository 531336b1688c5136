// Random graphs: shortest runs by shortest.h and by the definition.
#include "search/cycles/shortest.h"

#include "covered_graph.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { FAR = 1000 };

// Some steps are delays, which do not count.
static uint32_t length_of(uint32_t from, uint32_t to) { return (from * 7 + to) % 5 != 0; }

static bool next_or_delay(Space *space) {
  const Graph *g = (const Graph *)space;
  const bool ok = next(space);
  if (ok && !length_of(g->opened, index_of(g->key, space->zone)))
    space->ordinal = SPACE_DELAY;
  return ok;
}

static CyclesResult end(Space *space) {
  const Graph *g = (const Graph *)space;
  return g->is_end[index_of(g->key, space->zone)] ? CYCLES_END : CYCLES_NONE;
}

// The shortest ways from a node to all nodes with all sets of marks on the way, of at least one
// step.
static void find_ways(const Graph *g, uint32_t root, uint32_t ways[NODES][MARKS + 1]) {
  for (uint32_t i = 0; i < NODES; i++)
    for (uint32_t m = 0; m <= MARKS; m++)
      ways[i][m] = FAR;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < NODES; i++)
      for (uint32_t j = 0; j < NODES; j++)
        for (uint32_t m = 0; g->edges[i][j] && m <= MARKS; m++) {
          uint32_t before = ways[i][m];
          if (i == root && !m)
            before = 0;
          uint32_t *way = &ways[j][m | (g->edges[i][j] & MARKS)];
          if (before + length_of(i, j) < *way) {
            *way = before + length_of(i, j);
            changed = true;
          }
        }
  }
}

static uint32_t expected(const Graph *g) {
  uint32_t ways[NODES][MARKS + 1], distance[NODES], best = FAR;
  find_ways(g, 0, ways);
  for (uint32_t i = 0; i < NODES; i++) {
    distance[i] = i ? FAR : 0;
    for (uint32_t m = 0; m <= MARKS; m++)
      distance[i] = ways[i][m] < distance[i] ? ways[i][m] : distance[i];
  }
  for (uint32_t i = 0; i < NODES; i++) {
    find_ways(g, i, ways);
    const uint32_t length = distance[i] + (g->is_end[i] ? 0 : ways[i][MARKS]);
    best = length < best ? length : best;
  }
  return best;
}

static void check_steps(const Graph *g, const Shortest *s, CyclesResult result) {
  uint32_t found = 0, before = 0, length = 0;
  const CycleStep *steps = s->steps.items;
  assert_int_equal(s->loop == UINT32_MAX, result == CYCLES_END);
  assert_int_equal(index_of(*steps[0].key, steps[0].zone), 0);
  for (uint32_t i = 1; i < s->steps.size; i++) {
    const uint32_t node = index_of(*steps[i].key, steps[i].zone);
    assert_true(g->edges[before][node] != 0);
    assert_int_equal(steps[i].ordinal, length_of(before, node) ? node : SPACE_DELAY);
    if (s->loop != UINT32_MAX && i > s->loop)
      found |= g->edges[before][node] & MARKS;
    length += length_of(before, node);
    before = node;
  }
  assert_int_equal(length, s->length);
  if (result == CYCLES_END) {
    assert_true(g->is_end[before]);
  } else {
    assert_int_equal(found, MARKS);
    assert_int_equal(before, index_of(*steps[s->loop].key, steps[s->loop].zone));
  }
}

// A run is found that is as long as allowed, and none that is not; with a budget, none or a
// shortest one.
static void check(Graph *g, Random *random, uint32_t *counts) {
  Mem mem = {0};
  Arena arena = {.mem = &mem};
  const CyclesRules rules = {.all_marks = MARKS, .marks = marks, .end = end};
  const uint32_t length = expected(g);
  Shortest s = {
      .mem = &mem, .arena = &arena, .space = &g->space, .rules = &rules, .longest = UINT32_MAX};
  for (int round = 0; round < 4; round++) {
    const bool is_none = length == FAR || (round == 2 && length);
    s.longest = round == 1 ? length : round == 2 ? length - 1 : UINT32_MAX;
    s.max = round == 3 ? 1 + random_below(random, 200) : 0;
    const CyclesResult result = shortest_find(&s);
    counts[result]++;
    if (round == 3 && result == CYCLES_STOPPED)
      continue;
    assert_int_equal(result == CYCLES_NONE, is_none);
    if (result == CYCLES_NONE)
      continue;
    assert_int_equal(s.length, length);
    check_steps(g, &s, result);
  }
  vec_release(&mem, &s.steps);
  arena_release(&arena);
  assert_int_equal(mem.bytes, 0);
}

static void test_random(void **unused) {
  (void)unused;
  Random random;
  random_seed(&random, 7);
  uint32_t counts[6] = {0};
  for (int i = 0; i < GRAPHS / 4; i++) {
    static Graph g;
    make(&g, &random);
    g.space.next = next_or_delay;
    for (uint32_t node = 0; i % 3 == 0 && node < NODES; node++)
      g.is_end[node] = !random_below(&random, 20);
    check(&g, &random, counts);
  }
  assert_true(counts[CYCLES_NONE] > 200 && counts[CYCLES_FOUND] > 200 &&
              counts[CYCLES_END] > 100 && counts[CYCLES_STOPPED] > 100);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_random)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
