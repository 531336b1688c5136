// Blocks of regions against a list of blocks kept beside them: none overlap, contents stay, what
// is said to be zero is, and everything goes back to the system.
#include "base/region.h"

#include "base/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { STEPS = 4000, BLOCKS = 60, LARGEST = 12 << 20 };

typedef struct Mirror {
  unsigned char *data;
  size_t size;
  unsigned char fill;
} Mirror;

static size_t random_size(Random *random) {
  static const uint32_t most[] = {64, 300, 5000, 200000, 3 << 20};
  return random_below(random, 200) ? 1 + random_below(random, most[random_below(random, 5)])
                                   : LARGEST - random_below(random, 100000);
}

static bool is_filled(const unsigned char *data, size_t from, size_t to, unsigned char value) {
  for (size_t i = from; i < to; i++)
    if (data[i] != value)
      return false;
  return true;
}

static void test_against_mirror(void **state) {
  (void)state;
  Regions regions = {0};
  Mirror blocks[BLOCKS] = {0};
  Random random;
  random_seed(&random, 1);
  for (int step = 0; step < STEPS; step++) {
    Mirror *block = &blocks[random_below(&random, BLOCKS)];
    if (block->data) {
      assert_true(is_filled(block->data, 0, block->size, block->fill));
      region_free(&regions, block->data, block->size);
      block->data = NULL;
      continue;
    }
    bool is_zero;
    block->size = random_size(&random);
    block->fill = (unsigned char)(step % 251 + 1);
    block->data = region_alloc(&regions, block->size, &is_zero);
    if (!block->data)
      skip(); // there are no regions
    assert_int_equal((uintptr_t)block->data % 64, 0);
    assert_true(!is_zero || is_filled(block->data, 0, block->size, 0));
    memset(block->data, block->fill, block->size);
  }
  for (int i = 0; i < BLOCKS; i++)
    if (blocks[i].data)
      region_free(&regions, blocks[i].data, blocks[i].size);
  assert_null(regions.newest);
  assert_int_equal(regions.bytes, 0);
}

// Freed neighbours become one run again, in whatever order they are freed.
static void test_joined(void **state) {
  (void)state;
  Regions regions = {0};
  bool is_zero;
  char *first = region_alloc(&regions, 1000, &is_zero);
  if (!first)
    skip();
  char *block[3];
  for (int i = 0; i < 3; i++)
    block[i] = region_alloc(&regions, 1024, &is_zero);
  region_free(&regions, block[1], 1024);
  region_free(&regions, block[0], 1024);
  region_free(&regions, block[2], 1024);
  assert_ptr_equal(region_alloc(&regions, 3072, &is_zero), block[0]);
  assert_false(is_zero);
  region_free(&regions, block[0], 3072);
  region_free(&regions, first, 1000);
  assert_null(regions.newest);
}

static void test_grown(void **state) {
  (void)state;
  Regions regions = {0};
  bool is_zero;
  unsigned char *data = region_alloc(&regions, LARGEST, &is_zero);
  if (!data)
    skip();
  memset(data, 7, LARGEST);
  assert_null(region_resize(&regions, data, LARGEST, LARGEST - 1));
  unsigned char *grown = region_resize(&regions, data, LARGEST, 3 * (size_t)LARGEST + 5);
  assert_non_null(grown);
  assert_true(is_filled(grown, 0, LARGEST, 7));
  assert_true(is_filled(grown, LARGEST, 3 * (size_t)LARGEST + 5, 0));
  region_free(&regions, grown, 3 * (size_t)LARGEST + 5);
  assert_int_equal(regions.bytes, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_against_mirror),
      cmocka_unit_test(test_joined),
      cmocka_unit_test(test_grown),
  };
  return cmocka_run_group_tests_name("region", tests, NULL, NULL);
}
