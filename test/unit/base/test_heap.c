// The heap against the smallest of an array.
#include "base/heap.h"

#include "base/random.h"

#include <stdarg.h>

#include <cmocka.h>

static bool is_smaller(HeapKey a, HeapKey b) {
  return a.high < b.high || (a.high == b.high && a.low < b.low);
}

static void check_pop(Heap *heap, Heap *array) {
  uint32_t least = 0;
  for (uint32_t i = 1; i < array->size; i++)
    if (is_smaller(array->items[i], array->items[least]))
      least = i;
  const HeapKey key = heap_pop(heap);
  assert_int_equal(key.high, array->items[least].high);
  assert_int_equal(key.low, array->items[least].low);
  array->items[least] = vec_last(array);
  array->size--;
}

static void test_random(void **state) {
  (void)state;
  Mem mem = {0};
  for (uint64_t seed = 1; seed <= 200; seed++) {
    Random random;
    random_seed(&random, seed);
    Heap heap = {0}, array = {0};
    const uint32_t range = 1 + random_below(&random, 300);
    for (int step = 0; step < 1000; step++) {
      if (heap.size && random_below(&random, 9) < 4) {
        check_pop(&heap, &array);
        continue;
      }
      const HeapKey key = {random_below(&random, range) * (UINT64_MAX / 400),
                           random_below(&random, range) * (UINT64_MAX / 400)};
      heap_push(&heap, &mem, key);
      vec_push(&mem, &array, key);
    }
    while (heap.size)
      check_pop(&heap, &array);
    vec_release(&mem, &array);
  }
  mem_release(&mem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random),
  };
  return cmocka_run_group_tests_name("heap", tests, NULL, NULL);
}
