// Synchronised zones: what is remembered of a zone is what is computed, and equal numbers are
// equal zones.
#include "semantics/local/syncedzone.h"

#include "spaces.h"

static void test_known(void **state) {
  (void)state;
  uint32_t checked = 0;
  for (int seed = 1; seed <= 40; seed++) {
    Search s;
    search_random(&s, seed, NULL);
    if (spaces_explore(&s, true, 1) && s.result == REACH_NONE) {
      Local *local = (Local *)s.space;
      for (NodeRef ref = 0; ref < s.reach.store.nodes.size && ref < 200; ref++) {
        if (!spaces_is_stored(&s, ref))
          continue;
        const uint32_t zone = store_node(&s.reach.store, ref)->zone;
        s.space->load(s.space, spaces_key(&s, ref), zone);
        const uint32_t k = local->zones.vector->active.k;
        assert_true(dbm_is_tight(syncedzone_whole(local), k));
        const ZoneRef sync = syncedzone_current(local);
        assert_int_equal(syncedzone_of(local, zone), sync);
        const StoredZone *kept = zonetable_at(&local->synced.table, sync);
        assert_int_equal(kept->k, k);
        checked++;
      }
    }
    search_release(&s);
  }
  assert_true(checked > 100);
}

SPACES_MAIN("sync", cmocka_unit_test(test_known))
