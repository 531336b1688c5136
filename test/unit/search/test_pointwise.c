// The pointwise order against the list that it stands for, on random vectors.
#include "search/orders/pointwise.h"

#include "base/random.h"

#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { MAX_WIDTH = 5 };

typedef struct Item {
  NodeRef ref;
  uint32_t vector[MAX_WIDTH];
} Item;

typedef struct List {
  VEC(Item) items;
} List;

static bool precedes(const Item *a, const Item *b, uint32_t width) {
  bool is_less = false;
  for (uint32_t p = 0; p < width; p++) {
    if (a->vector[p] > b->vector[p])
      return false;
    is_less |= a->vector[p] < b->vector[p];
  }
  return is_less;
}

static void list_insert(List *list, Mem *mem, const Item *item, uint32_t width) {
  uint32_t at = 0;
  while (at < list->items.size && !precedes(item, &list->items.items[at], width))
    at++;
  vec_push(mem, &list->items, *item);
  memmove(&list->items.items[at + 1], &list->items.items[at],
          (list->items.size - 1 - at) * sizeof(Item));
  list->items.items[at] = *item;
}

static void list_remove(List *list, uint32_t at) {
  list->items.size--;
  memmove(&list->items.items[at], &list->items.items[at + 1],
          (list->items.size - at) * sizeof(Item));
}

typedef struct Case {
  uint32_t width, sizes[MAX_WIDTH];
  uint32_t steps;
  uint32_t drops; // percent of steps that drop a node
  uint64_t seed;
} Case;

// Dropped nodes may be popped at any time; they do not count.
static void check_pop(Pointwise *pointwise, List *list, const bool *dropped) {
  NodeRef ref;
  do
    ref = pointwise_pop(pointwise);
  while (ref != NODE_NONE && dropped[ref]);
  if (!list->items.size) {
    assert_int_equal(ref, NODE_NONE);
    return;
  }
  assert_int_equal(ref, list->items.items[0].ref);
  list_remove(list, 0);
}

static void drop_some(Pointwise *pointwise, List *list, Random *random, bool *dropped) {
  if (!list->items.size)
    return;
  const uint32_t at = random_below(random, list->items.size);
  const NodeRef ref = list->items.items[at].ref;
  dropped[ref] = true;
  pointwise_drop(pointwise, ref);
  list_remove(list, at);
}

static void check(const Case *c) {
  Mem mem = {0};
  Random random;
  random_seed(&random, c->seed);
  Pointwise *pointwise = pointwise_new(&mem, c->width, c->sizes);
  List list = {0};
  bool *dropped = mem_alloc(&mem, c->steps * 2 + 2);
  uint32_t pushing = 6;
  NodeRef next = 0;
  for (uint32_t step = 0; step < c->steps; step++) {
    if (step % 500 == 0)
      pushing = random_between(&random, 3, 7);
    if (random_below(&random, 100) < c->drops)
      drop_some(pointwise, &list, &random, dropped);
    if (random_below(&random, 10) >= pushing) {
      check_pop(pointwise, &list, dropped);
      continue;
    }
    Item item = {.ref = next};
    next += 1 + random_below(&random, 2); // references with gaps
    for (uint32_t p = 0; p < c->width; p++)
      item.vector[p] = random_below(&random, c->sizes[p]);
    pointwise_push(pointwise, item.ref, item.vector);
    list_insert(&list, &mem, &item, c->width);
  }
  while (list.items.size)
    check_pop(pointwise, &list, dropped);
  check_pop(pointwise, &list, dropped);
  vec_release(&mem, &list.items);
  mem_free(&mem, dropped);
  mem_release(&mem);
}

static void check_all(uint32_t drops, uint32_t steps, uint64_t seeds) {
  static const Case shapes[] = {
      {.width = 1, .sizes = {7}},          {.width = 1, .sizes = {1}},
      {.width = 2, .sizes = {3, 3}},       {.width = 3, .sizes = {3, 1, 4}},
      {.width = 4, .sizes = {3, 3, 3, 2}}, {.width = 5, .sizes = {2, 9, 3, 2, 4}},
      {.width = 2, .sizes = {100, 100}},   {.width = 0},
  };
  for (uint32_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
    for (uint64_t seed = 1; seed <= seeds; seed++) {
      Case c = shapes[i];
      c.steps = steps;
      c.drops = drops;
      c.seed = seed;
      check(&c);
    }
}

static void test_list(void **state) {
  (void)state;
  check_all(0, 200, 200);
  check_all(0, 20000, 2); // long enough for labels to run out, and for several blocks
}

static void test_drops(void **state) {
  (void)state;
  check_all(20, 200, 400);
  check_all(5, 20000, 2);
  check_all(40, 20000, 2);
}

// A dropped node leaves those before it where they are, and attracts no new ones.
static void test_ghost(void **state) {
  (void)state;
  Mem mem = {0};
  const uint32_t sizes[] = {4, 4};
  Pointwise *pointwise = pointwise_new(&mem, 2, sizes);
  pointwise_push(pointwise, 0, (uint32_t[]){3, 3});
  pointwise_push(pointwise, 1, (uint32_t[]){0, 3});
  pointwise_push(pointwise, 2, (uint32_t[]){3, 1}); // 1 2 0
  pointwise_drop(pointwise, 0);                     // 1 2
  pointwise_push(pointwise, 3, (uint32_t[]){2, 2}); // 1 2 3
  pointwise_push(pointwise, 4, (uint32_t[]){2, 1}); // 1 4 2 3
  pointwise_drop(pointwise, 9);                     // never pushed: nothing
  static const NodeRef expected[] = {1, 4, 2, 3, NODE_NONE};
  for (uint32_t i = 0; i < 5; i++) {
    NodeRef ref;
    do
      ref = pointwise_pop(pointwise);
    while (ref == 0);
    assert_int_equal(ref, expected[i]);
  }
  mem_release(&mem);
}

// A resumed search pushes only what waits. Nodes between these wait nowhere, whatever was in the
// memory of their places before.
static void test_gaps(void **state) {
  (void)state;
  enum { FAR = 5000, PAGE = 1 << 15 };
  Mem mem = {0};
  static const uint32_t sizes[] = {3}, vector[] = {1};
  void *dirty[4];
  for (int i = 0; i < 4; i++)
    memset(dirty[i] = mem_alloc_raw(&mem, PAGE), 0x5a, PAGE);
  for (int i = 0; i < 4; i++)
    mem_free(&mem, dirty[i]);
  Pointwise *pointwise = pointwise_new(&mem, 1, sizes);
  pointwise_push(pointwise, FAR, vector);
  for (NodeRef ref = 0; ref < FAR; ref++)
    pointwise_drop(pointwise, ref);
  assert_int_equal(pointwise_pop(pointwise), FAR);
  assert_int_equal(pointwise_pop(pointwise), NODE_NONE);
  mem_release(&mem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_list),
      cmocka_unit_test(test_drops),
      cmocka_unit_test(test_ghost),
      cmocka_unit_test(test_gaps),
  };
  return cmocka_run_group_tests_name("pointwise", tests, NULL, NULL);
}
