// Numbers and texts as certificates have them.
#include "answers/certificates/encode.h"

#include "model/certificate_format.h"

// cmocka wants most of these before itself.
#include <errno.h>
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

#define HASH "01234567890123456789012345678901"

static void test_head(void **state) {
  (void)state;
  Mem mem = {0};
  Text text = {.mem = &mem};
  const Net net = {.slots.count = 3, .clock_count = 200};
  const CertificateStart labels = {.features = CERTIFY_RENAMED,
                                   .hash = (const unsigned char *)HASH,
                                   .query = "a,b",
                                   .is_labels = true,
                                   .origin = "o"};
  encode_head(&text, &labels, &net);
  static const char wanted[] = CERTIFY_MAGIC "\1" HASH "\x02\x03"
                                             "a,b\x01"
                                             "o\x03\xc8\x01";
  assert_bytes(&text, wanted, sizeof wanted - 1);
  encode_head(&text, &(CertificateStart){.origin = ""}, &net);
  assert_int_equal(text.size, strlen(CERTIFY_MAGIC) + 1 + CERTIFY_HASH + 6);
  assert_memory_equal(text.chars + text.size - 6, "\x00\x00\x00\x03\xc8\x01", 6);
  text_clear(&text);
  encode_head(&text, &(CertificateStart){.origin = "", .marked = 5}, &net);
  assert_int_equal(text.chars[strlen(CERTIFY_MAGIC)], CERTIFY_MARKED);
  assert_memory_equal(text.chars + text.size - 7, "\x00\x00\x00\x04\x03\xc8\x01", 7);
  text_release(&text);
}

// Nothing is written before there is enough.
static void test_flush(void **state) {
  (void)state;
  Mem mem = {0};
  Text text = {.mem = &mem};
  FILE *file = tmpfile();
  assert_true(encode_flush(&text, file, true));
  text_add(&text, "abc");
  assert_true(encode_flush(&text, file, false));
  assert_int_equal(text.size, 3);
  assert_true(encode_flush(&text, file, true));
  assert_int_equal(text.size, 0);
  assert_int_equal(ftell(file), 3);
  while (text.size < ENCODE_MANY)
    text_add_char(&text, 'a');
  assert_true(encode_flush(&text, file, false));
  assert_int_equal(text.size, 0);
  assert_int_equal(ftell(file), 3 + ENCODE_MANY);
  fclose(file);
  file = fopen("/dev/null", "r"); // cannot be written
  assert_non_null(file);
  text_add(&text, "abc");
  assert_false(encode_flush(&text, file, true));
  assert_int_equal(errno, EBADF);
  fclose(file);
  text_release(&text);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_numbers), cmocka_unit_test(test_head),
                                     cmocka_unit_test(test_flush)};
  return cmocka_run_group_tests_name("encode", tests, NULL, NULL);
}
