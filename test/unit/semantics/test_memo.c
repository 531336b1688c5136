// The memo against a plain list, and interned strings.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/intern.h"
#include "base/random.h"
#include "semantics/zone/memo.h"

enum { ZONES = 200, EFFECTS = 100 };

// A result may be forgotten, but a wrong one is never given, and the last is there.
static void test_memo(void **state) {
  (void)state;
  static Mem mem;
  static ZoneRef known[ZONES][EFFECTS];
  Memo memo;
  Random random;
  random_seed(&random, 1);
  memo_init(&memo, &mem);
  uint32_t hits = 0, asked = 0;
  for (int i = 0; i < 200000; i++) {
    const uint32_t zone = random_below(&random, ZONES),
                   transformer = random_below(&random, EFFECTS);
    const ZoneRef found = memo_find(&memo, zone + 1, transformer + 1);
    if (found) {
      assert_int_equal(found, known[zone][transformer]);
      hits++;
    } else {
      known[zone][transformer] =
          random_below(&random, 10) ? random_below(&random, 1000) + 1 : MEMO_EMPTY;
      memo_add(&memo, zone + 1, transformer + 1, known[zone][transformer]);
      assert_int_equal(memo_find(&memo, zone + 1, transformer + 1), known[zone][transformer]);
    }
    asked += known[zone][transformer] != 0;
  }
  assert_true(hits > asked / 2);
  memo_clear(&memo);
  assert_int_equal(memo_find(&memo, 1, 1), ZONE_NONE);
  memo_release(&memo);
  mem_release(&mem);
}

// What is left is of zones that were marked, and all of that is.
static void test_sweep(void **state) {
  (void)state;
  static Mem mem;
  static ZoneRef refs[ZONES];
  ZoneTable table;
  Memo memo;
  zonetable_init(&table, &mem, 4);
  memo_init(&memo, &mem);
  for (uint32_t i = 0; i < ZONES; i++) {
    ZoneString zone = {.kind = 1, .format = PACKED_8, .entries = &i, .bytes = sizeof i};
    refs[i] = zonetable_add_string(&table, zone);
  }
  for (uint32_t i = 0; i < ZONES; i++)
    memo_add(&memo, refs[i], 1, i % 5 ? refs[i / 2] : MEMO_EMPTY);
  for (uint32_t i = 0; i < ZONES; i += 3)
    zonetable_mark(&table, refs[i]);
  memo_sweep(&memo, &table, &table);
  for (uint32_t i = 0; i < ZONES; i++) {
    const bool stays = i % 3 == 0 && (i % 5 == 0 || i / 2 % 3 == 0);
    const ZoneRef result = i % 5 ? refs[i / 2] : MEMO_EMPTY;
    assert_int_equal(memo_find(&memo, refs[i], 1), stays ? result : ZONE_NONE);
  }
  zonetable_sweep(&table);
  memo_release(&memo);
  mem_release(&mem);
}

static void test_intern(void **state) {
  (void)state;
  static Mem mem;
  Intern intern;
  intern_init(&intern, &mem);
  for (int round = 0; round < 2; round++)
    for (uint32_t i = 0; i < 5000; i++) {
      uint32_t bytes[3] = {i % 70, i, i / 3};
      assert_int_equal(intern_number(&intern, bytes, i % 2 ? 8 : 12), i + 1);
    }
  assert_int_equal(intern_number(&intern, "", 0), 5001);
  intern_clear(&intern);
  assert_int_equal(intern_number(&intern, "", 0), 1);
  intern_release(&intern);
  mem_release(&mem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_memo),
      cmocka_unit_test(test_sweep),
      cmocka_unit_test(test_intern),
  };
  return cmocka_run_group_tests_name("memo", tests, NULL, NULL);
}
