// Dropping zones that no node has does not change what is found.
#include "semantics/local/localsweep.h"

#include "spaces.h"

static bool never(const Space *space, uint32_t stored) {
  (void)space, (void)stored;
  return false;
}

static bool always(const Space *space, uint32_t stored) {
  (void)space;
  return stored > 0;
}

static void test_counts(void **state) {
  (void)state;
#ifdef TARN_PLAIN
  skip(); // the reference build does not sweep
#endif
  for (int seed = 1; seed <= 60; seed++) {
    uint64_t counts[2][3] = {0};
    for (int sweeps = 0; sweeps < 2; sweeps++) {
      Search s;
      search_random(&s, seed, NULL);
      s.space = spaces_new(&s, true);
      if (s.space) {
        s.space->speed.wants_sweep = sweeps ? always : never;
        reach_init(&s.reach, &s.mem, s.space, ORDER_BFS, &s.stats);
        s.result = reach_run(&s.reach);
        counts[sweeps][0] = s.stats.visited;
        counts[sweeps][1] = s.stats.stored;
        counts[sweeps][2] = s.stats.transitions;
      }
      search_release(&s);
    }
    assert_memory_equal(counts[0], counts[1], sizeof counts[0]);
  }
}

SPACES_MAIN("localsweep", cmocka_unit_test(test_counts))
