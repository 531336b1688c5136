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
  mem_release(&mem);
}

static void test_line_ends(void **state) {
  (void)state;
  Mem mem = {0};
  ServiceText t = {0};
  service_text_set(&t, &mem, "a\r\nbc\rd\n\r", 10);
  static const ServicePosition places[] = {{0, 0}, {0, 1}, {1, 0}, {1, 2},
                                           {2, 0}, {3, 0}, {4, 0}};
  static const uint32_t offsets[] = {0, 1, 3, 5, 6, 8, 9};
  for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i++)
    assert_int_equal(service_text_offset(&t, places[i]), offsets[i]);
  assert_int_equal(service_text_offset(&t, (ServicePosition){0, 7}), 1); // before "\r\n"
  assert_int_equal(service_text_offset(&t, (ServicePosition){1, 7}), 5);
  assert_int_equal(service_text_position(&t, 6).line, 2);
  mem_release(&mem);
}

static void test_changes(void **state) {
  (void)state;
  Mem mem = {0};
  ServiceText t = {0};
  service_text_set(&t, &mem, "one\ntwo", 7);
  service_text_replace(&t, 3, 4, " and\n", 5);
  assert_string_equal(text_chars(&t.text), "one and\ntwo");
  assert_int_equal(service_text_position(&t, 8).line, 1);
  service_text_replace(&t, 8, 3, "!", 1); // the ends of a range can come in any order
  assert_string_equal(text_chars(&t.text), "one!two");
  service_text_replace(&t, 99, 4, "?", 1);
  assert_string_equal(text_chars(&t.text), "one!?");
  mem_release(&mem);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_positions),
                                     cmocka_unit_test(test_line_ends),
                                     cmocka_unit_test(test_changes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
