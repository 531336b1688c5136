#define _POSIX_C_SOURCE 200809L // mkstemp
// Certificates of extreme values: they are accepted, and with any other claim rejected.
#include "plan/valueproof.h"

#include "plan/evidence.h"
#include "plan/valueclaims.h"
#include "sessions.h"

#include <stdio.h>
#include <unistd.h>

// The file that a query gives, in `bytes`.
static size_t write_proof(Tarn *tarn, const char *query, char *bytes, size_t max) {
  char path[] = "/tmp/tarn-values-XXXXXX";
  const int file = mkstemp(path);
  assert_true(file >= 0);
  close(file);
  assert_int_equal(tarn_set(tarn, "certificate", path), 0);
  assert_int_equal(tarn_check(tarn, query), TARN_SATISFIED);
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
    const size_t size = write_proof(tarn, queries[q], bytes, sizeof bytes);
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

SESSIONS_MAIN("valueproof", cmocka_unit_test(test_changed))
