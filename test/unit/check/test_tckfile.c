// A TChecker model as the second evaluator reads it, beside the network: what is planted into the
// network is found.
#include "check/trees/tckfile.h"

#include "reading.h"

static const char model[] =
    "system:s # the system\n\nevent:go\n  event : b.e\nclock:2:c{kept: yes}\nclock:1:x\n"
    "int:3:-2:9:+1:v\nint:1:0:1:0:n\nprocess:P\nprocess:Q.r\nprocess:none\n"
    "location:P:A{initial: : labels: one , two\n : invariant: x <= 3}\n"
    "location:Q.r:A{initial:}\nlocation:P:B{committed:}\nlocation:Q.r:C{urgent: : labels: two}\n"
    "edge:P:A:B:go{provided: x >= 1\n : do: n = 1}\nedge:Q.r:A:C:b.e\nedge:P:B:A:go{}\n"
    "sync:P@go:Q.r@b.e?\nsync:P@b.e?:Q.r@go?";

static TckSpan span(const char *text) { return (TckSpan){text, (uint32_t)strlen(text)}; }

static void assert_difference(const TckFile *file, const Net *net, const char *what) {
  Text difference = {.mem = net->mem};
  tckfile_compare(file, net, &difference);
  if (what && !strstr(text_chars(&difference), what))
    fail_msg("`%s` and not `%s`", text_chars(&difference), what);
  if (!what)
    assert_string_equal(text_chars(&difference), "");
  text_release(&difference);
}

static void test_read(void **unused) {
  (void)unused;
  Reading r;
  reading_accept(&r, model);
  TckFile file;
  tckfile_read(&file, &r.arena, r.net.origin.place.source);
  assert_null(file.unknown);
  assert_int_equal(file.counts[TCK_ENTRY_LOCATION], 4);
  assert_int_equal(file.slots, 4);
  assert_int_equal(file.clocks, 3);
  const TckEntry *p = tckfile_find(&file, TCK_ENTRY_PROCESS, NULL, span("P"));
  assert_non_null(p);
  assert_null(tckfile_find(&file, TCK_ENTRY_LOCATION, p, span("C")));
  const TckEntry *a = tckfile_find(&file, TCK_ENTRY_LOCATION, p, span("A"));
  assert_true(tckfile_carries(&file, a, span("one")));
  assert_false(tckfile_carries(&file, a, span("on")));
  assert_int_equal(file.edges.items[0].attributes.count, 2);
  assert_int_equal(tckfile_attributes(&file, &r.net, 1).count, 1);
  assert_difference(&file, &r.net, NULL);
  reading_drop(&r);
}

static void test_planted(void **unused) {
  (void)unused;
  Reading r;
  reading_accept(&r, model);
  Net *net = &r.net;
  TckFile file;
  tckfile_read(&file, &r.arena, net->origin.place.source);
#define PLANT(place, value, what)                                                                \
  do {                                                                                           \
    const __typeof__(place) kept = (place);                                                      \
    (place) = (value);                                                                           \
    assert_difference(&file, net, what);                                                         \
    (place) = kept;                                                                              \
  } while (0)
  PLANT(net->edges.items[1].target, 0, "another edge");
  PLANT(net->edges.items[2].event, 1, "another edge");
  PLANT(net->edges.size, 2, "declarations");
  PLANT(net->locations.items[1].committed, false, "location than `B`");
  PLANT(net->locations.items[0].initial, false, "location than `A`");
  PLANT(net->locations.items[0].labels.items[0], 1, "location than `A`");
  PLANT(net->locations.items[3].labels.size, 0, "location than `C`");
  PLANT(net->locations.items[4].initial, true, "process than `none`");
  PLANT(net->clocks.items[1].base, 2, "clocks than `x`");
  PLANT(net->variables.items[1].base, 2, "variable than `n`");
  PLANT(net->syncs.items[0].parts.items[1].weak, false, "synchronisations");
  PLANT(net->syncs.items[1].parts.items[0].event, 0, "synchronisations");
  PLANT(net->invalid_is_error, true, "do not have");
  PLANT(net->slots.min, net->slots.max, "variable than `v`");
  assert_difference(&file, net, NULL);
  reading_drop(&r);
}

// What is not understood is said, with its place.
static void test_unknown(void **unused) {
  (void)unused;
  static const char *const texts[] = {"system:s\nchannel:c\n",
                                      "system:s\nevent:a\nevent:a\n",
                                      "system:s\nlocation:P:l\n",
                                      "system:s{",
                                      "int:1:0:1:0",
                                      "system:s\nevent:a b\n"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    Mem mem = {0};
    Arena arena = {.mem = &mem};
    TckFile file;
    const Source source = {.name = "text", .text = texts[i], .size = strlen(texts[i])};
    tckfile_read(&file, &arena, &source);
    assert_non_null(file.unknown);
    assert_ptr_equal(file.unknown_place.source, &source);
    mem_release(&mem);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_read), cmocka_unit_test(test_planted),
                                     cmocka_unit_test(test_unknown)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
