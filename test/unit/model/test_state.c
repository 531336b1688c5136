#include "nets.h"
#include "ranges.h"

#include "model/state.h"

// Processes with `locations` locations each, the first one initial.
static void add_processes(Fixture *f, uint32_t count, uint32_t locations) {
  for (uint32_t i = 0; i < count; i++) {
    const ProcessId p = net_add_process(&f->net, "P", NOWHERE);
    for (uint32_t l = 0; l < locations; l++)
      add_location(f, p, "l", l == 0);
  }
}

static void random_state(Random *random, const Net *net, int32_t *state) {
  for (uint32_t i = 0; i < net->slots.count; i++) {
    const uint64_t width = (uint64_t)((int64_t)net->slots.max[i] - net->slots.min[i]) + 1;
    state[i] = (int32_t)(net->slots.min[i] + (int64_t)(random_next(random) % width));
    if (random_below(random, 4) == 0)
      state[i] = random_below(random, 2) ? net->slots.min[i] : net->slots.max[i];
  }
}

// Fields are apart, within their word, and wide enough for the range but not wider.
static void check_layout(const StateLayout *layout, const Net *net, const int32_t *max) {
  uint64_t used[64] = {0};
  assert_true(layout->words <= 64);
  for (uint32_t i = 0; i < layout->slots; i++) {
    const StateField *field = &layout->fields[i];
    const uint64_t width = i < net->slots.count
                               ? (uint64_t)((int64_t)net->slots.max[i] - net->slots.min[i])
                               : (uint64_t)max[i - net->slots.count];
    assert_true(field->word < layout->words && field->shift < 64);
    assert_in_range(i, layout->first[field->word], layout->first[field->word + 1] - 1);
    assert_true(field->mask >= width && field->mask / 2 <= width);
    const uint64_t bits = field->mask << field->shift;
    assert_int_equal(bits >> field->shift, field->mask);
    assert_int_equal(used[field->word] & bits, 0);
    used[field->word] |= bits;
  }
  const uint32_t tail = layout->bytes - (layout->words - 1) * 8;
  assert_in_range(tail, 1, 8);
  if (tail < 8)
    assert_int_equal(used[layout->words - 1] >> 8 * tail, 0);
}

static void test_packing(void **unused) {
  (void)unused;
  Random random;
  random_seed(&random, 1);
  for (int round = 0; round < 2000; round++) {
    Fixture f;
    fixture_init(&f);
    const uint32_t variables = random_below(&random, 12);
    for (uint32_t i = 0; i < variables; i++) {
      const uint32_t bits = random_below(&random, 33);
      const uint32_t width = bits ? (uint32_t)(random_next(&random) >> (64 - bits)) : 0;
      const int32_t min = (int32_t)(INT32_MIN + (int64_t)(random_next(&random) %
                                                          ((uint64_t)UINT32_MAX - width + 1)));
      add_int(&f, "v", min, (int32_t)(min + (int64_t)width), min);
    }
    add_processes(&f, 1 + random_below(&random, 5), 1 + random_below(&random, 9));
    fixture_finish(&f);
    StateLayout layout;
    forget_ranges(&f.net); // any state will do
    int32_t max[6];
    const uint32_t more = random_below(&random, 6), slots = f.net.slots.count + more;
    for (uint32_t i = 0; i < more; i++)
      max[i] = i % 3 ? random_between(&random, 0, 1 << random_below(&random, 29)) : 0;
    state_layout_with(&layout, &f.arena, &f.net, max, more);
    assert_int_equal(layout.slots, slots);
    check_layout(&layout, &f.net, max);
    int32_t state[32], other[32], back[32];
    uint64_t packed[64], packed_other[64];
    for (int k = 0; k < 20; k++) {
      random_state(&random, &f.net, state);
      for (uint32_t i = 0; i < more; i++)
        state[f.net.slots.count + i] = random_between(&random, 0, max[i]);
      memcpy(other, state, sizeof state);
      const uint32_t changed = random_below(&random, slots);
      other[changed] = changed < f.net.slots.count ? f.net.slots.min[changed] : 0;
      state_pack(&layout, packed, state);
      state_pack(&layout, packed_other, other);
      state_unpack(&layout, back, packed);
      assert_memory_equal(back, state, sizeof *state * slots);
      const bool same = !memcmp(state, other, sizeof *state * slots);
      assert_int_equal(same, !memcmp(packed, packed_other, layout.bytes));
      assert_int_equal(same, !memcmp(packed, packed_other, 8 * layout.words));
    }
    fixture_release(&f);
  }
}

static void test_sizes(void **unused) {
  (void)unused;
  Fixture f; // nothing to tell apart: still a byte
  StateLayout layout;
  fixture_init(&f);
  add_processes(&f, 3, 1);
  fixture_finish(&f);
  forget_ranges(&f.net); // any state will do
  state_layout(&layout, &f.arena, &f.net);
  assert_int_equal(layout.words, 1);
  assert_int_equal(layout.bytes, 1);
  fixture_release(&f);

  fixture_init(&f); // a word to the last bit
  add_int(&f, "a", INT32_MIN, INT32_MAX, 0);
  add_int(&f, "b", INT32_MIN, INT32_MAX, 0);
  add_processes(&f, 1, 1);
  fixture_finish(&f);
  forget_ranges(&f.net); // any state will do
  state_layout(&layout, &f.arena, &f.net);
  assert_int_equal(layout.words, 1);
  assert_int_equal(layout.bytes, 8);
  fixture_release(&f);

  fixture_init(&f); // 32 + 3 bits, then 32 + 4 * 3
  add_int(&f, "a", INT32_MIN, INT32_MAX, 0);
  add_int(&f, "b", 0, 7, 0);
  add_int(&f, "c", INT32_MIN, INT32_MAX, 0);
  add_processes(&f, 4, 5);
  fixture_finish(&f);
  forget_ranges(&f.net); // any state will do
  state_layout(&layout, &f.arena, &f.net);
  assert_int_equal(layout.words, 2);
  assert_int_equal(layout.bytes, 14);
  fixture_release(&f);
}

