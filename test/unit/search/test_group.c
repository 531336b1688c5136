// Groups that grow and shrink: every zone is in one block, and empty blocks go. Large groups with
// sketches are clustered: searches by the directory find what a search of all zones finds.
#include "search/passed/group.h"

#include "base/random.h"
#include "search/passed/sift.h"
#include "search/space/passed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { MAX = 3000 };

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
  for (uint32_t i = 1; i <= MAX; i++) {
    group_add(&space, &slab, &group, i, i);
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
  mem_release(&mem);
}

// Sets of bits for zones: one covers another if it includes it. The supply is the lower half, and
// a demand has some bits less.
typedef struct Sets {
  Space space; // first
  uint32_t own, demanded, looked;
} Sets;

static void sets_sketch(Space *space, const void *legend, uint32_t zone, uint32_t *supply,
                        uint32_t *demand) {
  const Sets *sets = (Sets *)space;
  const uint32_t set = zone ? zone : sets->own;
  (void)legend;
  *supply = set & 0xffff;
  *demand = set & sets->demanded;
}

static void sets_legend(Space *space, void *legend, const uint32_t *zones, uint32_t count) {
  (void)space, (void)legend, (void)zones, (void)count;
}

static uint32_t sets_find_subsumer(Space *space, const uint32_t *zones, uint32_t count) {
  uint32_t i = 0;
  while (i < count && ((Sets *)space)->own & ~zones[i])
    i++;
  ((Sets *)space)->looked += count;
  return i;
}

static uint32_t sets_find_subsumed(Space *space, const uint32_t *zones, uint32_t from,
                                   uint32_t count) {
  while (from < count && zones[from] & ~((Sets *)space)->own)
    from++;
  return from;
}

// Evicts what the current set covers: how many. No block that is passed over has such a set.
static uint32_t evict(Sets *sets, Slab *slab, Group *group) {
  uint32_t evicted = 0, blocks[SIFT_ENTRIES + BITSETS_OVER], places[SIFT_MAX + BITSETS_OVER];
  const uint32_t words = sets->space.speed.sketch_words, supply = sets->own & 0xffff;
  const SiftLegend *legend = sift_legend_of(slab, group->block);
  for (const SiftDirectory *part = sift_part(slab, legend->directory); part;
       part = sift_part(slab, part->next))
    for (uint32_t n = bitsets_within(part->least, 0, part->count, supply, blocks); n--;) {
      Block *block = slab_at(slab, part->blocks[blocks[n]]);
      assert_true(block->count <= SIFT_MAX);
      uint32_t found = sift_subsumed(&sets->space, block, supply, places);
      evicted += found;
      group->count = (group->count - found) & INT32_MAX;
      while (found--)
        block_remove(block, places[found], words);
    }
  group_drop_empty(&sets->space, slab, group);
  return evicted;
}

static uint32_t count_covered(const Slab *slab, const Group *group, uint32_t own) {
  uint32_t covered = 0;
  for (uint32_t at = group->block; at;) {
    Block *block = slab_at(slab, at);
    for (uint32_t i = 0; i < block->count; i++)
      covered += !(block_zones(block)[i] & ~own);
    at = block->next;
  }
  return covered;
}

static bool is_covered(const Slab *slab, const Group *group, uint32_t own) {
  for (uint32_t at = group->block; at;) {
    Block *block = slab_at(slab, at);
    for (uint32_t i = 0; i < block->count; i++)
      if (!(own & ~block_zones(block)[i]))
        return true;
    at = block->next;
  }
  return false;
}

static void append(Sets *sets, Slab *slab, Group *group) {
  group_add(&sets->space, slab, group, sets->own, sets->own);
}

// A set of which few others are parts; sometimes a small or a large one, or one of few low
// halves.
static uint32_t random_set(Random *random, bool is_alike) {
  uint32_t set = 1u << 31;
  for (int i = 0; i < 12; i++)
    set |= 1u << random_below(random, 31);
  if (is_alike)
    set = (set & 0xffff0000) | (0xffu << random_below(random, 8));
  const uint32_t kind = random_below(random, 256);
  return kind == 0   ? set | 1u << random_below(random, 31) | 1u << random_below(random, 31)
         : kind == 1 ? (set & (uint32_t)random_next(random)) | 1u << 31
                     : set;
}

