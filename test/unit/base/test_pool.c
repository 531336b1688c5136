// The pool: items keep their values and their places while it grows.
#include "base/pool.h"

#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { PAGE = 1 << POOL_PAGE_SHIFT };

// What item i of a pool with items of `bytes` bytes is made of.
static unsigned char expected(uint32_t i, size_t byte) {
  return (unsigned char)(i * 31 + i / 256 * 7 + byte);
}

static void add_item(Pool *pool, uint32_t i) {
  assert_int_equal(pool_add(pool), i);
  unsigned char *item = pool_at(pool, i);
  for (size_t b = 0; b < pool->item_bytes; b++)
    item[b] = expected(i, b);
}

static void assert_items(const Pool *pool) {
  for (uint32_t i = 0; i < pool->size; i++) {
    const unsigned char *item = pool_at(pool, i);
    for (size_t b = 0; b < pool->item_bytes; b++)
      assert_int_equal(item[b], expected(i, b));
  }
}

static void test_items(void **state) {
  (void)state;
  const size_t sizes[] = {1, 4, 12, 40};
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    Mem mem = {0};
    Pool pool;
    pool_init(&pool, &mem, sizes[k]);
    for (uint32_t i = 0; i < PAGE * 5 + 3; i++) {
      add_item(&pool, i);
      if (i == 63 || i == 64 || i == PAGE - 1 || i == PAGE)
        assert_items(&pool);
    }
    assert_items(&pool);
    assert_int_equal(pool.page_count, 6);
    assert_int_equal(pool.capacity, 6 * PAGE);
    mem_release(&mem);
  }
}

static void test_places(void **state) {
  (void)state;
  Mem mem = {0};
  Pool pool;
  pool_init(&pool, &mem, sizeof(uint32_t));
  pool_add(&pool);
  const void *first = pool_at(&pool, 0);
  for (uint32_t i = pool.size; i < PAGE * 20; i++)
    pool_add(&pool);
  assert_ptr_equal(pool_at(&pool, 0), first);
  const void *middle = pool_at(&pool, PAGE * 7 + 5);
  for (uint32_t i = pool.size; i < PAGE * 40; i++)
    pool_add(&pool);
  assert_ptr_equal(pool_at(&pool, PAGE * 7 + 5), middle);
  mem_release(&mem);
}

// A pool takes whole pages, and nothing when it is empty.
static void test_memory(void **state) {
  (void)state;
  Mem mem = {0};
  Pool pool;
  pool_init(&pool, &mem, 16);
  assert_int_equal(mem.bytes, 0);
  pool_add(&pool);
  assert_in_range(mem.bytes, PAGE * 16, PAGE * 16 + 1024);
  for (uint32_t i = 1; i < PAGE * 10; i++)
    pool_add(&pool);
  assert_in_range(mem.bytes, PAGE * 10 * 16, PAGE * 11 * 16);
  assert_true(mem.peak <= PAGE * 11 * 16);
  mem_release(&mem);
}

// References end below UINT32_MAX: the last page that could hold it is refused.
static void test_references_end(void **state) {
  (void)state;
  static Mem mem; // static: survive the jump
  static Pool pool;
  pool_init(&pool, &mem, 1);
  pool_add(&pool);
  pool.capacity = pool.size = UINT32_MAX - PAGE + 1; // as if it had grown to there
  pool.page_count = 3;
  volatile bool refused = false;
  jmp_buf escape;
  mem.escape = &escape;
  if (setjmp(escape))
    refused = true;
  else
    pool_add(&pool);
  assert_true(refused);
  mem_release(&mem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_items),
      cmocka_unit_test(test_places),
      cmocka_unit_test(test_memory),
      cmocka_unit_test(test_references_end),
  };
  return cmocka_run_group_tests_name("pool", tests, NULL, NULL);
}
