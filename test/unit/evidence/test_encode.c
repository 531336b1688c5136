// Numbers and texts as certificates have them.
#include "evidence/encode.h"

// cmocka wants these before itself.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void assert_bytes(Text *text, const char *bytes, size_t size) {
  assert_int_equal(text->size, size);
  assert_memory_equal(text_chars(text), bytes, size);
  text_clear(text);
}

static void test_numbers(void **state) {
  (void)state;
  Mem mem = {0};
  Text text = {.mem = &mem};
  encode_number(&text, 0);
  encode_number(&text, 127);
  encode_number(&text, 128);
  encode_number(&text, 300);
  assert_bytes(&text, "\x00\x7f\x80\x01\xac\x02", 6);
  encode_number(&text, UINT64_MAX);
  assert_bytes(&text, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 10);
  encode_integer(&text, 0);
  encode_integer(&text, -1);
  encode_integer(&text, 1);
  encode_integer(&text, -64);
  encode_integer(&text, 64);
  assert_bytes(&text, "\x00\x01\x02\x7f\x80\x01", 6);
  encode_integer(&text, INT64_MIN);
  assert_bytes(&text, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 10);
  text_release(&text);
}

static void test_texts(void **state) {
  (void)state;
  Mem mem = {0};
  Text text = {.mem = &mem};
  encode_text(&text, "");
  encode_text(&text, "abc");
  assert_bytes(&text,
               "\x00\x03"
               "abc",
               5);
  text_release(&text);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_numbers),
                                     cmocka_unit_test(test_texts)};
  return cmocka_run_group_tests_name("encode", tests, NULL, NULL);
}
