// Groups that grow and shrink: every zone is in one block, and empty blocks go.
#include "search/group.h"

#include "base/random.h"
#include "space/passed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { MOST = 3000 };

static uint32_t count_zones(const Slab *slab, const Group *group, uint32_t *sum) {
  uint32_t count = 0;
  *sum = 0;
  if (group->is_single) {
    *sum = group->count;
    return 1;
  }
  for (uint32_t at = group->block; at;) {
    Block *block = slab_at(slab, at);
    assert_true(block->count <= block->capacity);
    for (uint32_t i = 0; i < block->count; i++)
      *sum += block_zones(block)[i];
    count += block->count;
    at = block->next;
  }
  return count;
}

static void test_growth(void **state) {
  (void)state;
  Mem mem = {0};
  static Slab slab;
  Space space = {0};
  Group group = {0};
  uint32_t sum = 0, found;
  slab_init(&slab, &mem, 64);
  for (uint32_t i = 1; i <= MOST; i++) {
    Block *block = group_find_block(&space, &slab, &group);
    assert_true(block->count < block->capacity);
    block_zones(block)[block->count] = i;
    block_refs(block)[block->count++] = i;
    group.count++;
    sum += i;
    assert_int_equal(count_zones(&slab, &group, &found), i);
    assert_int_equal(found, sum);
  }
  assert_false(group_has_sketches(&slab, &group));
  while (group.count) { // every other block loses all it has
    for (uint32_t at = group.block, turn = 0; at; turn++) {
      Block *block = slab_at(&slab, at);
      at = block->next;
      while (block->count && (turn % 2 || !group.block || block->next == 0)) {
        block_remove(block, 0, 0);
        group.count--;
      }
    }
    group_drop_empty(&space, &slab, &group);
    assert_int_equal(count_zones(&slab, &group, &found), group.count);
    if (group.count && !((Block *)slab_at(&slab, group.block))->next)
      break;
  }
  slab_release(&slab);
  assert_int_equal(mem.bytes, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_growth)};
  return cmocka_run_group_tests_name("group", tests, NULL, NULL);
}
