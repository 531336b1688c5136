// Strongly connected components of random graphs against who reaches whom.
#include "search/orders/depthfirst.h"

#include "base/random.h"

#include <stdarg.h>

#include <cmocka.h>

enum { MAX = 12, GRAPHS = 3000 };

typedef struct Graph {
  uint32_t count;
  uint64_t first[MAX + 1];
  uint32_t ends[MAX * MAX];
  bool reaches[MAX][MAX];
} Graph;

static uint32_t end_of(const void *graph, uint64_t arc) {
  return ((const Graph *)graph)->ends[arc];
}

static void make(Graph *g, Random *random) {
  const uint32_t share = 1 + random_below(random, 40);
  uint32_t arcs = 0;
  *g = (Graph){.count = 1 + random_below(random, MAX)};
  for (uint32_t i = 0; i < g->count; i++) {
    g->reaches[i][i] = true;
    for (uint32_t j = 0; j < g->count; j++)
      if (random_below(random, 100) < share) {
        const bool leads = random_below(random, 8);
        g->ends[arcs++] = leads ? j : DEPTHFIRST_NONE;
        g->reaches[i][j] |= leads;
      }
    g->first[i + 1] = arcs;
  }
  for (uint32_t k = 0; k < g->count; k++)
    for (uint32_t i = 0; i < g->count; i++)
      for (uint32_t j = 0; j < g->count; j++)
        g->reaches[i][j] |= g->reaches[i][k] && g->reaches[k][j];
}

static void check(const Graph *g, const DepthFirst *d, uint32_t root) {
  uint32_t place[MAX] = {0};
  for (uint32_t i = 0; i < d->finished.size; i++)
    place[d->finished.items[i]] = i;
  for (uint32_t i = 0; i < g->count; i++)
    for (uint32_t j = 0; j < g->count; j++) {
      if (!g->reaches[root][i] || !g->reaches[i][j])
        continue;
      assert_true(d->numbers[i] < d->count);
      assert_true(d->numbers[j] <= d->numbers[i]);
      assert_int_equal(d->numbers[i] == d->numbers[j], g->reaches[j][i]);
    }
  // What an arc of another component leads to is finished before, with all of its component.
  for (uint32_t i = 0; i < g->count; i++)
    for (uint64_t arc = g->first[i]; arc < g->first[i + 1]; arc++)
      for (uint32_t j = 0; j < g->count; j++)
        if (g->ends[arc] != DEPTHFIRST_NONE && d->numbers[i] != DEPTHFIRST_NONE &&
            d->numbers[j] == d->numbers[g->ends[arc]] && d->numbers[j] != d->numbers[i])
          assert_true(place[j] < place[i]);
}

static void test_random(void **state) {
  (void)state;
  Random random;
  random_seed(&random, 1);
  for (uint32_t i = 0; i < GRAPHS; i++) {
    Mem mem = {0};
    Graph g;
    make(&g, &random);
    DepthFirst d = {.mem = &mem, .first = g.first, .end = end_of, .graph = &g};
    depthfirst_init(&d, g.count);
    for (uint32_t root = 0; root < g.count; root++) {
      depthfirst_visit(&d, root);
      check(&g, &d, root);
    }
    assert_int_equal(d.finished.size, g.count);
    depthfirst_release(&d);
    assert_int_equal(mem.bytes, 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_random)};
  return cmocka_run_group_tests_name("depthfirst", tests, NULL, NULL);
}
