// Reading certificates: numbers at their limits, and input that is no certificate.
#include "check/certificate_reader.h"

#include "drafts.h"

static void test_numbers(void **unused) {
  (void)unused;
  Mem mem = {0};
  static const uint64_t values[] = {0, 1, 127, 128, 16383, 16384, UINT32_MAX, 1ull << 56};
  Text text = {.mem = &mem};
  for (size_t i = 0; i < sizeof values / sizeof *values; i++)
    draft_put(&text, values[i]);
  Certificate c = {.bytes = (const unsigned char *)text.chars, .size = text.size};
  for (size_t i = 0; i < sizeof values / sizeof *values; i++)
    assert_true(certificate_number(&c) == values[i]);
  assert_false(c.is_broken);
  certificate_number(&c); // nothing left
  assert_true(c.is_broken);
  text_release(&text);
}

static void test_endless_number(void **unused) {
  (void)unused;
  const unsigned char bytes[] = {255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 0};
  Certificate c = {.bytes = bytes, .size = sizeof bytes};
  certificate_number(&c);
  assert_true(c.is_broken);
}

static void refuse(const char *bytes, size_t size) {
  Reading r;
  reading_accept(&r, PREAMBLE);
  Certificate c;
  assert_false(certificate_open(&c, &r.mem, &r.net, bytes, size, &r.text));
  assert_true(r.text.size > 0);
  certificate_release(&c);
  reading_release(&r);
}

static void test_refused(void **unused) {
  (void)unused;
  refuse("", 0);
  refuse("{}", 2);
  refuse(CERTIFY_MAGIC, strlen(CERTIFY_MAGIC));
  refuse(CERTIFY_MAGIC "\0\0\0\7\7", strlen(CERTIFY_MAGIC) + 5); // of another net
  refuse(CERTIFY_MAGIC "\7\0\0", strlen(CERTIFY_MAGIC) + 3);     // no such kind
  refuse(CERTIFY_MAGIC "\1\177x", strlen(CERTIFY_MAGIC) + 3);    // a text longer than the rest
}

static void test_head(void **unused) {
  (void)unused;
  Mem mem = {0};
  Text why = {.mem = &mem};
  CertificateHead head;
  static const char bytes[] = CERTIFY_MAGIC "\2\3a,b\4note";
  assert_true(certificate_is_one(bytes, sizeof bytes - 1));
  assert_false(certificate_is_one(bytes, 5));
  assert_true(certificate_head(&head, bytes, sizeof bytes - 1, &why));
  assert_int_equal(head.kind, CERTIFY_LABELS);
  assert_memory_equal(head.query, "a,b", 3);
  assert_int_equal(head.query_size, 3);
  assert_memory_equal(head.origin, "note", 4);
  assert_int_equal(mem.bytes, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_numbers),
      cmocka_unit_test(test_endless_number),
      cmocka_unit_test(test_refused),
      cmocka_unit_test(test_head),
  };
  return cmocka_run_group_tests_name("certificate_reader", tests, NULL, NULL);
}
