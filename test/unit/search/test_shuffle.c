#include "search/space/shuffle.h"

#include "language/gen/gen.h"
#include "reading.h"

// All transitions, each once, with or without a seed; the same seed, the same order.
static void test_all(void **unused) {
  (void)unused;
  Reading r;
  reading_accept(&r, "system:s\nevent:a\nprocess:P\nlocation:P:A{initial:}\n"
                     "edge:P:A:A:a{}\nedge:P:A:A:a{}\nedge:P:A:A:a{}\nedge:P:A:A:a{}\n"
                     "edge:P:A:A:a{}\nedge:P:A:A:a{}\nedge:P:A:A:a{}\n");
  const int32_t state[] = {0};
  uint32_t orders[3][7];
  const int seeds[] = {0, 5, 5};
  for (int k = 0; k < 3; k++) {
    Mem mem = {0};
    Arena arena = {.mem = &mem};
    Joint joint;
    Shuffle shuffle;
    joint_init(&joint, &r.net, &arena);
    shuffle_init(&shuffle, &mem, &joint, seeds[k]);
    shuffle_begin(&shuffle, state);
    uint32_t seen = 0, count = 0;
    while (shuffle_next(&shuffle)) {
      seen |= 1u << joint.ordinal;
      orders[k][count++] = joint.ordinal;
      assert_ptr_equal(joint.edges[0], &r.net.edges.items[joint.ordinal]);
    }
    assert_int_equal(count, 7);
    assert_int_equal(seen, 127);
    joint_release(&joint);
    arena_release(&arena);
    mem_release(&mem);
  }
  for (uint32_t i = 0; i < 7; i++)
    assert_int_equal(orders[0][i], i);
  assert_memory_not_equal(orders[0], orders[1], sizeof orders[0]);
  assert_memory_equal(orders[1], orders[2], sizeof orders[1]);
  reading_drop(&r);
}

static void test_numbers(void **unused) {
  (void)unused;
  Mem mem = {0};
  Random random;
  Ordinals numbers = {0};
  random_seed(&random, 3);
  for (uint32_t count = 0; count < 20; count++) {
    uint32_t seen = 0;
    shuffle_numbers(&numbers, &mem, &random, count);
    assert_int_equal(numbers.size, count);
    for (uint32_t i = 0; i < count; i++)
      seen |= 1u << numbers.items[i];
    assert_int_equal(seen, (1u << count) - 1);
  }
  vec_release(&mem, &numbers);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_all), cmocka_unit_test(test_numbers)};
  return cmocka_run_group_tests_name("shuffle", tests, NULL, NULL);
}
