#include "discrete/packing.h"

#include "base/random.h"
#include "gen/gen.h"
#include "reading.h"

static void try_packing(const char *const *arguments, int count, int32_t most_value) {
  Mem mem = {0};
  Report report;
  report_init(&report, &mem);
  Text text = {.mem = &mem};
  assert_true(gen_write(&text, &report, "random", count, arguments));
  Reading r;
  reading_accept(&r, text_chars(&text));
  Arena arena = {.mem = &mem};
  const uint32_t n = r.net.clock_count + 1, slots = r.net.slots.count;
  Random random;
  random_seed(&random, (uint64_t)most_value);
  int32_t *most = ARENA_ARRAY(&arena, int32_t, n), *values = ARENA_ARRAY(&arena, int32_t, n);
  int32_t *read_values = ARENA_ARRAY(&arena, int32_t, n);
  int32_t *state = ARENA_ARRAY(&arena, int32_t, slots);
  int32_t *read_state = ARENA_ARRAY(&arena, int32_t, slots);
  uint32_t bits = 0;
  for (uint32_t x = 1; x < n; x++) {
    most[x] = x % 4 ? random_between(&random, 0, most_value) : 0;
    bits += packing_bits((uint32_t)most[x]);
  }
  Packing packing;
  packing_init(&packing, &arena, &r.net, most);
  assert_true(packing.words == (packing.bytes + 7) / 8);
  assert_true(packing.bytes <= packing.layout.words * 8 + bits / 8 + packing.words * 4);
  uint64_t *key = ARENA_ARRAY(&arena, uint64_t, packing.words + 1);
  uint64_t *state_key = ARENA_ARRAY(&arena, uint64_t, packing.words + 1);
  for (int i = 0; i < 200; i++) {
    for (uint32_t slot = 0; slot < slots; slot++)
      state[slot] = random_between(&random, r.net.slots.low[slot], r.net.slots.high[slot]);
    for (uint32_t x = 1; x < n; x++)
      values[x] = random_between(&random, 0, most[x]);
    packing_state(&packing, state_key, state);
    packing_values(&packing, key, state_key, values);
    for (uint32_t b = packing.bytes; b < packing.words * 8; b++)
      assert_int_equal(((unsigned char *)key)[b], 0);
    packing_read(&packing, key, read_state, read_values, n);
    assert_memory_equal(state, read_state, slots * sizeof *state);
    assert_memory_equal(values, read_values, n * sizeof *values);
  }
  reading_release(&r);
  mem_release(&mem);
}

static void test_round_trip(void **state) {
  (void)state;
  try_packing((const char *[]){"clocks=0"}, 1, 3);
  try_packing((const char *[]){"clocks=2"}, 1, 3);
  try_packing((const char *[]){"clocks=9", "ints=5", "processes=4"}, 3, 100);
  try_packing((const char *[]){"clocks=30", "ints=9", "processes=9"}, 3, 1000);
  try_packing((const char *[]){"clocks=30", "ints=9", "processes=9"}, 3, 1 << 28);
}

static void test_bits(void **state) {
  (void)state;
  assert_int_equal(packing_bits(0), 0);
  assert_int_equal(packing_bits(1), 1);
  assert_int_equal(packing_bits(7), 3);
  assert_int_equal(packing_bits(8), 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_round_trip),
                                     cmocka_unit_test(test_bits)};
  return cmocka_run_group_tests_name("packing", tests, NULL, NULL);
}
