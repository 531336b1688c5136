// The naive enumeration of joint transitions against that of the engines: the same moves in
// the same order.
#include "check/moves.h"

#include "model/joint.h"
#include "model/state.h"
#include "searching.h"

static void compare(const Net *net, Moves *moves, Joint *joint, const int32_t *state) {
  moves_find(moves, state);
  joint_begin(joint, state);
  uint32_t count = 0;
  while (joint_next(joint)) {
    assert_true(count < moves->list.size);
    const MoveEdges move = moves->list.items[count++];
    assert_int_equal(move.count, joint->edge_count);
    assert_memory_equal(&moves->edges.items[move.first], joint->edges,
                        move.count * sizeof *joint->edges);
    assert_true(moves_contain(moves, joint->edges, joint->edge_count));
  }
  assert_int_equal(count, moves->list.size);
  assert_int_equal(moves_can_delay(net, state), state_may_delay(net, state));
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
    Moves moves;
    moves_init(&moves, &s.mem, net);
    Joint joint;
    joint_init(&joint, net, &s.reading.arena);
    int32_t *state = ARENA_ARRAY(&s.reading.arena, int32_t, net->slots.count);
    for (int i = 0; i < 30; i++) {
      for (ProcessId p = 0; p < net->processes.size; p++)
        state[net->location_slot + p] =
            (int32_t)random_below(&random, net->processes.items[p].location_count);
      compare(net, &moves, &joint, state);
      seen += moves.list.size;
    }
    moves_release(&moves);
    search_release(&s);
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
  Moves moves;
  moves_init(&moves, &s.mem, net);
  moves_find(&moves, net->slots.initial);
  bool found = false;
  for (uint32_t i = 0; i < moves.list.size; i++) {
    const MoveEdges move = moves.list.items[i];
    if (move.count < 2)
      continue;
    found = true;
    assert_false(moves_contain(&moves, &moves.edges.items[move.first], move.count - 1));
    assert_false(moves_contain(&moves, &moves.edges.items[move.first], 0));
  }
  assert_true(found);
  moves_release(&moves);
  search_release(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random),
      cmocka_unit_test(test_parts),
  };
  return cmocka_run_group_tests_name("moves", tests, NULL, NULL);
}
