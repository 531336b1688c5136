// Equal transformers make the same of equal zones, whatever the transition and the locations.
#include "semantics/zone/transformer.h"

#include "spaces.h"

typedef struct Seen {
  uint32_t zone, transformer, result;
} Seen;

static void test_equal(void **state) {
  (void)state;
  uint32_t again = 0;
  for (int seed = 1; seed <= 80; seed++) {
    Search s;
    search_random(&s, seed, NULL);
    VEC(Seen) seen = {0};
    s.space = spaces_new(&s, false);
    Zones *zones = (Zones *)s.space;
    if (!s.space) {
      search_release(&s);
      continue;
    }
    zones->results.is_on = false; // nothing is taken from memory
    reach_init(&s.reach, &s.mem, s.space, ORDER_BFS, &s.stats);
    s.result = reach_run(&s.reach);
    for (NodeRef ref = 0; ref < s.reach.store.nodes.size && ref < 150; ref++) {
      if (s.space->failure || !spaces_is_stored(&s, ref))
        continue;
      s.space->open(s.space, spaces_key(&s, ref), store_node(&s.reach.store, ref)->zone);
      while (s.space->next(s.space)) {
        const OutgoingTransition *out = &zones->opened.vector->outgoing[s.space->ordinal];
        const Seen now = {zones->opened.zone, out->transformer, s.space->keep(s.space)};
        for (uint32_t i = 0; out->transformer && i < seen.size; i++)
          if (seen.items[i].zone == now.zone && seen.items[i].transformer == now.transformer) {
            assert_int_equal(seen.items[i].result, now.result);
            again++;
            break;
          }
        vec_push(&s.mem, &seen, now);
      }
    }
    vec_release(&s.mem, &seen);
    search_release(&s);
  }
  assert_true(again > 10);
}

SPACES_MAIN("transformer", cmocka_unit_test(test_equal))
