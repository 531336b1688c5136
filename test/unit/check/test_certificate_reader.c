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

#define FIRST CERTIFY_PREFIX "1\n"
#define HASH "01234567890123456789012345678901"

static void refuse(const char *bytes, size_t size) {
  Reading r;
  reading_accept(&r, PREAMBLE);
  Certificate c;
  assert_false(certificate_open(&c, &r.mem, &r.net, bytes, size, &r.text));
  assert_true(r.text.size > 0);
  reading_drop(&r);
}

static void test_refused(void **unused) {
  (void)unused;
  refuse("", 0);
  refuse("{}", 2);
  refuse(FIRST, strlen(FIRST));
  refuse(FIRST "\0\0\0\7\7", strlen(FIRST) + 5);         // of another net
  refuse(FIRST "\7\0\0", strlen(FIRST) + 3);             // no such kind
  refuse(FIRST "\1\177x", strlen(FIRST) + 3);            // a text longer than the rest
  refuse(CERTIFY_PREFIX "7\n\0\0\0", strlen(FIRST) + 3); // of the future
  refuse(CERTIFY_PREFIX "11\n\0\0", strlen(FIRST) + 3);
}

// Version 6: features, the hash, and sections that may be skipped. No query, no origin, 8 slots
// and 5 clocks.
#define NONE "\0\0\0\10\5"

static void open_newest(const char *bytes, size_t size, const char *reason) {
  Reading r;
  reading_accept(&r, PREAMBLE);
  Certificate c;
  const bool ok = certificate_open(&c, &r.mem, &r.net, bytes, size, &r.text);
  if (reason ? ok || !strstr(text_chars(&r.text), reason) : !ok)
    fail_msg("wanted: %s, said: %s", reason ? reason : "accepted", text_chars(&r.text));
  reading_drop(&r);
}

#define OPEN(features, rest, reason)                                                             \
  open_newest(CERTIFY_MAGIC features HASH rest, sizeof(CERTIFY_MAGIC features HASH rest) - 1,    \
              reason)

static void test_newest(void **unused) {
  (void)unused;
  OPEN("\0", NONE "\0\0\0", NULL);
  OPEN("\0", NONE "\0\0\2\5\3abc\6\0", NULL); // two sections
  OPEN("\0", NONE "\0\0\2\5\3abc\6\1", "damaged");
  OPEN("\0", NONE "\0\0", "damaged"); // it says nothing of sections
  OPEN("\0", NONE "\0\0\0\0", "damaged");
  OPEN("\2", NONE "\0\0\0\0", NULL);
  OPEN("\20", NONE "\0\0\0", NULL);
  OPEN("\100", "\0\0\0\1\10\5\0\0\0", NULL); // about the last edge of process 1
  OPEN("\101", "\0\0\0\1\10\5\0\0\0", "features (65)");
  OPEN("\200\1", NONE "\0\0\0", "features (128) that this checker does not know");
  OPEN("\60", NONE "\0\0\0", "");              // nor are searches for extreme values
  OPEN("\22", NONE "\0\0\0", "features (18)"); // infinite runs are not reduced
  OPEN("\5", NONE "\0\0\0", "features (5)");   // two that do not go together
  open_newest(CERTIFY_MAGIC "\0" HASH, strlen(CERTIFY_MAGIC) + 20, "cut off");
}

static void test_head(void **unused) {
  (void)unused;
  Mem mem = {0};
  Text why = {.mem = &mem};
  CertificateHead head;
  static const char bytes[] = FIRST "\2\3a,b\4note";
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
      cmocka_unit_test(test_head),    cmocka_unit_test(test_newest),
  };
  return cmocka_run_group_tests_name("certificate_reader", tests, NULL, NULL);
}
