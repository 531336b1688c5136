// The zone engine: looking ahead does not change the successors, in either notion of time; what
// is remembered does not change the counts.
#include "semantics/zone/engine.h"

#include "spaces.h"

#include "search/passed/prefetch.h"

// Ordinals and zones of all successors of a node.
static uint32_t expand(Space *space, const uint64_t *key, uint32_t zone, bool foresees,
                       uint32_t *list, uint32_t max) {
  const uint64_t *keys;
  uint32_t size = 0;
  space->open(space, key, zone);
  if (foresees && space->speed.foresee) // the reference build does not
    space->speed.foresee(space, &keys);
  while (space->next(space)) {
    assert_true(size + 2 <= max);
    list[size++] = space->ordinal;
    list[size++] = space->keep(space);
  }
  return size;
}

static void foresee(bool is_local) {
  for (int seed = 1; seed <= 30; seed++) {
    Search s;
    search_random(&s, seed, NULL);
    if (spaces_explore(&s, is_local, 1) && s.result == REACH_NONE)
      for (NodeRef ref = 0; ref < s.reach.store.nodes.size && ref < 200; ref++) {
        static uint32_t plain[4096], ahead[4096];
        if (!spaces_is_stored(&s, ref))
          continue;
        const uint32_t zone = store_node(&s.reach.store, ref)->zone;
        const uint32_t size = expand(s.space, spaces_key(&s, ref), zone, false, plain, 4096);
        assert_int_equal(expand(s.space, spaces_key(&s, ref), zone, true, ahead, 4096), size);
        assert_memory_equal(plain, ahead, size * sizeof *plain);
      }
    search_release(&s);
  }
}

static void test_foresee(void **state) {
  (void)state;
  foresee(false);
  foresee(true);
}

static void test_memory(void **state) {
  (void)state;
  for (int seed = 1; seed <= 60; seed++)
    for (int is_local = 0; is_local < 2; is_local++) {
      uint64_t counts[2][3] = {0};
      for (int remembers = 0; remembers < 2; remembers++) {
        Search s;
        search_random(&s, seed, NULL);
        s.space = spaces_new(&s, is_local);
        if (s.space) {
          if (!remembers)
            ((Zones *)s.space)->results.is_on = false;
          reach_init(&s.reach, &s.mem, s.space, ORDER_BFS, &s.stats);
          s.result = reach_run(&s.reach);
          counts[remembers][0] = s.stats.visited;
          counts[remembers][1] = s.stats.stored;
          counts[remembers][2] = s.stats.transitions;
        }
        search_release(&s);
      }
      assert_memory_equal(counts[0], counts[1], sizeof counts[0]);
    }
}

SPACES_MAIN("engine", cmocka_unit_test(test_foresee), cmocka_unit_test(test_memory))
