// Covering of zones of global time against inclusion of their matrices.
#include "semantics/zone/covering.h"

#include "spaces.h"

#include <string.h>

static void test_inclusion(void **state) {
  (void)state;
  uint32_t found = 0;
  for (int seed = 1; seed <= 40; seed++) {
    Search s;
    search_random(&s, seed, NULL);
    s.options.abstraction = ABSTRACTION_EXTRA_M;
    s.options.bounds = BOUNDS_GLOBAL;
    if (spaces_explore(&s, false, 1) && s.result == REACH_NONE) {
      const uint32_t limit = s.reach.store.nodes.size < 60 ? s.reach.store.nodes.size : 60;
      for (NodeRef a = 0; a < limit; a++)
        for (NodeRef b = 0; b < limit; b++) {
          const Node *one = store_node(&s.reach.store, a), *two = store_node(&s.reach.store, b);
          if (!one->zone || !two->zone)
            continue;
          Bound *zone = mem_alloc(&s.mem, dbm_bytes(s.reading.net.clock_count + 1));
          s.space->load(s.space, spaces_key(&s, b), two->zone);
          const uint32_t k = zones_active(s.space)->k;
          memcpy(zone, zones_zone(s.space), dbm_bytes(k));
          s.space->load(s.space, spaces_key(&s, a), one->zone);
          const bool covers = dbm_includes(zone, zones_zone(s.space), k);
          const uint32_t list[1 + SPACE_SLACK / sizeof(uint32_t)] = {two->zone};
          assert_int_equal(s.space->find_subsumer(s.space, list, 1), !covers);
          found += covers && one->zone != two->zone;
          mem_free(&s.mem, zone);
        }
    }
    search_release(&s);
  }
  assert_true(found > 0);
}

SPACES_MAIN("covering", cmocka_unit_test(test_inclusion))
