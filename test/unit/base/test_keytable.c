// The key table against a plain list.
#include "base/keytable.h"

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
  KeyTable table;
  keytable_init(&table, &mem, key_bytes, value_bytes);
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
    const uint32_t ref = keytable_add(&table, key, &is_new);
    assert_int_equal(is_new, !refs[kind]);
    size += is_new;
    if (is_new) {
      assert_int_equal(ref, size - 1);
      refs[kind] = ref + 1;
    }
    assert_int_equal(ref, refs[kind] - 1);
    assert_int_equal(keytable_value(&table, ref), values[kind]);
    values[kind] = random_next(&random) & table.value_mask;
    keytable_set_value(&table, ref, values[kind]);
    keytable_key(&table, ref, found);
    assert_memory_equal(key, found, sizeof key);
  }
  assert_int_equal(table.size, size);
  assert_true(keytable_ok(&table));
  mem_free(&mem, refs);
  mem_free(&mem, values);
  mem_release(&mem);
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

// What the head of table.h promises.
static void test_bytes(void **state) {
  (void)state;
  Mem mem = {0};
  KeyTable table;
  keytable_init(&table, &mem, 8, 2);
  for (uint64_t i = 0; i < 500000; i++) {
    bool is_new;
    keytable_add(&table, &i, &is_new);
    assert_true(is_new);
    if (i > 100000)
      assert_true((double)mem.peak < (10 + 5.4) * (double)(i + 1) + 50000);
  }
  assert_true(keytable_ok(&table));
  mem_release(&mem);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_shapes), cmocka_unit_test(test_bytes)};
  return cmocka_run_group_tests_name("table", tests, NULL, NULL);
}
