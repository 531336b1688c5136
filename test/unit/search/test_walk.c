// Random walks through discrete states: always the same ones, each possible.
#include "search/space/walk.h"

#include "searching.h"

static void test_same(void **state) {
  (void)state;
  Search s;
  StateLayout layout;
  search_generate(&s, "fischer", 1, (const char *const[]){"5"});
  Arena *arena = &s.reading.arena;
  const Net *net = &s.reading.net;
  state_layout(&layout, arena, net);
  const Sample a = walk_sample(arena, net, &layout, false),
               b = walk_sample(arena, net, &layout, false);
  assert_true(a.count > 256);
  assert_int_equal(a.count, b.count);
  assert_memory_equal(a.keys, b.keys, sizeof *a.keys * a.count * a.words);
  text_release(&s.model);
  reading_release(&s.reading);
}

// What holds in Fischer's protocol whatever the clocks are.
static void test_states(void **state) {
  (void)state;
  enum { WAIT = 2, CS };
  Search s;
  StateLayout layout;
  search_generate(&s, "fischer", 1, (const char *const[]){"4"});
  Arena *arena = &s.reading.arena;
  const Net *net = &s.reading.net;
  state_layout(&layout, arena, net);
  const Sample sample = walk_sample(arena, net, &layout, false);
  int32_t *values = ARENA_ARRAY(arena, int32_t, net->slots.count);
  uint32_t met[4] = {0};
  for (uint32_t i = 0; i < sample.count; i++) {
    state_unpack(&layout, values, walk_at(&sample, sample.keys, i));
    for (ProcessId p = 0; p < net->processes.size; p++) {
      const int32_t location = values[net->location_slot + p];
      assert_in_range(location, 0, CS);
      met[location]++;
    }
    assert_in_range(values[0], 0, net->processes.size);
    if (values[0]) // the one that wrote it last has not left since
      assert_in_range(values[net->location_slot + (uint32_t)values[0] - 1], WAIT, CS);
  }
  for (uint32_t i = 0; i < 4; i++)
    assert_true(met[i]);
  text_release(&s.model);
  reading_release(&s.reading);
}

// Short walks: each state once, and steps that change it.
static void test_scatter(void **state) {
  (void)state;
  Search s;
  StateLayout layout;
  search_generate(&s, "csma", 1, (const char *const[]){"4"});
  Arena *arena = &s.reading.arena;
  state_layout(&layout, arena, &s.reading.net);
  const Sample sample = walk_sample(arena, &s.reading.net, &layout, true);
  assert_true(sample.count > 20 && sample.count <= sample.step_count);
  for (uint32_t i = 0; i < sample.count; i++)
    for (uint32_t j = 0; j < i; j++)
      assert_memory_not_equal(walk_at(&sample, sample.keys, i), walk_at(&sample, sample.keys, j),
                              sample.words * sizeof *sample.keys);
  uint32_t moving = 0;
  for (uint32_t i = 0; i < sample.step_count; i++) {
    bool is_there = false;
    for (uint32_t j = 0; j < sample.count; j++)
      is_there |= !memcmp(walk_at(&sample, sample.targets, i), walk_at(&sample, sample.keys, j),
                          sample.words * sizeof *sample.keys);
    assert_true(is_there);
    moving += *walk_at(&sample, sample.sources, i) != *walk_at(&sample, sample.targets, i);
  }
  assert_true(moving > sample.step_count / 2);
  text_release(&s.model);
  reading_release(&s.reading);
}

// A process that cannot move: there is nothing to be met.
static void test_dead_end(void **state) {
  (void)state;
  Reading r;
  StateLayout layout;
  reading_accept(&r, PREAMBLE);
  state_layout(&layout, &r.arena, &r.net);
  const Sample sample = walk_sample(&r.arena, &r.net, &layout, false);
  assert_int_equal(sample.count, 0);
  reading_release(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_same),
      cmocka_unit_test(test_states),
      cmocka_unit_test(test_scatter),
      cmocka_unit_test(test_dead_end),
  };
  return cmocka_run_group_tests_name("walk", tests, NULL, NULL);
}
