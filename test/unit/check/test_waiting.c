// Deadlocks of concrete states, found by intervals of delays, against those of zones: two ways to
// the same answer that share nothing.
#include "check/waiting.h"

#include "answers/queries/deadlock.h"
#include "searching.h"

enum { SCALE = 4 };

static bool meets(const ClockTests *tests, const int64_t *clocks) {
  for (uint32_t i = 0; i < tests->size; i++) {
    const ClockTest t = tests->items[i];
    const int64_t left = clocks[t.i] - clocks[t.j], right = (int64_t)t.constant * SCALE;
    if (t.strict ? left >= right : left > right)
      return false;
  }
  return true;
}

static void test_random(void **unused) {
  (void)unused;
  Random random;
  random_seed(&random, 19);
  uint32_t deadlocked = 0, live = 0;
  for (int seed = 1; seed <= 300; seed++) {
    Search s;
    search_random(&s, seed, seed % 2 ? "closed=1" : "processes=3");
    const Net *net = &s.reading.net;
    Vm vm;
    Waiting waiting;
    Deadlocks deadlocks;
    ClockTests tests = {0};
    net_vm(net, &vm, &s.mem);
    waiting_init(&waiting, &s.mem, net);
    deadlocks_init(&deadlocks, &s.mem, net);
    int32_t *state = ARENA_ARRAY(&s.reading.arena, int32_t, net->slots.count);
    int64_t clocks[8] = {0};
    assert_true(net->clock_count < 8);
    for (int i = 0; i < 60; i++) {
      for (uint32_t slot = 0; slot < net->slots.count; slot++)
        state[slot] = random_between(&random, net->slots.min[slot], net->slots.max[slot]);
      for (ClockIndex x = 1; x <= net->clock_count; x++)
        clocks[x] = random_between(&random, 0, 6 * SCALE);
      tests.size = 0;
      if (joint_invariant(net, &vm, state, &tests) != VM_TRUE || !meets(&tests, clocks))
        continue;
      const Federation *set = deadlocks_of(&deadlocks, state);
      assert_non_null(set);
      const bool is_deadlocked = waiting_is_deadlocked(&waiting, state, clocks, SCALE);
      assert_int_equal(federation_contains(set, clocks, SCALE), is_deadlocked);
      assert_int_equal(waiting_can_act(&waiting, state, clocks, SCALE), !is_deadlocked);
      *(is_deadlocked ? &deadlocked : &live) += 1;
    }
    vec_release(&s.mem, &tests);
    deadlocks_release(&deadlocks);
    vm_release(&vm);
    search_drop(&s);
  }
  assert_true(deadlocked > 500);
  assert_true(live > 500);
}

static void test_endless(void **unused) {
  (void)unused;
  Reading r;
  reading_accept(&r, "system:s\nprocess:P\nevent:a\nclock:1:x\n"
                     "location:P:free{initial:}\nlocation:P:bounded{invariant: x <= 3}\n"
                     "location:P:above{invariant: x >= 0}\nlocation:P:still{urgent:}\n"
                     "edge:P:free:bounded:a{}\n");
  Waiting waiting;
  waiting_init(&waiting, &r.mem, &r.net);
  const bool expected[] = {true, false, true, false};
  for (int32_t i = 0; i < 4; i++)
    assert_int_equal(waiting_is_endless(&waiting, &i), expected[i]);
  reading_drop(&r);
}

// A transition that fails at run time is an action, as searches for deadlocks take it.
static void test_failing(void **unused) {
  (void)unused;
  Reading r;
  reading_accept(&r, "system:m\nevent:a\nint:1:0:1:0:i\nprocess:P\nlocation:P:A{initial:}\n"
                     "edge:P:A:A:a{do: i=1/i}\n");
  Waiting waiting;
  waiting_init(&waiting, &r.mem, &r.net);
  const int32_t state[] = {0, 0};
  const int64_t clocks[] = {0};
  assert_false(waiting_is_deadlocked(&waiting, state, clocks, 1));
  assert_true(waiting_can_act(&waiting, state, clocks, 1));
  reading_drop(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_random),
                                     cmocka_unit_test(test_endless),
                                     cmocka_unit_test(test_failing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
