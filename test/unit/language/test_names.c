// Equal names are one pointer, also after the table has grown, and in copies.
#include "language/uppaal/names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { MANY = 5000 };

static void test_unique(void **state) {
  (void)state;
  Mem mem = {0};
  Arena arena = {.mem = &mem}, other = {.mem = &mem};
  Names names;
  names_init(&names, &arena);
  static const char *first[MANY];
  char text[32];
  for (int i = 0; i < MANY; i++)
    first[i] = names_get(&names, text, (size_t)snprintf(text, sizeof text, "name%d", i));
  for (int i = 0; i < MANY; i++) {
    const size_t length = (size_t)snprintf(text, sizeof text, "name%d", i);
    assert_ptr_equal(names_get(&names, text, length), first[i]);
    assert_string_equal(first[i], text);
  }
  assert_ptr_not_equal(names_get(&names, "name12", 5), names_get(&names, "name12", 6));
  Names copy = names;
  copy.arena = &other;
  names_copy(&copy);
  const char *added = names_get(&copy, "added", 5);
  assert_ptr_equal(names_get(&copy, "name7", 5), first[7]);
  assert_ptr_not_equal(names_get(&names, "added", 5), added);
  arena_release(&other);
  arena_release(&arena);
  assert_int_equal(mem.bytes, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_unique)};
  return cmocka_run_group_tests_name("names", tests, NULL, NULL);
}
