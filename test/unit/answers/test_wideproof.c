#define _POSIX_C_SOURCE 200809L
// Certificates of models with large constants: what is written is accepted; of small changes
// most are rejected, and what is said of another goal is.
#include "answers/certificates/wideproof.h"

#include "check/certify.h"
#include "semantics/wide/wide.h"

#include "reading.h"

static const char model[] =
    "system:s\nprocess:P\nprocess:Q\nevent:a\nclock:1:x\nclock:1:y\n"
    "location:P:A{initial: : invariant: x <= 20000000003}\nlocation:P:B{}\n"
    "location:Q:A{initial:}\nlocation:Q:B{}\n"
    "edge:P:A:A:a{provided: x >= 20000000003 : do: x = 0}\nedge:P:A:B:a{provided: x > 7}\n"
    "edge:Q:A:B:a{provided: y < 70000000001 : do: y = 3 + x}\n";

static Goal goal(Reading *r, const char *text) {
  Query query;
  Goal goal;
  Source *source = ARENA_NEW(&r->arena, Source);
  *source = (Source){.name = "query", .text = text, .size = strlen(text)};
  assert_true(query_read(&query, &r->arena, &r->net, source, &r->report));
  assert_true(query_goal(&goal, &r->arena, &r->net, &query, &r->report));
  return goal;
}

static bool is_accepted(Reading *r, const Goal *goal, const char *bytes, size_t size) {
  CertifyCounts counts;
  Text why = {.mem = &r->mem};
  const bool ok = certify_check(&r->mem, &r->net, goal, bytes, size, &counts, &why);
  text_release(&why);
  return ok;
}

// The certificate that a goal is not reached; to be freed.
static char *proof(Reading *r, const Goal *never, Abstraction abstraction, size_t *size) {
  Options options;
  Statistics stats = {0};
  options_init(&options);
  options.abstraction = (int)abstraction;
  Space *space = wide_new(&r->mem, &r->net, never, &options, &r->report);
  assert_non_null(space);
  Reach reach;
  reach_init(&reach, &r->mem, space, ORDER_BFS, &stats);
  assert_int_equal(reach_run(&reach), REACH_NONE);
  const CertificateGoal about = {.query = "q", .origin = ""};
  char *bytes;
  FILE *file = open_memstream(&bytes, size);
  assert_true(wideproof_write(file, &r->mem, &r->net, &reach, &about));
  fclose(file);
  reach_release(&reach);
  space_release(space);
  return bytes;
}

static void check(Abstraction abstraction) {
  Reading r;
  size_t size;
  reading_accept(&r, model);
  assert_true(net_is_wide(&r.net));
  const Goal never = goal(&r, "E<> P.A && x > 20000000003 || Q.B && y < 3"),
             sometimes = goal(&r, "E<> P.A && x >= 20000000003");
  char *bytes = proof(&r, &never, abstraction, &size);
  assert_true(is_accepted(&r, &never, bytes, size));
  assert_false(is_accepted(&r, &sometimes, bytes, size));
  uint32_t rejected = 0;
  for (size_t i = 0; i < size; i++) {
    bytes[i] ^= 1;
    rejected += !is_accepted(&r, &never, bytes, size);
    assert_false(is_accepted(&r, &sometimes, bytes, size));
    bytes[i] ^= 1;
  }
  assert_true(rejected > size / 4);
  free(bytes);
  reading_release(&r);
}

static void test_abstractions(void **unused) {
  (void)unused;
  check(ABSTRACTION_ALU);
  check(ABSTRACTION_AM);
  check(ABSTRACTION_EXTRA_LU_PLUS);
  check(ABSTRACTION_EXTRA_M);
}

// Clocks that are set one after the other.
static void check_many(uint32_t clocks) {
  Reading r;
  size_t size;
  char text[400];
  snprintf(text, sizeof text,
           "system:s\nprocess:P\nevent:a\nclock:%u:x\nclock:1:y\nint:1:0:%u:0:n\n"
           "location:P:A{initial: : invariant: x[n] <= 70000000001}\nlocation:P:B{}\n"
           "edge:P:A:A:a{provided: x[n] >= 70000000001 && n < 3 : do: x[n] = 0; n = n + 1}\n"
           "edge:P:A:B:a{provided: n >= 1 && y < 70000000001}\n",
           clocks - 1, clocks - 2);
  reading_accept(&r, text);
  const Goal never = goal(&r, "E<> P.B");
  char *bytes = proof(&r, &never, ABSTRACTION_ALU, &size);
  assert_true(is_accepted(&r, &never, bytes, size));
  free(bytes);
  reading_release(&r);
}

static void test_many_clocks(void **unused) {
  (void)unused;
  check_many(40);
  check_many(200);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_abstractions),
                                     cmocka_unit_test(test_many_clocks)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
