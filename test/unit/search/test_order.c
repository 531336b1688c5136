// Orders against an array from which the first or the last waiting node is taken.
#include "search/orders/order.h"

#include "base/random.h"

#include <stdarg.h>

#include <cmocka.h>

#include "ladder.h"

enum { STEPS = 200000 };

// Phases in which more is pushed than popped and the other way round, so that the queue grows
// at any position of its head, and runs empty.
static void check(SearchOrder kind, uint64_t seed) {
  Mem mem = {0};
  Order *order = order_new(&mem, kind, NULL);
  VEC(NodeRef) waiting = {0};
  uint32_t first = 0; // those before it were popped
  Random random;
  random_seed(&random, seed);
  uint32_t pushing = 5;
  for (NodeRef step = 0; step < STEPS; step++) {
    if (step % 1000 == 0)
      pushing = random_between(&random, 3, 7);
    if (random_below(&random, 10) < pushing) {
      order_push(order, step);
      vec_push(&mem, &waiting, step);
      continue;
    }
    NodeRef expected = NODE_NONE, ahead[3];
    const uint32_t peeked = order_peek(order, ahead, 3);
    for (uint32_t i = 0; i < peeked; i++)
      assert_int_equal(ahead[i], waiting.items[first + i]);
    if (kind == ORDER_BFS)
      assert_int_equal(peeked, waiting.size - first < 3 ? waiting.size - first : 3);
    if (waiting.size > first)
      expected = kind == ORDER_BFS ? waiting.items[first++] : vec_pop(&waiting);
    assert_int_equal(order_pop(order), expected);
  }
  while (waiting.size > first)
    assert_int_equal(order_pop(order),
                     kind == ORDER_BFS ? waiting.items[first++] : vec_pop(&waiting));
  assert_int_equal(order_pop(order), NODE_NONE);
  vec_release(&mem, &waiting);
  mem_release(&mem);
}

static void test_bfs(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 5; seed++)
    check(ORDER_BFS, seed);
}

static void test_dfs(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 5; seed++)
    check(ORDER_DFS, seed);
}

static void test_empty(void **state) {
  (void)state;
  Mem mem = {0};
  for (int kind = ORDER_BFS; kind <= ORDER_DFS; kind++) {
    Order *order = order_new(&mem, (SearchOrder)kind, NULL);
    assert_int_equal(order_pop(order), NODE_NONE);
    order_push(order, 7);
    assert_int_equal(order_pop(order), 7);
    assert_int_equal(order_pop(order), NODE_NONE);
    order_push(order, 8);
  }
  mem_release(&mem);
}

// Orders that look at discrete states, in a space that shows none.
static void test_no_states(void **state) {
  (void)state;
  static const SearchOrder kinds[] = {ORDER_STAGES, ORDER_WAIT, ORDER_TW};
  for (uint32_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    Mem mem = {0};
    Ladder ladder;
    ladder_init(&ladder);
    Store store;
    store_init(&store, &mem, &ladder.space, &ladder.stats);
    Order *order = order_new(&mem, kinds[k], &store);
    for (uint64_t key = 0; key < 10; key++)
      order_push(order, ladder_add(&ladder, &store, NODE_NONE, key * 7 % 10, 1));
    for (NodeRef ref = 0; ref < 10; ref++)
      assert_int_equal(order_pop(order), ref);
    assert_int_equal(order_pop(order), NODE_NONE);
    mem_release(&mem);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_bfs),
      cmocka_unit_test(test_dfs),
      cmocka_unit_test(test_empty),
      cmocka_unit_test(test_no_states),
  };
  return cmocka_run_group_tests_name("order", tests, NULL, NULL);
}
