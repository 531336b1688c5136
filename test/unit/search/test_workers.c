// Searches by one to six threads store the same nodes, in both notions of time, and end when a
// goal is found by any of them.
#include "search/workers/workers.h"

#include "spaces.h"

static void explore(const char *family, const char *size, bool is_local) {
  const char *arguments[] = {size};
  uint64_t stored = 0;
  for (uint32_t workers = 1; workers <= 6; workers++) {
    Search s;
    search_generate(&s, family, 1, arguments);
    assert_true(spaces_explore(&s, is_local, workers));
    assert_int_equal(s.result, REACH_NONE);
    if (workers == 1)
      stored = s.stats.stored;
    assert_int_equal(s.stats.stored, stored);
    assert_true(s.stats.visited >= stored);
    search_release(&s);
  }
}

static void test_stored(void **state) {
  (void)state;
  explore("fischer", "n=3", false);
  explore("fischer", "n=3", true);
  explore("philosophers", "n=4", false);
  explore("philosophers", "n=4", true);
}

static const char *stop(void *state) { return ++*(int *)state > 3 ? "interrupted" : NULL; }

static void test_stopped(void **state) {
  (void)state;
  const char *arguments[] = {"n=6"};
  Search s;
  int polls = 0;
  search_generate(&s, "fischer", 1, arguments);
  s.space = spaces_new(&s, false);
  reach_init(&s.reach, &s.mem, s.space, ORDER_BFS, &s.stats);
  workers_divide(&s.reach, 4, ORDER_BFS, NULL);
  MemWatch watch = {.reached = stop, .state = &polls};
  mem_watch(&s.mem, &watch);
  const ReachResult result = reach_run(&s.reach);
  assert_true(result == REACH_STOPPED || result == REACH_NONE);
  if (result == REACH_STOPPED)
    assert_string_equal(s.reach.stop_reason, "interrupted");
  search_release(&s);
}

SPACES_MAIN("workers", cmocka_unit_test(test_stored), cmocka_unit_test(test_stopped))
