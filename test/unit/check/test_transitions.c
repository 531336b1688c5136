// The naive enumeration of joint transitions against that of the engines: the same ones in
// the same order.
#include "check/transitions.h"

#include "model/joint.h"
#include "model/state.h"
#include "searching.h"

static void compare(const Net *net, Transitions *transitions, Joint *joint,
                    const int32_t *state) {
  transitions_find(transitions, state);
  joint_begin(joint, state);
  uint32_t count = 0;
  while (joint_next(joint)) {
    assert_true(count < transitions->list.size);
    const TransitionEdges transition = transitions->list.items[count++];
    assert_int_equal(transition.count, joint->edge_count);
    assert_memory_equal(&transitions->edges.items[transition.first], joint->edges,
                        transition.count * sizeof *joint->edges);
    assert_true(transitions_contain(transitions, joint->edges, joint->edge_count));
  }
  assert_int_equal(count, transitions->list.size);
  assert_int_equal(transitions_can_delay(transitions, state), state_may_delay(net, state));
}

static void test_random(void **unused) {
  (void)unused;
  Random random;
  random_seed(&random, 5);
  uint32_t seen = 0;
  for (int seed = 1; seed <= 200; seed++) {
    Search s;
    search_random(&s, seed, "processes=3");
    const Net *net = &s.reading.net;
    Transitions transitions;
    transitions_init(&transitions, &s.mem, net);
    Joint joint;
    joint_init(&joint, net, &s.reading.arena);
    int32_t *state = ARENA_ARRAY(&s.reading.arena, int32_t, net->slots.count);
    for (int i = 0; i < 30; i++) {
      for (ProcessId p = 0; p < net->processes.size; p++)
        state[net->location_slot + p] =
            (int32_t)random_below(&random, net->processes.items[p].location_count);
      compare(net, &transitions, &joint, state);
      seen += transitions.list.size;
    }
    search_drop(&s);
  }
  assert_true(seen > 5000);
}

// Part of a joint transition is none.
static void test_parts(void **unused) {
  (void)unused;
  Search s;
  const char *const arguments[] = {"3"};
  search_generate(&s, "csma", 1, arguments);
  const Net *net = &s.reading.net;
  Transitions transitions;
  transitions_init(&transitions, &s.mem, net);
  transitions_find(&transitions, net->slots.initial);
  bool found = false;
  for (uint32_t i = 0; i < transitions.list.size; i++) {
    const TransitionEdges transition = transitions.list.items[i];
    if (transition.count < 2)
      continue;
    found = true;
    assert_false(transitions_contain(&transitions, &transitions.edges.items[transition.first],
                                     transition.count - 1));
    assert_false(
        transitions_contain(&transitions, &transitions.edges.items[transition.first], 0));
  }
  assert_true(found);
  search_drop(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random),
      cmocka_unit_test(test_parts),
  };
  return cmocka_run_group_tests_name("transitions", tests, NULL, NULL);
}
