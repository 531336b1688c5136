// Edges and pairs of edges that no node of a certificate takes.
#include "plan/taken.h"

#include "answers/certificates/certificate.h"
#include "model/marking.h"
#include "reading.h"
#include "semantics/zone/zones.h"

// The third edge cannot be taken; the second one never follows itself.
static const char *const model =
    "system:s\nevent:a\nevent:b\nclock:1:x\nprocess:P\nlocation:P:A{initial:}\nlocation:P:B{}\n"
    "edge:P:A:B:a{do: x=0}\nedge:P:B:A:b{provided: x<1 : do: x=0}\nedge:P:A:A:b{provided: x<0}\n";

// A certificate of all states of the network.
static void write(Reading *r, const Net *net, Text *bytes) {
  Options options;
  options_init(&options);
  Statistics stats = {0};
  Reach reach;
  Space *space = zones_new(&r->mem, net, NULL, &options, &r->report);
  reach_init(&reach, &r->mem, space, ORDER_BFS, &stats);
  assert_int_equal(reach_run(&reach), REACH_NONE);
  FILE *file = tmpfile();
  assert_true(certificate_write(file, &r->mem, net, &reach, &(CertificateGoal){.origin = ""}));
  rewind(file);
  for (int byte; (byte = fgetc(file)) != EOF;)
    text_add_char(bytes, (char)byte);
  fclose(file);
  reach_release(&reach);
  space_release(space);
}

static void find(Taken *taken, Reading *r, const Net *net, const int32_t *own, int32_t count) {
  Text bytes = {.mem = &r->mem}, why = {.mem = &r->mem};
  CertifyCounts counts;
  Taken none;
  write(r, net, &bytes);
  const char *chars = text_chars(&bytes);
  assert_true(taken_find(taken, &r->mem, net, own, count, chars, bytes.size, &counts, &why));
  assert_true(counts.nodes > 0);
  assert_false(taken_find(&none, &r->mem, net, own, count, chars, bytes.size - 1, &counts, &why));
  mem_free(&r->mem, none.table);
  text_release(&bytes);
  text_release(&why);
}

static void test_edges(void **unused) {
  (void)unused;
  Reading r;
  Taken taken;
  reading_accept(&r, model);
  find(&taken, &r, &r.net, NULL, 0);
  assert_true(taken_has(&taken, NET_NONE, 0));
  assert_true(taken_has(&taken, NET_NONE, 1));
  assert_false(taken_has(&taken, NET_NONE, 2));
  mem_free(&r.mem, taken.table);
  reading_release(&r);
}

static void test_pairs(void **unused) {
  (void)unused;
  Reading r;
  Taken taken;
  Net marked;
  int32_t count;
  reading_accept(&r, model);
  const int32_t *own = marking_numbers(&r.arena, &r.net, 0, &count);
  assert_int_equal(count, 3);
  assert_true(marking_remember(&marked, &r.net, own, count, &r.report));
  find(&taken, &r, &marked, own, count);
  assert_true(taken_has(&taken, 0, 1));
  assert_true(taken_has(&taken, 1, 0));
  assert_false(taken_has(&taken, 1, 1));
  assert_false(taken_has(&taken, 1, 2));
  mem_free(&r.mem, taken.table);
  Text bytes = {.mem = &r.mem}, why = {.mem = &r.mem};
  CertifyCounts counts;
  write(&r, &marked, &bytes);
  net_release(&marked);
  assert_true(taken_find_pairs(&taken, &r.mem, &r.net, own, count, text_chars(&bytes), bytes.size,
                               &counts, &why));
  assert_true(taken_has(&taken, 0, 1) && !taken_has(&taken, 1, 1));
  mem_free(&r.mem, taken.table);
  text_release(&bytes);
  reading_release(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_edges), cmocka_unit_test(test_pairs)};
  return cmocka_run_group_tests_name("taken", tests, NULL, NULL);
}
