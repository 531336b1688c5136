// Runs of local time, brought into the order of time, are runs of global time.
#include "semantics/local/localrun.h"

#include "spaces.h"

#include "search/passed/nodes.h"

static void replay(Search *s, const uint32_t *ordinals, uint32_t count) {
  Options options = s->options;
  options.abstraction = ABSTRACTION_NONE;
  Space *exact = zones_new(&s->mem, &s->reading.net, NULL, &options, &s->reading.report);
  assert_non_null(exact);
  assert_true(zones_replay_initial(exact, ordinals[0]));
  for (uint32_t i = 1; i < count; i++)
    assert_true(zones_replay(exact, ordinals[i]));
  space_release(exact);
}

static void test_order(void **state) {
  (void)state;
  uint32_t runs = 0;
  for (int seed = 1; seed <= 60; seed++) {
    Search s;
    search_random(&s, seed, NULL);
    if (spaces_explore(&s, true, 1) && s.result == REACH_NONE) {
      const uint32_t limit = s.reach.store.nodes.size < 20 ? s.reach.store.nodes.size : 20;
      for (NodeRef ref = 0; ref < limit; ref++) {
        Ordinals path = {0};
        for (NodeRef at = ref; at != NODE_NONE; at = store_node(&s.reach.store, at)->parent)
          vec_push(&s.mem, &path, store_node(&s.reach.store, at)->ordinal);
        for (uint32_t i = 0; i < path.size / 2; i++) {
          const uint32_t last = path.items[i];
          path.items[i] = path.items[path.size - 1 - i];
          path.items[path.size - 1 - i] = last;
        }
        assert_true(s.space->order_run(s.space, NULL, path.items, path.size));
        replay(&s, path.items, path.size);
        runs++;
        vec_release(&s.mem, &path);
      }
    }
    search_release(&s);
  }
  assert_true(runs > 100);
}

SPACES_MAIN("localrun", cmocka_unit_test(test_order))
