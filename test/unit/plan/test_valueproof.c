#define _POSIX_C_SOURCE 200809L // mkstemp
// Certificates of extreme values: they are accepted, and with any other claim rejected.
#include "plan/valueproof.h"

#include "answers/certificates/encode.h"
#include "plan/evidence.h"
#include "plan/valueclaims.h"
#include "sessions.h"

#include <stdio.h>
#include <unistd.h>

// The file that a query gives, in `bytes`.
static size_t write_proof(Tarn *tarn, const char *query, int verdict, char *bytes, size_t max) {
  char path[] = "/tmp/tarn-values-XXXXXX";
  const int file = mkstemp(path);
  assert_true(file >= 0);
  close(file);
  assert_int_equal(tarn_set(tarn, "certificate", path), 0);
  assert_int_equal(tarn_check(tarn, query), verdict);
  FILE *stream = fopen(path, "rb");
  const size_t size = fread(bytes, 1, max, stream);
  fclose(stream);
  remove(path);
  return size;
}

static int accepts(Tarn *tarn, const char *bytes, size_t size) {
  Text finding = {.mem = &tarn->mem};
  Report report;
  report_init(&report, &tarn->mem);
  const Source source = {.name = "file", .text = bytes, .size = size};
  const int result =
      evidence_check(&tarn->mem, tarn->net, &source, &finding, (EvidenceKeep){0}, &report);
  report_release(&report);
  text_release(&finding);
  return result;
}

static void test_changed(void **state) {
  (void)state;
  static const char *const queries[] = {"sup{P.A}: x", "inf{P.C}: x", "bounds{P.B || P.C}: n",
                                        "bounds{P.B}: x, n", "sup{n > 2}: x"};
  static char bytes[1 << 16], changed[1 << 16];
  for (size_t q = 0; q < sizeof queries / sizeof *queries; q++) {
    Tarn *tarn = sessions_read(SESSIONS_SMALL);
    const size_t size = write_proof(tarn, queries[q], TARN_SATISFIED, bytes, sizeof bytes);
    assert_int_equal(accepts(tarn, bytes, size), 1);
    CertificateHead head;
    Text why = {.mem = &tarn->mem};
    assert_true(certificate_head(&head, bytes, size, &why));
    for (size_t at = head.claims; at < head.claims + 3 * (size_t)head.claim_count; at++)
      for (int value = 0; value < 64; value++) {
        memcpy(changed, bytes, size);
        changed[at] = (char)value;
        assert_true(value == bytes[at] || accepts(tarn, changed, size) != 1);
      }
    tarn_release(tarn);
  }
}

// In F, y is twice x, and so x is at most 13/2. Zones show that x is below 7, and a run comes to
// more than 6: where clocks are stopped that does not make 7 the least bound.
static void test_stopped(void **state) {
  (void)state;
  static const char model[] =
      "clock x, y, u, v; process P() { state A, B { x' == 0 && y' == 0 && u <= 7 },"
      " C { x' == 0 && v <= 7 }, F; urgent F; init A; trans A -> B { guard u < 7; assign v := 0; "
      "},"
      " B -> C { guard u == 7; }, C -> F { guard v == 7 && y <= 13; }; } system P;";
#define MOMENT(l, t, x, y, u, v)                                                                 \
  "\"time\": \"" t "\", \"locations\": {\"P\": \"" l                                             \
  "\"}, \"variables\": {}, \"clocks\": {\"x\": \"" x "\", \"y\": \"" y "\", \"u\": \"" u         \
  "\", \"v\": \"" v "\"}}"
#define STEP(a, b)                                                                               \
  "{\"edges\": [{\"process\": \"P\", \"event\": \"tau\", \"source\": \"" a                       \
  "\", \"target\": \"" b "\"}], "
  static const char
      query[] = "sup{P.F}: x",
      values[] = "0 high",
      part[] = "{\"results\": [{\"query\": \"sup{P.F}: x\", \"values\": \"%s\", \"trace\": "
               "{\"kind\": \"concrete\", \"end_time\": \"27/2\", \"steps\": [{" MOMENT(
                   "A", "0", "0", "0", "0", "0") ", " STEP("A", "B")
                   MOMENT("B", "13/2", "13/2", "13/2", "13/2", "0") ", " STEP("B", "C")
                       MOMENT("C", "7", "13/2", "13/2", "7", "1/2") ", " STEP("C", "F")
                           MOMENT("F", "27/2", "13/2", "13", "27/2", "7") "]}}]}";
  static char bytes[1 << 16], runs[4096];
  Tarn *tarn = tarn_init();
  assert_int_equal(tarn_read_text(tarn, model, "uppaal"), 0);
  const size_t size =
      write_proof(tarn, "E<> P.F and x >= 7", TARN_NOT_SATISFIED, bytes, sizeof bytes);
  assert_int_equal(accepts(tarn, bytes, size), 1);
  CertificateHead head;
  Text text = {.mem = &tarn->mem};
  assert_true(certificate_head(&head, bytes, size, &text));
  const char *body = head.origin + head.origin_size;
  text_add(&text, CERTIFY_MAGIC);
  encode_number(&text, CERTIFY_VALUES);
  text_add_bytes(&text, (const char *)head.hash, CERTIFY_HASH);
  encode_number(&text, CERTIFY_QUERY);
  encode_number(&text, strlen(query));
  text_add(&text, query);
  encode_number(&text, 0);
  valueclaims_encode(&text,
                     &(CertificateClaim){.is = CERTIFY_HIGH | CERTIFY_HIGH_STRICT, .high = 7}, 1);
  text_add_bytes(&text, body, size - (size_t)(body - bytes) - 1); // but for the sections: none
  snprintf(runs, sizeof runs, part, values);
  encode_number(&text, 1);
  encode_number(&text, CERTIFY_RUNS);
  encode_number(&text, strlen(runs));
  text_add(&text, runs);
  assert_int_equal(accepts(tarn, text.chars, text.size), 0);
  snprintf(runs, sizeof runs, part, "x < 7");
  assert_int_equal(accepts(tarn, runs, strlen(runs)), 0);
  snprintf(runs, sizeof runs, part, "x <= 7");
  assert_int_equal(accepts(tarn, runs, strlen(runs)), 0); // it does not come to it
  text_release(&text);
  tarn_release(tarn);
}

SESSIONS_MAIN("valueproof", cmocka_unit_test(test_changed), cmocka_unit_test(test_stopped))
