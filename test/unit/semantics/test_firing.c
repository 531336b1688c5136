// Fused steps of packed zones against the separate operations: the same counts, and the same
// zones.
#include "semantics/zone/firing.h"

#include "spaces.h"

#include "semantics/zone/covering.h"

static void explore(int seed, Abstraction abstraction, bool steps, uint64_t *counts) {
  Search s;
  search_random(&s, seed, NULL);
  s.options.abstraction = (int)abstraction;
  s.space = spaces_new(&s, false);
  if (s.space) {
    if (!steps) {
      ((Global *)s.space)->step_long = 0;
      ((Zones *)s.space)->step_max = 0;
    }
    reach_init(&s.reach, &s.mem, s.space, ORDER_BFS, &s.stats);
    s.result = reach_run(&s.reach);
    counts[0] = s.stats.stored;
    counts[1] = s.stats.transitions;
    counts[2] = ((Zones *)s.space)->table.count;
  }
  search_release(&s);
}

static void test_steps(void **state) {
  (void)state;
  for (int seed = 1; seed <= 60; seed++)
    for (int i = 0; i < 2; i++) {
      uint64_t fused[3] = {0}, separate[3] = {0};
      explore(seed, i ? ABSTRACTION_ALU : ABSTRACTION_EXTRA_LU_PLUS, true, fused);
      explore(seed, i ? ABSTRACTION_ALU : ABSTRACTION_EXTRA_LU_PLUS, false, separate);
      assert_memory_equal(fused, separate, sizeof fused);
    }
}

// Zones of a compact table are unfolded into one room: a probe made there must not outlive it.
static void test_compact(void **state) {
  (void)state;
  const char *arguments[] = {"n=3"};
  Search s;
  search_generate(&s, "fischer", 1, arguments);
  s.options.compact = true;
  s.options.abstraction = ABSTRACTION_EXTRA_M_PLUS;
  assert_true(spaces_explore(&s, false, 1));
  const uint32_t limit = s.reach.store.nodes.size < 60 ? s.reach.store.nodes.size : 60;
  Bound *zone = mem_alloc(&s.mem, dbm_bytes(s.reading.net.clock_count + 1));
  for (NodeRef a = 0; a < limit; a++)
    for (NodeRef b = 0; b < limit; b++) {
      if (!spaces_is_stored(&s, a) || !spaces_is_stored(&s, b))
        continue;
      s.space->load(s.space, spaces_key(&s, a), store_node(&s.reach.store, a)->zone);
      const uint32_t k = zones_active(s.space)->k;
      memcpy(zone, zones_zone(s.space), dbm_bytes(k));
      covering_probe((Zones *)s.space);
      s.space->load(s.space, spaces_key(&s, b), store_node(&s.reach.store, b)->zone);
      zones_zone(s.space);
      s.space->load(s.space, spaces_key(&s, a), store_node(&s.reach.store, a)->zone);
      const Probe *probe = covering_probe((Zones *)s.space);
      packed_read(((Global *)s.space)->scratch, k, probe->entries, probe->format);
      assert_true(dbm_equal(((Global *)s.space)->scratch, zone, k));
      assert_true(dbm_equal(zones_zone(s.space), zone, k));
    }
  mem_free(&s.mem, zone);
  search_release(&s);
}

SPACES_MAIN("firing", cmocka_unit_test(test_steps), cmocka_unit_test(test_compact))
