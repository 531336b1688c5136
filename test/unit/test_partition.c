// Which part of a state says whose it is: locations of processes that move little, if there are
// enough of them.
#include "engine/partition.h"

#include "searching.h"

static const uint64_t *mask_of(Reading *r, StateLayout *layout) {
  state_layout(layout, &r->arena, &r->net);
  return partition_mask(&r->arena, &r->net, layout);
}

static bool counts(const StateLayout *layout, const uint64_t *mask, uint32_t slot) {
  const StateField *field = &layout->fields[slot];
  const uint64_t bits = mask[field->word] >> field->shift & field->mask;
  assert_true(bits == 0 || bits == field->mask);
  return bits;
}

static void test_few_states(void **state) {
  (void)state;
  Reading r;
  StateLayout layout;
  reading_accept(&r, PREAMBLE);
  assert_null(mask_of(&r, &layout));
  reading_release(&r);
}

// Of Fischer's 12 processes with 4 locations each 7 are enough; the variable does not count.
static void test_some_processes(void **state) {
  (void)state;
  Search s;
  StateLayout layout;
  search_generate(&s, "fischer", 1, (const char *const[]){"12"});
  const Net *net = &s.reading.net;
  const uint64_t *mask = mask_of(&s.reading, &layout);
  uint32_t chosen = 0;
  for (uint32_t slot = 0; slot < net->slot_count; slot++) {
    const bool is_chosen = counts(&layout, mask, slot);
    assert_true(slot >= net->location_slot || !is_chosen);
    chosen += is_chosen;
  }
  assert_int_equal(chosen, 7);
  text_release(&s.model);
  reading_release(&s.reading);
}

// The bus of CSMA/CD takes part in nearly all that happens.
static void test_busy_processes(void **state) {
  (void)state;
  Search s;
  StateLayout layout;
  search_generate(&s, "csma", 1, (const char *const[]){"14"});
  const Net *net = &s.reading.net;
  const uint64_t *mask = mask_of(&s.reading, &layout);
  uint32_t busiest = 0, most = 0;
  for (ProcessId p = 0; p < net->processes.size; p++) {
    uint32_t parts = 0;
    for (uint32_t i = 0; i < net->syncs.size; i++)
      for (uint32_t j = 0; j < net->syncs.items[i].parts.size; j++)
        parts += net->syncs.items[i].parts.items[j].process == p;
    busiest = parts > most ? p : busiest;
    most = parts > most ? parts : most;
  }
  assert_false(counts(&layout, mask, net->location_slot + busiest));
  text_release(&s.model);
  reading_release(&s.reading);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_few_states),
      cmocka_unit_test(test_some_processes),
      cmocka_unit_test(test_busy_processes),
  };
  return cmocka_run_group_tests_name("partition", tests, NULL, NULL);
}
