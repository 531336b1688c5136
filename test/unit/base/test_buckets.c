// Buckets against a heap, which is tested against an array.
#include "base/buckets.h"

#include "base/random.h"

#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { REFS = 3000 };

typedef struct Fixture {
  Mem mem;
  Random random;
  Buckets buckets;
  Heap heap;
  HeapKey keys[REFS]; // by reference
} Fixture;

static void fixture_init(Fixture *f, uint64_t seed) {
  memset(f, 0, sizeof *f);
  random_seed(&f->random, seed);
  buckets_init(&f->buckets, &f->mem);
  const uint32_t range = 1 + random_below(&f->random, seed % 4 ? 6 : 300);
  for (uint32_t ref = 0; ref < REFS; ref++) // differing in upper bits as well as in lower ones
    f->keys[ref] = (HeapKey){(uint64_t)random_below(&f->random, range) << 32 |
                                 random_below(&f->random, range),
                             (uint64_t)random_below(&f->random, range) << 32 | ref};
}

static void push(Fixture *f, uint32_t ref) {
  buckets_push(&f->buckets, f->keys[ref]);
  heap_push(&f->heap, &f->mem, f->keys[ref]);
}

static uint32_t check_pop(Fixture *f) {
  HeapKey key = {0};
  uint32_t ahead[4];
  const uint32_t peeked = buckets_peek(&f->buckets, ahead, 4);
  for (uint32_t i = 1; i < peeked; i++) // of one rank, in order
    assert_true(ahead[i - 1] < ahead[i] && f->keys[ahead[i - 1]].high == f->keys[ahead[i]].high);
  if (peeked && !f->buckets.late.size)
    assert_int_equal(ahead[0], (uint32_t)f->heap.items[0].low);
  assert_true(buckets_pop(&f->buckets, &key));
  const HeapKey expected = heap_pop(&f->heap);
  assert_int_equal(key.high, expected.high);
  assert_int_equal(key.low, expected.low);
  return (uint32_t)key.low;
}

static void fixture_end(Fixture *f) {
  HeapKey key;
  assert_true(buckets_ok(&f->buckets));
  while (f->heap.size)
    check_pop(f);
  assert_false(buckets_pop(&f->buckets, &key));
  assert_int_equal(f->buckets.heap.size, 0);
  assert_true(buckets_ok(&f->buckets));
  mem_release(&f->mem);
}

// Ascending references, then nothing is late.
static void test_ascending(void **state) {
  (void)state;
  static Fixture f;
  for (uint64_t seed = 1; seed <= 100; seed++) {
    fixture_init(&f, seed);
    for (uint32_t ref = 0; ref < REFS;) {
      if (f.heap.size && random_below(&f.random, 9) < 4)
        check_pop(&f);
      else
        push(&f, ref++);
    }
    assert_int_equal(f.buckets.late.capacity, 0);
    fixture_end(&f);
  }
}

// Any references, also those that wait or have been popped.
static void test_any(void **state) {
  (void)state;
  static Fixture f;
  for (uint64_t seed = 1; seed <= 100; seed++) {
    fixture_init(&f, seed);
    uint32_t popped = 0;
    for (uint32_t ref = 0, step = 0; step < 2 * REFS; step++) {
      const uint32_t choice = random_below(&f.random, 20);
      if (choice < 9 && f.heap.size)
        popped = check_pop(&f);
      else if (choice < 11)
        push(&f, popped);
      else if (choice < 13)
        push(&f, random_below(&f.random, REFS));
      else if (ref < REFS)
        push(&f, ref++);
      if (step % 512 == 0)
        assert_true(buckets_ok(&f.buckets));
    }
    assert_true(f.buckets.late.capacity);
    fixture_end(&f);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_ascending),
      cmocka_unit_test(test_any),
  };
  return cmocka_run_group_tests_name("buckets", tests, NULL, NULL);
}