static void test_initial(void **unused) {
  (void)unused;
  Fixture f;
  fixture_init(&f);
  add_int(&f, "v", 0, 9, 7);
  const char *const initial[] = {"011", "1", "101"};
  for (int p = 0; p < 3; p++) {
    net_add_process(&f.net, "P", NOWHERE);
    for (const char *c = initial[p]; *c; c++)
      add_location(&f, (ProcessId)p, "l", *c == '1');
  }
  fixture_finish(&f);
  int32_t state[4];
  const int32_t expected[4][4] = {{7, 1, 0, 0}, {7, 1, 0, 2}, {7, 2, 0, 0}, {7, 2, 0, 2}};
  for (uint32_t i = 4; i-- > 0;) {
    assert_true(state_initial(&f.net, state, i));
    assert_memory_equal(state, expected[i], sizeof state);
  }
  for (uint32_t i = 4; i < 40; i++)
    assert_false(state_initial(&f.net, state, i));
  assert_false(state_initial(&f.net, state, UINT32_MAX));
  fixture_release(&f);
}

static void test_flags_and_print(void **unused) {
  (void)unused;
  Fixture f;
  fixture_init(&f);
  for (int i = 0; i < 2; i++) {
    const ProcessId p = net_add_process(&f.net, i ? "Q" : "P", NOWHERE);
    add_location(&f, p, "plain", true);
    f.net.locations.items[add_location(&f, p, "urgent", false)].urgent = true;
    f.net.locations.items[add_location(&f, p, "committed", false)].committed = true;
  }
  add_int(&f, "v", -5, 5, 0);
  fixture_finish(&f);
  for (int32_t i = 0; i < 3; i++)
    for (int32_t k = 0; k < 3; k++) {
      const int32_t state[] = {-3, i, k};
      assert_int_equal(state_may_delay(&f.net, state), i == 0 && k == 0);
    }
  Text text = {.mem = &f.mem};
  const int32_t state[] = {-3, 2, 0};
  state_print(&text, &f.net, state);
  assert_string_equal(text_chars(&text), "P.committed,Q.plain,v=-3");
  text_release(&text);
  fixture_release(&f);
}

// Arrays are folded, also the rows of larger ones; of a few elements that change each is told.
static void test_show(void **unused) {
  (void)unused;
  static const char *const names[] = {"v[0]", "v[1]", "v[2]",    "v[3]",    "v[4]",  "v[5]",
                                      "n",    "w[1]", "m[0][0]", "m[0][1]", "s[0].f"};
  Fixture f;
  fixture_init(&f);
  const ProcessId p = net_add_process(&f.net, "P", NOWHERE);
  add_location(&f, p, "l", true);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    add_int(&f, names[i], 0, 9, 0);
  fixture_finish(&f);
  Text text = {.mem = &f.mem};
  const int32_t state[] = {1, 0, 0, 0, 0, 0, 4, 2, 7, 8, 6, 0};
  const int32_t few[] = {1, 0, 3, 0, 0, 0, 4, 2, 7, 9, 6, 0};
  const int32_t many[] = {2, 2, 2, 2, 2, 0, 5, 2, 7, 8, 6, 0};
  state_show(&text, &f.net, state, NULL);
  assert_string_equal(text_chars(&text), "P.l,v=[1,0*5],n=4,w[1]=2,m[0]=[7,8],s[0].f=6");
  text_clear(&text);
  state_show(&text, &f.net, few, state);
  assert_string_equal(text_chars(&text), "v[2]=3,m[0][1]=9");
  text_clear(&text);
  state_show(&text, &f.net, many, state);
  assert_string_equal(text_chars(&text), "v=[2*5,0],n=5");
  text_clear(&text);
  state_show(&text, &f.net, state, state);
  assert_int_equal(text.size, 0);
  text_release(&text);
  fixture_release(&f);
}

// A field may have room for more than its range: three locations have two bits.
static void test_ranges(void **state) {
  (void)state;
  Fixture f;
  fixture_init(&f);
  add_processes(&f, 1, 3);
  fixture_finish(&f);
  Arena arena = {.mem = &f.mem};
  StateLayout layout;
  state_layout(&layout, &arena, &f.net);
  for (uint64_t packed = 0; packed < 4; packed++)
    assert_int_equal(state_is_in_range(&layout, &f.net, &packed), packed < 3);
  arena_release(&arena);
  fixture_release(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_packing), cmocka_unit_test(test_sizes),
      cmocka_unit_test(test_initial), cmocka_unit_test(test_flags_and_print),
      cmocka_unit_test(test_show),    cmocka_unit_test(test_ranges),
  };
  return cmocka_run_group_tests_name("state", tests, NULL, NULL);
}
