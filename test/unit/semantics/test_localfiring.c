// Actions on packed zones against matrices of 32 bits: the same counts.
#include "semantics/local/localfiring.h"

#include "spaces.h"

static void test_formats(void **state) {
  (void)state;
  for (int seed = 1; seed <= 60; seed++) {
    uint64_t counts[2][3] = {0};
    for (int wide = 0; wide < 2; wide++) {
      Search s;
      search_random(&s, seed, NULL);
      s.space = spaces_new(&s, true);
      if (s.space) {
        if (wide)
          ((Local *)s.space)->pack.only_32 = ((Zones *)s.space)->covering.probe.only_32 = true;
        reach_init(&s.reach, &s.mem, s.space, ORDER_BFS, &s.stats);
        s.result = reach_run(&s.reach);
        counts[wide][0] = s.stats.visited;
        counts[wide][1] = s.stats.stored;
        counts[wide][2] = s.stats.transitions;
      }
      search_release(&s);
    }
    assert_memory_equal(counts[0], counts[1], sizeof counts[0]);
  }
}

SPACES_MAIN("localfiring", cmocka_unit_test(test_formats))
