// Which worker a state belongs to: locations of a few processes say so, if there are enough of
// them, the shares are about equal, and few moves lead to another one.
#include "search/workers/partition.h"

#include "base/random.h"
#include "searching.h"

static const Partition *partition_of(Reading *r, StateLayout *layout, uint32_t workers) {
  state_layout(layout, &r->arena, &r->net);
  return partition_new(&r->arena, &r->net, layout, workers);
}

static bool counts(const Partition *partition, const StateLayout *layout, uint32_t slot) {
  const StateField *field = &layout->fields[slot];
  return partition->all[field->word] >> field->shift & field->mask;
}

static void test_few_states(void **state) {
  (void)state;
  Reading r;
  StateLayout layout;
  reading_accept(&r, PREAMBLE);
  assert_null(partition_of(&r, &layout, 2));
  reading_release(&r);
}

// Location vectors with each process in the first location half of the time. A partition has
// shares that are about equal if there are as many processes; else there is none.
static void test_shares(void **state) {
  (void)state;
  enum { STATES = 20000, MAX = 17 };
  Random random;
  random_seed(&random, 1);
  uint32_t partitions = 0;
  for (uint32_t workers = 2; workers <= MAX; workers++) {
    Search s;
    StateLayout layout;
    search_generate(&s, "fischer", 1, (const char *const[]){"16"});
    const Net *net = &s.reading.net;
    int32_t *values = ARENA_ARRAY(&s.reading.arena, int32_t, net->slots.count);
    uint32_t shares[MAX] = {0};
    const Partition *partition = partition_of(&s.reading, &layout, workers);
    uint64_t *key = ARENA_ARRAY(&s.reading.arena, uint64_t, layout.words);
    for (uint32_t i = 0; partition && i < STATES; i++) {
      for (ProcessId p = 0; p < net->processes.size; p++)
        values[net->location_slot + p] = (int32_t)(random_below(&random, 3) ? 1 : 0);
      state_pack(&layout, key, values);
      const uint32_t owner = partition_owner(partition, key);
      assert_true(owner < workers);
      assert_int_equal(owner, partition_find(partition, key));
      shares[owner]++;
    }
    for (uint32_t i = 0; partition && i < workers; i++)
      assert_in_range(shares[i], STATES / workers * 4 / 5, STATES / workers * 6 / 5);
    partitions += partition != NULL;
    text_release(&s.model);
    reading_release(&s.reading);
  }
  assert_true(partitions >= 14);
}

// Of stations of CSMA/CD nothing is known but that they can be cut: all locations equally often.
static void test_stations(void **state) {
  (void)state;
  enum { STATES = 20000, WORKERS = 8 };
  Random random;
  random_seed(&random, 1);
  Search s;
  StateLayout layout;
  search_generate(&s, "csma", 1, (const char *const[]){"12"});
  const Net *net = &s.reading.net;
  int32_t *values = ARENA_ARRAY(&s.reading.arena, int32_t, net->slots.count);
  const Partition *partition = partition_of(&s.reading, &layout, WORKERS);
  uint64_t *key = ARENA_ARRAY(&s.reading.arena, uint64_t, layout.words);
  uint32_t shares[WORKERS] = {0};
  assert_non_null(partition);
  assert_int_equal(partition->together, 1);
  for (uint32_t i = 0; i < STATES; i++) {
    for (ProcessId p = 0; p < net->processes.size; p++)
      values[net->location_slot + p] =
          (int32_t)random_below(&random, net->processes.items[p].location_count);
    state_pack(&layout, key, values);
    shares[partition_owner(partition, key)]++;
  }
  for (uint32_t i = 0; i < WORKERS; i++)
    assert_in_range(shares[i], STATES / WORKERS * 9 / 10, STATES / WORKERS * 11 / 10);
  text_release(&s.model);
  reading_release(&s.reading);
}

// What a search stores, and its transitions, are for bench/shares. Here: neither one worker nor a
// thousand have a partition.
static void test_numbers(void **state) {
  (void)state;
  Search s;
  StateLayout layout;
  search_generate(&s, "fischer", 1, (const char *const[]){"12"});
  assert_null(partition_of(&s.reading, &layout, 1));
  assert_null(partition_of(&s.reading, &layout, 1000));
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
  const Partition *partition = partition_of(&s.reading, &layout, 2);
  uint32_t busiest = 0, max = 0;
  for (ProcessId p = 0; p < net->processes.size; p++) {
    uint32_t parts = 0;
    for (uint32_t i = 0; i < net->syncs.size; i++)
      for (uint32_t j = 0; j < net->syncs.items[i].parts.size; j++)
        parts += net->syncs.items[i].parts.items[j].process == p;
    busiest = parts > max ? p : busiest;
    max = parts > max ? parts : max;
  }
  assert_false(counts(partition, &layout, net->location_slot + busiest));
  text_release(&s.model);
  reading_release(&s.reading);
}

// Each move of a philosopher is one of a fork, too: with many workers only some of them may
// count.
static void test_philosophers(void **state) {
  (void)state;
  static const uint32_t workers[] = {2, 3, 4, 6, 8, 12, 16};
  Search s;
  StateLayout layout;
  search_generate(&s, "philosophers", 1, (const char *const[]){"8"});
  for (uint32_t i = 0; i < sizeof workers / sizeof *workers; i++)
    assert_non_null(partition_of(&s.reading, &layout, workers[i]));
  text_release(&s.model);
  reading_release(&s.reading);
}

// In Fischer's protocol processes go back and forth between req and wait: these are one part. In
// about half of the states two processes are both there.
static void test_together(void **state) {
  (void)state;
  enum { IDLE, REQ, WAIT, CS, LOCATIONS };
  static const uint32_t parts[] = {[IDLE] = 0, [REQ] = 1, [WAIT] = 1, [CS] = 0};
  Search s;
  StateLayout layout;
  search_generate(&s, "fischer", 1, (const char *const[]){"11"});
  const Net *net = &s.reading.net;
  const Partition *partition = partition_of(&s.reading, &layout, 2);
  assert_int_equal(partition->together, 2);
  assert_int_equal(partition->flip, 0);
  int32_t *values = ARENA_ARRAY(&s.reading.arena, int32_t, net->slots.count);
  uint64_t *key = ARENA_ARRAY(&s.reading.arena, uint64_t, layout.words);
  uint64_t *zero = ARENA_ARRAY(&s.reading.arena, uint64_t, layout.words);
  state_pack(&layout, zero, values);
  for (int32_t first = IDLE; first < LOCATIONS; first++)
    for (int32_t second = IDLE; second < LOCATIONS; second++) {
      uint32_t slot = net->location_slot, counted = 0;
      for (uint32_t p = 0; p < net->processes.size; p++)
        if (counts(partition, &layout, slot + p))
          values[slot + p] = counted++ ? second : first;
        else
          values[slot + p] = (int32_t)p % LOCATIONS;
      assert_int_equal(counted, 2);
      state_pack(&layout, key, values);
      assert_int_equal(partition_owner(partition, key), parts[first] & parts[second]);
      assert_int_equal(partition_find(partition, key), parts[first] & parts[second]);
      assert_int_equal(partition_same(partition, key, zero), !first && !second);
    }
  text_release(&s.model);
  reading_release(&s.reading);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_few_states),     cmocka_unit_test(test_shares),
      cmocka_unit_test(test_stations),       cmocka_unit_test(test_numbers),
      cmocka_unit_test(test_busy_processes), cmocka_unit_test(test_philosophers),
      cmocka_unit_test(test_together),
  };
  return cmocka_run_group_tests_name("partition", tests, NULL, NULL);
}
