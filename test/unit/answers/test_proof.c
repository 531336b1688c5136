#define _POSIX_C_SOURCE 200809L // mkstemp
// Proofs: written where the options say, also for engines whose nodes are no certificate; a
// warning if there is none, an error if it cannot be written.
#include "answers/certificates/proof.h"

#include "check/certify.h"
#include "drafts.h"

#include <unistd.h>

static void finish(Search *s, const char *path, ReachResult result) {
  s->options.certificate = path;
  const Proof proof = {.mem = &s->mem,
                       .net = &s->reading.net,
                       .goal = &s->goal,
                       .options = &s->options,
                       .reach = &s->reach,
                       .about = {.query = s->query_text},
                       .report = &s->reading.report};
  proof_finish(&proof, result);
}

static void test_written(void **unused) {
  (void)unused;
  for (int other = 0; other < 3; other++) {
    Search s;
    const char *const arguments[] = {"3"};
    search_generate(&s, "fischer", 1, arguments);
    search_ask(&s, "E<> P1.cs && P2.cs");
    s.options.bounds = other == 1 ? BOUNDS_GLOBAL : BOUNDS_LOCAL;
    assert_true(search_run(&s) && s.result == REACH_NONE);
    s.options.engine = other == 2 ? ENGINE_DARTS : ENGINE_ZONES; // as if it had been that
    char path[] = "/tmp/tarn-test-XXXXXX";
    const int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    close(descriptor);
    finish(&s, path, REACH_NONE);
    assert_int_equal(s.reading.report.warning_count, 0);
    FILE *file = fopen(path, "rb");
    char bytes[65536];
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    remove(path);
    CertifyCounts counts;
    Text why = {.mem = &s.mem};
    assert_true(certify_check(&s.mem, &s.reading.net, &s.goal, bytes, size, &counts, &why));
    CertificateHead head;
    assert_true(certificate_head(&head, bytes, size, &why));
    assert_int_equal(!strncmp(head.origin, "the search", 10), other < 2);
    search_release(&s);
  }
}

static void test_warnings(void **unused) {
  (void)unused;
  Search s;
  const char *const arguments[] = {"3"};
  search_generate(&s, "fischer", 1, arguments);
  search_ask(&s, "E<> P1.cs && P2.cs");
  assert_true(search_run(&s) && s.result == REACH_NONE);
  finish(&s, NULL, REACH_NONE);
  assert_int_equal(s.reading.report.warning_count, 0);
  finish(&s, "/no/such/folder/proof", REACH_NONE);
  assert_non_null(strstr(text_chars(&s.reading.report.error),
                         "proof: the certificate could not be written: No such file"));
  report_clear(&s.reading.report);
  finish(&s, "/dev/full", REACH_NONE);
  assert_non_null(strstr(text_chars(&s.reading.report.error), "written: No space left"));
  finish(&s, "/no/such/folder/proof", REACH_GOAL);
  assert_non_null(strstr(text_chars(&s.reading.report.warnings), "is reachable"));
  finish(&s, "/no/such/folder/proof", REACH_STOPPED);
  assert_int_equal(s.reading.report.warning_count, 2);
  search_release(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_written),
      cmocka_unit_test(test_warnings),
  };
  return cmocka_run_group_tests_name("proof", tests, NULL, NULL);
}
