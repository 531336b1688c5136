// Numbers that two workers have in common name the same transitions and active clocks for both.
#include "zone/common.h"

#include "spaces.h"

#include <string.h>

static void test_numbers(void **state) {
  (void)state;
  const char *arguments[] = {"n=4"};
  Search s;
  search_generate(&s, "philosophers", 1, arguments);
  Space *first = spaces_new(&s, false);
  first->exchange.workers = 2;
  Space *second = first->exchange.sibling(first, &s.mem);
  LocVectors *one = &((Zones *)first)->vectors, *two = &((Zones *)second)->vectors;
  s.space = first;
  reach_init(&s.reach, &s.mem, first, ORDER_BFS, &s.stats);
  assert_int_equal(reach_run(&s.reach), REACH_NONE);
  assert_true(one->transitions.size > s.reading.net.edges.size);
  for (uint32_t t = 0; t < one->transitions.size; t++) {
    const uint32_t number = common_transition(one, t);
    assert_int_not_equal(number, 0);
    const uint32_t there = common_own_transition(two, number);
    const Transition *a = one->transitions.items[t], *b = two->transitions.items[there];
    assert_int_equal(a->edge_count, b->edge_count);
    assert_memory_equal(a->edges, b->edges, a->edge_count * sizeof *a->edges);
    assert_int_equal(common_transition(two, there), number);
  }
  for (uint32_t i = 0; i < one->list.size; i++) {
    const LocVector *vector = pool_at(&one->list, i);
    const uint32_t number = common_map(one, vector);
    assert_int_not_equal(number, 0);
    const LocVector *there = common_vector(two, number);
    assert_int_equal(there->active.k, vector->active.k);
    assert_memory_equal(there->active.clocks, vector->active.clocks,
                        vector->active.k * sizeof *vector->active.clocks);
  }
  second->release(second);
  search_release(&s);
}

SPACES_MAIN("common", cmocka_unit_test(test_numbers))
