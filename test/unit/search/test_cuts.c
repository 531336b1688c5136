// Cuts of locations: few transitions cross the first ones, and parts are not too small.
#include "search/workers/cuts.h"

#include "searching.h"

// Fischer: req and wait are one part, as two edges lead from one part to the other. CSMA/CD: the
// bus takes part in nearly all that happens.
static void test_fewest(void **state) {
  (void)state;
  enum { IDLE, REQ, WAIT, CS };
  Search s;
  StateLayout layout;
  search_generate(&s, "fischer", 1, (const char *const[]){"5"});
  state_layout(&layout, &s.reading.arena, &s.reading.net);
  const Cuts fewest = cuts_fewest(&s.reading.arena, &s.reading.net, &layout);
  const Cut *cuts = fewest.items;
  assert_int_equal(fewest.count, s.reading.net.processes.size);
  for (ProcessId p = 0; p < s.reading.net.processes.size; p++) {
    assert_int_equal(cuts[p].process, p);
    assert_int_equal(cuts_parity(cuts[p].mask & REQ), cuts_parity(cuts[p].mask & WAIT));
    assert_int_equal(cuts_parity(cuts[p].mask & IDLE), cuts_parity(cuts[p].mask & CS));
    assert_int_equal(cuts[p].price, cuts[0].price);
  }
  text_release(&s.model);
  reading_release(&s.reading);
}

// Those of a kind are judged alike, and the cheapest come first.
static void test_priced(void **state) {
  (void)state;
  static const char *const families[] = {"fischer", "csma", "philosophers", "critical-region"};
  for (uint32_t f = 0; f < 4; f++) {
    Search s;
    StateLayout layout;
    search_generate(&s, families[f], 1, (const char *const[]){"5"});
    Arena *arena = &s.reading.arena;
    const Net *net = &s.reading.net;
    state_layout(&layout, arena, net);
    const Sample sample = walk_sample(arena, net, &layout, true);
    const Cuts cuts = cuts_priced(arena, net, &layout, &sample);
    assert_true(cuts.count >= 5);
    for (uint32_t i = 0; i < cuts.count; i++) {
      const Cut *cut = &cuts.items[i];
      uint32_t second = 0;
      const uint32_t locations = net->processes.items[cut->process].location_count;
      for (uint32_t l = 0; l < locations; l++)
        second += cuts_parity(l & cut->mask);
      assert_in_range(second, (locations + 2) / 3, locations - (locations + 2) / 3);
      assert_in_range(cut->number, 1, CUTS_MAX - 1);
      assert_true(cut->skew > 0 && cut->skew < 1 && cut->doubted >= cut->skew);
      assert_true(!i || cut->price >= cuts.items[i - 1].price);
    }
    text_release(&s.model);
    reading_release(&s.reading);
  }
}

// Without a sample cuts are judged by the edges.
static void test_no_sample(void **state) {
  (void)state;
  Search s;
  StateLayout layout;
  search_generate(&s, "fischer", 1, (const char *const[]){"5"});
  state_layout(&layout, &s.reading.arena, &s.reading.net);
  const Cuts cuts =
      cuts_priced(&s.reading.arena, &s.reading.net, &layout, &(Sample){.words = layout.words});
  assert_true(cuts.count >= 5);
  for (uint32_t i = 1; i < cuts.count; i++)
    assert_true(cuts.items[i].price >= cuts.items[i - 1].price);
  text_release(&s.model);
  reading_release(&s.reading);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_fewest),
      cmocka_unit_test(test_priced),
      cmocka_unit_test(test_no_sample),
  };
  return cmocka_run_group_tests_name("cuts", tests, NULL, NULL);
}
