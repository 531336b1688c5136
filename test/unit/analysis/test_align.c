// Expressions side by side: what differs is reported, in a fixed order.
#include "analysis/symmetry/align.h"

#include "families.h"

typedef struct Seen {
  Text text;
} Seen;

static bool see_clock(void *context, ClockIndex from, ClockIndex to) {
  text_addf(&((Seen *)context)->text, "c%u>%u ", from, to);
  return true;
}

static bool see_slot(void *context, uint32_t from, uint32_t to) {
  text_addf(&((Seen *)context)->text, "s%u>%u ", from, to);
  return true;
}

static bool see_constant(void *context, uint32_t node, int32_t from, int32_t to) {
  text_addf(&((Seen *)context)->text, "%d>%d@%u ", from, to, node);
  return true;
}

// Slots: i is 0, j 1, v 2 to 5.
static void expect(const char *a, const char *b, const char *seen) {
  char text[2048];
  snprintf(text, sizeof text, PREAMBLE "edge:P:A:B:a{%s}\nedge:P:A:B:a{%s}\n", a, b);
  Reading r;
  reading_accept(&r, text);
  Classes classes;
  classes_init(&classes, &r.arena, &r.net);
  Seen found = {.text = {.mem = &r.mem}};
  const AlignVisit visit = {&found, see_clock, see_slot, see_constant};
  Align align = {.classes = &classes, .visit = &visit};
  const bool good = align_edges(&align, &r.net.edges.items[0], &r.net.edges.items[1]);
  assert_string_equal(good ? text_chars(&found.text) : "different", seen);
  text_release(&found.text);
  classes_release(&classes);
  reading_release(&r);
}

static void test_edges(void **state) {
  (void)state;
  expect("provided: i==1 && x<2 : do: i=3", "provided: i==2 && y<2 : do: i=4",
         "s0>0 1>2@0 c1>2 s0>0 3>4@0 ");
  expect("provided: x<2", "provided: x<3", "different"); // a bound of a clock is no id
  expect("provided: i<2", "provided: i<3", "different"); // nor is what is ordered
  expect("do: v[1]=0", "do: v[2]=0", "s3>4 0>0@3 ");
  expect("do: i=1", "do: x=1", "different");
}

static void test_processes(void **state) {
  (void)state;
  Reading r;
  reading_accept(&r, "system:s\nevent:a\nevent:b\nprocess:P\nprocess:Q\nprocess:R\n"
                     "location:P:A{initial:}\nlocation:P:B{}\nlocation:Q:A{initial:}\n"
                     "location:Q:B{}\nlocation:R:A{initial:}\nlocation:R:B{urgent:}\n"
                     "edge:P:A:B:a\nedge:Q:A:B:b\nedge:R:A:B:a\n");
  Classes classes;
  classes_init(&classes, &r.arena, &r.net);
  Align align = {.classes = &classes};
  assert_true(align_processes(&align, &r.net, 0, 1));
  assert_false(align_processes(&align, &r.net, 0, 2));
  classes_release(&classes);
  reading_release(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_edges),
                                     cmocka_unit_test(test_processes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
