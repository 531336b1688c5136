// Random graphs as in test_cycles.c: the graph of nodes with covering never hides a run, and
// what it calls hopeless is.
#include "search/sccs.h"

#include "base/random.h"
#include "search/cycles.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { KEYS = 9, SIZES = 3, NODES = KEYS * SIZES, GRAPHS = 3000, MARKS = 3 };

typedef struct Graph {
  Space space;
  uint64_t key;
  uint32_t at, opened, marks;
  uint32_t edges[NODES][NODES]; // marks + 4; 0: none
  bool started;
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

static uint32_t find_subsumed(Space *space, const uint32_t *zones, uint32_t from,
                              uint32_t count) {
  for (uint32_t i = from; i < count; i++)
    if (zones[i] <= space->zone)
      return i;
  return count;
}

static uint32_t keep(Space *space) { return space->zone; }
static uint32_t marks(Space *space) { return ((Graph *)space)->marks; }

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
                     .find_subsumed = find_subsumed,
                     .keep = keep};
  for (uint32_t node = 0; node < NODES; node++) {
    for (uint32_t to = 0; node % SIZES && to < NODES; to++) {
      const uint32_t edge = g->edges[node - 1][to];
      const uint32_t larger =
          to / SIZES * SIZES + (uint32_t)random_between(random, (int32_t)(to % SIZES), SIZES - 1);
      if (edge)
        g->edges[node][larger] |= edge;
    }
    if (!node || random_below(random, 4))
      g->edges[node][random_below(random, NODES)] |=
          4 | (random_below(random, 3) ? 0 : 1u + (uint32_t)random_below(random, 3));
  }
}

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
                             .is_hopeless = sccs ? sccs_is_hopeless : NULL,
                             .hopeless_state = sccs};
  g->started = false;
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
    assert_true(sccs_find(&sccs, &mem, &reach, &rules));
    const bool expected = has_cycle(&g, &mem, NULL);
    assert_true(sccs.has_suspects || !expected);
    assert_int_equal(has_cycle(&g, &mem, &sccs), expected);
    check_numbers(&g, &sccs, &reach.store);
    empty += !sccs.has_suspects;
    real += expected;
    unreal += sccs.has_suspects && !expected;
    sccs_release(&sccs);
    reach_release(&reach);
    assert_int_equal(mem.bytes, 0);
  }
  assert_true(empty > 100 && real > 100 && unreal > 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_random)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
