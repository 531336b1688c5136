// Files of evidence: what they are is recognised, the query in them is read, and what is found is
// said.
#include "plan/evidence.h"

#include "drafts.h"
#include "sessions.h"

static int check(Search *s, const Text *bytes, Text *finding) {
  const Source source = {.name = "file", .text = bytes->chars, .size = bytes->size};
  report_clear(&s->reading.report);
  text_clear(finding);
  return evidence_check(&s->mem, &s->reading.net, &source, finding, (EvidenceKeep){0},
                        &s->reading.report);
}

static void test_certificate(void **unused) {
  (void)unused;
  Search s;
  const char *const arguments[] = {"3"};
  search_generate(&s, "fischer", 1, arguments);
  search_ask(&s, "A[] !(P1.cs && P2.cs)");
  assert_true(search_run(&s) && s.result == REACH_NONE);
  Text bytes = {.mem = &s.mem}, finding = {.mem = &s.mem};
  draft_written(&s, &bytes);
  assert_int_equal(check(&s, &bytes, &finding), 1);
  assert_non_null(strstr(finding.chars, "A[] !(P1.cs && P2.cs): the certificate is accepted"));
  bytes.chars[strlen(CERTIFY_MAGIC) + 1] ^= 1;
  assert_int_equal(check(&s, &bytes, &finding), 0);
  assert_non_null(strstr(finding.chars, "it is one for another model"));
  bytes.chars[strlen(CERTIFY_MAGIC) + 1] ^= 1;
  bytes.size--;
  assert_int_equal(check(&s, &bytes, &finding), 0);
  assert_non_null(strstr(finding.chars, "the certificate is rejected: byte"));
  bytes.size = strlen(CERTIFY_MAGIC);
  assert_int_equal(check(&s, &bytes, &finding), -1);
  text_clear(&bytes);
  text_add(&bytes, CERTIFY_PREFIX "1\n\1\7E<> P.Z");
  text_add_bytes(&bytes, "\0", 1);
  assert_int_equal(check(&s, &bytes, &finding), -1); // such a query cannot be read
  assert_true(report_failed(&s.reading.report));
  text_release(&bytes);
  text_release(&finding);
  search_release(&s);
}

// What is claimed follows from what the query is, not from the letters of the text; and that text
// stays on its line.
static void test_blanks(void **unused) {
  (void)unused;
  static const char asked[] = "\n  A[]\r!(P1.cs &&\tP2.cs)\n ";
  Search s;
  const char *const arguments[] = {"3"};
  search_generate(&s, "fischer", 1, arguments);
  search_ask(&s, asked);
  assert_true(search_run(&s) && s.result == REACH_NONE);
  Text bytes = {.mem = &s.mem}, finding = {.mem = &s.mem};
  draft_written(&s, &bytes);
  const char *query = bytes.chars + strlen(CERTIFY_MAGIC) + 1 + CERTIFY_HASH + 2;
  assert_memory_equal(query, asked, strlen(asked));
  assert_int_equal(check(&s, &bytes, &finding), 1);
  const char *start =
      "A[]\\013!(P1.cs &&\\009P2.cs): the certificate is accepted: no run breaks it";
  assert_memory_equal(finding.chars, start, strlen(start));
  text_release(&bytes);
  text_release(&finding);
  search_release(&s);
}

static void test_neither(void **unused) {
  (void)unused;
  Search s;
  search_random(&s, 1, NULL);
  Text bytes = {.mem = &s.mem}, finding = {.mem = &s.mem};
  text_add(&bytes, "system:x\n");
  assert_int_equal(check(&s, &bytes, &finding), -1);
  assert_non_null(strstr(text_chars(&s.reading.report.error), "not JSON"));
  text_release(&bytes);
  text_release(&finding);
  search_release(&s);
}

// Time passes for ever in A, also beyond constants that are large.
static void test_large(void **unused) {
  (void)unused;
  static const char *const limits[] = {"60000000", "100000000", "2000000000"};
  for (int i = 0; i < 3; i++) {
    Tarn *tarn = tarn_init();
    assert_int_equal(tarn_read_text(tarn,
                                    "clock x; void f() {} process P() { state A, B; init A; trans"
                                    " A -> B { guard x >= 3; assign f(); }; } system P;",
                                    "uppaal"),
                     0);
    Text run = {.mem = &tarn->mem}, finding = {.mem = &tarn->mem};
    text_addf(&run,
              "{\"results\": [{\"query\": \"E[] x < %s\", \"trace\": {\"kind\": \"concrete\", "
              "\"end_time\": 0, \"steps\": [{\"time\": 0, \"locations\": {\"P\": \"A\"}, "
              "\"variables\": {}, \"clocks\": {\"x\": 0}}]}}]}",
              limits[i]);
    const Source source = {.name = "file", .text = run.chars, .size = run.size};
    assert_int_equal(evidence_check(&tarn->mem, tarn->net, &source, &finding, (EvidenceKeep){0},
                                    &tarn->report),
                     0);
    text_release(&run);
    text_release(&finding);
    tarn_release(tarn);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_certificate),
      cmocka_unit_test(test_blanks),
      cmocka_unit_test(test_neither),
      cmocka_unit_test(test_large),
  };
  return cmocka_run_group_tests_name("evidence", tests, NULL, NULL);
}
