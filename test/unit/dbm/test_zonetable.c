// Tables with their zones in common: equal zones have one number, whichever thread adds them, and
// are read where they are.
#include "dbm/stored/zonetable.h"

#include "base/random.h"
#include "base/team.h"

// cmocka wants these before itself.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { K = 9, BYTES = K * K, ZONES = 40000, KINDS = 20000, THREADS = 3 };

// Some bytes: the table does not look at what they mean.
static void fill(char *entries, uint32_t kind) {
  Random random;
  random_seed(&random, kind + 1);
  for (uint32_t i = 0; i < BYTES; i++)
    entries[i] = (char)random_below(&random, 100);
}

typedef struct Play {
  ZoneTable tables[THREADS];
  ZoneRef known[THREADS][KINDS];
  bool failed[THREADS];
} Play;

// Adds zones of all kinds, most of them more than once, in an order of its own.
static void work(void *context, uint32_t number) {
  Play *play = context;
  ZoneTable *table = &play->tables[number];
  ZoneRef *known = play->known[number];
  Random random;
  random_seed(&random, number + 7);
  for (uint32_t i = 0; i < ZONES + KINDS; i++) {
    char entries[BYTES];
    const uint32_t kind = i < ZONES ? random_below(&random, KINDS) : i - ZONES;
    const Probe probe = {.k = K, .format = PACKED_8, .entries = entries};
    fill(entries, kind);
    const ZoneRef ref = zonetable_add(table, &probe);
    play->failed[number] |= !ref || (known[kind] && known[kind] != ref) ||
                            memcmp(zonetable_at(table, ref)->entries, entries, BYTES) ||
                            zonetable_find(table, &probe) != ref;
    known[kind] = ref;
  }
}

static void test_share(void **state) {
  (void)state;
  static Play play;
  Mem mems[THREADS] = {{0}}, *each[THREADS];
  Mem team_mem = {0}, *team_mems[THREADS];
  for (int i = 0; i < THREADS; i++) {
    each[i] = &mems[i];
    team_mems[i] = &team_mem;
    zonetable_init(&play.tables[i], each[i], K);
    if (i)
      zonetable_share(&play.tables[0], &play.tables[i]);
  }
  Team *team = team_new(team_mems, THREADS, 8, NULL);
  assert_true(team_run(team, work, &play));
  uint32_t count = 0;
  for (int i = 0; i < THREADS; i++) {
    assert_false(play.failed[i]);
    assert_memory_equal(play.known[i], play.known[0], sizeof play.known[i]);
    count += play.tables[i].count;
  }
  assert_int_equal(count, KINDS);
  for (int i = THREADS; i-- > 0;)
    mem_release(&mems[i]);
  team_release(team);
  mem_release(&team_mem);
}

// A zone of random size and bytes; its number fixes both.
static ZoneString make_string(char *entries, uint32_t number) {
  fill(entries, number);
  ZoneString zone = {.kind = number % 7 + 1,
                     .format = PACKED_8,
                     .entries = entries,
                     .bytes = BYTES / 2 + number % 7 * 5};
  return zone;
}

// Those that were marked are where they were, the others are not found, and their room is used.
static void test_sweep(void **state) {
  (void)state;
  enum { NUMBERS = 3000, ROUNDS = 30 };
  static ZoneRef known[NUMBERS];
  static Mem mem;
  ZoneTable table;
  Random random;
  char entries[BYTES];
  random_seed(&random, 3);
  zonetable_init(&table, &mem, K);
  size_t max = 0;
  for (uint32_t round = 0; round < ROUNDS; round++) {
    for (uint32_t i = 0; i < NUMBERS; i++) {
      const ZoneString zone = make_string(entries, i);
      assert_int_equal(zonetable_find_string(&table, zone), known[i]);
      const ZoneRef ref = zonetable_add_string(&table, zone);
      assert_true(ref && (!known[i] || known[i] == ref));
      assert_memory_equal(zonetable_at(&table, ref)->entries, entries, zone.bytes);
      known[i] = ref;
    }
    assert_int_equal(table.count, NUMBERS);
    max = max ? max : mem.bytes;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < NUMBERS; i++) {
      const bool stays = random_below(&random, ROUNDS) < round;
      kept += stays;
      if (stays)
        zonetable_mark(&table, known[i]);
      assert_int_equal(zonetable_is_marked(&table, known[i]), stays);
      known[i] = stays ? known[i] : ZONE_NONE;
    }
    zonetable_sweep(&table);
    assert_int_equal(table.count, kept);
  }
  assert_true(mem.bytes < max + (1 << 16)); // no page more
  mem_release(&mem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_share),
      cmocka_unit_test(test_sweep),
  };
  return cmocka_run_group_tests_name("zonetable", tests, NULL, NULL);
}
