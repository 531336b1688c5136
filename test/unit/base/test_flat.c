// The flat store against a plain list.
#include "base/flat.h"

#include "base/random.h"

// cmocka wants these before itself.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

enum { WORDS = 3 };

// A key of so many bytes, one of `kinds`.
static void make_key(uint64_t *key, uint32_t bytes, uint64_t kind) {
  memset(key, 0, WORDS * sizeof *key);
  unsigned char *at = (unsigned char *)key;
  uint64_t state = kind * 0x9e3779b97f4a7c15u + 1;
  for (uint32_t i = 0; i < bytes; i++) {
    at[i] = (unsigned char)(i < 3 ? kind >> 8 * i : state >> 56);
    state = state * 6364136223846793005u + 1;
  }
}

static void try_shape(uint32_t key_bytes, uint32_t value_bytes, uint32_t kinds) {
  Mem mem = {0};
  Flat flat;
  flat_init(&flat, &mem, key_bytes, value_bytes);
  Random random;
  random_seed(&random, key_bytes * 10 + value_bytes);
  uint32_t *refs = mem_alloc(&mem, kinds * sizeof *refs); // + 1, 0: not there
  uint64_t *values = mem_alloc(&mem, kinds * sizeof *values);
  uint32_t size = 0;
  for (uint32_t i = 0; i < 4 * kinds; i++) {
    uint64_t key[WORDS], found[WORDS] = {0};
    const uint32_t kind = random_below(&random, kinds);
    make_key(key, key_bytes, kind);
    bool is_new;
    const uint32_t ref = flat_add(&flat, key, &is_new);
    assert_int_equal(is_new, !refs[kind]);
    size += is_new;
    if (is_new) {
      assert_int_equal(ref, size - 1);
      refs[kind] = ref + 1;
    }
    assert_int_equal(ref, refs[kind] - 1);
    assert_int_equal(flat_value(&flat, ref), values[kind]);
    values[kind] = random_next(&random) & flat.value_mask;
    flat_set_value(&flat, ref, values[kind]);
    flat_key(&flat, ref, found);
    assert_memory_equal(key, found, sizeof key);
  }
  assert_int_equal(flat.size, size);
  assert_true(flat_ok(&flat));
  mem_free(&mem, refs);
  mem_free(&mem, values);
  flat_release(&flat);
  assert_int_equal(mem.bytes, 0);
}

static void test_shapes(void **state) {
  (void)state;
  for (uint32_t key_bytes = 3; key_bytes <= 8 * WORDS; key_bytes++)
    for (uint32_t value_bytes = 0; value_bytes <= 8; value_bytes += key_bytes % 3 + 1)
      try_shape(key_bytes, value_bytes, 700);
  try_shape(1, 1, 256);
  try_shape(8, 2, 60000);
  try_shape(12, 4, 60000);
}

// What the head of flat.h promises.
static void test_bytes(void **state) {
  (void)state;
  Mem mem = {0};
  Flat flat;
  flat_init(&flat, &mem, 8, 2);
  for (uint64_t i = 0; i < 500000; i++) {
    bool is_new;
    flat_add(&flat, &i, &is_new);
    assert_true(is_new);
    if (i > 100000)
      assert_true((double)mem.peak < (10 + 5.4) * (double)(i + 1) + 50000);
  }
  assert_true(flat_ok(&flat));
  flat_release(&flat);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_shapes), cmocka_unit_test(test_bytes)};
  return cmocka_run_group_tests_name("flat", tests, NULL, NULL);
}
