// Zones are alike iff what their synchronised zones depend on is the same, whatever else differs.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "local/syncmemo.h"

enum { VARIABLES = 14, CLOCKS = 4, ROWS = 7, SIZE = CLOCKS + ROWS * VARIABLES };

typedef struct Entries {
  int8_t at[SIZE + PACKED_SLACK];
} Entries;

// Three clocks, two events, two frozen times; or other numbers of them.
static OffsetShape make_shape(uint32_t clock_rows, uint32_t frozen_from, uint32_t rows) {
  return (OffsetShape){.n = VARIABLES,
                       .clocks = CLOCKS,
                       .row_count = rows,
                       .clock_rows = clock_rows,
                       .frozen_from = frozen_from};
}

static bool counts(const OffsetShape *shape, uint32_t at) {
  if (at < CLOCKS)
    return true;
  const uint32_t row = (at - CLOCKS) / VARIABLES, column = (at - CLOCKS) % VARIABLES;
  return column < CLOCKS && row < shape->row_count &&
         (row < shape->clock_rows || row >= shape->frozen_from);
}

static void test_alike(void **state) {
  (void)state;
  Random random;
  random_seed(&random, 5);
  Mem mem = {0};
  SyncMemo *memo = mem_alloc(&mem, sizeof *memo);
  uint32_t differ = 0;
  for (ZoneRef sync = 1; sync < 20000; sync++) {
    const uint32_t clocks = random_below(&random, CLOCKS + 1);
    const uint32_t frozen = clocks + random_below(&random, 3);
    const OffsetShape shape =
        make_shape(clocks, frozen, frozen + random_below(&random, ROWS - frozen + 1));
    const uint32_t setting = 1 + random_below(&random, 3);
    Entries entries;
    for (uint32_t i = 0; i < sizeof entries.at; i++)
      entries.at[i] = (int8_t)random_between(&random, -3, 3);
    memo->asked = 0; // most of these are unknown, which must not end it
    ZoneRef *place = syncmemo_find(memo, &shape, setting, entries.at);
    assert_non_null(place);
    *place = sync;
    const uint32_t at = random_below(&random, sizeof entries.at);
    entries.at[at]++;
    const bool is_other = at < SIZE && counts(&shape, at);
    assert_int_equal(*syncmemo_find(memo, &shape, setting, entries.at), is_other ? 0 : sync);
    entries.at[at]--;
    if (!is_other)
      assert_int_equal(*syncmemo_find(memo, &shape, setting + 3, entries.at), 0);
    differ += is_other;
  }
  assert_true(differ > 1000);
  mem_free(&mem, memo);
}

static void test_too_large(void **state) {
  (void)state;
  Mem mem = {0};
  SyncMemo *memo = mem_alloc(&mem, sizeof *memo);
  static int8_t entries[1000];
  const OffsetShape many = {
      .n = 30, .clocks = 11, .row_count = 11, .clock_rows = 11, .frozen_from = 11};
  assert_null(syncmemo_find(memo, &many, 1, entries));
  const OffsetShape wide = {
      .n = 30, .clocks = 17, .row_count = 1, .clock_rows = 1, .frozen_from = 1};
  assert_null(syncmemo_find(memo, &wide, 1, entries));
  const OffsetShape most = {
      .n = 30, .clocks = 10, .row_count = 10, .clock_rows = 10, .frozen_from = 10};
  assert_non_null(syncmemo_find(memo, &most, 1, entries));
  mem_free(&mem, memo);
}

// Where nearly all are unknown it is given up, where a third are known it is not.
static void test_given_up(void **state) {
  (void)state;
  Mem mem = {0};
  for (uint32_t known = 0; known < 2; known++) {
    SyncMemo *memo = mem_alloc(&mem, sizeof *memo);
    const OffsetShape shape = make_shape(2, 2, 2);
    Entries entries = {0};
    for (uint32_t i = 0; i < 3000; i++) {
      const uint32_t kind = known && i % 3 ? 0 : i;
      entries.at[0] = (int8_t)(kind % 100);
      entries.at[1] = (int8_t)(kind / 100);
      ZoneRef *place = syncmemo_find(memo, &shape, 1, entries.at);
      assert_true(i >= 1024 || place);
      assert_int_equal(i < 1024 || known, place != NULL);
      if (place)
        *place = i + 1;
    }
    mem_free(&mem, memo);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_alike),
      cmocka_unit_test(test_too_large),
      cmocka_unit_test(test_given_up),
  };
  return cmocka_run_group_tests_name("memo", tests, NULL, NULL);
}
