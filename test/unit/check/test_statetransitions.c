// The transitions of a discrete state, on a small network.
#include "check/statetransitions.h"

#include "reading.h"

static const char model[] =
    "system:s\nprocess:P\nevent:a\nclock:1:x\nclock:1:y\nint:1:0:3:0:i\n"
    "location:P:A{initial: : invariant: x<=5}\nlocation:P:B{invariant: x<=2 && y<=9}\n"
    "edge:P:A:B:a{provided: y>=3 : do: x=1; i=i+1}\n"
    "edge:P:A:B:a{provided: i==3 : do: x=0}\n"        // not in the initial state
    "edge:P:A:A:a{provided: y>7 && x>=6 : do: y=0}\n" // contradicts the invariant
    "edge:P:A:A:a{do: y=x+-2}\n"                      // may set a clock below 0
    "edge:P:A:B:a{do: x=x+1}\n";

static void test_list(void **unused) {
  (void)unused;
  Reading r;
  reading_accept(&r, model);
  StateTransitions a;
  statetransitions_init(&a, &r.mem, &r.net);
  int32_t *state = ARENA_ARRAY(&r.arena, int32_t, r.net.slots.count);
  assert_null(statetransitions_find(&a, state));
  assert_true(a.can_delay);
  assert_false(a.invariant_fails);
  assert_int_equal(a.invariant.size, 1);
  assert_int_equal(a.list.size, 3);
  // The guard, and y <= 9 of the target's invariant; x = 1 meets x <= 2.
  const StateTransition *first = &a.list.items[0];
  assert_int_equal(first->guard_count, 1);
  assert_int_equal(first->test_count, 2);
  assert_int_equal(a.targets.items[first->target], 1);
  const Origin *origin = &a.origins.items[first->origin];
  assert_int_equal(origin[1].y, 0);
  assert_int_equal(origin[1].d, 1);
  // y = x - 2 must not be below 0.
  const StateTransition *drop = &a.list.items[1];
  assert_int_equal(drop->drop_count, 1);
  assert_int_equal(a.drops.items[drop->first_drop].d, -2);
  // x <= 2 after x = x + 1 is x <= 1 before it.
  const StateTransition *last = &a.list.items[2];
  assert_int_equal(last->guard_count, 0);
  assert_int_equal(a.tests.items[last->first_test].constant, 1);
  reading_drop(&r);
}

static void test_contradictions(void **unused) {
  (void)unused;
  Reading r;
  reading_accept(&r, model);
  StateTransitions a;
  statetransitions_init(&a, &r.mem, &r.net);
  int32_t *state = ARENA_ARRAY(&r.arena, int32_t, r.net.slots.count);
  assert_null(statetransitions_find(&a, state));
  const ClockTest above = {0, 1, -5, true}, at = {0, 1, -5, false}, below = {1, 0, 0, true};
  assert_true(statetransitions_contradict(&a, &above, 1)); // x > 5 and the invariant
  assert_false(statetransitions_contradict(&a, &at, 1));
  assert_true(statetransitions_contradict(&a, &below, 1)); // x < 0
  reading_drop(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_list),
                                     cmocka_unit_test(test_contradictions)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
