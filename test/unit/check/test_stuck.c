// Deadlocks of a node of a certificate, on zones of one or two clocks.
#include "check/stuck.h"

#include "reading.h"

// In A an action is possible for x in [2, 3], in B for x <= 1 only, in C never, in D always, in E
// until y is 4, which the invariant of F asks for, in G for x <= 3, from 2 on: else x is
// negative.
static const char model[] =
    "system:s\nprocess:P\nevent:a\nclock:1:x\nclock:1:y\n"
    "location:P:A{initial: : invariant: x <= 5}\nlocation:P:B{invariant: x <= 5}\n"
    "location:P:C{}\nlocation:P:D{invariant: x <= 9}\nlocation:P:E{}\n"
    "location:P:F{invariant: y <= 4}\nlocation:P:U{urgent:}\nlocation:P:G{urgent:}\n"
    "edge:P:A:C:a{provided: x >= 2 && x <= 3}\nedge:P:B:C:a{provided: x <= 1}\n"
    "edge:P:D:C:a{do: x = 0}\nedge:P:E:F:a{}\nedge:P:U:C:a{provided: x == 1}\n"
    "edge:P:G:C:a{provided: x <= 3 : do: x = x + -2}\n";

typedef struct Case {
  int location;
  int low, high;    // of x, high -1: no upper bound; y is anything
  int lower, upper; // bounds of both clocks
  bool is_possible;
} Case;

static bool is_possible(const Case *c) {
  Reading r;
  StateTransitions outgoing;
  Stuck stuck;
  reading_accept(&r, model);
  statetransitions_init(&outgoing, &r.mem, &r.net);
  stuck_init(&stuck, &r.mem, &r.net);
  int32_t state[8] = {0};
  state[r.net.location_slot] = c->location;
  assert_null(statetransitions_find(&outgoing, state));
  const ClockIndex clocks[] = {0, 1, 2};
  const uint32_t position[] = {0, 1, 2};
  const int64_t lower[] = {0, c->lower, c->lower}, upper[] = {0, c->upper, c->upper};
  const NodeBounds bounds = {3, clocks, lower, upper, position, NULL, 0};
  const NodeBound top = c->high < 0 ? NODEBOUND_INFINITE : 2 * c->high + 1;
  const NodeBound zone[] = {
      NODEBOUND_ZERO,     1 - 2 * c->low,     NODEBOUND_ZERO, top, NODEBOUND_ZERO, top,
      NODEBOUND_INFINITE, NODEBOUND_INFINITE, NODEBOUND_ZERO};
  const bool result = stuck_is_possible(&stuck, &outgoing, zone, &bounds, NULL, 0);
  reading_drop(&r);
  return result;
}

static void test_cases(void **unused) {
  (void)unused;
  const Case cases[] = {
      {0, 0, 3, 9, 9, false},    {0, 0, 4, 9, 9, true}, // x in (3, 4] cannot go back
      {0, 0, 2, 9, 9, false},    {0, 0, 2, 1, 9, true}, // with L = 1 it stands for x above 3, too
      {1, 0, 1, 9, 9, false},    {1, 1, 2, 9, 9, true}, // B
      {2, 0, 1, 9, 9, true},                            // C
      {3, 0, -1, -1, -1, false}, {3, 0, 9, 9, 9, false},
      {4, 0, -1, 9, 9, true},                           // E with y above 4
      {6, 1, 1, 9, 9, false},    {6, 0, 1, 9, 9, true}, // no time to wait for x == 1
      {7, 2, 3, 9, 9, false},    {7, 1, 3, 9, 9, true}, // G
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    if (is_possible(&cases[i]) != cases[i].is_possible)
      fail_msg("case %zu", i);
}

static void test_idle(void **unused) {
  (void)unused;
  Reading r;
  StateTransitions outgoing;
  reading_accept(&r, model);
  statetransitions_init(&outgoing, &r.mem, &r.net);
  const bool expected[] = {false, false, true, false, true, false, false};
  for (int location = 0; location < 7; location++) {
    int32_t state[8] = {0};
    state[r.net.location_slot] = location;
    assert_null(statetransitions_find(&outgoing, state));
    assert_int_equal(stuck_can_idle(&outgoing, NULL, 0), expected[location]);
    const ClockTest below = {1, 0, 9, false}, above = {0, 1, -9, false};
    assert_false(expected[location] && stuck_can_idle(&outgoing, &below, 1));
    assert_int_equal(stuck_can_idle(&outgoing, &above, 1), expected[location]);
  }
  reading_drop(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_cases), cmocka_unit_test(test_idle)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
