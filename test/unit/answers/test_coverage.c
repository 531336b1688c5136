// Coverage: what a search sees is what a search without abstraction sees, on random networks.
#include "answers/queries/coverage.h"

#include "searching.h"

static void search(Coverage *coverage, Search *s, bool is_exact) {
  Statistics stats = {0};
  coverage_init(coverage, &s->reading.arena, &s->mem, &s->reading.net);
  assert_true(coverage_search(coverage, is_exact, NULL, &stats, &s->reading.report));
}

// Every location by a query of its own, every edge by how the exact search goes.
static void test_locations(void **unused) {
  (void)unused;
  uint32_t reached = 0, unreached = 0;
  for (int seed = 1; seed <= 150; seed++) {
    Search s;
    search_random(&s, seed, seed % 2 ? "processes=3" : NULL);
    Coverage coverage, exact;
    search(&coverage, &s, false);
    search(&exact, &s, true);
    const Net *net = &s.reading.net;
    for (LocationId l = 0; l < net->locations.size; l++) {
      const Location *location = &net->locations.items[l];
      char text[64];
      snprintf(text, sizeof text, "E<> %s.%s", net->processes.items[location->process].name,
               location->name);
      search_ask(&s, text);
      const ReachResult result = coverage_reach(&s.mem, net, &s.goal, NULL);
      if (!coverage.failure)
        assert_int_equal(result == REACH_GOAL, coverage.locations[l]);
      reached += result == REACH_GOAL;
      unreached += result == REACH_NONE;
    }
    if (!coverage.failure && !exact.failure) {
      assert_memory_equal(coverage.locations, exact.locations, net->locations.size);
      assert_memory_equal(coverage.edges, exact.edges, net->edges.size);
      assert_memory_equal(coverage.syncs, exact.syncs, net->syncs.size);
    }
    for (LocationId l = 0; l < net->locations.size && !coverage.failure; l++)
      assert_true(!exact.blocking[l] || coverage.blocking[l]);
    search_release(&s);
  }
  assert_true(reached > 100 && unreached > 10);
}

// A limit cuts the search, and what was seen stays.
static const char *stop(void *state) {
  (void)state;
  return "interrupted";
}

static void test_cut(void **unused) {
  (void)unused;
  Search s;
  search_random(&s, 3, NULL);
  Coverage coverage;
  Statistics stats = {0};
  MemWatch limits = {.reached = stop};
  coverage_init(&coverage, &s.reading.arena, &s.mem, &s.reading.net);
  assert_true(coverage_search(&coverage, false, &limits, &stats, &s.reading.report));
  assert_string_equal(coverage.stop_reason, "interrupted");
  bool sees = false;
  for (LocationId l = 0; l < s.reading.net.locations.size; l++)
    sees |= coverage.locations[l];
  assert_true(sees);
  search_release(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_locations),
                                     cmocka_unit_test(test_cut)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
