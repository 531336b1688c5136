// Blocks of random sizes, allocated and freed: none shares memory with another one.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/random.h"
#include "base/slab.h"

#include <string.h>

enum { BLOCKS = 200, STEPS = 20000 };

typedef struct Taken {
  uint32_t ref, units;
  unsigned char filling;
} Taken;

static void check(const Slab *slab, const Taken *block) {
  const unsigned char *bytes = slab_at(slab, block->ref);
  assert_int_equal((uintptr_t)bytes % SLAB_UNIT, 0);
  for (uint32_t i = 0; i < block->units * SLAB_UNIT; i++)
    assert_int_equal(bytes[i], block->filling);
}

static void run(uint32_t max_units, uint64_t seed) {
  static Slab slab;
  Mem mem = {0};
  Random random;
  Taken taken[BLOCKS] = {{0}};
  random_seed(&random, seed);
  slab_init(&slab, &mem, (size_t)max_units * SLAB_UNIT);
  for (int step = 0; step < STEPS; step++) {
    Taken *block = &taken[random_below(&random, BLOCKS)];
    if (block->ref) {
      check(&slab, block);
      slab_free(&slab, block->ref, block->units);
      block->ref = 0;
      continue;
    }
    block->units = 1 + random_below(&random, random_below(&random, 10) ? 20 : max_units);
    block->ref = slab_alloc(&slab, block->units);
    assert_int_not_equal(block->ref, 0);
    block->filling = (unsigned char)step;
    memset(slab_at(&slab, block->ref), block->filling, (size_t)block->units * SLAB_UNIT);
  }
  assert_true(slab_bytes(&slab) <= mem.bytes);
  mem_release(&mem);
}

static void test_random(void **state) {
  (void)state;
  run(30, 1);
  run(1000, 2);
  run(SLAB_LISTS - 1, 3);
}

// Blocks of one size are reused for ever.
static void test_reuse(void **state) {
  (void)state;
  static Slab slab;
  Mem mem = {0};
  slab_init(&slab, &mem, 100);
  for (int i = 0; i < 1000000; i++)
    slab_free(&slab, slab_alloc(&slab, 7), 7);
  assert_int_equal(slab.pages.size, 1);
  mem_release(&mem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random),
      cmocka_unit_test(test_reuse),
  };
  return cmocka_run_group_tests_name("slab", tests, NULL, NULL);
}
