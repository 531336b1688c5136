#include "language/tchecker/symbols.h"

// cmocka wants these before itself.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

static void test_scopes(void **unused) {
  (void)unused;
  Mem mem = {0};
  Symbols symbols;
  symbols_init(&symbols, &mem);
  assert_int_equal(symbols_find(&symbols, 0, "a", 1), SYMBOLS_NONE);
  symbols_add(&symbols, 0, "a", 5);
  symbols_add(&symbols, 1, "a", 6);
  symbols_add(&symbols, 1, "ab", 7);
  assert_int_equal(symbols_find(&symbols, 0, "a", 1), 5);
  assert_int_equal(symbols_find(&symbols, 1, "a", 1), 6);
  assert_int_equal(symbols_find(&symbols, 1, "abc", 2), 7);
  assert_int_equal(symbols_find(&symbols, 0, "ab", 2), SYMBOLS_NONE);
  assert_int_equal(symbols_find(&symbols, 0, "", 0), SYMBOLS_NONE);
  symbols_release(&symbols);
  assert_int_equal(mem.bytes, 0);
}

static void test_many(void **unused) {
  (void)unused;
  enum { MANY = 5000 };
  static char names[MANY][8];
  Mem mem = {0};
  Symbols symbols;
  symbols_init(&symbols, &mem);
  for (unsigned i = 0; i < MANY; i++) {
    snprintf(names[i], sizeof names[i], "n%u", i);
    symbols_add(&symbols, i % 3, names[i], i);
  }
  for (unsigned i = 0; i < MANY; i++)
    for (uint32_t scope = 0; scope < 3; scope++)
      assert_int_equal(symbols_find(&symbols, scope, names[i], (uint32_t)strlen(names[i])),
                       scope == i % 3 ? i : SYMBOLS_NONE);
  symbols_release(&symbols);
  assert_int_equal(mem.bytes, 0);
}

static void test_nearest(void **unused) {
  (void)unused;
  Mem mem = {0};
  Symbols symbols;
  symbols_init(&symbols, &mem);
  symbols_add(&symbols, 0, "x", 0);
  symbols_add(&symbols, 0, "counter", 1);
  symbols_add(&symbols, 0, "country", 2);
  symbols_add(&symbols, 1, "elsewhere", 3);
  assert_null(symbols_nearest(&symbols, 0, "y")); // nothing of it is right
  assert_string_equal(symbols_nearest(&symbols, 0, "X"), "x");
  assert_string_equal(symbols_nearest(&symbols, 0, "countrx"), "country");
  assert_string_equal(symbols_nearest(&symbols, 0, "couter"), "counter");
  assert_null(symbols_nearest(&symbols, 0, "quite_different"));
  assert_null(symbols_nearest(&symbols, 0, "elsewhere"));
  symbols_release(&symbols);
  assert_int_equal(mem.bytes, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_scopes),
      cmocka_unit_test(test_many),
      cmocka_unit_test(test_nearest),
  };
  return cmocka_run_group_tests_name("symbols", tests, NULL, NULL);
}
