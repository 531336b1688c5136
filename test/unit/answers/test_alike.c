// The bounded comparison: it sees other times and other states, and nothing else.
#include "answers/runs/alike.h"

#include "reading.h"

#define HEAD                                                                                     \
  "system:s\nevent:a\nclock:1:x\nclock:1:y\nprocess:P\nlocation:P:A{initial: : invariant: "      \
  "x<=5}\n"                                                                                      \
  "location:P:B{}\nlocation:P:C{}\n"

static void expect(const char *one, const char *other, Alike expected, bool all) {
  Reading r, s;
  reading_accept(&r, one);
  reading_accept(&s, other);
  uint32_t nodes = 100;
  bool is_all = false;
  assert_int_equal(alike_compare(&r.mem, &r.net, &s.net, &nodes, &is_all), expected);
  if (expected == ALIKE_SAME) {
    assert_int_equal(is_all, all);
    assert_true(all ? nodes < 100 : nodes == 100);
  }
  reading_release(&s);
  reading_release(&r);
}

static void test_same(void **unused) {
  (void)unused;
  // The invariant implies the guard, or no run takes the edge.
  expect(HEAD "edge:P:A:B:a{provided: x>=3}\n", HEAD "edge:P:A:B:a{provided: x>=3}\n", ALIKE_SAME,
         true);
  expect(HEAD "edge:P:A:B:a{provided: x<=5}\n", HEAD "edge:P:A:B:a{provided: x<=6}\n", ALIKE_SAME,
         true);
  expect(HEAD "edge:P:A:B:a{}\nedge:P:C:A:a{}\n", HEAD "edge:P:A:B:a{}\n", ALIKE_SAME, true);
  expect(HEAD "edge:P:A:A:a{do: x=0}\n", HEAD "edge:P:A:A:a{provided: x<=7 : do: x=0}\n",
         ALIKE_SAME, false);
}

static void test_different(void **unused) {
  (void)unused;
  // All clocks are set afterwards: only the time since the beginning tells.
  expect(HEAD "edge:P:A:B:a{provided: x>=3 : do: x=0;y=0}\n",
         HEAD "edge:P:A:B:a{provided: x>=4 : do: x=0;y=0}\n", ALIKE_DIFFERENT, false);
  expect(HEAD "edge:P:A:B:a{provided: x<5}\n", HEAD "edge:P:A:B:a{provided: x<=5}\n",
         ALIKE_DIFFERENT, false);
  expect(HEAD "edge:P:A:B:a{provided: x<=4}\n", HEAD "edge:P:A:B:a{provided: x<=5}\n",
         ALIKE_DIFFERENT, false);
  // An invariant where nothing follows.
  expect(HEAD "location:P:D{invariant: x<=8}\nedge:P:A:D:a{}\n",
         HEAD "location:P:D{invariant: x<=9}\nedge:P:A:D:a{}\n", ALIKE_DIFFERENT, false);
  expect(HEAD "edge:P:A:B:a{}\n", HEAD "edge:P:A:C:a{}\n", ALIKE_DIFFERENT, false);
  expect(HEAD "edge:P:A:B:a{}\n", HEAD, ALIKE_DIFFERENT, false);
  expect(HEAD "edge:P:A:B:a{do: y=0}\n", HEAD "edge:P:A:B:a{}\n", ALIKE_DIFFERENT, false);
  expect(HEAD, HEAD "clock:1:z\n", ALIKE_DIFFERENT, false);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_same),
                                     cmocka_unit_test(test_different)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
