// What an edge may change, and who has to look again after it.
#include "racing.h"

static const LawLocation *law_of(const Racing *racing, const char *process,
                                 const char *location) {
  const Net *net = &racing->r.net;
  return &racing->laws
              .locations[net_find_location(net, net_find_process(net, process), location)];
}

static uint32_t count_cells(const LawEdge *edge, bool compared, bool read) {
  uint32_t count = 0;
  for (uint32_t k = 0; k < edge->write_count; k++)
    if ((edge->writes[k].slot != LAW_ALWAYS) == compared && edge->writes[k].is_read == read)
      count += edge->writes[k].count;
  return count;
}

static void test_writes(void **state) {
  (void)state;
  Racing racing;
  racing_begin(&racing,
               "int a[6], b[6], i; clock x; process P() { state s, t; init s; trans s -> t { "
               "assign a[i] = 1, b[2] = 2, x = 0; }; } process Q() { state s { x <= 5 }; init s; "
               "trans s -> s { guard a[3] == 1; }; } process R() { state s { x <= 5 }; init s; "
               "trans s -> s { guard x >= 2; }; } system P, Q, R;",
               (const RacingRate[]){{"P", "s", 1}, {NULL, NULL, 0}});
  const LawEdge *edge = law_of(&racing, "P", "s")->outputs[0].edges;
  assert_int_equal(count_cells(edge, true, true), 1);  // a[3]
  assert_int_equal(count_cells(edge, true, false), 7); // the rest of a, b[2], where P is
  assert_int_equal(count_cells(edge, false, true), 1); // x
  assert_int_equal(edge->write_count, 6);              // neighbours lie together
  assert_int_equal(racing.laws.max_written, 8);
  racing_release(&racing);
}

// Of the edges for the elements of an array of channels one looks at the index, for the error.
static void test_indexed(void **state) {
  (void)state;
  Racing racing;
  racing_begin(
      &racing,
      "broadcast chan c[3]; int i = 1; bool go() { int k = 0; k++; return i > k - 9; } "
      "process P() { state s, t; urgent s; init s; trans s -> t { guard go(); sync c[i]!; "
      "}; } process Q() { state s, t; init s; trans s -> t { sync c[1]?; }; } system P, Q;",
      NULL);
  assert_int_equal(law_of(&racing, "P", "s")->output_count, 3);
  assert_true(racing_estimate(&racing, "P.t && Q.t", -1, 10) == 1);
  racing_release(&racing);
  racing_begin(
      &racing,
      "broadcast chan c[3]; int i = 3; process P() { state s, t; urgent s; init s; trans s "
      "-> t { sync c[i]!; }; } system P;",
      NULL);
  assert_true(racing_estimate(&racing, "P.t", -1, 10) < 0);
  assert_non_null(strstr(text_chars(&racing.r.report.error), "index"));
  racing_release(&racing);
}

// A value that is written once more, or changed and changed back, wakes nobody; others do.
static void test_changes(void **state) {
  (void)state;
  static const char *text =
      "int n = 0, m = 0; clock x; process P() { state a { x <= 10 }, b; init a; trans a -> b { "
      "guard n == 0; }; } process Q() { state s; init s; trans s -> s { assign n = m; }; } "
      "process R() { clock y; state s { y <= 4 }, f; init s; trans s -> f { guard y >= 4; assign "
      "m = 1; }; } system P, Q, R;";
  // Q keeps n at 0 until R acts at 4, then soon sets it to 1 for ever: P gets stuck at 10.
  Racing racing;
  racing_begin(&racing, text, (const RacingRate[]){{"Q", "s", 50}, {NULL, NULL, 0}});
  const double value = racing_estimate(&racing, "P.b", 9, 4000);
  assert_true(fabs(value - 0.402) < 4 * sqrt(0.24 / 4000)); // 4 and 1/50 of 10
  racing_release(&racing);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_writes),
                                     cmocka_unit_test(test_indexed),
                                     cmocka_unit_test(test_changes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
