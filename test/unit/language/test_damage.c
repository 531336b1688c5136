// Messages that quote what was left unread are consequences.
#include "language/uppaal/damage.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static void test_explains(void **state) {
  (void)state;
  Mem mem = {0};
  Arena arena = {.mem = &mem};
  Damage damage = {0};
  assert_false(damage.is_any);
  damage_add(&damage, &arena, "count", 5);
  damage_add(&damage, &arena, "counts", 5); // the same
  assert_true(damage.is_any);
  assert_int_equal(damage.count, 1);
  assert_true(damage_explains(&damage, "there is no `count`"));
  assert_true(damage_explains(&damage, "`P.count` is not a clock"));
  assert_true(damage_explains(&damage, "`a` and `count[3]` differ"));
  assert_false(damage_explains(&damage, "there is no count"));
  assert_false(damage_explains(&damage, "there is no `counts`"));
  assert_false(damage_explains(&damage, "an open ` sign"));
  arena_release(&arena);
  assert_int_equal(mem.bytes, 0);
}

static void test_full(void **state) {
  (void)state;
  Mem mem = {0};
  Arena arena = {.mem = &mem};
  Damage damage = {0};
  char name[16];
  for (int i = 0; i < 2 * DAMAGE_MAX_NAMES; i++)
    damage_add(&damage, &arena, name, (size_t)snprintf(name, sizeof name, "n%d", i));
  assert_int_equal(damage.count, DAMAGE_MAX_NAMES);
  assert_true(damage_explains(&damage, "there is no `other`"));
  arena_release(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_explains),
                                     cmocka_unit_test(test_full)};
  return cmocka_run_group_tests_name("damage", tests, NULL, NULL);
}
