// The vector against a plain array.
#include "base/vec.h"

#include "base/random.h"

#include <stdarg.h>

#include <cmocka.h>

enum { STEPS = 100000, MAX = 5000 };

typedef struct Item { // odd on purpose
  unsigned char bytes[3];
} Item;

static Item random_item(Random *random) {
  const uint64_t bits = random_next(random);
  return (Item){{bits & 255, bits >> 8 & 255, bits >> 16 & 255}};
}

static bool same(Item a, Item b) {
  return a.bytes[0] == b.bytes[0] && a.bytes[1] == b.bytes[1] && a.bytes[2] == b.bytes[2];
}

static void test_against_array(void **state) {
  (void)state;
  Mem mem = {0};
  VEC(Item) items = {0};
  static Item mirror[MAX];
  uint32_t size = 0;
  Random random;
  random_seed(&random, 1);
  for (int step = 0; step < STEPS; step++) {
    const uint32_t pick = random_below(&random, 1000);
    if (!pick) {
      vec_clear(&items);
      size = 0;
    } else if (pick < 400 && size) {
      const Item last = vec_pop(&items);
      assert_true(same(last, mirror[--size]));
    } else if (size < MAX) {
      mirror[size] = random_item(&random);
      vec_push(&mem, &items, mirror[size]);
      size++;
    }
    assert_int_equal(items.size, size);
    assert_true(items.size <= items.capacity);
    assert_int_equal(mem.bytes, items.capacity * sizeof(Item));
    if (size)
      assert_true(same(vec_last(&items), mirror[size - 1]));
  }
  for (uint32_t i = 0; i < size; i++)
    assert_true(same(items.items[i], mirror[i]));
  vec_release(&mem, &items);
  assert_int_equal(mem.bytes, 0);
  assert_null(items.items);
  assert_int_equal(items.size + items.capacity, 0);
}

// Growth is geometric, and exact where more is asked for.
static void test_reserve(void **state) {
  (void)state;
  Mem mem = {0};
  VEC(int) numbers = {0};
  vec_reserve(&mem, &numbers, 0);
  assert_int_equal(mem.bytes, 0);
  vec_reserve(&mem, &numbers, 1000);
  assert_int_equal(numbers.capacity, 1000);
  assert_int_equal(numbers.size, 0);
  const int *items = numbers.items;
  for (int i = 0; i < 1000; i++)
    vec_push(&mem, &numbers, i);
  assert_ptr_equal(numbers.items, items);
  int growths = 0;
  for (int i = 1000; i < 1000000; i++) {
    growths += numbers.size == numbers.capacity;
    vec_push(&mem, &numbers, i);
  }
  assert_in_range(growths, 1, 20);
  for (int i = 0; i < 1000000; i++)
    assert_int_equal(numbers.items[i], i);
  vec_release(&mem, &numbers);
  vec_release(&mem, &numbers);
  assert_int_equal(mem.bytes, 0);
}

// An item of the vector itself may be pushed, also when it grows.
static void test_push_own_item(void **state) {
  (void)state;
  Mem mem = {0};
  VEC(int) numbers = {0};
  vec_push(&mem, &numbers, 42);
  for (int i = 0; i < 10000; i++)
    vec_push(&mem, &numbers, numbers.items[i / 2]);
  for (uint32_t i = 0; i < numbers.size; i++)
    assert_int_equal(numbers.items[i], 42);
  vec_release(&mem, &numbers);
}

// If growing fails, the vector is as before.
static void test_limit(void **state) {
  (void)state;
  static Mem mem = {.limit = 4000};
  static VEC(int) numbers; // static: survives the jump
  jmp_buf escape;
  mem.escape = &escape;
  if (!setjmp(escape))
    for (int i = 0;; i++)
      vec_push(&mem, &numbers, i);
  assert_int_equal(numbers.size, numbers.capacity);
  assert_in_range(numbers.size, 500, 1000);
  for (uint32_t i = 0; i < numbers.size; i++)
    assert_int_equal(numbers.items[i], i);
  vec_release(&mem, &numbers);
  assert_int_equal(mem.bytes, 0);
}

static void test_reverse(void **state) {
  (void)state;
  Mem mem = {0};
  typedef struct Labelled {
    uint32_t number;
    char text[5];
  } Labelled;
  for (uint32_t size = 0; size < 9; size++)
    for (uint32_t from = 0; from <= size; from++) {
      VEC(Labelled) items = {0};
      for (uint32_t i = 0; i < size; i++) {
        const Labelled item = {i, {(char)i, 1, 2, 3, (char)(7 * i)}};
        vec_push(&mem, &items, item);
      }
      vec_reverse(&items, from);
      for (uint32_t i = 0; i < size; i++) {
        const uint32_t expected = i < from ? i : from + size - 1 - i;
        assert_int_equal(items.items[i].number, expected);
        assert_int_equal(items.items[i].text[4], (char)(7 * expected));
      }
      vec_release(&mem, &items);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_against_array), cmocka_unit_test(test_reserve),
      cmocka_unit_test(test_push_own_item), cmocka_unit_test(test_limit),
      cmocka_unit_test(test_reverse),
  };
  return cmocka_run_group_tests_name("vec", tests, NULL, NULL);
}
