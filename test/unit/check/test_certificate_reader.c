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

// Hints for 3, 4 and 9, found in one pass though something else is read meanwhile.
static void test_hints(void **unused) {
  (void)unused;
  static const unsigned char bytes[] = {3, 3, 7, 0, 8, 4, 9};
  Certificate c = {.bytes = bytes, .size = sizeof bytes};
  HintList list = certificate_hints(&c);
  static const uint32_t nodes[] = {UINT32_MAX, UINT32_MAX, UINT32_MAX, 7,          8,
                                   UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, 9};
  for (uint32_t i = 0; i < sizeof nodes / sizeof *nodes; i++)
    for (int twice = 0; twice < 2; twice++) {
      assert_int_equal(certificate_find_hint(&c, &list, i), nodes[i]);
      c.at = 0;
    }
  Hint hint;
  assert_int_equal(certificate_find_hint(&c, &list, CERTIFY_HOP), UINT32_MAX);
  assert_false(certificate_next_hint(&c, &list, &hint));
  assert_false(c.is_broken);
  c.at = 0;
  list = certificate_hints(&c);
  for (uint32_t i = 0; i < 3; i++) {
    assert_true(certificate_next_hint(&c, &list, &hint));
    assert_int_equal(hint.node, 7 + i);
  }
  assert_int_equal(hint.ordinal, 9);
  static const unsigned char none[] = {0};
  c = (Certificate){.bytes = none, .size = 1};
  list = certificate_hints(&c);
  assert_int_equal(certificate_find_hint(&c, &list, UINT64_MAX), UINT32_MAX);
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
      cmocka_unit_test(test_numbers), cmocka_unit_test(test_endless_number),
      cmocka_unit_test(test_hints),   cmocka_unit_test(test_refused),
      cmocka_unit_test(test_head),
  };
  return cmocka_run_group_tests_name("certificate_reader", tests, NULL, NULL);
}