static void grow_clusters(Random *random, uint32_t turn) {
  Mem mem = {0};
  static Slab slab;
  Group group = {0};
  uint32_t evicted = 0, looked = 0, sum;
  Sets sets = {.space = {.speed = {.sketch_words = 1 + turn % 2,
                                   .legend_bytes = 20,
                                   .sketch = sets_sketch,
                                   .choose_legend = sets_legend},
                         .find_subsumer = sets_find_subsumer,
                         .find_subsumed = sets_find_subsumed},
               .demanded = turn % 2 ? 0x7fff : 0xffff};
  slab_init(&slab, &mem, 1 << 14);
  for (uint32_t i = 0; i < MAX; i++) {
    sets.own = random_set(random, turn % 4 > 1);
    if (group_has_sketches(&slab, &group)) {
      const bool covered = is_covered(&slab, &group, sets.own);
      sets.looked = 0;
      const uint32_t node = sift_subsumer(&sets.space, &slab, group.block);
      looked += sets.looked;
      assert_int_equal(node != UINT32_MAX, covered);
      assert_true(!covered || !(sets.own & ~node));
      if (covered)
        continue;
      const uint32_t expected = count_covered(&slab, &group, sets.own);
      assert_int_equal(evict(&sets, &slab, &group), expected);
      evicted += expected;
    }
    append(&sets, &slab, &group);
    assert_int_equal(count_zones(&slab, &group, &sum), group.count);
  }
  assert_true(group.count > 1100 && evicted > 0 && looked > 0);
  assert_int_not_equal(sift_legend_of(&slab, group.block)->directory, 0);
  sets.own = ~0u;
  evict(&sets, &slab, &group);
  assert_int_equal(group.count, 0);
  assert_int_equal(group.block, 0);
  append(&sets, &slab, &group);
  assert_int_equal(count_zones(&slab, &group, &sum), 1);
  mem_release(&mem);
}

static void test_clusters(void **state) {
  (void)state;
  Random random;
  random_seed(&random, 3);
  for (uint32_t turn = 0; turn < 8; turn++)
    grow_clusters(&random, turn);
}

// Adds sets until so many units of a page are used, when memory ends: whether that happened while
// zones were put into clusters, so that some are in no block. All memory can be returned.
static bool exhaust(uint32_t units) {
  static Mem mem; // static: survives the jump, as the others do
  static Slab slab;
  static Group group;
  static Sets sets;
  Random random;
  jmp_buf escape;
  mem = (Mem){.escape = &escape};
  group = (Group){0};
  sets = (Sets){.space = {.speed = {.sketch_words = 2,
                                    .legend_bytes = 20,
                                    .sketch = sets_sketch,
                                    .choose_legend = sets_legend},
                          .find_subsumer = sets_find_subsumer,
                          .find_subsumed = sets_find_subsumed},
                .demanded = 0x7fff};
  slab_init(&slab, &mem, 1 << 12);
  slab_alloc(&slab, (1u << slab.page_shift) - units);
  mem.limit = mem.bytes;
  random_seed(&random, 5);
  if (!setjmp(escape))
    for (;;) {
      sets.own = random_set(&random, false);
      append(&sets, &slab, &group);
    }
  assert_true(mem.bytes <= mem.limit);
  uint32_t sum;
  const uint32_t found = count_zones(&slab, &group, &sum);
  assert_true(found <= group.count);
  mem.limit = 0;
  mem_release(&mem);
  return found < group.count;
}

static void test_memory_ends(void **state) {
  (void)state;
  uint32_t within = 0, before_or_after = 0;
  for (uint32_t units = 200; units < 14000; units += 100)
    if (exhaust(units))
      within++;
    else
      before_or_after++;
  assert_true(within > 0 && before_or_after > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_growth),
                                     cmocka_unit_test(test_clusters),
                                     cmocka_unit_test(test_memory_ends)};
  return cmocka_run_group_tests_name("group", tests, NULL, NULL);
}
