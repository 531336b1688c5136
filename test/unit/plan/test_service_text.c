// Positions in UTF-16 units, and changes of a text.
#include "plan/service/service_text.h"

// cmocka wants these before itself.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

static void test_positions(void **state) {
  (void)state;
  Mem mem = {0};
  ServiceText t = {0};
  const char text[] = "a\xc3\xa4"
                      "b\n\xf0\x9f\x98\x80x\n\xff"
                      "y";
  service_text_set(&t, &mem, text, strlen(text));
  static const struct {
    uint32_t line, character, offset;
  } places[] = {{0, 0, 0}, {0, 1, 1},  {0, 2, 3},  {0, 3, 4},  {1, 0, 5},
                {1, 2, 9}, {1, 3, 10}, {2, 0, 11}, {2, 1, 12}, {2, 2, 13}};
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    const ServicePosition p = {places[i].line, places[i].character};
    assert_int_equal(service_text_offset(&t, p), places[i].offset);
    const ServicePosition back = service_text_position(&t, places[i].offset);
    assert_int_equal(back.line, p.line);
    assert_int_equal(back.character, p.character);
  }
  assert_int_equal(service_text_offset(&t, (ServicePosition){0, 99}), 4); // the end of the line
  assert_int_equal(service_text_offset(&t, (ServicePosition){9, 0}), strlen(text));
  service_text_release(&t);
  assert_int_equal(mem.bytes, 0);
}

static void test_changes(void **state) {
  (void)state;
  Mem mem = {0};
  ServiceText t = {0};
  service_text_set(&t, &mem, "one\ntwo", 7);
  service_text_replace(&t, 3, 4, " and\n", 5);
  assert_string_equal(text_chars(&t.text), "one and\ntwo");
  assert_int_equal(service_text_position(&t, 8).line, 1);
  service_text_replace(&t, 99, 3, "!", 1); // nonsense does no harm
  assert_string_equal(text_chars(&t.text), "one! and\ntwo");
  service_text_release(&t);
  assert_int_equal(mem.bytes, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_positions),
                                     cmocka_unit_test(test_changes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
