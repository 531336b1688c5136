#define _POSIX_C_SOURCE 200809L
// Timed certificates that there is no run of some kind: what is written is accepted, and with
// another mark or mode it is rejected.
#include "answers/certificates/runsproof.h"

#include "answers/queries/liveness.h"
#include "check/certify.h"
#include "model/certificate_format.h"

#include "reading.h"

// A round of 1 to 2 time units, in which y grows; from B a deadlock can be reached; Q waits for
// ever.
static const char model[] =
    "system:s\nprocess:P\nevent:a\nclock:1:x\nclock:1:y\nint:1:0:1:0:i\n"
    "location:P:A{initial: : invariant: x <= 2}\nlocation:P:B{invariant: x <= 2}\n"
    "location:P:D{invariant: y < 7}\nlocation:P:Q{}\n"
    "edge:P:A:B:a{provided: x >= 1 : do: x = 0}\nedge:P:B:A:a{do: x = 0}\n"
    "edge:P:B:D:a{provided: x == 2 : do: y = 0}\nedge:P:D:Q:a{provided: y > 6}\n";

typedef struct Case {
  const char *query;
  bool diverges, has_diagonals;
} Case;

static bool is_accepted(const Liveness *l, const char *bytes, size_t size) {
  CertifyCounts counts;
  Text why = {.mem = l->mem};
  const bool ok = certify_check_live(l->mem, l->net, &l->rules.claim, bytes, size, &counts, &why);
  text_release(&why);
  return ok;
}

// Whether something of the file counts: of all single bytes set to another value some make it
// be rejected, and none make it crash.
static void change(const Liveness *l, char *bytes, size_t size) {
  uint32_t rejected = 0;
  for (size_t i = 0; i < size; i++) {
    const char kept = bytes[i];
    bytes[i] ^= 1;
    rejected += !is_accepted(l, bytes, size);
    bytes[i] = kept;
  }
  assert_true(rejected > size / 4);
}

static void check(const Case *c) {
  Reading r;
  Query query;
  Net timed;
  Statistics stats = {0};
  CyclesResult result;
  char text[1000];
  snprintf(text, sizeof text, "%s%s", model,
           c->has_diagonals ? "edge:P:A:A:a{provided: y - x > 9 && i == 1}\n" : "");
  reading_accept(&r, text);
  net_measure(&timed, &r.net, &r.arena);
  const Source source = {.name = "query", .text = c->query, .size = strlen(c->query)};
  assert_true(query_read(&query, &r.arena, &r.net, &source, &r.report));
  Liveness l = {.mem = &r.mem,
                .net = c->diverges ? &timed : &r.net,
                .query = &query,
                .is_divergent = c->diverges,
                .proof = LIVENESS_CERTIFICATE,
                .stats = &stats};
  assert_true(liveness_run(&l, &result, &r.report));
  if (result != CYCLES_NONE || !l.sccs || l.sccs->has_suspects || l.is_discrete)
    fail_msg("%s: there is no timed proof", c->query);
  const uint32_t missing[100] = {0};
  uint32_t *marks = ARENA_ARRAY(&r.arena, uint32_t, l.sccs->list.size);
  assert_true(l.sccs->list.size <= 100);
  memcpy(marks, missing, l.sccs->list.size * sizeof *marks);
  for (uint32_t i = 0; i < l.sccs->list.size; i++)
    if (l.sccs->list.items[i].has_cycle && l.sccs->list.items[i].marks & RUNS_ACTION)
      marks[i] = 1; // the only other mark is a tick
  const CertificateGoal goal = {.query = c->query,
                                .origin = "",
                                .is_m = l.rules.is_m,
                                .sccs = l.sccs,
                                .missing = marks,
                                .is_timed = true};
  char *bytes;
  size_t size;
  FILE *file = open_memstream(&bytes, &size);
  assert_true(runsproof_write(file, &r.mem, l.net, l.reach, &goal));
  fclose(file);
  if (!is_accepted(&l, bytes, size))
    fail_msg("%s: it is rejected", c->query);
  change(&l, bytes, size);
  free(bytes);
  liveness_release(&l);
  reading_release(&r);
}

static void test_cases(void **unused) {
  (void)unused;
  const Case cases[] = {
      {"E[] x < 1", false, false},
      {"A<> x >= 1", false, false},
      {"E[] x < 1 || x > 1", false, false}, // two parts, which do not touch
      {"E[] x < 1 || x > 1 && P.A", false, false},
      {"P.A && x > 1 --> P.B || P.Q", false, false},
      {"E[] P.A", true, false},
      {"E[] not P.Q && y <= 9", true, false},
      {"E[] P.A", false, true},
      {"E[] y - x <= 3 && not P.Q && not P.D", true, true},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    check(&cases[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_cases)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
