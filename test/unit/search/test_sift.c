// Sifting, and blocks, with sets of bits for zones: one covers another if it includes it. The
// sketch of a set is its lower half, so that some that pass do not cover.
#include "search/passed/sift.h"

#include "base/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { MAX = 600, NODE = 1000 };

typedef struct Sets {
  Space space; // first
  uint32_t own, chosen, tests;
} Sets;

static void sets_sketch(Space *space, const void *legend, uint32_t zone, uint32_t *supply,
                        uint32_t *demand) {
  (void)legend;
  *supply = *demand = (zone ? zone : ((Sets *)space)->own) & 0xffff;
}

static void sets_legend(Space *space, void *legend, const uint32_t *zones, uint32_t count) {
  (void)legend;
  assert_true(count > 0 && count <= SPACE_SAMPLE);
  for (uint32_t i = 1; i < count; i++)
    assert_int_not_equal(zones[i], zones[i - 1]);
  ((Sets *)space)->chosen++;
}

static uint32_t sets_find_subsumer(Space *space, const uint32_t *zones, uint32_t count) {
  Sets *sets = (Sets *)space;
  uint32_t i = 0;
  while (i < count && sets->own & ~zones[i])
    i++;
  sets->tests += i < count ? i + 1 : count;
  return i;
}

static uint32_t sets_find_subsumed(Space *space, const uint32_t *zones, uint32_t from,
                                   uint32_t count) {
  while (from < count && zones[from] & ~((Sets *)space)->own)
    from++;
  return from;
}

// Blocks of different sizes with random sets, and their directory; node NODE + i has set i.
static uint32_t fill(Slab *slab, Sets *sets, Random *random, uint32_t *set, uint32_t count) {
  const uint32_t words = sets->space.speed.sketch_words;
  const uint32_t legend = slab_alloc(slab, sift_legend_units(&sets->space));
  SiftDirectory *part = NULL;
  uint32_t first = 0;
  *(SiftLegend *)slab_at(slab, legend) = (SiftLegend){.count = count};
  for (uint32_t i = 0; i < count;) {
    const uint32_t capacity = 1 + random_below(random, i % 3 ? SIFT_MAX : 10);
    const uint32_t at = slab_alloc(slab, block_units(capacity, words));
    Block *block = slab_at(slab, at);
    *block = (Block){.next = first, .capacity = (uint16_t)capacity, .has_sketches = true};
    *block_legend(block) = legend;
    first = at;
    if (!part || part->count == SIFT_ENTRIES || !random_below(random, 3)) {
      const uint32_t ref = slab_alloc(slab, (sizeof *part + SLAB_UNIT - 1) / SLAB_UNIT);
      part = slab_at(slab, ref);
      *part = (SiftDirectory){.next = sift_legend_of(slab, first)->directory};
      sift_legend_of(slab, first)->directory = ref;
    }
    part->blocks[part->count] = at;
    part->least[part->count] = ~0u;
    for (; i < count && block->count < capacity; i++) {
      set[i] = (uint32_t)random_next(random) & (uint32_t)random_next(random) & 0xffffff;
      const Sketch sketch = sift_sketch(&sets->space, slab_at(slab, legend), set[i]);
      part->max[part->count] |= sketch.supply;
      part->least[part->count] &= sketch.demand;
      block_supplies(block)[block->count] = sketch.supply;
      block_demands(block, words)[block->count] = sketch.demand;
      block_zones(block)[block->count] = set[i];
      block_refs(block)[block->count++] = NODE + i;
    }
    part->count++;
  }
  sift_choose(&sets->space, slab, slab_at(slab, legend), first, count);
  return first;
}

static void check_coverer(Slab *slab, Sets *sets, uint32_t first, const uint32_t *set,
                          uint32_t count) {
  bool expected = false;
  for (uint32_t i = 0; i < count; i++)
    expected |= !(sets->own & ~set[i]);
  const uint32_t node = sift_subsumer(&sets->space, slab, first);
  assert_int_equal(node != UINT32_MAX, expected);
  if (expected)
    assert_int_equal(sets->own & ~set[node - NODE], 0);
}

// Those that are covered go; what is left keeps its sketches.
static void check_covered(Slab *slab, Sets *sets, uint32_t first, const uint32_t *set,
                          bool *is_gone) {
  const uint32_t words = sets->space.speed.sketch_words;
  for (uint32_t ref = first; ref;) {
    Block *block = slab_at(slab, ref);
    const uint32_t supply = sift_sketch(&sets->space, sift_legend_of(slab, ref), 0).supply;
    uint32_t places[SIFT_MAX + BITSETS_OVER];
    uint32_t found = sift_subsumed(&sets->space, block, supply, places);
    while (found--) {
      is_gone[block_refs(block)[places[found]] - NODE] = true;
      block_remove(block, places[found], words);
    }
    for (uint32_t i = 0; i < block->count; i++) {
      assert_int_equal(block_zones(block)[i], set[block_refs(block)[i] - NODE]);
      assert_int_equal(block_supplies(block)[i], block_zones(block)[i] & 0xffff);
      assert_int_equal(block_demands(block, words)[i], block_zones(block)[i] & 0xffff);
    }
    ref = block->next;
  }
}

static void test_sets(void **unused) {
  (void)unused;
  uint32_t set[MAX];
  Random random;
  random_seed(&random, 7);
  for (int turn = 0; turn < 200; turn++) {
    Mem mem = {0};
    static Slab slab;
    bool is_gone[MAX] = {0};
    Sets sets = {.space = {.speed = {.sketch_words = 1 + turn % 2,
                                     .legend_bytes = 20,
                                     .sketch = sets_sketch,
                                     .choose_legend = sets_legend},
                           .find_subsumer = sets_find_subsumer,
                           .find_subsumed = sets_find_subsumed}};
    const uint32_t count = 1 + random_below(&random, MAX);
    slab_init(&slab, &mem, 1 << 14);
    const uint32_t first = fill(&slab, &sets, &random, set, count);
    assert_int_equal(sets.chosen, 1);
    for (int i = 0; i < 20; i++) {
      sets.own = (uint32_t)random_next(&random) & (uint32_t)random_next(&random) & 0xffffff;
      if (i % 2)
        sets.own &= set[random_below(&random, count)];
      check_coverer(&slab, &sets, first, set, count);
    }
    assert_true(sets.tests < 20 * count);
    sets.own = set[0] | ((uint32_t)random_next(&random) & 0xffffff);
    check_covered(&slab, &sets, first, set, is_gone);
    for (uint32_t i = 0; i < count; i++)
      assert_int_equal(is_gone[i], !(set[i] & ~sets.own));
    mem_release(&mem);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_sets)};
  return cmocka_run_group_tests_name("sift", tests, NULL, NULL);
}
