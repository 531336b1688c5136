// Writing certificates: the same bytes every time, sorted, and failures that are told. Whether
// they hold is for the tests of the checker.
#define _POSIX_C_SOURCE 200809L
#include "answers/certificates/certificate.h"

#include "check/certify.h"
#include "drafts.h"
#include "planting.h"
#include "players.h"
#include "search/workers/ranks.h"
#include "semantics/local/local.h"

#include <errno.h>

static void search_fischer(Search *s, int order) {
  const char *const arguments[] = {"4"};
  search_generate(s, "fischer", 1, arguments);
  search_ask(s, "E<> P1.cs && P2.cs");
  s->options.order = order;
  assert_true(search_run(s) && s->result == REACH_NONE);
}

static void test_same(void **unused) {
  (void)unused;
  Text texts[2];
  Search s[2];
  for (int i = 0; i < 2; i++) {
    search_fischer(&s[i], ORDER_BFS);
    texts[i] = (Text){.mem = &s[i].mem};
    draft_written(&s[i], &texts[i]);
  }
  assert_int_equal(texts[0].size, texts[1].size);
  assert_memory_equal(texts[0].chars, texts[1].chars, texts[0].size);
  for (int i = 0; i < 2; i++) {
    text_release(&texts[i]);
    search_release(&s[i]);
  }
}

// Each stored node once, states different, hints in the order of the transitions.
static void test_contents(void **unused) {
  (void)unused;
  for (int order = ORDER_BFS; order <= ORDER_DFS; order++) {
    Search s;
    search_fischer(&s, order);
    Text bytes = {.mem = &s.mem};
    draft_written(&s, &bytes);
    Arena arena = {.mem = &s.mem};
    Draft d;
    draft_read(&d, &arena, &s.reading.net, &bytes);
    assert_int_equal(d.nodes.size, s.stats.stored);
    assert_int_equal(d.initials.size, 1);
    const uint32_t slots = s.reading.net.slots.count;
    for (uint32_t a = 0; a < d.group_count; a++)
      for (uint32_t b = 0; b < a; b++)
        assert_memory_not_equal(d.states + (size_t)a * slots, d.states + (size_t)b * slots,
                                slots * sizeof(int32_t));
    for (uint32_t i = 0; i < d.nodes.size; i++)
      for (uint32_t h = 1; h < d.nodes.items[i].hints.size; h++)
        assert_true(d.nodes.items[i].hints.items[h - 1].ordinal <
                    d.nodes.items[i].hints.items[h].ordinal);
    draft_release(&d);
    arena_release(&arena);
    text_release(&bytes);
    search_release(&s);
  }
}

static void test_full_disk(void **unused) {
  (void)unused;
  FILE *file = fopen("/dev/full", "wb");
  if (!file)
    skip();
  Search s;
  search_fischer(&s, ORDER_BFS);
  const CertificateGoal goal = {.origin = ""};
  assert_false(certificate_write(file, &s.mem, &s.reading.net, &s.reach, &goal));
  assert_int_equal(errno, ENOSPC);
  fclose(file);
  search_release(&s);
}

static void search_locally(Search *s) {
  s->options.engine = ENGINE_LOCAL;
  s->space = local_new(&s->mem, &s->reading.net, s->query.formula ? &s->goal : NULL, &s->options,
                       &s->reading.report);
  assert_non_null(s->space);
  reach_init(&s->reach, &s->mem, s->space, (SearchOrder)s->options.order, &s->stats);
  s->result = reach_run(&s->reach);
}

static bool is_accepted(Search *s, CertifyCounts *counts) {
  Text bytes = {.mem = &s->mem}, why = {.mem = &s->mem};
  draft_written(s, &bytes);
  const bool accepted =
      certify_check(&s->mem, &s->reading.net, s->query.formula ? &s->goal : NULL, bytes.chars,
                    bytes.size, counts, &why);
  text_release(&bytes);
  text_release(&why);
  return accepted;
}

// The synchronised zones of local time are a certificate of global time, under any abstraction.
static void test_local(void **unused) {
  (void)unused;
  const char *const arguments[] = {"4"};
  for (int abstraction = ABSTRACTION_ALU; abstraction < ABSTRACTION_NONE; abstraction++) {
    if (abstraction == ABSTRACTION_CLOSURE_LU_PLUS)
      continue; // for global time only
    Search s;
    search_generate(&s, "philosophers", 1, arguments);
    s.options.abstraction = abstraction;
    search_locally(&s);
    CertifyCounts counts;
    assert_true(s.result == REACH_NONE && is_accepted(&s, &counts));
    assert_int_equal(counts.nodes, s.stats.stored);
    search_release(&s);
  }
}

