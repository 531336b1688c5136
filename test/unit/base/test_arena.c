// The arena: objects are zeroed, aligned, apart from each other, and never move.
#include "base/arena.h"

#include "base/random.h"

#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { OBJECTS = 3000 };

typedef struct Object {
  unsigned char *data;
  size_t size;
} Object;

// Small ones, now and then one of the order of a chunk or above.
static size_t random_size(Random *random) {
  switch (random_below(random, 100)) {
  case 0:
    return random_below(random, 70000);
  case 1:
    return 4096 - 16 + random_below(random, 32);
  case 2:
    return 0;
  default:
    return 1 + random_below(random, 200);
  }
}

static void assert_filled(const Object *object, unsigned char value) {
  for (size_t i = 0; i < object->size; i++)
    assert_int_equal(object->data[i], value);
}

static void test_objects(void **state) {
  (void)state;
  Mem mem = {0};
  Arena arena = {.mem = &mem};
  static Object objects[OBJECTS];
  Random random;
  random_seed(&random, 1);
  size_t sum = 0;
  for (int i = 0; i < OBJECTS; i++) {
    objects[i].size = random_size(&random);
    objects[i].data = arena_alloc(&arena, objects[i].size);
    assert_non_null(objects[i].data);
    assert_int_equal((uintptr_t)objects[i].data % 16, 0);
    assert_filled(&objects[i], 0);
    memset(objects[i].data, i % 251 + 1, objects[i].size);
    sum += objects[i].size;
  }
  for (int i = 0; i < OBJECTS; i++)
    assert_filled(&objects[i], (unsigned char)(i % 251 + 1));
  // Little is wasted: rounding, the ends of chunks, their heads.
  assert_in_range(mem.bytes, sum, sum * 2 + 32768);
  arena_release(&arena);
  assert_int_equal(mem.bytes, 0);
}

static void test_text(void **state) {
  (void)state;
  Mem mem = {0};
  Arena arena = {.mem = &mem};
  const char *a = arena_text(&arena, "location", 3), *b = arena_text(&arena, "", 0);
  const char *c = arena_text(&arena, "0123456789abcdef", 16); // the NUL needs a new unit
  const char *d = arena_text(&arena, "d", 1);
  assert_string_equal(a, "loc");
  assert_string_equal(b, "");
  assert_string_equal(c, "0123456789abcdef");
  assert_string_equal(d, "d");
  arena_release(&arena);
}

// Released, it is empty and may be used again; small arenas take one chunk.
static void test_again(void **state) {
  (void)state;
  Mem mem = {0};
  Arena arena = {.mem = &mem};
  arena_release(&arena);
  for (int round = 0; round < 3; round++) {
    int *numbers = ARENA_ARRAY(&arena, int, 100);
    double *number = ARENA_NEW(&arena, double);
    numbers[99] = 1;
    *number = 1;
    const size_t bytes = mem.bytes;
    for (int i = 0; i < 100; i++)
      ARENA_NEW(&arena, double);
    assert_int_equal(mem.bytes, bytes);
    arena_release(&arena);
    assert_int_equal(mem.bytes, 0);
  }
}

// Cleared, it gives the same memory again, zeroed.
static void test_clear(void **state) {
  (void)state;
  enum { SIZE = 5000, COUNT = 20 };
  Mem mem = {0};
  Arena arena = {.mem = &mem};
  size_t bytes = 0;
  for (int round = 0; round < 3; round++) {
    for (int i = 0; i < COUNT; i++) {
      const Object object = {arena_alloc(&arena, SIZE), SIZE};
      assert_filled(&object, 0);
      memset(object.data, 1, SIZE);
      const Object copy = {arena_copy(&arena, object.data, SIZE), SIZE};
      assert_filled(&copy, 1);
    }
    arena_clear(&arena);
    assert_true(!round || mem.bytes == bytes);
    bytes = mem.bytes;
  }
  arena_release(&arena);
  assert_int_equal(mem.bytes, 0);
}

static void test_align(void **state) {
  (void)state;
  Mem mem = {0};
  Arena arena = {.mem = &mem};
  for (size_t slack = 0; slack < 200; slack += 50) {
    unsigned char *data = arena_align(&arena, 30, slack);
    assert_int_equal((uintptr_t)data % 64, 0);
    const Object object = {data - slack, 30 + 2 * slack};
    assert_filled(&object, 0);
    memset(object.data, 1, object.size);
  }
  arena_release(&arena);
  assert_int_equal(mem.bytes, 0);
}

// Memory runs out while it grows: what was there stays, and is released.
static void test_limit(void **state) {
  (void)state;
  static Mem mem = {.limit = 50000}; // static: survive the jump
  static Arena arena = {.mem = &mem};
  static int count;
  jmp_buf escape;
  mem.escape = &escape;
  if (!setjmp(escape))
    for (;;) {
      unsigned char *data = arena_alloc(&arena, 1000);
      memset(data, 1, 1000);
      count++;
    }
  assert_in_range(count, 20, 50);
  assert_true(mem.bytes <= 50000);
  arena_release(&arena);
  assert_int_equal(mem.bytes, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_objects), cmocka_unit_test(test_text),  cmocka_unit_test(test_again),
      cmocka_unit_test(test_clear),   cmocka_unit_test(test_limit), cmocka_unit_test(test_align),
  };
  return cmocka_run_group_tests_name("arena", tests, NULL, NULL);
}
