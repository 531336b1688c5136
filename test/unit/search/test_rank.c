// Ranks against Algorithm 1.2 of HT15 written down as it is: recursive, on arrays.
#include "search/orders/rank.h"

#include "search/orders/stages.h"

#include "base/random.h"

#include <stdarg.h>

#include <cmocka.h>

#include "ladder.h"

enum { MAX = 400 };

typedef struct Naive {
  uint32_t parent[MAX]; // in the tree
  bool in_tree[MAX], waits[MAX];
  uint64_t rank[MAX]; // one higher than the paper's
  uint32_t count;
  uint64_t visited;
} Naive;

#define INFINITE UINT64_MAX

static uint64_t max_rank_waiting(Naive *naive, uint32_t node) {
  naive->visited++;
  if (naive->waits[node])
    return naive->rank[node];
  uint64_t max = 0;
  for (uint32_t i = 0; i < naive->count; i++)
    if (naive->in_tree[i] && naive->parent[i] == node) {
      const uint64_t below = max_rank_waiting(naive, i);
      max = below > max ? below : max;
    }
  return max;
}

static void naive_remove(Naive *naive, uint32_t node) {
  naive->in_tree[node] = false;
  naive->waits[node] = false;
  for (uint32_t i = 0; i < naive->count; i++)
    if (naive->parent[i] == node)
      naive->parent[i] = naive->parent[node];
}

static void naive_add(Naive *naive, const Store *store, NodeRef ref, bool is_true) {
  uint64_t rank = is_true ? INFINITE : 1;
  for (NodeRef old = 0; old < ref; old++) { // oldest first
    if (!naive->in_tree[old] || store_node(store, old)->is_stored)
      continue;
    if (!naive->waits[old]) {
      const uint64_t max = max_rank_waiting(naive, old);
      if (max >= rank)
        rank = max == INFINITE ? max : max + 1;
    }
    naive_remove(naive, old);
  }
  uint32_t parent = store_node(store, ref)->parent;
  while (parent != NODE_NONE && !naive->in_tree[parent])
    parent = naive->parent[parent];
  naive->parent[ref] = parent;
  naive->in_tree[ref] = naive->waits[ref] = true;
  naive->rank[ref] = rank;
  naive->count = ref + 1;
}

static NodeRef naive_pop(Naive *naive) {
  NodeRef best = NODE_NONE;
  for (NodeRef i = 0; i < naive->count; i++)
    if (naive->waits[i] && (best == NODE_NONE || naive->rank[i] > naive->rank[best]))
      best = i;
  if (best != NODE_NONE)
    naive->waits[best] = false;
  return best;
}

// Another one that takes the place of an order, as in a search that is resumed.
static Stages *restore(Stages *order, Mem *mem, Store *store) {
  Stages *anew = stages_new(mem, store, true);
  for (NodeRef ref = 0; ref < store->nodes.size; ref++) {
    const Node *node = store_node(store, ref);
    stages_restore(anew, ref, stages_round(order, ref), node->is_stored && !node->is_visited,
                   false);
  }
  return anew;
}

// A search in a random graph: few keys and random levels, so that much is evicted, ancestors
// of the new node and the node being expanded among it.
static void check(uint64_t seed) {
  Mem mem = {0};
  Ladder ladder;
  ladder_init(&ladder);
  Store store;
  store_init(&store, &mem, &ladder.space, &ladder.stats);
  Stages *order = stages_new(&mem, &store, true);
  Random random;
  random_seed(&random, seed);
  Naive naive = {0};
  const uint32_t keys = 1 + random_below(&random, 30), max = 1 + random_below(&random, 5);
  NodeRef parent = NODE_NONE;
  do {
    for (uint32_t i = random_below(&random, max + 1) + (parent == NODE_NONE); i; i--) {
      const uint64_t key = random_below(&random, keys);
      const NodeRef ref = ladder_add(&ladder, &store, parent, key, random_below(&random, 1000));
      if (ref == NODE_NONE)
        continue;
      const bool is_true = random_below(&random, 20) == 0;
      stages_push(order, ref, is_true);
      if (random_below(&random, 10) == 0)
        stages_push(order, ref, false); // a second time: as the first
      naive_add(&naive, &store, ref, is_true);
    }
    do
      parent = stages_pop(order);
    while (parent != NODE_NONE &&
           (!store_node(&store, parent)->is_stored || store_node(&store, parent)->is_visited));
    assert_int_equal(parent, naive_pop(&naive));
    assert_int_equal(ladder.stats.rank_visited, naive.visited);
    if (parent != NODE_NONE)
      store_node(&store, parent)->is_visited = true;
    if (random_below(&random, 10) == 0)
      order = restore(order, &mem, &store);
  } while (parent != NODE_NONE && naive.count < MAX - 10);
  mem_release(&mem);
}

static void test_random(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 3000; seed++)
    check(seed);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random),
  };
  return cmocka_run_group_tests_name("rank", tests, NULL, NULL);
}