// A search that goes wrong is not proved: here, in MODE=planted, covering forgets the upper
// bounds of clocks.
static void test_local_wrong(void **unused) {
  (void)unused;
  uint32_t rejected = 0;
  plant("local-whole");
  for (int seed = 1; seed <= 60; seed++) {
    Search s;
    search_random(&s, seed, "shared=0");
    search_locally(&s);
    CertifyCounts counts;
    rejected += s.result == REACH_NONE && !is_accepted(&s, &counts);
    search_release(&s);
  }
  plant(NULL);
  assert_int_equal(rejected > 0, CAN_PLANT);
}

// Helps until it hears something else.
static void help(Player *p) {
  for (uint32_t kind = RANKS_WRITE; kind == RANKS_WRITE;) {
    size_t size;
    uint32_t *call = link_hear(p->link, &p->s.mem, 0, &size);
    kind = *call;
    if (kind == RANKS_WRITE)
      certificate_help((const CertificateCall *)(const void *)call, &p->s.mem, &p->s.reading.net,
                       &p->s.reach);
    mem_free(&p->s.mem, call);
  }
}

// Whether writing goes wrong because memory comes to an end, with so many bytes left.
static bool is_exhausted(Search *s, size_t bytes) {
  const CertificateGoal goal = {.origin = ""};
  FILE *const file = tmpfile();
  jmp_buf escape;
  volatile bool is_escaped = true;
  s->mem.escape = &escape;
  s->mem.limit = s->mem.bytes + bytes;
  if (!setjmp(escape)) {
    certificate_write(file, &s->mem, &s->reading.net, &s->reach, &goal);
    is_escaped = false;
  }
  s->mem.escape = NULL;
  s->mem.limit = 0;
  fclose(file);
  return is_escaped;
}

// Processes write one file. When a full disk ends the writing, they can write again.
static void write_together(Player *p) {
  Search *s = &p->s;
  if (p->link->rank) {
    help(p);
    return;
  }
  const CertificateGoal goal = {.origin = ""};
  FILE *full = fopen("/dev/full", "wb");
  assert_false(full && certificate_write(full, &s->mem, &s->reading.net, &s->reach, &goal));
  assert_true(!full || errno == ENOSPC);
  if (full)
    fclose(full);
  Text bytes = {.mem = &s->mem}, why = {.mem = &s->mem};
  CertifyCounts counts;
  const Net *net = &s->reading.net;
  draft_written(s, &bytes);
  assert_true(certify_check(&s->mem, net, NULL, bytes.chars, bytes.size, &counts, &why));
  assert_int_equal(counts.nodes, s->stats.stored);
  // Without a part, wherever it was, it is none.
  const size_t gap = bytes.size / 9;
  for (size_t at = 100; at + gap <= bytes.size; at += gap) {
    Text cut = {.mem = &s->mem};
    text_add_bytes(&cut, bytes.chars, at);
    assert_false(certify_check(&s->mem, net, NULL, cut.chars, cut.size, &counts, &why));
    text_add_bytes(&cut, bytes.chars + at + gap, bytes.size - at - gap);
    assert_false(certify_check(&s->mem, net, NULL, cut.chars, cut.size, &counts, &why));
    text_release(&cut);
  }
  text_release(&bytes);
  text_release(&why);
  p->is_torn = true;
  for (size_t left = 0; left < 10000; left += 240) // also before anything is said
    assert_true(is_exhausted(s, left));
  assert_true(is_exhausted(s, 20000));
  for (uint32_t i = 1; i < PLAYERS; i++)
    link_tell(p->link, i, &(uint32_t){0}, sizeof(uint32_t));
}

static void test_together(void **unused) {
  (void)unused;
  players_run(4, write_together);
  players_run(8, write_together);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_same),        cmocka_unit_test(test_contents),
      cmocka_unit_test(test_full_disk),   cmocka_unit_test(test_local),
      cmocka_unit_test(test_local_wrong), cmocka_unit_test(test_together),
  };
  return cmocka_run_group_tests_name("certificate", tests, NULL, NULL);
}
